//! Chinese checkers for two, three, four and six players.
//!
//! Inside, players go by their branch, the triangle in which their pawns began; [`seats`] knows which seat that is.
//! Rules: `chinese_checkers.md`, after the printed French, English and German rules. Where these differ or are
//! silent: pawns may pass through the side triangles but not stop there; a chain may come back to its start
//! (option `allow_return`); a player must leave its start when its pawns there are all that keeps the player opposite
//! back (option `no_blocking`); a pawn that cannot move does not keep another player from winning (option `win`).

mod area;
mod blocking;
mod board;
mod clicks;
mod drawing;
mod judging;
mod jumps;
mod keys;
mod notation;
mod pawns;
mod seats;
mod winning;

use crate::appearance::Appearance;
use crate::chance::Chance;
use crate::draft::{Draft, DraftResult, DraftView, Input};
use crate::draw::{Charset, Scene};
use crate::game::{Best, Extras, Game, Obligation, Score, Shape};
use crate::info::{GameInfo, Setup, SetupError, set_up};
use crate::layout::Layout;
use crate::moves::{Choice, IllegalMove, Move, MoveList};
use crate::notation::Notation;
use crate::options::{OptionInfo, OptionKind, Options};
use crate::outcome::{EndReason, GameEnd, Outcome};
use crate::seat::Seat;
use area::{Area, Ground};
use blocking::{Demand, Duty};
use board::{Branch, HOLES, holes, mirrored, touch};
use jumps::shortest_chain;
use pawns::{Ends, Pawns};
use seats::Branches;
use winning::{Win, has_won};

/// Chinese checkers as the registry lists it.
pub(crate) static INFO: GameInfo = GameInfo {
    id: "chinese-checkers",
    title: "Chinese checkers",
    aliases: &["chinese_checkers", "chinesecheckers", "sternhalma"],
    version: 1,
    seats: &[2, 3, 4, 6],
    options: &[
        OptionInfo {
            name: "allow_return",
            kind: OptionKind::Flag,
            default: "true",
            about: "a chain of jumps may come back to the hole it began in, and end there",
        },
        OptionInfo {
            name: "no_blocking",
            kind: OptionKind::Flag,
            default: "true",
            about: "a player must leave its start when its pawns there are all that keeps the player opposite back",
        },
        OptionInfo {
            name: "win",
            kind: OptionKind::Word(Win::WORDS),
            default: "own-or-buried",
            about: "what the target must be full of",
        },
        OptionInfo {
            name: "max_rounds",
            kind: OptionKind::OffOrFrom(1),
            default: "200",
            about: "turns for each seat after which the game is drawn",
        },
        OptionInfo {
            name: "repetition",
            kind: OptionKind::OffOrFrom(2),
            default: "3",
            about: "occurrences of a position with which the game is drawn",
        },
    ],
    trials: &[
        &[("allow_return", "false")],
        &[("no_blocking", "false"), ("max_rounds", "0")],
        &[("win", "own")],
    ],
    opening_plies: |_| 12,
    example: "5-16",
    page: include_str!("../chinese_checkers.md"),
    set_up: set_up::<ChineseCheckers>,
};

/// A position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChineseCheckers {
    pawns: Pawns,
    /// The Zobrist key of everything that makes a position.
    key: u128,
    /// Turns taken since the position was set up, by branch.
    turns: [u32; 6],
    rules: Rules,
    /// The branches that the game began with.
    seated: Branches,
    /// The branches still in the game.
    standing: Branches,
    to_move: Branch,
    /// Passes since the last other turn or elimination.
    passes: u8,
    winner: Option<Branch>,
    /// The steps that the pawns of branches out of the game had to go when they left the board.
    steps_left: [u8; 6],
}

/// The options.
#[derive(Clone, Copy, Debug)]
struct Rules {
    allow_return: bool,
    no_blocking: bool,
    win: Win,
    max_rounds: u32,
    repetition: u32,
}

/// The pawns that may be moved in this turn, and where to.
#[derive(Clone, Copy)]
struct Scope {
    pawns: u128,
    area: &'static Area,
    null_turns: bool,
}

