//! One line out, one fact; one line in, one move. For scripts a line begins with an English keyword that never
//! changes; for people, screen readers among them, it is a sentence; for programs it is a JSON object.

use super::advice::{hint, review};
use super::json::entry_json;
use super::keyboard::{Heard, LineKeyboard, say, say_json};
use super::log::{Entry, Log, Moved, Next, What};
use super::story::Story;
use super::thoughts::thoughts;
use super::words;
use super::{Adviser, After, AfterPass, Leaving};
use crate::player::{Desk, LONGEST_LINE, OpenTurn, Refused, Touch, TurnId};
use crate::sanitize::sanitize;
use crate::verdict::ChosenBy;
use arbiter_rules::draw::{Charset, Marks, draw};
use arbiter_rules::{Position, Seat};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::mpsc::sync_channel;
use std::time::Duration;

/// How often the wait for a line checks whether the turn is still open.
const LOOK_UP: Duration = Duration::from_millis(50);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tongue {
    /// Lines that begin with a keyword.
    Keywords,
    /// Sentences, with the board drawn before every turn of a person, where one sits here.
    Sentences(Charset),
    Json,
}

/// Where people play by lines.
pub(crate) struct Table<'a> {
    pub desk: Arc<Desk>,
    pub keyboard: Arc<LineKeyboard>,
    /// Called before a person who leaves forfeits the seat, so that no other game begins.
    pub leave: &'a dyn Fn(),
    pub adviser: Arc<dyn Adviser>,
    /// Every game is gone over when it has ended.
    pub reviews: bool,
    /// When people are told what came after a pass.
    pub after_pass: AfterPass,
}

/// Prints games line by line, and asks the people who play them.
pub(crate) struct LineView<'a> {
    tongue: Tongue,
    log: Arc<Log>,
    table: Option<Table<'a>>,
    story: Option<Story>,
    /// Sentences of the newest picture that have been told.
    told: usize,
    /// The turn that a person has been told of.
    turn: Option<TurnId>,
    is_deaf: bool,
    leaving: Leaving,
}

