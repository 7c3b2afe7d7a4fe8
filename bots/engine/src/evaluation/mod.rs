//! How good positions look that nobody has won yet: one file for each game.
//!
//! A hundred points are about one piece. Every evaluation gives points by seat; [`balance`] makes one number of them.

pub mod chinese_checkers;
pub mod connect_four;
pub mod hex;
pub mod othello;
pub mod stacks;
pub mod ultimate;

use arbiter_rules::{MAX_SEATS, Move, MoveList, Outcome, Position, Random};
use std::fmt::Debug;

/// Moves that are expected of each of the others when there are more than two seats: those that promise it most.
pub const LIKELY: usize = 2;

/// The number of the state in which of nine cells at most these are one's own and those the other's.
#[inline]
#[must_use]
pub fn state(own: u16, other: u16) -> usize {
    usize::from(THIRDS[usize::from(own)]) + 2 * usize::from(THIRDS[usize::from(other)])
}

/// Sets of nine as numbers in base three.
static THIRDS: [u16; 512] = {
    let mut thirds = [0; 512];
    let mut set = 1;
    while set < 512 {
        thirds[set] = 3 * thirds[set >> 1] + (set & 1) as u16;
        set += 1;
    }
    thirds
};

/// Points by seat.
pub type Points = [i32; MAX_SEATS];

/// How good positions of one game look.
pub trait Evaluation: Debug + Send {
    /// The points of every seat in a position of a game that goes on.
    fn points(&mut self, position: &Position) -> Points;

    /// The difference of points that makes one of two seats win about three games of four.
    fn clear_lead(&self) -> i32;

    /// How good a move looks by itself, without a look at the board: a few points, to try good moves first.
    fn promise(&self, m: Move, seat: usize, seats: usize) -> i32 {
        let _ = (m, seat, seats);
        0
    }

    /// How good the moves of a position look, for a tree search to try good ones first: replaces the list by a few points
    /// for each.
    fn promises(&mut self, position: &Position, seat: usize, moves: &[Move], list: &mut Vec<i32>) {
        list.clear();
        list.extend(moves.iter().map(|&m| self.promise(m, seat, position.seats())));
    }

    /// How likely the position that was last evaluated is drawn, from 0 to 1, where that can be told. Only there a tree
    /// search dislikes draws: in stacks and Chinese checkers that brought 43 % and 38 % of the points in 60 games each.
    fn draw(&self) -> Option<f32> {
        None
    }

    /// How far the points can be trusted, from 0 to 1; the rest had better be left to games played out at random.
    fn trust(&self) -> f32 {
        1.0
    }

    /// How much a tree search prefers moves that it has looked at little; found by matches against other values.
    fn curiosity(&self) -> f32 {
        0.8
    }

    /// Leaves out moves that lose at once while there are others, and all but a win where there is one.
    fn narrow(&mut self, position: &Position, moves: &mut MoveList) {
        let _ = (position, moves);
    }

    /// Plays a game on to its end by moves that are better than random ones and nearly as quickly found; nothing where
    /// random ones have to do.
    fn play_out(&mut self, position: &Position, random: &mut Random) -> Option<Outcome> {
        let _ = (position, random);
        None
    }

    /// How many points a bot gives up rather than let the game be drawn.
    fn dislike_of_draws(&self) -> i32 {
        0
    }

    /// Whether a single move can win out of the blue and [`narrow`](Evaluation::narrow) does not tell, so that it pays
    /// to look at every move for that.
    fn has_sudden_wins(&self) -> bool {
        true
    }
}

/// The evaluation for the game of a position, under its options, with all that it looks things up in.
#[must_use]
pub fn of(position: &Position) -> Box<dyn Evaluation> {
    match position.info().id {
        "chinese-checkers" => Box::new(chinese_checkers::Distances::of(position)),
        "connect-four" => match connect_four::grid::Grid::of(position) {
            Some(grid) => Box::new(connect_four::Bits::on(grid)),
            None => Box::new(connect_four::Lines::of(position)),
        },
        "hex" => Box::new(hex::Circuits::of(position)),
        "othello" => {
            let _ = othello::patterns::Patterns::built_in();
            Box::new(othello::Features::default())
        }
        "stacks" => Box::new(stacks::Towers::of(position)),
        "ultimate" => {
            let _ = ultimate::net::Net::built_in();
            Box::new(ultimate::Grids::default())
        }
        _ => none(),
    }
}

