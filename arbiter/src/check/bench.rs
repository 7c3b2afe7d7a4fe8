//! One game with the bot in one seat and random movers in the others, under the referee of matches.

use super::advice::{advice_in_python, advice_on};
use super::finding::{Finding, Level, Reach};
use super::ways::start;
use super::{Step, Subject};
use crate::host::Sandboxed;
use crate::player::{Answer, Briefing, Budget, GameResult, Player, Reply, TimeControl, Turn};
use crate::referee::{Game, Policy, TimeSource, play_game};
use crate::verdict::{Abandoned, Ending, Event, Failure, Fault, Phase, Spent};
use arbiter_rules::{Choice, GameInfo, Position, Random, Seat};
use std::cell::{Cell, RefCell};
use std::time::Duration;

/// The seed that a bot gets unless a step is about seeds.
pub(super) const SEED: u64 = 0x00a2_b173;
/// A sensible time for a move, so that bots which use it are checked in minutes.
const SOFT: Duration = Duration::from_millis(50);
/// The answer in place of the bot's own where a step wants it to be refused.
const REFUSED_ON_PURPOSE: &str = "(refused on purpose)";

/// A step at work on one game.
pub(super) struct Bench<'a> {
    pub(super) subject: &'a Subject,
    pub(super) game: &'static GameInfo,
    pub(super) step: &'a Step,
    /// What has been found that does not end the step.
    pub(super) found: RefCell<Vec<Finding>>,
}

/// A game as a step wants it played.
pub(super) struct Sitting<'a> {
    pub(super) start: &'a Position,
    pub(super) seat: Seat,
    pub(super) opening: Vec<Choice>,
    /// Plies after the opening, unless the rules end the game before.
    pub(super) plies: u32,
    /// Where chance and the opponents' moves come from.
    pub(super) seed: u64,
    pub(super) twist: Twist,
    pub(super) timing: Option<Timing>,
    /// How long every opponent takes for a move.
    pub(super) opponents_think: Duration,
}

/// What a step does to a game, beside having it played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Twist {
    None,
    /// The bot's answer to its turn with this number is refused once, whatever it is.
    Refuse(usize),
    /// At its turn with this number the bot is taken out of the game.
    BotLeaves(usize),
    /// Another seat leaves the game at its turn with this number.
    OtherLeaves(Seat, usize),
    /// The game is broken off, and nobody is told.
    BreakOff,
}

/// Time that is told to the bot in place of the usual.
#[derive(Clone, Copy, Debug)]
pub(super) struct Timing {
    /// What the bot hears at the start of the game.
    pub(super) control: TimeControl,
    /// What it has for every answer. It is killed only when the margin is over too.
    pub(super) budget: Budget,
}

#[derive(Clone, Debug)]
pub(super) struct Answered {
    pub(super) attempt: u32,
    pub(super) answer: Answer,
    /// What the clock is charged with.
    pub(super) took: Duration,
}