impl ChineseCheckers {
    fn new(pawns: Pawns, players: notation::Players, rules: Rules) -> ChineseCheckers {
        let notation::Players { seated, standing, to_move } = players;
        let key = keys::position(&pawns, to_move, standing, |hole| hole);
        let (turns, passes, winner) = ([0; 6], 0, None);
        // A text does not tell how far a branch came that was out before: it counts as not having moved.
        let steps_left = Branch::ALL.map(|branch| match standing.contains(branch) {
            true => 0,
            false => steps(branch, branch.start()),
        });
        ChineseCheckers { pawns, key, turns, rules, seated, standing, to_move, passes, winner, steps_left }
    }

    fn duty(&self) -> Duty {
        if self.rules.no_blocking && self.standing.contains(self.to_move.opposite()) {
            Duty::of(&self.pawns, self.to_move)
        } else {
            Duty::NONE
        }
    }

    #[inline]
    fn scope(&self) -> Scope {
        let Duty { demand, in_the_way } = self.duty();
        let ground = Ground::of(self.to_move);
        match demand {
            Demand::Nothing | Demand::Lapsed => Scope {
                pawns: self.pawns.of(self.to_move),
                area: &ground.rest,
                null_turns: self.rules.allow_return,
            },
            Demand::Leave => Scope { pawns: in_the_way, area: &ground.outside_start, null_turns: false },
            Demand::MoveInside => Scope { pawns: in_the_way, area: &ground.start, null_turns: false },
        }
    }

    /// Every pawn that may be moved, with the holes in which it may end the turn.
    #[inline]
    fn turns(&self) -> impl Iterator<Item = (usize, Ends)> + '_ {
        let scope = self.scope();
        holes(scope.pawns).map(move |from| (from, self.ends(&scope, from)))
    }

    #[inline]
    fn ends(&self, scope: &Scope, from: usize) -> Ends {
        if scope.null_turns {
            self.pawns.ends_and_null_turn(from, scope.area)
        } else {
            self.pawns.ends(from, scope.area)
        }
    }

    /// The holes in which the pawn on a hole may end this turn.
    fn legal_ends(&self, from: usize) -> u128 {
        let scope = self.scope();
        if scope.pawns >> from & 1 == 1 { self.ends(&scope, from).holes() } else { 0 }
    }

    fn must_pass(&self) -> bool {
        self.turns().all(|(_, ends)| ends.is_empty())
    }

    fn seat(&self, branch: Branch) -> Seat {
        self.seated.seat(branch)
    }

    /// Moves a pawn to an empty hole, which may be its own.
    #[inline]
    fn move_pawn(&mut self, branch: Branch, from: u16, to: u16) {
        if from != to {
            for hole in [usize::from(from), usize::from(to)] {
                self.pawns.toggle(branch, hole);
                self.key ^= keys::pawn(branch, hole);
            }
        }
    }

    /// Gives the turn to a branch.
    #[inline]
    fn hand_over(&mut self, next: Branch) {
        self.key ^= keys::to_move(self.to_move) ^ keys::to_move(next);
        self.to_move = next;
    }
}

impl Game for ChineseCheckers {
    fn start(setup: &Setup<'_>) -> Result<(ChineseCheckers, Options), SetupError> {
        let options = Options::read(INFO.options, setup.options)?;
        let rules = Rules {
            allow_return: options.flag("allow_return"),
            no_blocking: options.flag("no_blocking"),
            win: Win::from_word(options.word("win")).expect("the option allows only these words"),
            max_rounds: options.number("max_rounds"),
            repetition: options.number("repetition"),
        };
        let (pawns, players) = notation::set_up(setup)?;
        Ok((ChineseCheckers::new(pawns, players, rules), options))
    }

    fn shape(&self) -> Shape {
        Shape { width: HOLES as u16, height: 1, depth: 1 }
    }

    fn seats(&self) -> usize {
        self.seated.count()
    }

    fn to_move(&self) -> Seat {
        self.seat(self.to_move)
    }

    #[inline]
    fn ending(&self) -> Option<GameEnd> {
        if let Some(winner) = self.winner {
            let outcome = Outcome::win(self.seats(), self.seat(winner));
            return Some(GameEnd { outcome, reason: EndReason::Home });
        }
        let everybody_passed = usize::from(self.passes) >= self.standing.count();
        everybody_passed.then(|| self.draw(EndReason::Deadlock))
    }