impl LineView<'_> {
    /// A view of the games of a log; people play at the desk through the keyboard.
    pub(crate) fn new(tongue: Tongue, log: Arc<Log>, table: Option<Table<'_>>) -> LineView<'_> {
        let (story, turn, leaving) = (None, None, Leaving::No);
        LineView { tongue, log, table, story, told: 0, turn, is_deaf: false, leaving }
    }

    /// Prints and asks until the log is closed, and says whether somebody has left the match.
    pub(crate) fn run(&mut self) -> Leaving {
        let (wake, woken) = sync_channel(1);
        // Where it has been woken already, it looks at everything that is new.
        self.log.on_change(move || wake.try_send(()).unwrap_or_default());
        let mut id = 0;
        loop {
            match self.log.at(id) {
                Next::Entry(entry) => {
                    id = entry.id + 1;
                    self.entry(&entry);
                }
                Next::Nothing => woken.recv().expect("the log keeps what wakes its readers"),
                Next::End => return self.leaving,
            }
        }
    }

    /// After the last game, asks whoever played it at a terminal what to do now.
    pub(crate) fn ask_for_more(&mut self) -> Option<After> {
        let is_asked = self.table.as_ref().is_some_and(|table| !table.desk.is_closed())
            && matches!(self.tongue, Tongue::Sentences(_))
            && self.leaving == Leaving::No;
        let story = self.story.clone().filter(|_| is_asked)?;
        loop {
            say("Type again, swap, another, review, moves, or quit.");
            let line = loop {
                if let Heard::Line(line) = self.next_line()? {
                    break line;
                }
            };
            if let Some(after) = After::named(line.trim()) {
                return Some(after);
            }
            match line.trim() {
                "" | "quit" => return None,
                "review" => self.review(),
                "moves" => {
                    let moves = story.frames.iter().filter_map(|frame| frame.moved.as_ref());
                    let moves: Vec<_> =
                        moves.map(|moved| format!("{}. {}", moved.ply + 1, moved.text)).collect();
                    say(&moves.join(" "));
                    show(&story.now().position, self.charset());
                }
                _ => {}
            }
        }
    }

    fn entry(&mut self, entry: &Entry) {
        match Story::of(entry) {
            Some(story) => self.story = Some(story.for_the_person()),
            None => {
                let Some(story) = &mut self.story else { return };
                let (frames, sentences) = (story.frames.len(), story.now().sentences.len());
                story.hear(entry);
                self.told = if story.frames.len() == frames { sentences } else { 0 };
            }
        }
        let Some(story) = &self.story else { return };
        match self.tongue {
            Tongue::Keywords => facts(story, entry).iter().for_each(|fact| say(fact)),
            Tongue::Sentences(charset) => self.tell_sentences(story, entry, charset),
            Tongue::Json => say_json(&entry_json(entry)),
        }
        match &entry.what {
            What::Drafted(turn) => {
                if self.turn.replace(turn.id) != Some(turn.id) {
                    self.tell_turn(story, turn.id.seat);
                }
                self.hear_lines(turn);
            }
            What::Moved(moved) if moved.by == ChosenBy::Rules => self.wait_after_pass(),
            What::Ended { .. } if self.table.as_ref().is_some_and(|table| table.reviews) => self.review(),
            _ => {}
        }
    }

    fn tell_sentences(&self, story: &Story, entry: &Entry, charset: Charset) {
        let position = &story.now().position;
        match &entry.what {
            What::Started { .. } => {
                let seats = &story.seats;
                let name = |seat| words::who_is_what(seat, position, seats, charset);
                let names: Vec<_> = Seat::all(seats.len()).map(name).collect();
                say(&format!("Game {}, {}: {}.", story.game, position.info().title, names.join(", ")));
                if self.table.is_some() {
                    say("Type a move, ? for all legal moves, or help.");
                }
            }
            What::Ended { .. } => show(position, charset),
            _ => {}
        }
        story.now().sentences.iter().skip(self.told).for_each(|sentence| say(sentence));
    }

    fn charset(&self) -> Charset {
        if let Tongue::Sentences(charset) = self.tongue { charset } else { Charset::Ascii }
    }

    fn review(&self) {
        let (Some(table), Some(story)) = (&self.table, &self.story) else { return };
        match review(&*table.adviser, story, |_| !table.desk.is_closed()) {
            Ok(lines) => lines.iter().for_each(|line| self.tell("review", line)),
            Err(why) if why.is_empty() => {}
            Err(why) => self.tell("review", &format!("There is no review: {why}.")),
        }
    }

    fn tell_turn(&self, story: &Story, seat: Seat) {
        let position = &story.now().position;
        match self.tongue {
            Tongue::Keywords => {
                let left = story.clocks.get(seat.index()).copied().flatten();
                let legal = words::legal(position).join(" ");
                say(&format!("turn {seat} legal {legal} clock {}", clock(left)));
            }
            // Where people sit in browsers alone, boards would scroll their links away.
            Tongue::Sentences(_) if self.table.is_none() => {}
            Tongue::Sentences(charset) => {
                show(position, charset);
                say(&words::to_move(seat, position, &story.seats, charset));
            }
            Tongue::Json => {}
        }
    }

    /// With `--ask-pass`, waits until the person has read of a pass. Scripts go on at once.
    fn wait_after_pass(&mut self) {
        let waits = self.table.as_ref().is_some_and(|table| table.after_pass == AfterPass::OnEnter);
        if waits && matches!(self.tongue, Tongue::Sentences(_)) {
            say("Press Enter to go on.");
            self.next_line();
        }
    }

    /// Waits for the next line; none where nobody types any more, or the match is to stop.
    fn next_line(&mut self) -> Option<Heard> {
        let table = self.table.as_ref()?;
        while !self.is_deaf && !table.desk.is_closed() {
            match table.keyboard.hear(LOOK_UP) {
                Some(Heard::End) => self.is_deaf = true,
                Some(heard) => return Some(heard),
                None => {}
            }
        }
        None
    }

    /// A person's turn: lines are heard until the turn is answered.
    fn hear_lines(&mut self, turn: &OpenTurn) {
        let Some(table) = &self.table else { return };
        let (desk, keyboard) = (Arc::clone(&table.desk), Arc::clone(&table.keyboard));
        desk.shown(turn.id);
        // Every change of the unfinished move comes along here, but one visit listens to the end of the turn.
        while desk.turn().is_some_and(|open| open.id == turn.id) {
            if self.is_deaf {
                self.leave(&desk, turn.id);
                return;
            }
            match keyboard.hear(LOOK_UP) {
                Some(Heard::Line(line)) => self.line(&desk, turn.id, line.trim()),
                Some(Heard::TooLong) => {
                    let sentence = format!("Lines have at most {LONGEST_LINE} bytes.");
                    self.refuse("-", &Refused { code: "not-understood", sentence });
                }
                Some(Heard::End) => self.is_deaf = true,
                None => {}
            }
        }
    }

    /// Leaves for the person: the seat is forfeited, and no other game begins.
    fn leave(&mut self, desk: &Desk, id: TurnId) {
        self.leaving = Leaving::Asked;
        if let Some(table) = &self.table {
            (table.leave)();
        }
        self.touch(desk, id, &Touch::Leave, "");
    }

    fn line(&mut self, desk: &Desk, id: TurnId, line: &str) {
        let touch = match line {
            "" => return,
            "resign" => Touch::Resign,
            "quit" => return self.leave(desk, id),
            "back" => Touch::Back,
            command if self.obey(command, id) => return,
            object if object.starts_with('{') && self.tongue == Tongue::Json => {
                return match read_object(object, id) {
                    Ok((id, touch)) => self.touch(desk, id, &touch, object),
                    Err(why) => self.refuse(object, &why),
                };
            }
            text => Touch::Typed(text.to_owned()),
        };
        self.touch(desk, id, &touch, line);
    }

    fn touch(&self, desk: &Desk, id: TurnId, touch: &Touch, line: &str) {
        match desk.touch(id, touch) {
            Ok(()) if self.tongue == Tongue::Json => say_json(&json!({ "ev": "answer", "ok": true })),
            Ok(()) => {}
            Err(why) => self.refuse(line, &why),
        }
    }

    fn refuse(&self, line: &str, why: &Refused) {
        let shown: String = line.chars().take(60).flat_map(char::escape_debug).collect();
        match self.tongue {
            Tongue::Keywords => say(&format!("refused {shown} {why}")),
            Tongue::Sentences(_) => say(&why.sentence),
            Tongue::Json => {
                say_json(&json!({ "ev": "answer", "ok": false, "code": why.code, "why": why.sentence }))
            }
        }
    }

    /// Whether the line was a question that has been answered.
    fn obey(&self, command: &str, id: TurnId) -> bool {
        let Some(story) = &self.story else { return false };
        let position = &story.now().position;
        match command {
            "?" => self.tell("legal", &words::legal(position).join(" ")),
            "board" => {
                let board = draw(position, self.charset(), &Marks::default());
                board.lines().for_each(|line| self.tell("board", line));
            }
            "position" => self.tell("position", &position.text()),
            "clock" => {
                // The story has the clocks from the beginning of the turn.
                let open = self.table.as_ref().and_then(|table| table.desk.turn());
                let gone = |seat: Seat| open.as_ref().filter(|turn| turn.id.seat == seat)?.gone();
                let left = |(seat, left): (Seat, &Option<Duration>)| {
                    clock(left.map(|left| left.saturating_sub(gone(seat).unwrap_or_default())))
                };
                let clocks: Vec<_> = Seat::all(story.clocks.len()).zip(&story.clocks).map(left).collect();
                self.tell("clock", &clocks.join(" "));
            }
            "last" => match story.frames.iter().rev().find_map(|frame| frame.moved.as_ref()) {
                Some(moved) => self.tell("last", &format!("{} {}", moved.seat, moved.text)),
                None => self.tell("last", "none"),
            },
            "turn" => self.tell("turn", &id.seat.to_string()),
            "rules" => {
                words::with_tables(&words::rules_page(position))
                    .lines()
                    .for_each(|line| self.tell("rules", line));
            }
            "thoughts" => match story.reports(usize::MAX).next() {
                Some((_, report)) => thoughts(report).iter().for_each(|line| self.tell("thoughts", line)),
                None => self.tell("thoughts", "No bot has said anything."),
            },
            "hint" => match &self.table {
                Some(table) => self.tell("hint", &hint(&*table.adviser, position)),
                None => return false,
            },
            "help" => {
                let help = "a move | ? (legal moves) | board | position | clock | last | thoughts (of the bot) | hint | back (with --casual) | rules | resign | \
                            quit";
                self.tell("help", help);
            }
            _ => return false,
        }
        true
    }

    fn tell(&self, keyword: &str, text: &str) {
        match self.tongue {
            Tongue::Keywords => say(&format!("{keyword} {text}")),
            Tongue::Sentences(_) => say(text),
            Tongue::Json => say_json(&json!({ "ev": keyword, "text": text })),
        }
    }
}