impl Bench<'_> {
    pub(super) fn bot(&self) -> Sandboxed {
        Sandboxed::start(&self.subject.command)
    }

    pub(super) fn usual(&self) -> Position {
        start(self.game, None, &[])
    }

    /// A game from a start, with the bot in a seat.
    pub(super) fn sitting<'s>(&self, start: &'s Position, seat: Seat, plies: u32) -> Sitting<'s> {
        let (opening, twist, timing) = (Vec::new(), Twist::None, None);
        let opponents_think = Duration::ZERO;
        Sitting { start, seat, opening, plies, seed: SEED, twist, timing, opponents_think }
    }

    /// Keeps a finding, and goes on.
    pub(super) fn note(&self, finding: Finding) {
        self.found.borrow_mut().push(finding);
    }

    /// Does the same with the bot in each seat.
    pub(super) fn in_each_seat(
        &self,
        start: &Position,
        play: impl FnMut(Seat) -> Result<(), Finding>,
    ) -> Result<(), Finding> {
        Seat::all(start.seats()).try_for_each(play)
    }

    /// Plays a game. Returns everything that the bot answered, or its fault as a finding, or that it resigned.
    pub(super) fn play(&self, bot: &mut Sandboxed, sitting: &Sitting<'_>) -> Result<Vec<Answered>, Finding> {
        let policy = self.policy(sitting);
        let seats = sitting.start.seats();
        let game = Game {
            start: sitting.start,
            opening: &sitting.opening,
            chance_seed: sitting.seed,
            player_seeds: &vec![SEED; seats],
            policy: &policy,
            excused: &[],
        };
        let mut answers = Vec::new();
        let mut candidate = Some(Candidate { bot, answers: &mut answers, sitting });
        let mut players: Vec<Box<dyn Player + '_>> = Vec::new();
        for seat in Seat::all(seats) {
            match candidate.take_if(|_| seat == sitting.seat) {
                Some(candidate) => players.push(Box::new(candidate)),
                None => {
                    let random = Random::new(sitting.seed ^ (seat.index() as u64) << 32);
                    players.push(Box::new(Mover { sitting, random, turns: 0 }));
                }
            }
        }
        let plies = Cell::new(0);
        let stop_at =
            (sitting.twist == Twist::BreakOff).then(|| sitting.opening.len() as u32 + sitting.plies);
        let is_stopped = || (self.subject.is_stopped)() || stop_at.is_some_and(|at| plies.get() >= at);
        let mut witness = Witness { sitting, plies: &plies, asked: String::new(), trouble: None };
        // No time passes for the referee, and a game may be broken off after so many plies.
        let time = TimeSource { elapsed: &|| Duration::ZERO, interrupted: &is_stopped };
        play_game(&game, &mut players, time, &mut |event| witness.event(event));
        let trouble = witness.trouble;
        drop(players);
        match trouble {
            Some((Failure::Fault(Fault::Resigned), asked)) if answers.len() <= 1 => {
                Err(self.resigned_at_once(sitting).when(asked))
            }
            Some((Failure::Fault(fault), asked)) => {
                Err(Finding { printed: bot.output().into(), ..self.stopped_by(&fault, &asked) })
            }
            Some((Failure::Machine(failure), asked)) => Err(Finding::stopped_by(&failure).when(asked)),
            None => Ok(answers),
        }
    }

    /// Plays a game with a bot that has a process of its own, from `create` to `destroy`.
    pub(super) fn play_alone(&self, sitting: &Sitting<'_>) -> Result<(), Finding> {
        let mut bot = self.bot();
        self.play(&mut bot, sitting)?;
        self.finish(bot)
    }

    /// Has the bot destroy its instance.
    pub(super) fn finish(&self, bot: Sandboxed) -> Result<(), Finding> {
        bot.finish().map_err(|fault| self.stopped_by(&fault, "destroy, when all games are over"))
    }

    /// The finding that a bot ends a step with which resigns at its first turn: that loses every game that begins as usual.
    fn resigned_at_once(&self, sitting: &Sitting<'_>) -> Finding {
        let begins_as_usual = sitting.opening.is_empty() && sitting.start.text() == self.usual().text();
        let level = if begins_as_usual { Level::Warning } else { Level::Note };
        let (how, advice) = match self.subject.is_in_python() {
            true => ("it raises Resign", "return one of turn.moves"),
            false => ("ARBITER_RESIGN is 1", "return ARBITER_OK (0) with a move"),
        };
        let did = format!("it resigns at its first turn: {how}");
        Finding { is_untried: true, ..Finding::saying(level, did).advise(advice) }
    }

    /// The finding that a fault ends a step with.
    pub(super) fn stopped_by(&self, fault: &Fault, asked: &str) -> Finding {
        let finding = |level, did: String| Finding::saying(level, did).when(asked);
        match fault {
            Fault::Resigned => {
                let did = "resigned, so that the rest of this step was not tried";
                return finding(Level::Note, did.to_owned());
            }
            Fault::Unsupported { .. } => {
                let is_untried = self.step.is_of_every_game();
                return Finding { is_untried, ..finding(Level::Note, fault.sentence()) };
            }
            _ => {}
        }
        // A step's rule and hint do not explain too much time or memory.
        let (rule, hint) = match fault {
            Fault::TimedOut { .. } | Fault::OutOfMemory { .. } | Fault::ForbiddenCall { .. } => (None, ""),
            _ => (self.step.rule, self.step.hint),
        };
        let in_python = advice_in_python(fault).filter(|_| self.subject.is_in_python());
        let (rule, hint, (broken, advice)) = match in_python {
            Some(advice) => (None, hint, (None, advice)),
            None => (rule, hint, advice_on(fault)),
        };
        let number = fault.hint_on_number().unwrap_or_default();
        let parts = [&*number, hint, advice].into_iter().filter(|part| !part.is_empty());
        let advice = parts.collect::<Vec<_>>().join("; ");
        Finding {
            reach: match fault.phase() {
                Some(Phase::Load | Phase::Create) => Reach::Every,
                Some(Phase::NewGame) if self.step.id == "begin" => Reach::Game,
                _ => Reach::Step,
            },
            ..finding(Level::Fail, fault.sentence()).advise(advice).by(rule.or(broken))
        }
    }

    fn policy(&self, sitting: &Sitting<'_>) -> Policy {
        let (time, margin) = match sitting.timing {
            // The step itself says what is late; the referee only ends what never ends.
            Some(timing) => (timing.control, timing.budget.margin),
            None => (TimeControl::MoveTime(self.subject.move_time), Policy::MARGIN),
        };
        Policy {
            margin,
            max_errors: if matches!(sitting.twist, Twist::Refuse(_)) { 2 } else { 1 },
            max_plies: match sitting.twist {
                // Reaching a limit on plies would be an end that everybody is told.
                Twist::BreakOff => u32::MAX,
                _ => (sitting.opening.len() as u32).saturating_add(sitting.plies),
            },
            ..Policy::usual(vec![time; sitting.start.seats()])
        }
    }
}

