//! In every game one of four bots does something wrong. Every game ends with the right verdict, and for the others it is
//! as if that bot had resigned instead.

use super::{play, tell};
use crate::host::catalogue::{Expected, MEMORY, all_misdeeds, check};
use crate::support::{c_bot, sample_bot, scratch, verify};
use arbiter::record::schema::{GameRecord, MatchReport};
use arbiter::record::{canonical_game, fault_from_record};
use arbiter::tournament::MatchSeed;
use arbiter::verdict::{Fault, Phase};
use std::collections::BTreeMap;

/// What a bot does somewhere, and what comes of it.
struct Choice {
    place: &'static str,
    misdeed: String,
    verdict: Verdict,
}

/// What comes of a misdeed.
enum Verdict {
    /// As in the catalogue.
    Known(Expected),
    /// A fault of this kind.
    Fault(&'static str),
}

/// Where the seed of a game is known already, and what is being done there.
const PLACES: [(&str, Phase); 5] = [
    ("new_game", Phase::NewGame),
    ("choose_move", Phase::Move),
    ("played", Phase::Move),
    ("between_turns", Phase::Idle),
    ("game_over", Phase::GameOver),
];

/// What bots answer that is wrong.
const ANSWERS: [(&str, &str, &str); 8] = [
    ("answer", "0xffffffffffffffff", "illegal-move"),
    ("answer", "0", "illegal-move"),
    ("choose_move", "1", "resigned"),
    ("choose_move", "-1", "failed"),
    ("choose_move", "77", "failed"),
    ("choose_move", "-6", "out-of-memory"),
    ("choose_move", "panic", "panicked"),
    ("choose_move", "scribble", "bad-reply"),
];

/// The bot that misbehaves is the last of four.
const FAULTY: u32 = 3;

impl Choice {
    fn all() -> Vec<Choice> {
        let is_certain = |place: &str, misdeed: &str, expected: Expected| match expected {
            Expected::Anything => false,
            // It is not late enough for the times that there are here.
            Expected::Late if misdeed == "answer late" => false,
            // A bot that only uses time between its turns may well be ready for the next one.
            Expected::Late => place != "between_turns",
            _ => true,
        };
        let known = PLACES.iter().flat_map(|(place, _)| {
            all_misdeeds()
                .filter(|(misdeed, expected)| is_certain(place, misdeed, *expected))
                .map(|(misdeed, expected)| Choice { place, misdeed, verdict: Verdict::Known(expected) })
        });
        let answers = ANSWERS.iter().map(|(place, misdeed, kind)| Choice {
            place,
            misdeed: (*misdeed).to_owned(),
            verdict: Verdict::Fault(kind),
        });
        // The seed 0 of the rehearsal chooses the first, which must not fail there.
        answers.chain(known).collect()
    }

    /// Whether the bot loses its seat by it.
    fn loses(&self) -> bool {
        self.place != "game_over" && !matches!(self.verdict, Verdict::Known(Expected::PlaysOn))
    }

    #[track_caller]
    fn check(&self, game: &GameRecord, seat: u32) {
        let what = format!("game {}: {} in {}", game.number, self.misdeed, self.place);
        let out: Vec<_> = game.eliminations.iter().map(|out| (out.seat, &out.fault)).collect();
        let noted = game.noted.iter().map(|noted| (noted.seat, &noted.fault));
        let faults: Vec<_> = out.iter().copied().chain(noted).collect();
        assert!(faults.iter().all(|(of, _)| *of == seat), "{what}: an honest bot is blamed: {faults:?}");
        assert!(faults.len() <= 1, "{what}: {faults:?}");
        // What is done after a bot's last turn is found when the game is over, and costs it nothing.
        let was_last = self.place == "between_turns" && game.noted.len() == 1;
        assert_eq!(out.len() == 1, self.loses() && !was_last, "{what}: {faults:?}");
        let last_error = game.errors.last();
        let fault = faults.first().map(|(_, fault)| fault_from_record(fault, last_error).unwrap());
        match &self.verdict {
            Verdict::Known(expected) => check(fault.as_ref(), *expected, self.during(fault.as_ref()), &what),
            Verdict::Fault(kind) => assert_eq!(fault.map(|fault| fault.code()), Some(*kind), "{what}"),
        }
        let refused = if self.place == "answer" { 3 } else { 0 };
        assert!(game.errors.len() == refused && game.errors.iter().all(|error| error.seat == seat), "{what}");
    }

