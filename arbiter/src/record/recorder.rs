//! From the events of a game to its record.

use super::fault::{fault_record, nanoseconds};
use super::schema::{
    AnswerTimes, ChosenBy, EliminationRecord, EndingRecord, ErrorRecord, GameRecord, How, LeftOutRecord,
    NotedRecord, ObligationRecord, OutcomeRecord, PlyRecord, SearchRecord, SeatRecord, TakenBackRecord,
};
use crate::verdict::{self, BotReport, Ending, Error, Event, Fault, KEPT_OUTPUT, Played, Spent};
use arbiter_rules::draw::Charset;
use arbiter_rules::{IllegalMove, Position, Seat};
use std::time::Duration;

/// Refused answers of one seat that are kept; those beyond are summed up, so that no bot fills the memory with them.
/// No limit of errors can be set higher than this.
pub const KEPT_ERRORS: u32 = 1000;

/// Bytes of errors that are kept of a game as far as it has come.
const ROOM_FOR_ERRORS: usize = 32 << 10;

/// Listens to one game and keeps its record.
#[derive(Debug)]
#[must_use]
pub struct Recorder {
    record: Box<GameRecord>,
    chance_seed: u64,
    is_over: bool,
    /// Texts of an old record, whose memory is used again.
    spare: Vec<String>,
}

impl Recorder {
    /// A recorder for one game. `players` says who sits where, by seat, as indexes into the plan.
    pub fn new(
        number: u32,
        players: &[usize],
        chance_seed: u64,
        opening_plies: usize,
        started: String,
    ) -> Recorder {
        let seats =
            players.iter().map(|&player| SeatRecord { player: player as u32, ..SeatRecord::default() });
        let record = GameRecord {
            started: Some(started),
            seats: seats.collect(),
            ..unplayed(number, opening_plies as u32)
        };
        Recorder { record: Box::new(record), chance_seed, is_over: false, spare: Vec::new() }
    }

    /// Takes the memory of a record that nobody needs any more: to allocate it anew takes longer than to play a short game.
    pub fn using(mut self, other: GameRecord) -> Recorder {
        let GameRecord { mut plies, mut seats, ending, mut winning_cells, final_position, .. } = other;
        let moves = plies.iter_mut().map(|ply| std::mem::take(&mut ply.played));
        let signs = seats.iter_mut().map(|seat| std::mem::take(&mut seat.sign));
        self.spare = moves.chain(signs).chain(winning_cells.drain(..)).collect();
        self.spare.extend([ending.reason, final_position]);
        plies.clear();
        seats.clear();
        seats.append(&mut self.record.seats);
        (self.record.plies, self.record.seats, self.record.winning_cells) = (plies, seats, winning_cells);
        self
    }

    /// An empty text.
    fn text(&mut self) -> String {
        let mut text = self.spare.pop().unwrap_or_default();
        text.clear();
        text
    }

    /// The game starts from a position of its own.
    pub fn starting_from(mut self, position: Option<String>) -> Recorder {
        self.record.position = position;
        self
    }

    /// An earlier try of the game was broken off for what the machine did to these seats.
    pub fn excusing(mut self, excused: &[(Seat, String)]) -> Recorder {
        for (seat, sentence) in excused {
            self.record.seats[seat.index()].excused = Some(sentence.clone());
        }
        self
    }

    /// The round, from 1, and the unit of the tournament that the game belongs to. A match has no rounds, and then
    /// neither is recorded.
    pub fn in_unit(mut self, round: Option<u32>, unit: u32) -> Recorder {
        (self.record.round, self.record.unit) = (round, round.map(|_| unit));
        self
    }

    /// The game goes on that has this record so far.
    pub fn going_on_from(mut self, begun: Option<&GameRecord>) -> Recorder {
        if let Some(begun) = begun {
            self.record.started.clone_from(&begun.started);
            self.record.taken_back.clone_from(&begun.taken_back);
        }
        self
    }

    /// The record, if the game is over.
    pub fn finish(mut self) -> Option<GameRecord> {
        self.record.leave_out_derivable();
        self.is_over.then_some(*self.record)
    }