impl Sitting<'_> {
    /// The game in words: its options, where they are not the usual ones, and the seats.
    fn words(&self) -> String {
        let usual = start(self.start.info(), None, &[]);
        let is_unusual = |(name, value): &(&str, _)| usual.options().get(name) != Some(*value);
        let options = self.start.options().iter().filter(is_unusual);
        let options: Vec<_> = options.map(|(name, value)| format!(" -O {name}={value}")).collect();
        format!("seat {} of {}{}", self.seat, self.start.seats(), options.concat())
    }
}

/// The bot in its seat, with a note of everything it answers.
struct Candidate<'a> {
    bot: &'a mut Sandboxed,
    answers: &'a mut Vec<Answered>,
    sitting: &'a Sitting<'a>,
}

impl Candidate<'_> {
    fn ask(&mut self, turn: &Turn<'_>) -> Reply {
        let Some(Timing { budget, .. }) = self.sitting.timing else {
            let soft = turn.budget.hard.map_or(SOFT, |hard| SOFT.min(hard / 2));
            return self.bot.choose(&Turn { budget: Budget { soft, ..turn.budget }, ..*turn });
        };
        let mut clocks = turn.clocks.to_vec();
        clocks[turn.seat.index()] = budget.hard;
        self.bot.choose(&Turn { budget, limit: budget.hard, clocks: &clocks, ..*turn })
    }
}

