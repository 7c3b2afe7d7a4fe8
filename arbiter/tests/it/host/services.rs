//! What a bot is lent and told: the same in a process of its own and in ours.

use super::support::{
    AMPLE, SEED, ask, begin, brief, c_bot_with, command, fault_of, first_answer, host, play_by, play_choice,
    sandboxed, start,
};
use arbiter::host::{BotCommand, InProcess, Sandboxed};
use arbiter::player::{Answer, Budget, GameResult, Player};
use arbiter::verdict::{BotReport, Bound, ChosenBy, Event, Fault, MoveValue, Spent, Values};
use arbiter_rules::{
    Best, Chance, ChanceSource, Choice, MoveList, Outcome, Random, Score, Seat, Setup, registry,
};
use std::time::Duration;

/// Levels far enough apart for a busy machine to show each of them.
const STEPS: Budget = Budget {
    hard: Some(Duration::from_millis(600)),
    soft: Duration::from_millis(100),
    margin: Duration::from_secs(30),
};

/// What the bot has logged, one message a line, without their levels.
fn log_of(player: Sandboxed) -> Vec<String> {
    let output = player.into_output();
    output.lines().map(|line| line.split_once("] ").map_or(line, |(_, text)| text).to_owned()).collect()
}

/// Whether the bot `conformance` is content; otherwise its process tells on which line it was not.
fn is_content(player: &mut dyn Player) -> Result<(), Fault> {
    let position = start("othello");
    player.new_game(&brief(&position, Seat::FIRST)).map_err(fault_of)?;
    let reply = ask(player, &position, AMPLE);
    if let Answer::Fault(fault) = reply.answer {
        return Err(fault);
    }
    let line = vec![position.move_text(position.nth_legal(0))];
    let text = "thinking".to_owned();
    let value =
        |nth, score, bound| MoveValue { text: position.move_text(position.nth_legal(nth)), score, bound };
    // The fourth of the reported moves is none, and is left out.
    let moves = vec![value(1, -7, Bound::AtMost), value(0, 12, Bound::Exact), value(2, 3, Bound::AtLeast)];
    let values = Values { depth: 4, moves };
    let report = BotReport { depth: 9, nodes: 1_234_567, score: Some(-50), line, text, values };
    assert_eq!(reply.report.as_deref(), Some(&report));
    Ok(())
}

#[test]
fn every_function_of_the_host_table_keeps_its_promises() {
    let command = command("conformance", &[("style", "wild")]);
    let mut contained = Sandboxed::start(&command);
    assert_eq!(is_content(&mut contained), Ok(()), "{}", contained.output());
    assert_eq!(is_content(&mut InProcess::trusting(command.clone())), Ok(()));
}

#[test]
fn the_stop_level_rises_from_enough_to_stop_to_abandon() {
    let mut player = sandboxed("witness", &[("do", "watch level")]);
    let position = begin(&mut player, "othello");
    assert!(matches!(ask(&mut player, &position, STEPS).answer, Answer::Move(_)));
    let log = log_of(player);
    assert_eq!(log[log.len() - 4..], ["level 0", "level 1", "level 2", "level 3"]);
}

#[test]
fn a_bot_that_sleeps_is_woken_whenever_the_level_rises() {
    let command = command("witness", &[("do", "sleep")]);
    let mut contained = Sandboxed::start(&command);
    let mut trusted = InProcess::trusting(command.clone());
    for player in [&mut contained as &mut dyn Player, &mut trusted] {
        let position = begin(player, "othello");
        for _ in 0..2 {
            assert!(matches!(ask(player, &position, STEPS).answer, Answer::Move(_)));
        }
    }
}

