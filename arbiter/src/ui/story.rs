//! One game as it has gone so far: a picture for every ply, and what is known of the players. Made from the log or
//! from a record; shown live, paused or backwards by the same views.

use super::log::{Entry, Moved, Sitter, What};
use super::words;
use crate::player::OpenTurn;
use crate::sanitize::sanitize;
use crate::verdict::{BotReport, ChosenBy, Ending, Fault, Phase};
use arbiter_rules::{Position, Seat};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A capture of so many pieces is worth stopping at.
const BIG_CAPTURE: usize = 6;

/// Refused answers of a seat that are told one by one; of later ones every so many.
const TOLD_ERRORS: u32 = 100;

/// A hand over the board, for those who are shown around: it has picked something, or points at a cell.
#[derive(Clone)]
pub(crate) struct Pose {
    pub cursor: u16,
    pub turn: OpenTurn,
}

/// One picture: a position and how it came about.
#[derive(Clone)]
pub(crate) struct Frame {
    pub position: Arc<Position>,
    /// The move before it; `None` at the start.
    pub moved: Option<Moved>,
    pub turned: Vec<u16>,
    pub sentences: Vec<String>,
    /// What a hand does there; only in tours.
    pub pose: Option<Pose>,
    /// Whether it is worth stopping at: a fault, a pass, a big capture, an earthquake.
    pub is_notable: bool,
}

impl Frame {
    /// A picture that no move has led to.
    fn of(position: Arc<Position>, sentences: Vec<String>) -> Frame {
        Frame { position, moved: None, turned: Vec::new(), sentences, pose: None, is_notable: false }
    }

    pub(crate) fn last(&self) -> &[u16] {
        self.moved.as_ref().map_or(&[], |moved| &moved.path)
    }

    pub(crate) fn fallen(&self) -> impl Iterator<Item = u16> + '_ {
        self.moved.iter().flat_map(|moved| moved.chance.fallen.iter().map(|&(cell, _)| cell))
    }
}

/// What a player did wrong: a refused answer, or what lost the game or the seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Misdeed {
    pub seat: Seat,
    /// Plies played before it.
    pub ply: u32,
    /// Hostile text: the answer may stand in it.
    pub fault: Fault,
    /// Refused answers of the seat in this game, this one included.
    pub count: u32,
    pub frame: usize,
}

#[derive(Clone)]
pub(crate) struct Story {
    pub game: u32,
    pub seats: Arc<[Sitter]>,
    /// The error that loses the game; 0 for none.
    pub max_errors: u32,
    /// The seat that its sentences call "you"; none where several people read them.
    pub reader: Option<Seat>,
    /// Pictures, at least one.
    pub frames: Vec<Frame>,
    /// Refused answers of each seat.
    pub errors: Vec<u32>,
    /// What was done wrong, oldest first; of a seat with very many refused answers only some.
    pub misdeeds: Vec<Misdeed>,
    /// What every seat had left when somebody was asked last.
    pub clocks: Vec<Option<Duration>>,
    /// Whose turn is open, and when this view heard of it.
    pub asked: Option<(Seat, Instant)>,
    pub draft: Option<OpenTurn>,
    pub ended: Option<String>,
}

impl Story {
    pub(crate) fn begin(game: u32, seats: Arc<[Sitter]>, max_errors: u32, position: Arc<Position>) -> Story {
        let count = position.seats();
        let frame = Frame::of(position, Vec::new());
        Story {
            game,
            seats,
            max_errors,
            reader: None,
            frames: vec![frame],
            errors: vec![0; count],
            misdeeds: Vec::new(),
            clocks: vec![None; count],
            asked: None,
            draft: None,
            ended: None,
        }
    }

    /// The game that begins with this entry, if one does.
    pub(crate) fn of(entry: &Entry) -> Option<Story> {
        let What::Started { seats, max_errors, position } = &entry.what else { return None };
        Some(Story::begin(entry.game, Arc::clone(seats), *max_errors, Arc::clone(position)))
    }

    /// The same, told to the one person who plays in it, if there is one.
    pub(crate) fn for_the_person(self) -> Story {
        Story { reader: words::only_person(&self.seats), ..self }
    }

    /// How many errors lose the game, behind how many there are: ` of 3`.
    pub(super) fn limit(&self) -> String {
        if self.max_errors == 0 { String::new() } else { format!(" of {}", self.max_errors) }
    }

    pub(crate) fn now(&self) -> &Frame {
        self.frames.last().expect("a story has a picture from its beginning")
    }

    /// What bots said of their searches up to this picture, with their seats, the newest first.
    pub(crate) fn reports(&self, ply: usize) -> impl Iterator<Item = (Seat, &BotReport)> {
        let frames = self.frames.iter().take(ply.saturating_add(1)).rev();
        let moved = frames.filter_map(|frame| frame.moved.as_ref());
        moved.filter_map(|moved| Some((moved.seat, moved.report.as_ref()?)))
    }

