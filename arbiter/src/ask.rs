//! One question to one bot: what would you play here? The bot is contained, timed and judged by the referee of matches,
//! in a game that ends after its move.

use crate::player::{Answer, Asked, Briefing, Player, Reply, TimeControl, Turn};
use crate::referee::{Game, Policy, TimeSource, play_game};
use crate::verdict::{Abandoned, BotReport, Ending, Event, Failure, Fault, Phase, Spent};
use arbiter_rules::{Move, Position, Seat};
use std::cell::RefCell;
use std::time::Duration;

/// What is asked.
pub struct Question<'a> {
    /// The position, with a seat to move.
    pub position: &'a Position,
    /// The clock of the seat to move.
    pub time: TimeControl,
    /// Most time for this answer, where the clock would allow more.
    pub at_most: Option<Duration>,
    /// Overrun that is forgiven.
    pub margin: Duration,
    /// For the bot's own random numbers.
    pub seed: u64,
}

/// What is answered: a legal move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answered {
    /// The move.
    pub played: Move,
    /// The move as people write it.
    pub text: String,
    /// What the bot said of its search; `None` where it said nothing, or was not asked since it could only pass.
    pub report: Option<BotReport>,
    /// The time it took.
    pub wall: Duration,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failed {
    /// What the bot did instead, or the machine.
    pub failure: Failure,
    /// The end of what its process printed. Hostile text.
    pub output: String,
}

/// Asks a bot for its move.
///
/// # Errors
/// Whatever the bot did wrong: one illegal answer is enough. Or what the machine did.
///
/// # Panics
/// When the game is over.
pub fn ask(question: &Question<'_>, bot: Box<dyn Player + '_>) -> Result<Answered, Failed> {
    let Question { position, time, margin, at_most, .. } = *question;
    let seat = position.to_move().expect("a game that goes on has a seat to move");
    let usual = Policy::usual(vec![time; position.seats()]);
    let policy = Policy { margin, max_errors: 1, max_plies: position.ply() + 1, ..usual };
    let seeds = vec![question.seed; position.seats()];
    let game = Game {
        start: position,
        opening: &[],
        chance_seed: question.seed,
        player_seeds: &seeds,
        policy: &policy,
        excused: &[],
    };
    let choose = move |bot: &mut dyn Player, turn: &Turn<'_>| hurried(bot, turn, at_most);
    let begin = |bot: &mut dyn Player, game: &Briefing<'_>| bot.new_game(game);
    let mut asked = Some(Asked { player: bot, begin, choose });
    let mut players: Vec<Box<dyn Player + '_>> = Vec::new();
    for other in Seat::all(position.seats()) {
        match asked.take_if(|_| other == seat) {
            Some(asked) => players.push(Box::new(asked)),
            None => players.push(Box::new(Unasked)),
        }
    }
    let result = RefCell::new(None);
    let mut hear = |event: &Event<'_>| {
        let before = result.take();
        result.replace(before.or_else(|| hear(event)));
    };
    let has_failed = || matches!(*result.borrow(), Some(Err(_)));
    // A game of several seats ends when the bot is out of it.
    let time = TimeSource { elapsed: &|| Duration::ZERO, interrupted: &has_failed };
    play_game(&game, &mut players, time, &mut hear);
    result.into_inner().expect("a game of one ply has a move or a fault")
}

/// Whoever sits in another seat.
struct Unasked;

impl Player for Unasked {
    fn choose(&mut self, _: &Turn<'_>) -> Reply {
        Reply { answer: Answer::Fault(Fault::Left), spent: Spent::default(), report: None }
    }
}

/// What an event says of the answer.
fn hear(event: &Event<'_>) -> Option<Result<Answered, Failed>> {
    match event {
        Event::Played(played) => Some(Ok(Answered {
            played: played.choice.played,
            text: played.text.to_owned(),
            report: played.report.cloned(),
            wall: played.spent.wall,
        })),
        Event::Eliminated { fault, output, .. } => {
            Some(Err(Failed { failure: (*fault).clone().into(), output: (*output).to_owned() }))
        }
        Event::Ended { ending: Ending::Forfeit { fault, .. }, output, .. } => {
            Some(Err(Failed { failure: fault.clone().into(), output: (*output).to_owned() }))
        }
        Event::Ended { ending: Ending::Abandoned(Abandoned::Machine { failure, .. }), .. } => {
            Some(Err(Failed { failure: failure.clone().into(), output: String::new() }))
        }
        Event::Started { .. }
        | Event::Asked { .. }
        | Event::Refused(_)
        | Event::TakenBack { .. }
        | Event::Ended { .. } => None,
    }
}

/// Asks a player who gets no more than so much time for the answer.
fn hurried(player: &mut dyn Player, turn: &Turn<'_>, at_most: Option<Duration>) -> Reply {
    let mut budget = turn.budget;
    if let Some(most) = at_most {
        budget.hard = Some(budget.hard.map_or(most, |hard| hard.min(most)));
        budget.soft = budget.soft.min(most * 4 / 5);
    }
    let mut reply = player.choose(&Turn { budget, limit: budget.hard, ..*turn });
    if let (Some(deadline), Some(hard)) = (budget.deadline(), budget.hard)
        && reply.spent.charged > deadline
        && !matches!(reply.answer, Answer::Fault(_) | Answer::Machine(_))
    {
        reply.answer = Answer::Fault(Fault::TimedOut { during: Phase::Move, budget: hard });
    }
    reply
}