/// The evaluation of games that a search sees to their end.
#[must_use]
pub fn none() -> Box<dyn Evaluation> {
    Box::new(Nothing)
}

/// One number for one seat: its points less those of the others, of whom the strongest counts as much as all together.
#[must_use]
pub fn balance(points: &Points, seat: usize, seats: usize) -> i32 {
    let others = (0..seats).filter(|&other| other != seat).map(|other| points[other]);
    let (sum, best) = others.fold((0, i32::MIN), |(sum, best), points| (sum + points, best.max(points)));
    let average = sum / i32::try_from(seats - 1).expect("there are few seats");
    points[seat] - (average + best) / 2
}

/// The chance to win with a lead in points, of which a clear lead wins three games of four.
#[must_use]
pub fn chance_of(lead: i32, clear_lead: i32) -> f32 {
    1.0 / (1.0 + 3.0_f32.powf(-(lead as f32) / clear_lead as f32))
}

/// The lead in points that makes for a chance to win.
#[must_use]
pub fn lead_of(chance: f32, clear_lead: i32) -> i32 {
    let chance = chance.clamp(0.0005, 0.9995);
    ((chance / (1.0 - chance)).ln() / 3.0_f32.ln() * clear_lead as f32) as i32
}

/// For games that a search sees to their end.
#[derive(Debug)]
struct Nothing;

impl Evaluation for Nothing {
    fn points(&mut self, _: &Position) -> Points {
        [0; MAX_SEATS]
    }

    fn clear_lead(&self) -> i32 {
        100
    }

    fn promise(&self, m: Move, _: usize, _: usize) -> i32 {
        promise_of_nine(m)
    }

    fn trust(&self) -> f32 {
        0.0
    }
}

/// The middle of a board of nine cells lies on four lines, a corner on three, the others on two.
fn promise_of_nine(m: Move) -> i32 {
    [20, 10, 20, 10, 30, 10, 20, 10, 20][usize::from(m.to() % 9)]
}

/// The nearer to the middle column the better.
fn promise_of_column(m: Move, width: usize) -> i32 {
    let (column, width) = (i32::from(m.to()) % width as i32, width as i32);
    -4 * (2 * column + 1 - width).abs()
}

/// The cells of a position, in memory that is used again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cells(Vec<u8>);

impl Cells {
    /// 0 for an empty cell, otherwise the seat from 1.
    pub(crate) fn read(&mut self, position: &Position) -> &[u8] {
        self.0.resize(position.shape().cells(), 0);
        position.write_cells(&mut self.0);
        &self.0
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use arbiter_rules::{Setup, registry};

    /// What one seat's points are more than the other's, in a position of a game.
    pub(crate) fn lead(game: &str, options: &[(&str, &str)], text: &str) -> i32 {
        let setup = Setup { players: None, options, position: Some(text) };
        let position = registry::start(game, &setup).expect(text);
        balance(&of(&position).points(&position), 0, position.seats())
    }

    #[test]
    fn nobody_but_who_begins_is_clearly_ahead_at_the_start_of_a_game() {
        for info in registry::GAMES {
            for &players in info.seats {
                let setup = Setup { players: Some(players), ..Setup::default() };
                let start = registry::start(info.id, &setup).unwrap();
                let mut evaluation = of(&start);
                let points = evaluation.points(&start);
                let (lead, clear) = (balance(&points, 0, players), evaluation.clear_lead());
                // In Hex it is an advantage to begin; that the other one may swap is for a search to see.
                let most = if info.id == "hex" { 2 * clear } else { clear };
                assert!(-clear < lead && lead < most, "{}: {points:?}", info.id);
            }
        }
    }

    #[test]
    fn leads_and_chances_say_the_same() {
        assert_eq!((chance_of(0, 150), chance_of(150, 150)), (0.5, 0.75));
        for lead in [-400, -10, 0, 90] {
            assert!((lead_of(chance_of(lead, 120), 120) - lead).abs() <= 1);
        }
    }
}
