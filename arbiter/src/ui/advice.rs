//! What a strong bot thinks of a game: a hint during a person's turn, and afterwards the moves that cost most.

use super::story::Story;
use crate::verdict::ChosenBy;
use arbiter_rules::{Chance, Move, Position, Seat};
use std::cmp::Reverse;
use std::collections::HashMap;
use std::time::Duration;

const HINT: Duration = Duration::from_secs(1);
/// Time for all questions of a review together, and for one of them at least and at most.
const REVIEW: Duration = Duration::from_secs(20);
const SHORTEST: Duration = Duration::from_millis(30);
const LONGEST: Duration = Duration::from_millis(500);
/// How many moves a review names.
const NAMED: usize = 3;
/// What a decided game is worth, and what a move costs that turns one: 100 is about one piece.
const DECIDED: i32 = 10_000;
const DECISIVE: i32 = DECIDED / 2;

/// Somebody strong who can be asked. Every question has a limit.
pub(crate) trait Adviser: Send + Sync {
    /// Who it is, made harmless; or why there is nobody.
    fn name(&self) -> Result<String, String>;

    /// What it would play in a position in which a seat is to move, after thinking for this long; or why there is no answer.
    fn answer(&self, position: &Position, time: Duration) -> Result<Advice, String>;
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Advice {
    pub text: String,
    /// What the position is worth to the seat to move, 100 for about one piece; none where it does not say.
    pub score: Option<i32>,
}

/// A hint for the seat to move, in a sentence.
pub(super) fn hint(adviser: &dyn Adviser, position: &Position) -> String {
    let asked = adviser.name().and_then(|name| Ok((name, adviser.answer(position, HINT)?)));
    match asked {
        Ok((name, Advice { text, score })) => {
            let score = score.map_or(String::new(), |score| format!(" (score {score:+})"));
            format!("Hint: {name} would play {text}{score}.")
        }
        Err(why) => format!("There is no hint: {why}."),
    }
}

/// The moves of people that cost most, in lines; of everybody where no person has played. `goes_on` is asked before every
/// question, with how far the review has come, in per cent.
///
/// # Errors
/// Why there is none; an empty text if `goes_on` has said no.
pub(crate) fn review(
    adviser: &dyn Adviser,
    story: &Story,
    mut goes_on: impl FnMut(usize) -> bool,
) -> Result<Vec<String>, String> {
    let name = adviser.name()?;
    let has_people = story.seats.iter().any(|sitter| sitter.is_person);
    let is_reviewed = |&ply: &usize| {
        let moved = story.frames[ply].moved.as_ref();
        moved.is_some_and(|moved| {
            moved.by == ChosenBy::Player
                && (story.seats[moved.seat.index()].is_person || !has_people)
                && story.frames[ply - 1].position.legal_count() > 1
        })
    };
    let plies: Vec<usize> = (1..story.frames.len()).filter(is_reviewed).collect();
    let time = (REVIEW / (2 * plies.len().max(1)) as u32).clamp(SHORTEST, LONGEST);
    let mut judge = Judge { adviser, story, time, known: HashMap::new() };
    let mut costs = Vec::new();
    for (done, &ply) in plies.iter().enumerate() {
        if !goes_on(100 * done / plies.len()) {
            return Err(String::new());
        }
        costs.extend(judge.cost(ply)?);
    }
    costs.sort_by_key(|&(cost, ply, _)| (Reverse(cost), ply));
    costs.truncate(NAMED);
    if costs.is_empty() {
        return Ok(vec![format!("{name} finds no move that cost anything.")]);
    }
    let head = format!("What cost most, as {name} sees it (100 is about one piece):");
    Ok(std::iter::once(head).chain(costs.into_iter().map(|(.., sentence)| sentence)).collect())
}

/// Asks what the positions of a game are worth, each once.
struct Judge<'a> {
    adviser: &'a dyn Adviser,
    story: &'a Story,
    time: Duration,
    known: HashMap<usize, (Advice, Seat, i32)>,
}

