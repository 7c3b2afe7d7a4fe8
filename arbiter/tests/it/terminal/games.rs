//! Every game to its end, by keyboard alone and by mouse alone, hot seat and against a bot, in colour, without, and
//! with nothing but ASCII.

use super::hand::{By, Hand, words};
use super::pty::{Setup, Terminal};
use crate::support::{json, only_file, sample_bot, scratch};
use arbiter_rules::draw::Charset;
use arbiter_rules::{Chance, MoveList, Position, Seat, registry};

const COLOUR: (&[(&str, &str)], Charset) = (&[], Charset::Unicode);
const PLAIN: (&[(&str, &str)], Charset) = (&[("NO_COLOR", "1")], Charset::Unicode);
const ASCII: (&[(&str, &str)], Charset) = (&[("LC_ALL", "C"), ("LANG", "C")], Charset::Ascii);

/// A position of chinese checkers not far from its end: whole games take hundreds of moves.
fn late_star() -> String {
    let mut position = registry::start("chinese-checkers", &arbiter_rules::Setup::default()).unwrap();
    let mut texts = Vec::new();
    while position.end().is_none() {
        texts.push(position.text());
        let mut moves = MoveList::new();
        position.legal_moves(&mut moves);
        let seat = position.to_move().unwrap().index();
        let to_go = |m| {
            let mut next = position.clone();
            next.play(m, &Chance::NONE).unwrap();
            (next.end().is_none(), next.scores()[0].by_seat[seat], position.ply().wrapping_mul(31) % 7)
        };
        let best = moves.iter().copied().min_by_key(|&m| to_go(m)).unwrap();
        position.play(best, &Chance::NONE).unwrap();
    }
    texts[texts.len().saturating_sub(9)].clone()
}

fn start(game: &str, text: Option<&str>) -> Position {
    registry::start(game, &arbiter_rules::Setup { position: text, ..Default::default() }).unwrap()
}

/// Plays a game at a terminal and checks what is left of it.
fn play(game: &str, by: By, opponent: Option<&str>, (env, charset): (&[(&str, &str)], Charset)) {
    let who = if opponent.is_some() { "bot" } else { "hot-seat" };
    let folder = scratch(&format!("terminal-{game}-{by:?}-{who}"));
    let text = (game == "chinese-checkers").then(late_star);
    let bot = opponent.map(sample_bot);
    let mut args = vec!["human"];
    args.extend(bot.as_deref());
    args.extend(["--game", game, "--move-time", "5s"]);
    args.extend(text.iter().flat_map(|text| ["--position", text.as_str()]));
    // What a bot has played is read from the list of moves, for which high stacks leave no room in a small window.
    let rows = if bot.is_some() && game == "stacks" { 40 } else { Setup::default().rows };
    let mut terminal = Terminal::start(&folder, &args, Setup { rows, env, ..Setup::default() });
    terminal.wait_for(game);
    let mut hand = Hand::new(&terminal, start(game, text.as_deref()), charset, by);
    while hand.position.end().is_none() {
        match opponent {
            None => {
                hand.play();
                hand.check();
            }
            Some(_) => {
                if hand.position.to_move().is_some_and(|seat| seat.index() == 0) {
                    hand.play();
                }
                hand.watch_until(0);
            }
        }
    }
    let position = hand.position;
    let end = position.end().unwrap();
    let said = match (end.outcome.winner(), opponent) {
        (Some(seat), None) => format!("Player {seat} wins: "),
        (Some(Seat::FIRST), Some(_)) => "You win: ".to_owned(),
        (Some(_), Some(_)) => "You lose: ".to_owned(),
        (None, _) => "The game is drawn".to_owned(),
    };
    terminal.wait_for("[Enter Close]");
    terminal.wait("how the game ended", |screen| words(screen).contains(said.trim()).then_some(()));
    if env == PLAIN.0 {
        assert_no_colour(&terminal.raw());
    }
    if charset == Charset::Ascii {
        assert!(terminal.raw().is_ascii(), "something is not ASCII\n{}", terminal.text());
    }
    match by {
        By::Keyboard => terminal.keys("\r"),
        By::Mouse => terminal.click_text("[Enter Close]"),
    }
    terminal.ends_restored(0);
    assert!(terminal.text().contains("saved 1 of 1 games"), "{}", terminal.text());
    let report = json(only_file(&folder.join("results"), ".json"));
    let game = &report["games"][0];
    assert_eq!(game["final_position"], position.text(), "the record is of another game");
    assert!(game["ending"]["how"].is_null(), "by the rules, which is left out: {}", game["ending"]);
}

/// No escape sequence sets a colour.
fn assert_no_colour(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for sequence in text.split("\x1b[").skip(1) {
        let end = sequence.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(0);
        if sequence[end..].starts_with('m') {
            let is_colour = |n: &str| matches!(n.parse(), Ok(30..=38 | 40..=48 | 90..=97 | 100..=107));
            assert!(!sequence[..end].split(';').any(is_colour), "a colour: {:?}", &sequence[..=end]);
        }
    }
}

const LOOKS: [(&[(&str, &str)], Charset); 3] = [COLOUR, PLAIN, ASCII];

/// Every game, each in one look, the first game in this one. What is touched, and who the opponent is, changes nothing about
/// looks: the tests together show every game in every look.
fn play_all(by: By, opponent: Option<&str>, first: usize) {
    for (info, looks) in registry::GAMES.iter().zip(LOOKS.into_iter().cycle().skip(first)) {
        play(info.id, by, opponent, looks);
    }
}

#[test]
fn every_game_is_played_to_its_end_by_keyboard_alone() {
    play_all(By::Keyboard, None, 0);
}

#[test]
fn every_game_is_played_to_its_end_by_mouse_alone() {
    play_all(By::Mouse, None, 1);
}

#[test]
fn games_are_played_against_a_bot_by_keyboard_alone() {
    play_all(By::Keyboard, Some("greedy"), 2);
}

#[test]
fn games_are_played_against_a_bot_by_mouse_alone() {
    play_all(By::Mouse, Some("random"), 0);
}