#[test]
fn a_bot_hears_of_every_move_in_order_before_its_next_turn() {
    let mut player = sandboxed("witness", &[]);
    let mut position = begin(&mut player, "othello");
    for (index, text) in ["d3", "c3", "c4", "c5"].into_iter().enumerate() {
        let choice = position.read_move(text).unwrap();
        play_choice(&mut position, &mut [&mut player], choice, index < 2);
    }
    ask(&mut player, &position, AMPLE);
    let score = Score { name: "discs", by_seat: vec![40, 24], best: Best::Most };
    let outcome = Outcome::win(2, Seat::FIRST);
    assert_eq!(player.game_over(&GameResult { outcome, reason: "full", score: Some(&score) }), Ok(()));
    let number = Random::new(SEED).bits();
    let expected = [
        format!("new game othello seat 0, first random number {number}"),
        "an option of 0 bytes".to_owned(),
        "ply 0 seat 0 d3 flags 1 took 7000 then seat 1".to_owned(),
        "ply 1 seat 1 c3 flags 1 took 7000 then seat 0".to_owned(),
        "ply 2 seat 0 c4 flags 0 took 7000 then seat 1".to_owned(),
        "ply 3 seat 1 c5 flags 0 took 7000 then seat 0".to_owned(),
        "turn 1 at ply 4, attempt 0, history 4".to_owned(),
        "over: 1 full, ranks 1 2, score 40".to_owned(),
    ];
    assert_eq!(log_of(player), expected);
}

#[test]
fn eliminated_seats_are_told_and_hear_nothing_more_until_the_game_is_over() {
    let setup = Setup { players: Some(3), ..Setup::default() };
    let mut position = registry::start("chinese-checkers", &setup).unwrap();
    let [mut stays, mut leaves] = [0, 1].map(|_| sandboxed("witness", &[]));
    stays.new_game(&brief(&position, Seat::FIRST)).unwrap();
    leaves.new_game(&brief(&position, Seat::SECOND)).unwrap();
    let first = Choice::from(position.nth_legal(0));
    let text = position.choice_text(&first);
    play_choice(&mut position, &mut [&mut stays, &mut leaves], first, false);
    let before = position.clone();
    position.eliminate(Seat::SECOND);
    let (seat, fault, spent, output) = (Seat::SECOND, &Fault::Resigned, Spent::default(), "");
    let (before, position_after) = (&before, &position);
    let out = Event::Eliminated { seat, ply: 1, fault, spent, output, before, position: position_after };
    stays.told(&out);
    leaves.told(&out);
    let third = Choice::from(position.nth_legal(0));
    let later = position.choice_text(&third);
    play_choice(&mut position, &mut [&mut stays, &mut leaves], third, false);
    let outcome = Outcome::from_ranks(&[1, 3, 2]).unwrap();
    let result = GameResult { outcome, reason: "home", score: None };
    assert_eq!(stays.game_over(&result), Ok(()));
    assert_eq!(leaves.game_over(&result), Ok(()));
    let [stays, leaves] = [stays, leaves].map(|player| log_of(player).split_off(2));
    let heard = [
        format!("ply 0 seat 0 {text} flags 0 took 7000 then seat 1"),
        "ply 1 seat 1 resigned flags 2 took 0 then seat 2".to_owned(),
        format!("ply 1 seat 2 {later} flags 0 took 7000 then seat 0"),
        "over: 1 home, ranks 1 3, score -1".to_owned(),
    ];
    assert_eq!(stays, heard);
    assert_eq!(leaves, [&heard[0], &heard[1], "over: -1 home, ranks 1 3, score -1"]);
}