    /// The record as far as the game has come, with what is needed to play it again and nothing more.
    pub fn so_far(&self) -> GameRecord {
        let record = &self.record;
        let ply = |ply: &PlyRecord| PlyRecord {
            seat: ply.seat,
            played: ply.played.clone(),
            by: ply.by,
            wall_ns: ply.wall_ns,
            cpu_ns: ply.cpu_ns,
            charged_ns: ply.charged_ns,
            pondered_ns: ply.pondered_ns,
            earthquake: ply.earthquake.clone(),
            ..PlyRecord::default()
        };
        GameRecord {
            started: record.started.clone(),
            seats: record.seats.clone(),
            taken_back: record.taken_back.clone(),
            plies: record.plies.iter().map(ply).collect(),
            errors: self.first_errors(),
            eliminations: record.eliminations.clone(),
            position: record.position.clone(),
            ..unplayed(record.number, record.opening_plies)
        }
    }

    /// The errors, as long as they leave moves their room in the file.
    fn first_errors(&self) -> Vec<ErrorRecord> {
        let mut room = ROOM_FOR_ERRORS;
        let fits = |error: &&ErrorRecord| {
            let texts = [&error.answer, &error.reason, &error.sentence, &error.position];
            room =
                room.saturating_sub(texts.map(String::len).iter().sum::<usize>() + size_of::<ErrorRecord>());
            room > 0
        };
        self.record.errors.iter().take_while(fits).cloned().collect()
    }

    fn start(&mut self, position: &Position) {
        self.record.chance_seed = position.has_chance().then(|| seed_text(self.chance_seed));
        for seat in 0..self.record.seats.len() {
            let mut sign = self.text();
            sign.push(position.sign(seat, Charset::Ascii));
            self.record.seats[seat].sign = sign;
        }
    }

    fn played(&mut self, played: &Played<'_>) {
        let AnswerTimes { wall_ns, cpu_ns, charged_ns, starved_ns } = times(played.spent);
        let fallen = played.chance.fallen.iter();
        let earthquake = fallen.map(|&(cell, tokens)| (played.position.cell_name(cell), tokens));
        let mut text = self.text();
        text.push_str(played.text);
        self.record.plies.push(PlyRecord {
            seat: Some(played.seat.index() as u32),
            played: text,
            by: match played.by {
                verdict::ChosenBy::Player => ChosenBy::Player,
                verdict::ChosenBy::Opening => ChosenBy::Opening,
                verdict::ChosenBy::Rules => ChosenBy::Rules,
            },
            obligation: played.obligation.filter(|duty| duty.tier > 0).map(|duty| {
                let in_the_way = duty.in_the_way.iter().map(|&cell| played.position.cell_name(cell));
                ObligationRecord { tier: duty.tier, in_the_way: in_the_way.collect() }.into()
            }),
            wall_ns,
            cpu_ns,
            charged_ns,
            starved_ns,
            pondered_ns: played.spent.pondered.map(nanoseconds),
            earthquake: Some(earthquake.collect()),
            search: played.report.map(|report| search(report).into()),
        });
    }

    fn taken_back(&mut self, seat: u32, ply: u32, plies: u32) {
        let record = &mut self.record;
        record.plies.truncate(ply as usize);
        record.errors.retain(|error| error.ply < ply);
        record.errors_left_out.retain(|turn| turn.ply < ply);
        record.taken_back.push(TakenBackRecord { seat, ply, plies });
    }

    fn refused(&mut self, error: &Error<'_>) {
        let Fault::IllegalMove { answer, why } = error.fault else {
            unreachable!("only illegal moves are refused")
        };
        if error.count > KEPT_ERRORS {
            return self.left_out(error, why);
        }
        let AnswerTimes { wall_ns, cpu_ns, charged_ns, starved_ns } = times(error.spent);
        self.record.errors.push(ErrorRecord {
            ply: error.ply,
            seat: error.seat.index() as u32,
            attempt: error.attempt,
            answer: answer.clone(),
            reason: why.reason.code().to_owned(),
            sentence: why.sentence.clone(),
            position: error.position.text(),
            wall_ns,
            cpu_ns,
            charged_ns,
            starved_ns,
        });
    }

    /// Counts a refused answer that is not kept.
    fn left_out(&mut self, error: &Error<'_>, why: &IllegalMove) {
        let (ply, seat) = (error.ply, error.seat.index() as u32);
        let turns = &mut self.record.errors_left_out;
        if turns.last().is_none_or(|turn| (turn.ply, turn.seat) != (ply, seat)) {
            turns.push(LeftOutRecord { ply, seat, ..LeftOutRecord::default() });
        }
        let turn = turns.last_mut().expect("it has just been made");
        *turn.reasons.entry(why.reason.code().to_owned()).or_default() += 1;
        let more = times(error.spent);
        add(&mut turn.wall_ns, more.wall_ns);
        add(&mut turn.cpu_ns, more.cpu_ns);
        add(&mut turn.charged_ns, more.charged_ns);
    }

