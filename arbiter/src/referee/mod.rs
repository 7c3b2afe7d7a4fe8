//! The judge of one game: asks, times, checks, counts. [`play_game`] reads from top to bottom.
//!
//! The referee knows the rules only as [`Position`], players only as [`Player`], and time only as a number that comes
//! with an answer or from the [`TimeSource`] it is handed. It decides; everything shown or saved follows from the
//! events that it announces.

mod agreement;
mod clock;
mod judge;
mod policy;
mod taking_back;

pub use clock::GameClock;
pub use judge::by_the_rules;
pub use policy::{Agreement, AtMaxPlies, Policy};

use crate::player::{Answer, Briefing, GameResult, Player, Turn};
use crate::verdict::{
    Abandoned, Adjudication, BotReport, ChosenBy, Ending, Error, Event, Failure, Fault, MachineFailure,
    MoveValue, Phase, Played, Spent,
};
use agreement::Opinions;
use arbiter_rules::{ChanceSource, Choice, Move, MoveList, Outcome, Position, Seat};
use judge::{Judgement, judge};
use std::collections::{HashMap, VecDeque};
use std::ops::ControlFlow;
use std::time::Duration;
use taking_back::Past;

/// The signal by which the kernel ends a process for want of memory.
const SIGKILL: i32 = 9;
/// Who holds no more memory than this, in bytes, has not filled the machine.
const MODEST: u64 = 128 << 20;

/// One game as it is about to be played.
pub struct Game<'a> {
    /// The position before the opening.
    pub start: &'a Position,
    /// Moves that are played before anybody is asked, by the paths that were given.
    pub opening: &'a [Choice],
    /// Where the game's chance comes from.
    pub chance_seed: u64,
    /// The seed for each seat's own random numbers.
    pub player_seeds: &'a [u64],
    /// What is allowed.
    pub policy: &'a Policy,
    /// The seats for which earlier tries of this very game were abandoned because the machine did not let them run, or ended
    /// them for want of memory. If that happens to one of them once more, it loses: so bots that bring it about can void a
    /// game once each, but not the match.
    pub excused: &'a [Seat],
}

impl Game<'_> {
    /// What the player of a seat is told at the start.
    fn briefing(&self, seat: Seat) -> Briefing<'_> {
        Briefing {
            seat,
            start: self.start,
            seed: self.player_seeds[seat.index()],
            max_errors: self.policy.last_error(),
            time: self.policy.time[seat.index()],
        }
    }
}

/// Time as the referee needs it, so that tests can move it by hand.
#[derive(Clone, Copy)]
#[expect(missing_debug_implementations, reason = "functions have nothing to show")]
pub struct TimeSource<'a> {
    /// Wall time since the game began.
    pub elapsed: &'a dyn Fn() -> Duration,
    /// Whether somebody wants the game to stop now.
    pub interrupted: &'a dyn Fn() -> bool,
}