/// What happened, as lines that begin with a keyword.
fn facts(story: &Story, entry: &Entry) -> Vec<String> {
    match &entry.what {
        What::Started { seats, position, .. } => {
            let people = Seat::all(seats.len()).filter(|seat| seats[seat.index()].is_person);
            let people: Vec<_> = people.map(|seat| seat.to_string()).collect();
            let you = if people.is_empty() { "none".to_owned() } else { people.join(",") };
            vec![
                format!("game {} players {} you {you}", position.info().id, position.seats()),
                format!("position {}", position.text()),
            ]
        }
        What::Asked { .. } | What::Drafted(_) => Vec::new(),
        What::Moved(moved) => move_facts(story, moved),
        What::Refused { seat, fault, .. } => {
            vec![format!("error {seat} {}: {}", fault.code(), sanitize(&fault.sentence()))]
        }
        What::Out { seat, fault, .. } => {
            vec![format!("out {seat} {}: seat {seat} {}", fault.code(), sanitize(&fault.sentence()))]
        }
        What::TakenBack { seat, plies, .. } => vec![format!("taken-back {seat} {plies}")],
        What::Ended { ending, position, .. } => {
            let winner = match ending.outcome().map(|outcome| outcome.winner()) {
                Some(winner) => winner.map_or("none".to_owned(), |seat| seat.to_string()),
                None => "abandoned".to_owned(),
            };
            let score = position.scores().first().map_or(String::new(), |score| {
                score.by_seat.iter().fold(" score".to_owned(), |line, n| format!("{line} {n}"))
            });
            vec![format!("end winner {winner}{score} reason {}", ending.reason())]
        }
        What::Noted(text) => vec![format!("note {text}")],
    }
}