    fn legal_moves(&self, moves: &mut MoveList) {
        for (from, ends) in self.turns() {
            for to in holes(ends.holes()) {
                moves.push(Move::shift(from as u16, to as u16));
            }
        }
        if moves.is_empty() {
            moves.push(Move::PASS);
        }
    }

    #[inline]
    fn legal_count(&self) -> usize {
        let turns: usize = self.turns().map(|(_, ends)| ends.count()).sum();
        turns.max(1)
    }

    #[inline]
    fn nth_legal(&self, n: usize) -> Move {
        let mut left = n;
        for (from, ends) in self.turns() {
            match left.checked_sub(ends.count()) {
                Some(fewer) => left = fewer,
                None => {
                    let to = holes(ends.holes()).nth(left).expect("as many holes as counted");
                    return Move::shift(from as u16, to as u16);
                }
            }
        }
        assert_eq!(n, 0, "there are not so many legal moves");
        Move::PASS
    }

    fn judge(&self, m: Move) -> Result<(), IllegalMove> {
        self.judge_move(m)
    }

    #[inline]
    fn play(&mut self, m: Move, _: &Chance) {
        let mover = self.to_move;
        if m == Move::PASS {
            self.passes += 1;
        } else {
            self.passes = 0;
            self.move_pawn(mover, m.from(), m.to());
        }
        self.turns[mover.index()] += 1;
        if has_won(&self.pawns, mover, self.rules.win) {
            self.winner = Some(mover);
        }
        self.hand_over(self.standing.after(mover));
    }

    fn key(&self) -> u128 {
        self.key
    }

    /// Left and right may change places where that gives no seat another branch and nobody another turn: when only
    /// the branches at the top and the bottom are in the game.
    fn symmetric_key(&self) -> u128 {
        let top_and_bottom = Branches::of_players(2).expect("two can play");
        if top_and_bottom.contains_all(self.standing) {
            self.key.min(keys::position(&self.pawns, self.to_move, self.standing, mirrored))
        } else {
            self.key
        }
    }

    fn write_cells(&self, cells: &mut [u8]) {
        cells.fill(0);
        for branch in self.standing.iter() {
            for hole in holes(self.pawns.of(branch)) {
                cells[hole] = self.seat(branch).index() as u8 + 1;
            }
        }
    }

    fn write_text(&self, text: &mut String) {
        notation::write(&self.pawns, self.standing, self.to_move, text);
    }

    fn scores(&self, _: Option<Seat>) -> Vec<Score> {
        let by_seat = self.distances_to_go();
        vec![Score { name: "distance_to_go", by_seat, best: Best::Least }]
    }

    fn winning_cells(&self) -> Vec<u16> {
        let target = self.winner.map_or(0, Branch::target);
        holes(target).map(|hole| hole as u16).collect()
    }
}

impl Extras for ChineseCheckers {
    fn is_in(&self, seat: Seat) -> bool {
        self.seated.branch(seat).is_some_and(|branch| self.standing.contains(branch))
    }

    #[inline]
    fn limit(&self) -> Option<GameEnd> {
        let Rules { max_rounds, .. } = self.rules;
        let is_over =
            max_rounds > 0 && self.standing.iter().all(|branch| self.turns[branch.index()] >= max_rounds);
        is_over.then(|| self.draw(EndReason::RoundLimit))
    }

    fn repetition_limit(&self) -> u32 {
        self.rules.repetition
    }

    fn lift_limits(&mut self) {
        (self.rules.max_rounds, self.rules.repetition) = (0, 0);
    }

    fn eliminate(&mut self, seat: Seat) {
        let Some(branch) = self.seated.branch(seat) else { return };
        self.steps_left[branch.index()] = steps(branch, self.pawns.of(branch));
        for hole in holes(self.pawns.of(branch)) {
            self.pawns.toggle(branch, hole);
        }
        self.standing = self.standing.without(branch);
        if self.to_move == branch {
            self.to_move = self.standing.after(branch);
        }
        self.passes = 0;
        self.key = keys::position(&self.pawns, self.to_move, self.standing, |hole| hole);
    }

    fn obligation(&self) -> Option<Obligation> {
        let Duty { demand, in_the_way } = self.duty();
        let in_the_way = holes(in_the_way).map(|hole| hole as u16).collect();
        Some(Obligation { tier: demand.tier(), in_the_way })
    }
}