/// Plays one game to its end. There is one player for each seat. Whoever hears the events can change nothing.
pub fn play_game(
    game: &Game<'_>,
    players: &mut [Box<dyn Player + '_>],
    time: TimeSource<'_>,
    events: &mut dyn FnMut(&Event<'_>),
) -> Ending {
    assert_eq!(players.len(), game.start.seats(), "one player for each seat");
    let mut table = Table {
        game,
        time,
        events,
        position: game.start.clone(),
        clock: GameClock::new(&game.policy.time),
        chairs: players.iter_mut().map(Chair::of).collect(),
        legal: MoveList::new(),
        last: Spent::default(),
        seen: HashMap::new(),
        opinions: Opinions::default(),
        past: Past::default(),
        turn_began: game.policy.take_backs.then(|| (GameClock::new(&game.policy.time), Vec::new())),
        text: String::new(),
    };
    let ControlFlow::Break(ending) = table.play() else { unreachable!("a game stops only by its ending") };
    table.finish(&ending);
    ending
}

/// Everything that one game needs while it is being played.
struct Table<'a, 'p> {
    game: &'a Game<'a>,
    time: TimeSource<'a>,
    events: &'a mut dyn FnMut(&Event<'_>),
    position: Position,
    clock: GameClock,
    chairs: Vec<Chair<'a, 'p>>,
    legal: MoveList,
    /// What the last answer took.
    last: Spent,
    /// How often each position has occurred, where that is limited.
    seen: HashMap<u128, u32>,
    opinions: Opinions,
    /// What may be taken back.
    past: Past,
    /// The clocks, and everybody's errors, at the beginning of this turn; `None` where nothing is taken back.
    turn_began: Option<(GameClock, Vec<u32>)>,
    /// The text of the move that is being played.
    text: String,
}

/// A seat's player and what the referee knows of it.
struct Chair<'a, 'p> {
    player: &'a mut Box<dyn Player + 'p>,
    /// Whether it can still be called.
    is_sound: bool,
    errors: u32,
    /// Bytes of what it says of its searches that are still kept.
    room_for_reports: usize,
}

/// Bytes of one seat's reports that are kept in a game, as records have them: lines and texts beyond them are left out, numbers
/// stay.
const REPORTS_A_GAME: usize = 256 << 10;

/// How many bytes a text takes in a record, where some characters are written in other words.
fn recorded(text: &str) -> usize {
    let bytes = text.bytes().map(|byte| match byte {
        b'"' | b'\\' => 2,
        0x00..=0x1f | 0x7f => 6,
        _ => 1,
    });
    bytes.sum()
}

impl<'a, 'p> Chair<'a, 'p> {
    fn of(player: &'a mut Box<dyn Player + 'p>) -> Chair<'a, 'p> {
        Chair { player, is_sound: true, errors: 0, room_for_reports: REPORTS_A_GAME }
    }

    /// A report as far as there is room for it.
    fn keep(&mut self, mut report: Box<BotReport>) -> Box<BotReport> {
        let line = report.line.iter().map(|text| recorded(text) + size_of::<String>()).sum::<usize>();
        let of_value = |value: &MoveValue| recorded(&value.text) + size_of::<MoveValue>();
        let values = report.values.moves.iter().map(of_value).sum::<usize>();
        match self.room_for_reports.checked_sub(recorded(&report.text) + line + values) {
            Some(room) => self.room_for_reports = room,
            None => {
                *report = BotReport {
                    depth: report.depth,
                    nodes: report.nodes,
                    score: report.score,
                    ..BotReport::default()
                };
            }
        }
        report
    }
}

impl Table<'_, '_> {
    fn play(&mut self) -> ControlFlow<Ending> {
        (self.events)(&Event::Started { position: &self.position });
        let mut failed = self.seat_players()?;
        if self.chairs.len() == 2
            && let Some((seat, fault)) = failed.pop_front()
        {
            return self.lose(seat, fault);
        }
        self.count_position();
        for choice in self.game.opening {
            self.check_end()?;
            self.position.judge(choice.played).expect("openings are made of legal moves");
            self.carry_out(choice.clone(), ChosenBy::Opening, Spent::default(), None);
        }
        // The opening was drawn for all seats, so nobody is out before it.
        for (seat, fault) in failed {
            self.check_end()?;
            self.lose(seat, fault)?;
        }
        loop {
            self.check_end()?;
            if self.position.must_pass() {
                self.carry_out(Move::PASS.into(), ChosenBy::Rules, Spent::default(), None);
            } else {
                self.take_turn()?;
            }
        }
    }

    /// Tells every player of the game. Gives those that cannot begin it.
    fn seat_players(&mut self) -> ControlFlow<Ending, VecDeque<(Seat, Fault)>> {
        let mut failed = VecDeque::new();
        for seat in Seat::all(self.chairs.len()) {
            let briefing = self.game.briefing(seat);
            let chair = &mut self.chairs[seat.index()];
            if let Err(failure) = chair.player.new_game(&briefing) {
                chair.is_sound = false;
                let fault = match failure {
                    Failure::Fault(fault) => fault,
                    Failure::Machine(failure) => self.excuse(seat, failure, None)?,
                };
                failed.push_back((seat, fault));
            }
        }
        ControlFlow::Continue(failed)
    }

    fn check_end(&self) -> ControlFlow<Ending> {
        if let Some(end) = self.position.end() {
            return ControlFlow::Break(Ending::ByRules(end));
        }
        if let Some((by, outcome)) = self.adjudication() {
            return ControlFlow::Break(Ending::Adjudicated { by, outcome });
        }
        if (self.time.interrupted)() {
            return ControlFlow::Break(Ending::Abandoned(Abandoned::Interrupted));
        }
        ControlFlow::Continue(())
    }

    /// What a stated policy declares now.
    fn adjudication(&self) -> Option<(Adjudication, Outcome)> {
        let (policy, position) = (self.game.policy, &self.position);
        let draw = || Outcome::draw(position.seats(), |seat| position.is_in(seat));
        if policy.max_repetitions > 0 {
            let times = self.seen.get(&position.key()).copied().unwrap_or(0);
            if times >= policy.max_repetitions {
                return Some((Adjudication::Repetition(times), draw()));
            }
        }
        if let Some(agreed) = self.opinions.agreed(policy) {
            return Some(agreed);
        }
        if position.ply() < policy.max_plies {
            return None;
        }
        let by_score = || {
            let score = position.scores().into_iter().next()?;
            Outcome::from_ranks(&score.ranks(|seat| Seat::new(seat).is_some_and(|seat| position.is_in(seat))))
        };
        Some(match policy.at_max_plies {
            AtMaxPlies::Draw => (Adjudication::MaxPlies(position.ply()), draw()),
            AtMaxPlies::Score => (Adjudication::Score(position.ply()), by_score().unwrap_or_else(draw)),
        })
    }

    fn count_position(&mut self) {
        if self.game.policy.max_repetitions > 0 {
            *self.seen.entry(self.position.key()).or_default() += 1;
        }
    }

    /// Asks the seat to move until it plays a legal move or is out.
    fn take_turn(&mut self) -> ControlFlow<Ending> {
        let seat = self.position.to_move().expect("the game goes on");
        self.position.legal_moves(&mut self.legal);
        let limit = self.clock.left()[seat.index()];
        let may_take_back = self.last_choice(seat).is_some();
        if self.turn_began.is_some() {
            let errors = self.chairs.iter().map(|chair| chair.errors).collect();
            self.turn_began = Some((self.clock.clone(), errors));
        }
        for attempt in 0.. {
            let position = &self.position;
            let (clocks, budget) = (self.clock.left(), self.clock.budget(seat, self.game.policy.margin));
            (self.events)(&Event::Asked { seat, attempt, clocks, position });
            let turn =
                Turn { seat, position, legal: &self.legal, attempt, budget, limit, clocks, may_take_back };
            let reply = self.chairs[seat.index()].player.choose(&turn);
            let is_nobodys = matches!(reply.answer, Answer::Machine(_));
            if (self.time.interrupted)() && (is_nobodys || reply.answer == Answer::Fault(Fault::Left)) {
                return ControlFlow::Break(Ending::Abandoned(Abandoned::Interrupted));
            }
            if reply.answer == Answer::TakeBack {
                return self.take_back(seat);
            }
            self.last = reply.spent;
            let judgement = judge(&reply.answer, reply.spent.charged, &turn);
            self.clock.charge(seat, reply.spent.charged);
            match judgement {
                Judgement::Accepted(choice) => {
                    self.clock.moved(seat);
                    let report = reply.report.map(|report| self.chairs[seat.index()].keep(report));
                    self.carry_out(choice, ChosenBy::Player, reply.spent, report.as_deref());
                    break;
                }
                Judgement::Refused(fault) => {
                    let errors = self.count_error(seat, attempt, &fault, reply.spent);
                    if errors == self.game.policy.last_error() {
                        return self.lose(seat, self.last_of(fault, errors));
                    }
                }
                Judgement::Lost(fault) => return self.lose(seat, fault),
                Judgement::Excused(failure) => {
                    let fault = self.excuse(seat, failure, limit)?;
                    return self.lose(seat, fault);
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// The machine failed a seat, so that the game is abandoned; unless the seat was kept from running, or ended, once too
    /// often, which is its fault. `limit` is what it had for its move.
    fn excuse(
        &mut self,
        seat: Seat,
        failure: MachineFailure,
        limit: Option<Duration>,
    ) -> ControlFlow<Ending, Fault> {
        let is_excused = self.game.excused.contains(&seat);
        match failure {
            MachineFailure::Stalled { during, waited }
                if is_excused
                    && let Some(budget) = if during == Phase::Move { limit } else { Some(waited) } =>
            {
                // What was excused then is charged now, so that the record says why it lost.
                self.last.wall = self.last.wall.max(waited);
                self.last.charged = self.last.charged.max(waited);
                return ControlFlow::Continue(Fault::TimedOut { during, budget });
            }
            MachineFailure::OutOfMemory { during, held } if is_excused && held > MODEST => {
                return ControlFlow::Continue(Fault::Crashed { during, signal: SIGKILL, address: None });
            }
            _ => {}
        }
        ControlFlow::Break(Ending::Abandoned(Abandoned::Machine { seat, failure }))
    }

    /// The fault by which a seat loses that has made one error too many.
    fn last_of(&self, fault: Fault, errors: u32) -> Fault {
        if self.game.policy.max_errors == 0 { Fault::EndlessErrors { answers: errors } } else { fault }
    }

    /// The number of the seat's errors, this one included.
    fn count_error(&mut self, seat: Seat, attempt: u32, fault: &Fault, spent: Spent) -> u32 {
        let chair = &mut self.chairs[seat.index()];
        chair.errors += 1;
        let error = Error {
            seat,
            ply: self.position.ply(),
            attempt,
            count: chair.errors,
            fault,
            spent,
            position: &self.position,
        };
        (self.events)(&Event::Refused(error));
        chair.errors
    }

    /// Plays a legal move, draws the chance event that follows it, and tells everybody.
    fn carry_out(&mut self, choice: Choice, by: ChosenBy, spent: Spent, report: Option<&BotReport>) {
        let (seat, ply) = (self.position.to_move().expect("the game goes on"), self.position.ply());
        self.text.clear();
        self.position.write_choice(&choice, &mut self.text);
        let obligation = self.position.obligation();
        let chance = self.position.draw_chance(choice.played, ChanceSource::GameSeed(self.game.chance_seed));
        self.remember(seat, &choice, by, spent, &chance);
        self.position.play_for_good(choice.played, &chance).expect("the move has been judged");
        self.count_position();
        if by == ChosenBy::Player {
            self.opinions.hear(seat, report.and_then(|report| report.score), self.game.policy);
        }
        let played = Event::Played(Played {
            seat,
            ply,
            choice: &choice,
            text: &self.text,
            by,
            obligation: obligation.as_ref(),
            spent,
            chance: &chance,
            report,
            position: &self.position,
        });
        (self.events)(&played);
        tell(&mut self.chairs, &self.position, &played);
    }

    /// A seat loses by a fault: the game ends if it has two seats, otherwise it goes on without the seat.
    fn lose(&mut self, seat: Seat, fault: Fault) -> ControlFlow<Ending> {
        self.chairs[seat.index()].is_sound =
            matches!(fault, Fault::IllegalMove { .. } | Fault::EndlessErrors { .. } | Fault::Resigned);
        if self.chairs.len() == 2 {
            let outcome = Outcome::win(2, seat.opponent());
            return ControlFlow::Break(Ending::Forfeit { seat, fault, outcome });
        }
        let before = self.position.clone();
        self.position.eliminate(seat);
        self.seen.clear();
        self.count_position();
        // From here on nothing is taken back: the game that is told anew would have to leave out the seat where it left.
        (self.turn_began, self.past) = (None, Past::default());
        let output = self.chairs[seat.index()].player.output();
        let out = Event::Eliminated {
            seat,
            output: &output,
            before: &before,
            ply: self.position.ply(),
            fault: &fault,
            spent: self.last,
            position: &self.position,
        };
        (self.events)(&out);
        tell(&mut self.chairs, &self.position, &out);
        ControlFlow::Continue(())
    }

    /// Tells the players how the game ended, and then the listeners: what players do wrong when they are told is
    /// part of the event.
    fn finish(&mut self, ending: &Ending) {
        let duration = (self.time.elapsed)();
        let output = match ending {
            Ending::Forfeit { seat, .. } => self.chairs[seat.index()].player.output(),
            Ending::ByRules(_) | Ending::Adjudicated { .. } | Ending::Abandoned(_) => String::new(),
        };
        let noted = self.say_game_over(ending);
        let (spent, position) = (self.last, &self.position);
        let printed: Vec<u64> = self.chairs.iter().map(|chair| chair.player.printed()).collect();
        let prepared: Vec<_> = self.chairs.iter().map(|chair| chair.player.prepared()).collect();
        (self.events)(&Event::Ended {
            ending,
            spent,
            output: &output,
            noted: &noted,
            printed: &printed,
            prepared: &prepared,
            duration,
            position,
        });
    }

    /// What players do wrong when they are told, which changes no result.
    fn say_game_over(&mut self, ending: &Ending) -> Vec<(Seat, Fault)> {
        let Some(outcome) = ending.outcome() else { return Vec::new() };
        let scores = self.position.scores();
        let result = GameResult { outcome, reason: ending.reason(), score: scores.first() };
        let told = Seat::all(self.chairs.len()).zip(&mut self.chairs).filter(|(_, chair)| chair.is_sound);
        told.filter_map(|(seat, chair)| Some((seat, chair.player.game_over(&result).err()?))).collect()
    }
}

/// Tells every player in the game what happened, and a seat that has just left it of that.
fn tell(chairs: &mut [Chair<'_, '_>], position: &Position, event: &Event<'_>) {
    let leaver = if let Event::Eliminated { seat, .. } = event { Some(*seat) } else { None };
    for (seat, chair) in Seat::all(chairs.len()).zip(chairs) {
        if chair.is_sound && (position.is_in(seat) || leaver == Some(seat)) {
            chair.player.told(event);
        }
    }
}