impl Player for Candidate<'_> {
    fn new_game(&mut self, game: &Briefing<'_>) -> Result<(), Failure> {
        self.bot.new_game(game)
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Reply {
        let before = self.answers.iter().filter(|answer| answer.attempt == 0).count();
        let number = before + usize::from(turn.attempt == 0);
        if self.sitting.twist == Twist::BotLeaves(number) {
            let answer = Answer::Fault(Fault::Resigned);
            return Reply { answer, spent: Spent::default(), report: None };
        }
        let reply = self.ask(turn);
        let (attempt, answer, took) = (turn.attempt, reply.answer.clone(), reply.spent.charged);
        self.answers.push(Answered { attempt, answer, took });
        let is_legal = matches!(&reply.answer, Answer::Move(m) if turn.legal.contains(m));
        if self.sitting.twist == Twist::Refuse(number) && attempt == 0 && is_legal {
            return Reply { answer: Answer::Text(REFUSED_ON_PURPOSE.to_owned()), ..reply };
        }
        reply
    }

    fn told(&mut self, event: &Event<'_>) {
        self.bot.told(event);
    }

    fn game_over(&mut self, result: &GameResult<'_>) -> Result<(), Fault> {
        self.bot.game_over(result)
    }
}

/// An opponent: any legal move, the same ones whenever the step is done again.
struct Mover<'a> {
    sitting: &'a Sitting<'a>,
    random: Random,
    turns: usize,
}

impl Player for Mover<'_> {
    fn choose(&mut self, turn: &Turn<'_>) -> Reply {
        self.turns += 1;
        std::thread::sleep(self.sitting.opponents_think);
        let answer = if self.sitting.twist == Twist::OtherLeaves(turn.seat, self.turns) {
            Answer::Fault(Fault::Left)
        } else {
            Answer::Move(turn.legal[self.random.below(turn.legal.len())])
        };
        Reply { answer, spent: Spent::default(), report: None }
    }
}

/// Listens to the referee for what the bot does wrong.
struct Witness<'a> {
    sitting: &'a Sitting<'a>,
    plies: &'a Cell<u32>,
    /// What the bot was asked last, in words.
    asked: String,
    trouble: Option<(Failure, String)>,
}

impl Witness<'_> {
    fn hear(&mut self, fault: &Fault) {
        let on_purpose = matches!(fault, Fault::IllegalMove { answer, .. } if answer == REFUSED_ON_PURPOSE);
        let leaves = matches!(self.sitting.twist, Twist::BotLeaves(_)) && *fault == Fault::Resigned;
        if on_purpose || leaves || self.trouble.is_some() {
            return;
        }
        let asked = match fault.phase() {
            Some(Phase::NewGame | Phase::Create | Phase::Load) => {
                format!("new_game as {}", self.sitting.words())
            }
            _ => self.asked.clone(),
        };
        self.trouble = Some((fault.clone().into(), asked));
    }

    fn event(&mut self, event: &Event<'_>) {
        let ours = self.sitting.seat;
        match event {
            Event::Asked { seat, attempt, position, .. } if *seat == ours => {
                let again = if *attempt == 0 { "" } else { " again, after a refused answer" };
                let (words, text) = (self.sitting.words(), position.text());
                self.asked = format!("a move{again} as {words}, ply {}, in {text}", position.ply());
            }
            Event::Refused(error) if error.seat == ours => self.hear(error.fault),
            Event::Eliminated { seat, fault, .. } if *seat == ours => self.hear(fault),
            Event::Ended { ending, noted, .. } => {
                if let Ending::Abandoned(Abandoned::Machine { failure, .. }) = ending {
                    self.trouble.get_or_insert((failure.clone().into(), self.asked.clone()));
                }
                if let Ending::Forfeit { seat, fault, .. } = ending
                    && *seat == ours
                {
                    self.hear(fault);
                }
                // What is noted happened after the game.
                self.asked = format!("game_over as {}", self.sitting.words());
                noted.iter().filter(|(seat, _)| *seat == ours).for_each(|(_, fault)| self.hear(fault));
            }
            Event::Played(played) => self.plies.set(played.ply + 1),
            Event::Started { .. }
            | Event::Asked { .. }
            | Event::Refused(_)
            | Event::Eliminated { .. }
            | Event::TakenBack { .. } => {}
        }
    }
}