    fn ended(&mut self, ending: &Ending, loss: (Spent, &str), duration: Duration, position: &Position) {
        let (how, seat, fault) = match ending {
            Ending::ByRules(_) => (How::Rules, None, None),
            Ending::Forfeit { seat, fault, .. } => {
                (How::Forfeit, Some(seat.index() as u32), Some(fault_record(fault, loss.0, loss.1, position)))
            }
            Ending::Adjudicated { .. } => (How::Adjudication, None, None),
            Ending::Abandoned(_) => (How::Abandoned, None, None),
        };
        let (mut reason, mut final_position) = (self.text(), self.text());
        reason.push_str(ending.reason());
        position.write_text(&mut final_position);
        let record = &mut self.record;
        record.ending = EndingRecord { how, reason, seat, fault };
        record.final_position = final_position;
        record.duration_ns = Some(nanoseconds(duration));
        record.outcome = ending
            .outcome()
            .map(|outcome| OutcomeRecord { ranks: outcome.ranks().to_vec(), said_winner: None });
        record.scores =
            position.scores().into_iter().map(|score| (score.name.to_owned(), score.by_seat)).collect();
        for cell in position.winning_cells() {
            let mut name = self.text();
            position.write_cell_name(cell, &mut name);
            self.record.winning_cells.push(name);
        }
        self.is_over = true;
    }

    /// Hears what happens in the game.
    pub fn event(&mut self, event: &Event<'_>) {
        match event {
            Event::Started { position } => self.start(position),
            Event::Asked { .. } => {}
            Event::Played(played) => self.played(played),
            Event::Refused(error) => self.refused(error),
            Event::Eliminated { seat, ply, fault, spent, output, before, .. } => {
                self.record.eliminations.push(EliminationRecord {
                    ply: *ply,
                    seat: seat.index() as u32,
                    fault: fault_record(fault, *spent, output, before),
                })
            }
            Event::TakenBack { seat, ply, plies, .. } => self.taken_back(seat.index() as u32, *ply, *plies),
            Event::Ended { ending, spent, output, noted, printed, prepared, duration, position } => {
                self.ended(ending, (*spent, output), *duration, position);
                self.record.noted = noted.iter().map(|(seat, fault)| note(*seat, fault, position)).collect();
                let of_seats = printed.iter().zip(*prepared);
                for (seat, (&printed, &prepared)) in self.record.seats.iter_mut().zip(of_seats) {
                    seat.printed = Some(printed).filter(|&bytes| bytes > KEPT_OUTPUT as u64);
                    seat.prepared_ns = prepared.map(nanoseconds);
                }
            }
        }
    }
}

/// A game of which nothing is known yet.
fn unplayed(number: u32, opening_plies: u32) -> GameRecord {
    let ending =
        EndingRecord { how: How::Abandoned, reason: "our-fault".to_owned(), ..EndingRecord::default() };
    GameRecord { number, opening_plies, ending, ..GameRecord::default() }
}

/// What a player did wrong after the game.
fn note(seat: Seat, fault: &Fault, position: &Position) -> NotedRecord {
    let mut fault = fault_record(fault, Spent::default(), "", position);
    (fault.wall_ns, fault.cpu_ns, fault.charged_ns) = (None, None, None);
    NotedRecord { seat: seat.index() as u32, fault }
}

/// The seed of a game's chance as it is saved.
pub fn seed_text(seed: u64) -> String {
    format!("0x{seed:016x}")
}

/// Adds to a sum that begins with its first number.
fn add(sum: &mut Option<u64>, number: Option<u64>) {
    if let Some(number) = number {
        *sum = Some(sum.unwrap_or(0).saturating_add(number));
    }
}

fn times(spent: Spent) -> AnswerTimes {
    AnswerTimes {
        wall_ns: Some(nanoseconds(spent.wall)),
        cpu_ns: spent.cpu.map(nanoseconds),
        charged_ns: Some(nanoseconds(spent.charged)),
        starved_ns: None,
    }
}

fn search(report: &BotReport) -> SearchRecord {
    let BotReport { depth, nodes, score, line, text, values: _ } = report.clone();
    SearchRecord { depth, nodes, score, line, text }
}