fn move_facts(story: &Story, moved: &Moved) -> Vec<String> {
    let (seat, text) = (moved.seat, &moved.text);
    let turned: Vec<_> = story.now().turned.iter().map(|&cell| moved.position.cell_name(cell)).collect();
    let flips = if turned.is_empty() { String::new() } else { format!(" flips {}", turned.join(" ")) };
    let fact = match moved.by {
        ChosenBy::Rules => format!("pass {seat} no-move: seat {seat} has no legal move and passes."),
        ChosenBy::Opening => format!("opening {seat} {text}{flips}"),
        ChosenBy::Player if story.seats[seat.index()].is_person => format!("move {seat} {text}{flips}"),
        ChosenBy::Player => {
            format!("move {seat} {text}{flips} took {:.3}s", moved.spent.charged.as_secs_f64())
        }
    };
    let fallen = moved.chance.fallen.iter();
    let fallen =
        fallen.map(|&(cell, tokens)| format!("earthquake {} {tokens}", moved.position.cell_name(cell)));
    std::iter::once(fact).chain(fallen).collect()
}

/// A touch as an object: `{"act":"pick","cell":12}`, `{"move":"d3"}`, with `seat` and `ply` where one wants to be
/// sure which turn is meant.
fn read_object(text: &str, turn: TurnId) -> Result<(TurnId, Touch), Refused> {
    let bad = |sentence: &str| Refused { code: "not-understood", sentence: sentence.to_owned() };
    let object: Value =
        serde_json::from_str(text).map_err(|error| bad(&format!("This is not JSON: {error}.")))?;
    let number = |name: &str| object.get(name).and_then(Value::as_u64);
    let word = |name: &str| object.get(name).and_then(Value::as_str);
    let cell = || number("cell").and_then(|cell| u16::try_from(cell).ok());
    let touch = match (word("act"), word("move")) {
        (None, Some(text)) => Touch::Typed(text.to_owned()),
        (Some("pick"), _) => Touch::Pick(cell().ok_or_else(|| bad("A pick has a number called cell."))?),
        (Some("action"), _) => Touch::Act(word("id").unwrap_or_default().to_owned()),
        (Some("back"), _) => Touch::Back,
        (Some("clear"), _) => Touch::Clear,
        (Some("finish"), _) => Touch::Finish,
        (Some("typed"), _) => Touch::Typed(word("text").unwrap_or_default().to_owned()),
        (Some("resign"), _) => Touch::Resign,
        _ => return Err(bad("Acts are pick, action, back, clear, finish, typed and resign.")),
    };
    let seat = number("seat").map_or(Some(turn.seat), |seat| Seat::new(seat as usize));
    let ply = number("ply").map_or(turn.ply, |ply| ply as u32);
    let seat = seat.ok_or_else(|| bad("There is no such seat."))?;
    if seat != turn.seat {
        return Err(Refused::not_your_turn(turn.seat));
    }
    Ok((TurnId { seat, ply, ..turn }, touch))
}

fn clock(left: Option<Duration>) -> String {
    left.map_or("none".to_owned(), |left| format!("{:.3}s", left.as_secs_f64()))
}

fn show(position: &Position, charset: Charset) {
    draw(position, charset, &Marks::default()).lines().for_each(say);
}