    /// What the bot was doing. What it does between its turns may come to pass only in the next one.
    fn during(&self, fault: Option<&Fault>) -> Phase {
        let phase = PLACES.iter().find(|(place, _)| *place == self.place).unwrap().1;
        match fault.and_then(Fault::phase) {
            Some(Phase::Move) if phase == Phase::Idle => Phase::Move,
            _ => phase,
        }
    }
}

/// Two games as the honest bots know them.
fn for_the_others(game: &GameRecord, other: &GameRecord, faulty: u32) -> [GameRecord; 2] {
    let mut games = [game.clone(), other.clone()];
    for game in &mut games {
        canonical_game(game);
        game.errors.retain(|error| error.seat != faulty);
        game.noted.clear();
    }
    let [game, other] = &mut games;
    for (out, other) in game.eliminations.iter().zip(&mut other.eliminations) {
        other.fault = out.fault.clone();
    }
    games
}

/// Plays games with one misdeed in each, and the same games with a resignation instead.
fn prove(name: &str, games: u32) {
    let choices = Choice::all();
    let folder = scratch(name);
    let (random, first, faulty) = (sample_bot("random"), c_bot("first"), c_bot("faulty"));
    let (number, memory) = (games.to_string(), (MEMORY >> 20).to_string());
    let run = |name: &str, options: &[String]| -> MatchReport {
        let mut args = vec![&*random, &*random, &*first, &*faulty];
        args.extend(["--game", "chinese-checkers", "--players", "4", "-O", "max_rounds=10"]);
        // Enough time for what a bot prints or starts before it plays on, however busy the machine is.
        args.extend([
            "--seed", "misdeeds", "--games", &number, "--memory", &memory, "--move-time", "1s", "--margin",
            "500ms",
        ]);
        args.extend(options.iter().flat_map(|option| ["-B", option]));
        play(&folder, name, &args)
    };
    let list = |choice: &Choice| format!("{}:{}", choice.place, choice.misdeed);
    let real = choices.iter().map(list).collect::<Vec<_>>().join("|");
    let harmless = |choice: &Choice| if choice.loses() { list(choice) } else { "nowhere:".to_owned() };
    let instead = choices.iter().map(harmless).collect::<Vec<_>>().join("|");
    let report = run("misdeeds-done", &[format!("4:any={real}")]);
    let control = run("misdeeds-resigned", &[format!("4:any={instead}"), "4:instead=resign".to_owned()]);
    assert_eq!((report.games.len(), control.games.len()), (games as usize, games as usize));
    assert_eq!(verify(&report), [], "the report is judged again");
    let mut kinds = BTreeMap::<String, u32>::new();
    for (game, other) in report.games.iter().zip(&control.games) {
        let seat = game.seats.iter().position(|seat| seat.player == FAULTY).unwrap();
        let seed = MatchSeed::new(&report.plan.seed).player(game.number, seat);
        let choice = &choices[(seed % choices.len() as u64) as usize];
        choice.check(game, seat as u32);
        let what = format!("game {}: {} in {}", game.number, choice.misdeed, choice.place);
        let [done, resigned] = for_the_others(game, other, seat as u32);
        assert_eq!(done, resigned, "{what} changes the game of the others");
        let kind = game.eliminations.first().map_or("none that loses a seat", |out| &out.fault.kind);
        *kinds.entry(kind.to_owned()).or_default() += 1;
    }
    tell(&format!("{games} games, {} misdeeds to choose from: {kinds:?}", choices.len()));
}

#[test]
fn in_forty_games_with_a_misdeed_each_nobody_else_is_harmed() {
    prove("forty-misdeeds", 40);
}

/// `cargo test -p arbiter --test it proofs::misdeeds -- --ignored --nocapture`
#[test]
#[ignore = "takes minutes"]
fn in_a_thousand_games_with_a_misdeed_each_nobody_else_is_harmed() {
    prove("thousand-misdeeds", 1000);
}