impl Judge<'_> {
    /// What the move that led to this picture cost, which it was, and that in a sentence; nothing where it was as good as any.
    fn cost(&mut self, ply: usize) -> Result<Option<(i32, usize, String)>, String> {
        let Some(moved) = &self.story.frames[ply].moved else { return Ok(None) };
        let (best, before) = self.worth(ply - 1, moved.seat)?;
        let Some(best) = best.filter(|best| best.text != moved.text) else { return Ok(None) };
        let is_of_two = self.story.seats.len() == 2;
        let later = if is_of_two { Some(ply) } else { self.next_turn(ply, moved.seat) };
        let Some(later) = later else { return Ok(None) };
        let (_, after) = self.worth(later, moved.seat)?;
        let cost = before.clamp(-DECIDED, DECIDED) - after.clamp(-DECIDED, DECIDED);
        // What came of it is another matter: whoever gave the game away may have got it back.
        let how_much = match is_of_two {
            _ if cost >= DECISIVE && after <= -DECISIVE => "gave the game away".to_owned(),
            _ if cost >= DECISIVE => "let a win go".to_owned(),
            true => format!("cost {cost}"),
            false => format!("cost {cost} by the next turn"),
        };
        let is_alone = self.story.seats.iter().filter(|sitter| sitter.is_person).count() == 1;
        let who = &self.story.seats[moved.seat.index()].name;
        let by = if is_alone { String::new() } else { format!(" by {who}") };
        let sentence = format!("  move {ply}, {}{by}: {how_much}; {} was better", moved.text, best.text);
        Ok((cost > 0).then_some((cost, ply, sentence)))
    }

    /// The first picture from this one on in which the seat chooses again, or the game has ended. Among more than two, what a
    /// position is worth to one seat says nothing of the others.
    fn next_turn(&self, ply: usize, seat: Seat) -> Option<usize> {
        (ply..self.story.frames.len()).find(|&later| {
            let position = &self.story.frames[later].position;
            position.end().is_some() || position.to_move() == Some(seat) && !position.must_pass()
        })
    }

    /// The best move in a picture, and what the position is worth to a seat: to one of two, or to the one that is to move.
    fn worth(&mut self, ply: usize, seat: Seat) -> Result<(Option<Advice>, i32), String> {
        let mut position = Position::clone(&self.story.frames[ply].position);
        while position.end().is_none() && position.must_pass() {
            position.play(Move::PASS, &Chance::NONE).map_err(|why| why.sentence)?;
        }
        if let Some(end) = position.end() {
            let worth = |winner| if winner == seat { DECIDED } else { -DECIDED };
            return Ok((None, end.outcome.winner().map_or(0, worth)));
        }
        if !self.known.contains_key(&ply) {
            let advice = self.adviser.answer(&position, self.time)?;
            let score = advice.score.ok_or("the bot does not say what positions are worth")?;
            let to_move = position.to_move().expect("somebody is to move until the end");
            self.known.insert(ply, (advice, to_move, score));
        }
        let (advice, of, score) = &self.known[&ply];
        Ok((Some(advice.clone()), if *of == seat { *score } else { -score }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::log::{Entry, Moved, Sitter, What};
    use crate::verdict::Spent;
    use arbiter_rules::{Setup, registry};

    /// A person has played in the first seat.
    fn played(mut position: Position, moves: &[&str]) -> Story {
        let sitter = |seat| Sitter { name: "A".to_owned(), is_person: seat == 0, player: None };
        let seats: Vec<Sitter> = (0..position.seats()).map(sitter).collect();
        let mut story = Story::begin(1, seats.into(), 0, position.clone().into());
        for text in moves {
            let (seat, ply) = (position.to_move().unwrap(), position.ply());
            let choice = position.read_move(text).unwrap();
            position.play(choice.played, &Chance::NONE).unwrap();
            let moved = Moved {
                seat,
                ply,
                path: Vec::new(),
                text: (*text).to_owned(),
                by: ChosenBy::Player,
                spent: Spent::default(),
                chance: Chance::NONE,
                report: None,
                position: position.clone().into(),
            };
            story.hear(&Entry { id: 0, at: Duration::ZERO, game: 1, what: What::Moved(moved) });
        }
        story
    }

    /// Somebody who thinks less of every position than of the one before.
    struct Gloomy;

    impl Adviser for Gloomy {
        fn name(&self) -> Result<String, String> {
            Ok("Gloomy".to_owned())
        }

        fn answer(&self, position: &Position, _: Duration) -> Result<Advice, String> {
            let score = Some(500 - 10 * position.ply() as i32);
            Ok(Advice { text: position.move_text(position.nth_legal(0)), score })
        }
    }

    #[test]
    fn among_three_a_move_is_judged_by_what_it_has_come_to_at_the_next_turn() {
        let setup = Setup { players: Some(3), ..Setup::default() };
        let start = registry::start("chinese-checkers", &setup).unwrap();
        let mut position = start.clone();
        let mut moves = Vec::new();
        for _ in 0..4 {
            let last = position.nth_legal(position.legal_count() - 1);
            moves.push(position.move_text(last));
            position.play(last, &Chance::NONE).unwrap();
        }
        let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
        let lines = review(&Gloomy, &played(start.clone(), &moves), |_| true).unwrap();
        let best = start.move_text(start.nth_legal(0));
        let first = format!("  move 1, {}: cost 30 by the next turn; {best} was better", moves[0]);
        assert_eq!(lines[1..], [first], "the fourth move has not come to anything yet");
    }
}
