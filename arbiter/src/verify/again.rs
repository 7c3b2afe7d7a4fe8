//! A recorded game played again with one real bot. The game goes as the file says, whatever the bot answers; but the
//! bot is asked every time, and its answers are noted.

use super::replay::{Form, Ghost, play_again};
use crate::player::{Answer, Briefing, GameResult, Player, Reply, Turn};
use crate::record::schema::{GameRecord, MatchReport};
use crate::referee::by_the_rules;
use crate::tournament::{Course, MatchSeed};
use crate::verdict::{Event, Failure, Fault, MachineFailure};
use arbiter_rules::{Position, Seat};
use std::cell::RefCell;

/// What the bot did at one moment of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    /// Plies played before it; `None` for the start of the game.
    pub ply: Option<u32>,
    /// What it did now.
    pub now: String,
    /// What it did then.
    pub then: String,
    /// What the machine did now, so that the bot was not asked any more.
    pub machine: Option<MachineFailure>,
}

/// Plays a recorded game again with a real bot in one seat, up to where that seat left it. The course has heard of all games of the
/// report.
///
/// # Errors
/// Where the file cannot be followed.
pub fn ask_again(
    frame: &MatchReport,
    course: &Course,
    game: &GameRecord,
    seat: Seat,
    bot: &mut dyn Player,
) -> Result<Vec<Moment>, Vec<String>> {
    let plan = &frame.plan;
    let start = super::start(plan).map_err(|problem| vec![problem])?;
    let fixture = course.fixture(game.number).ok_or_else(|| vec![super::no_such_game(frame)])?;
    let mut openings = super::openings(plan, &start).map_err(|problem| vec![problem])?;
    let opening = openings.of_unit(&fixture.unit).map_err(|error| vec![error.to_string()])?;
    let place = (fixture, opening);
    let moments = RefCell::new(Vec::new());
    let seed = MatchSeed::new(&plan.seed).player(game.number, seat.index());
    let mut bot = Some(bot);
    play_again(plan, &start, game, &place, Form::Whole, |of, ghost| match bot.take_if(|_| of == seat) {
        Some(bot) => Box::new(AskedAgain { bot, seed, is_sound: true, ghost, moments: &moments }),
        None => Box::new(ghost),
    })?;
    Ok(moments.into_inner())
}

struct AskedAgain<'a> {
    bot: &'a mut dyn Player,
    seed: u64,
    is_sound: bool,
    ghost: Ghost<'a>,
    moments: &'a RefCell<Vec<Moment>>,
}

impl AskedAgain<'_> {
    fn note(&mut self, ply: Option<u32>, now: String, then: String, machine: Option<MachineFailure>) {
        self.moments.borrow_mut().push(Moment { ply, now, then, machine });
    }
}

impl Player for AskedAgain<'_> {
    fn new_game(&mut self, game: &Briefing<'_>) -> Result<(), Failure> {
        let now = self.bot.new_game(&Briefing { seed: self.seed, ..*game });
        let then = self.ghost.new_game(game);
        self.is_sound = now.is_ok();
        let words = |begun: &Result<(), Failure>| match begun {
            Ok(()) => "began the game".to_owned(),
            Err(failure) => failure.sentence(),
        };
        if now.is_err() || then.is_err() {
            let machine =
                if let Err(Failure::Machine(failure)) = &now { Some(failure.clone()) } else { None };
            self.note(None, words(&now), words(&then), machine);
        }
        then
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Reply {
        let then = self.ghost.choose(turn);
        if self.is_sound {
            let now = self.bot.choose(turn).answer;
            self.is_sound = !matches!(now, Answer::Fault(_) | Answer::Machine(_));
            let machine = if let Answer::Machine(failure) = &now { Some(failure.clone()) } else { None };
            let words = |answer| words(answer, turn.position);
            self.note(Some(turn.position.ply()), words(&now), words(&then.answer), machine);
        }
        then
    }

    fn told(&mut self, event: &Event<'_>) {
        if self.is_sound {
            self.bot.told(event);
        }
    }

    fn game_over(&mut self, result: &GameResult<'_>) -> Result<(), Fault> {
        let now = if self.is_sound { self.bot.game_over(result) } else { Ok(()) };
        let then = self.ghost.game_over(result);
        if now.is_err() || then.is_err() {
            let words = |done: &Result<(), Fault>| match done {
                Ok(()) => "heard that the game is over".to_owned(),
                Err(fault) => fault.sentence(),
            };
            self.note(None, words(&now), words(&then), None);
        }
        then
    }
}

/// What an answer is, after "the bot".
fn words(answer: &Answer, position: &Position) -> String {
    match (answer, by_the_rules(answer, position)) {
        (Answer::Fault(fault), _) => fault.sentence(),
        (_, Some(Err(refused))) => refused.sentence(),
        (Answer::Machine(failure), _) => failure.sentence(),
        (_, Some(Ok(choice))) => format!("played {}", position.choice_text(&choice)),
        (_, None) => "took a move back".to_owned(),
    }
}