    /// Adds a picture of a hand over the board as it is.
    pub(crate) fn pose(&mut self, pose: Pose, sentence: String) {
        let position = Arc::clone(&self.now().position);
        self.frames.push(Frame { pose: Some(pose), ..Frame::of(position, vec![sentence]) });
    }

    #[expect(clippy::disallowed_methods, reason = "what is shown comes at the pace of people")]
    pub(crate) fn hear(&mut self, entry: &Entry) {
        match &entry.what {
            What::Started { .. } => {}
            What::Asked { seat, clocks, .. } => {
                self.asked = Some((*seat, Instant::now()));
                self.clocks.clone_from(clocks);
            }
            What::Drafted(turn) => self.draft = Some(turn.clone()),
            What::Moved(moved) => self.moved(moved),
            What::Refused { seat, ply, fault, count } => {
                self.errors[seat.index()] = *count;
                // A bot that never answers legally must not fill the page, nor the memory.
                if *count > TOLD_ERRORS && *count % TOLD_ERRORS != 0 {
                    return;
                }
                self.note_misdeed(*seat, *ply, fault);
                let limit = self.limit();
                let who = words::who(*seat, &self.seats);
                let sentence = sanitize(&fault.sentence());
                self.say(format!("{who} {} (error {count}{limit}).", sentence.trim_end_matches('.')));
            }
            What::Out { seat, ply, fault, position } => {
                let who = words::who(*seat, &self.seats);
                let sentences =
                    vec![format!("{who} {} and is out of the game.", sanitize(&fault.sentence()))];
                let position = Arc::clone(position);
                self.frames.push(Frame { is_notable: true, ..Frame::of(position, sentences) });
                self.note_loss(*seat, *ply, fault);
            }
            What::TakenBack { seat, plies, .. } => self.taken_back(*seat, *plies),
            What::Ended { ending, position, .. } => {
                (self.asked, self.draft) = (None, None);
                if let Ending::Forfeit { seat, fault, .. } = ending {
                    self.note_loss(*seat, position.ply(), fault);
                }
                let sentence = words::ended(ending, position, &self.seats, self.reader);
                self.ended = Some(sentence.clone());
                self.say(sentence);
            }
            What::Noted(text) => self.newest().sentences.push(text.clone()),
        }
    }

    /// Notes what lost a game or a seat. An illegal move was refused before, and whoever resigns or leaves does nothing wrong.
    fn note_loss(&mut self, seat: Seat, ply: u32, fault: &Fault) {
        if matches!(fault, Fault::TimedOut { during: Phase::Move, .. }) {
            self.clocks[seat.index()] = self.clocks[seat.index()].map(|_| Duration::ZERO);
        }
        if !matches!(fault, Fault::IllegalMove { .. } | Fault::Resigned | Fault::Left) {
            self.note_misdeed(seat, ply, fault);
        }
    }

    fn note_misdeed(&mut self, seat: Seat, ply: u32, fault: &Fault) {
        let (count, frame) = (self.errors[seat.index()], self.frames.len() - 1);
        self.misdeeds.push(Misdeed { seat, ply, fault: fault.clone(), count, frame });
    }

    fn moved(&mut self, moved: &Moved) {
        (self.asked, self.draft) = (None, None);
        let turned = words::turned(&self.now().position, &moved.position, &moved.path);
        let sentences = words::moved(moved, &turned, &self.seats);
        let is_notable =
            moved.by == ChosenBy::Rules || turned.len() >= BIG_CAPTURE || !moved.chance.is_empty();
        let position = Arc::clone(&moved.position);
        let moved = Some(moved.clone());
        self.frames.push(Frame { moved, turned, is_notable, ..Frame::of(position, sentences) });
    }

    fn taken_back(&mut self, seat: Seat, plies: u32) {
        (self.asked, self.draft) = (None, None);
        self.frames.truncate(self.frames.len().saturating_sub(plies as usize).max(1));
        let frames = self.frames.len();
        self.misdeeds.retain(|misdeed| misdeed.frame < frames - 1);
        for (seat, errors) in self.errors.iter_mut().enumerate() {
            let last = self.misdeeds.iter().rfind(|misdeed| misdeed.seat.index() == seat);
            *errors = last.map_or(0, |misdeed| misdeed.count);
        }
        let who = words::who(seat, &self.seats);
        self.newest().sentences = vec![format!("{who} takes back the last move.")];
    }

    fn say(&mut self, sentence: String) {
        let newest = self.newest();
        newest.sentences.push(sentence);
        newest.is_notable = true;
    }

    fn newest(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("a story has a picture from its beginning")
    }
}