impl Notation for ChineseCheckers {
    fn judge_path(&self, path: &[i64]) -> Result<Choice, IllegalMove> {
        self.judge_turn(path)
    }

    fn write_move(&self, m: Move, text: &mut String) {
        text.push_str(&format!("{}>{}", m.from(), m.to()));
    }

    fn write_choice(&self, choice: &Choice, text: &mut String) {
        let path = if choice.path.is_empty() { self.path(choice.played) } else { choice.path.clone() };
        text.push_str(&notation::path_text(&path));
    }

    fn read_move(&self, text: &str) -> Result<Choice, IllegalMove> {
        match notation::read_turn(text)? {
            notation::Turn::Path(path) => self.judge_turn(&path),
            notation::Turn::Result(from, to) => self.judge_result(from, to).map(Choice::from),
        }
    }

    fn path(&self, m: Move) -> Vec<u16> {
        let (from, to) = (usize::from(m.from()), usize::from(m.to()));
        if touch(from, to) {
            return vec![m.from(), m.to()];
        }
        shortest_chain(self.pawns.occupied(), from, to).expect("a legal move is a step or a chain")
    }

    fn write_cell_name(&self, cell: u16, text: &mut String) {
        text.push_str(&cell.to_string());
    }
}

impl Appearance for ChineseCheckers {
    fn sign(&self, seat: usize, _: Charset) -> char {
        drawing::sign(seat)
    }

    fn scene(&self, _: Charset) -> Scene {
        drawing::scene()
    }

    fn layout(&self) -> Layout {
        drawing::layout(self.seated)
    }

    fn notes(&self, _: Charset) -> Vec<String> {
        vec![self.distances()]
    }

    fn prompt(&self) -> Vec<String> {
        self.whose_turn()
    }
}

impl Input for ChineseCheckers {
    fn pick(&self, draft: &Draft, cell: u16) -> DraftResult {
        self.click(draft, cell)
    }

    fn act(&self, draft: &Draft, action: &str) -> DraftResult {
        self.press(draft, action)
    }

    fn draft_view(&self, draft: &Draft) -> DraftView {
        self.view(draft)
    }
}

impl ChineseCheckers {
    /// The steps from each pawn to the tip of the target, less 20, by seat; of a seat that is out, those when it left.
    fn distances_to_go(&self) -> Vec<i64> {
        let to_go = |branch: Branch| {
            let steps = steps(branch, self.pawns.of(branch)) + self.steps_left[branch.index()];
            i64::from(steps) - 20
        };
        self.seated.iter().map(to_go).collect()
    }

    fn draw(&self, reason: EndReason) -> GameEnd {
        GameEnd { outcome: Outcome::draw(self.seats(), |seat| self.is_in(seat)), reason }
    }
}

/// The steps from each of these holes to the tip of a branch's target: at most 140, for ten pawns that have not moved.
fn steps(branch: Branch, pawns: u128) -> u8 {
    holes(pawns).map(|hole| branch.distance(hole) as u8).sum()
}

#[cfg(test)]
mod tests {
    use super::blocking::can_progress;
    use super::*;
    use serde_json::Value;

    /// Asks of each seat what other programs recorded of it.
    fn assert_recorded(field: &str, ask: impl Fn(&ChineseCheckers, Branch) -> bool) {
        for line in include_str!("../../../tests/data/cc-positions.jsonl").lines() {
            let line: Value = serde_json::from_str(line).unwrap();
            let win = ("win", line["options"]["win"].as_str().unwrap());
            let setup = Setup { players: None, options: &[win], position: line["position"].as_str() };
            let (position, _) = ChineseCheckers::start(&setup).unwrap();
            for (letter, answer) in line[field].as_object().unwrap() {
                let branch = Branch::from_letter(letter.chars().next().unwrap()).unwrap();
                assert_eq!(ask(&position, branch), *answer, "{field} of {letter} in {}", line["position"]);
            }
        }
    }

    #[test]
    fn progress_is_seen_where_other_programs_see_it() {
        assert_recorded("can_progress", |position, branch| can_progress(&position.pawns, branch));
    }

    #[test]
    fn a_full_target_is_seen_where_other_programs_see_it() {
        assert_recorded("has_won", |position, branch| has_won(&position.pawns, branch, position.rules.win));
    }
}