#[test]
fn chance_is_told_after_the_move_that_it_follows() {
    let setup = Setup { options: &[("earthquake", "true")], ..Setup::default() };
    let mut position = registry::start("stacks", &setup).unwrap();
    let mut player = sandboxed("witness", &[]);
    player.new_game(&brief(&position, Seat::FIRST)).unwrap();
    let mut expected = Vec::new();
    for _ in 0..3 {
        let choice = Choice::from(position.nth_legal(0));
        let seat = position.to_move().unwrap();
        let (ply, text) = (position.ply(), position.choice_text(&choice));
        let chance = (0..).map(|seed| position.draw_chance(choice.played, ChanceSource::Sample(seed)));
        let chance = chance.take(1000).find(|chance| !chance.is_empty()).unwrap_or(Chance::NONE);
        let took = Duration::from_nanos(9);
        play_by(&mut position, &mut [&mut player], &choice, ChosenBy::Player, took, &chance);
        let next = position.to_move().unwrap().index();
        expected.push(format!("ply {ply} seat {} {text} flags 0 took 9 then seat {next}", seat.index()));
        if !chance.is_empty() {
            let fallen =
                chance.fallen.iter().map(|(cell, count)| format!("{}:{count}", position.cell_name(*cell)));
            let fallen = fallen.collect::<Vec<_>>().join(" ");
            expected.push(format!("ply {ply} seat -2 {fallen} flags 0 took 0 then seat {next}"));
        }
    }
    assert_eq!(
        player.game_over(&GameResult { outcome: Outcome::win(2, Seat::FIRST), reason: "line", score: None }),
        Ok(())
    );
    let log = log_of(player);
    assert_eq!(log[2..log.len() - 1], expected);
    assert!(expected.len() > 3, "an earthquake has been seen");
}

#[test]
fn a_bot_may_answer_with_a_path() {
    let mut player = sandboxed("witness", &[("do", "answer with path")]);
    let position = begin(&mut player, "chinese-checkers");
    let mut legal = MoveList::new();
    position.legal_moves(&mut legal);
    let path = position.path(legal[0]).into_iter().map(i64::from).collect();
    assert_eq!(ask(&mut player, &position, AMPLE).answer, Answer::Path(path));
}

#[test]
fn a_path_without_a_cell_is_judged_like_any_other() {
    let mut player = sandboxed("witness", &[("do", "empty path")]);
    assert_eq!(first_answer(&mut player, "chinese-checkers"), Answer::Path(Vec::new()));
}

#[test]
fn a_bot_has_eight_mebibytes_of_stack() {
    let mut player = sandboxed("witness", &[("do", "use stack")]);
    assert!(matches!(first_answer(&mut player, "othello"), Answer::Move(_)));
}

#[test]
fn a_message_longer_than_the_shared_block_arrives_whole() {
    let long = "x".repeat(300_000);
    let mut player = sandboxed("witness", &[("big", &long)]);
    begin(&mut player, "othello");
    assert_eq!(log_of(player)[1], "an option of 300000 bytes");
}

/// The numbers that two players of one library count their turns with.
fn turns_counted(players: [&mut dyn Player; 2]) -> [String; 2] {
    players.map(|player| {
        let position = begin(player, "othello");
        ask(player, &position, AMPLE).report.unwrap_or_default().text
    })
}

#[test]
fn players_of_one_library_do_not_share_its_variables() {
    // A library that no other test has in this process.
    let library = c_bot_with("witness", &["-O2"]);
    let own = BotCommand::new(host(), host().bot(library));
    let (mut first, mut second) = (Sandboxed::start(&own), Sandboxed::start(&own));
    assert_eq!(turns_counted([&mut first, &mut second]), ["turn 1", "turn 1"]);
    let (mut first, mut second) = (InProcess::trusting(own.clone()), InProcess::trusting(own.clone()));
    assert_eq!(turns_counted([&mut first, &mut second]), ["turn 1", "turn 1"]);
}

#[test]
fn players_of_a_reentrant_library_share_it_in_our_own_process() {
    let library = c_bot_with("witness", &["-DREENTRANT"]);
    let command = BotCommand::new(host(), host().bot(library));
    let (mut first, mut second) =
        (InProcess::trusting(command.clone()), InProcess::trusting(command.clone()));
    assert_eq!(turns_counted([&mut first, &mut second]), ["turn 1", "turn 2"]);
}
