//! The search of one turn: selection down the tree, a look at the leaf, and backup.

use arbiter_plugin_api::Random;
use arbiter_rules::{Chance, ChanceSource, MAX_SEATS, Move, MoveList, Position, Random as Quick};
use bot_engine::evaluation::{Evaluation, LIKELY, lead_of};
use bot_engine::{Finding, SURE, Value, Watch};

use crate::leaf::{expect, play_out, proven_by, rewards_of};
use crate::tree::{Node, Proven, Rewards, Tree};

/// Between two looks at the clock so many moves are played in the head, in the tree or beyond.
const LOOK: u32 = 64;
/// With more seats than these, one move is expected of each of the others instead of [`LIKELY`]: a round of five others with
/// two moves each branches 32 ways before one's own next move, which then is hardly ever looked at.
const MANY: usize = 4;
/// Between two reports so many games.
const REPORT: u32 = 1 << 14;

/// Adds a share of some rewards to others.
fn add(sum: &mut Rewards, rewards: &Rewards, share: f32) {
    sum.iter_mut().zip(rewards).for_each(|(sum, reward)| *sum += share * reward);
}

/// The search of one turn.
pub(crate) struct Search<'a> {
    pub(crate) root: &'a Position,
    /// The moves to choose from at the root.
    pub(crate) hopeful: &'a [Move],
    pub(crate) seat: usize,
    pub(crate) is_clever: bool,
    /// Whether the positions after moves may tell which look good, where the game has that.
    pub(crate) looks_ahead: bool,
    pub(crate) has_chance: bool,
    pub(crate) tree: &'a mut Tree,
    pub(crate) random: &'a mut Random,
    pub(crate) evaluation: &'a mut dyn Evaluation,
    /// What each seat gets of a draw.
    pub(crate) of_draw: Rewards,
    pub(crate) moves: MoveList,
    pub(crate) promises: Vec<i32>,
    pub(crate) weights: Vec<f32>,
    /// The nodes from the root to where the search is.
    pub(crate) path: Vec<usize>,
    /// Moves played in the head since the last look at the clock.
    pub(crate) steps: u32,
}

impl Search<'_> {
    /// The best move that so many games show, or as many as the time allows. `scratch` is any position of the game.
    pub(crate) fn best(&mut self, scratch: &mut Position, games: u32, watch: &mut dyn Watch) -> Move {
        // Nobody moved to the root; any other seat will do.
        self.tree.plant(Node::new(Move::PASS, usize::from(self.seat == 0), 1.0));
        let mut played = 0;
        while played < games && self.tree[0].proven == Proven::Open {
            if !scratch.copy_from(self.root) {
                *scratch = self.root.clone();
            }
            if !self.play_one(scratch, watch) {
                break;
            }
            played += 1;
            if played.is_multiple_of(REPORT) {
                self.tell(played, watch);
            }
            if self.steps >= LOOK {
                self.steps = 0;
                if watch.is_enough() {
                    break;
                }
            }
        }
        self.tell(played, watch);
        self.tree[self.best_child(0).unwrap_or(0)].m
    }

    /// One way down and up again; false if the time was over first.
    fn play_one(&mut self, position: &mut Position, watch: &dyn Watch) -> bool {
        self.path.clear();
        self.path.push(0);
        let mut at = 0;
        while self.tree[at].proven == Proven::Open && position.end().is_none() {
            if self.tree[at].is_leaf() {
                // A new node is looked at once before it gets children, but for wins that must not be overlooked.
                let is_new = self.tree[at].visits == 0 && at != 0;
                if !is_new || self.is_clever && self.evaluation.has_sudden_wins() {
                    self.expand(at, position);
                }
                if is_new || self.tree[at].is_leaf() || self.tree[at].proven != Proven::Open {
                    break;
                }
            }
            let Some(child) = self.choose_child(at, position) else { break };
            self.step(position, self.tree[child].m);
            self.path.push(child);
            at = child;
        }
        let rewards = self.look(at, position, watch);
        if let Some(rewards) = &rewards {
            self.back_up(rewards);
        }
        rewards.is_some()
    }

    /// Plays a move and what chance does after it.
    fn step(&mut self, position: &mut Position, m: Move) {
        self.steps += 1;
        if self.has_chance {
            let chance = position.draw_chance(m, ChanceSource::Sample(self.random.bits()));
            position.play_legal(m, &chance);
        } else {
            position.play_legal(m, &Chance::NONE);
        }
    }

    /// What everybody gets at the end of the way down; nothing if the time was over first.
    fn look(&mut self, at: usize, position: &mut Position, watch: &dyn Watch) -> Option<Rewards> {
        if let Some(end) = position.end() {
            if self.is_clever && !self.has_chance {
                self.tree[at].proven = proven_by(&end.outcome);
            }
            return Some(if end.outcome.winner().is_none() && position.seats() == 2 {
                self.of_draw
            } else {
                rewards_of(&end.outcome)
            });
        }
        let proven = self.tree[at].proven;
        if proven != Proven::Open {
            return Some(std::array::from_fn(|seat| proven.reward(seat, &self.of_draw)));
        }
        let trust = if self.is_clever { self.evaluation.trust() } else { 0.0 };
        let mut rewards = [0.0; MAX_SEATS];
        if trust > 0.0 {
            self.steps += 2;
            let mover = position.to_move().expect("the game goes on").index();
            let mut expected = expect(position, self.evaluation);
            let draw = self.evaluation.draw().unwrap_or(0.0);
            for (expected, of_draw) in expected.iter_mut().zip(&self.of_draw) {
                *expected += draw * (of_draw - 0.5);
            }
            self.tree[at].guess = expected[mover];
            add(&mut rewards, &expected, trust);
        }
        if trust < 1.0 {
            let first = position.ply();
            let quick = match self.is_clever {
                true => self.evaluation.play_out(position, &mut Quick::new(self.random.bits())),
                false => None,
            };
            let played = match quick {
                Some(outcome) => rewards_of(&outcome),
                None => play_out(position, self.random, watch)?,
            };
            self.steps += (position.ply() - first).max(LOOK / 8);
            add(&mut rewards, &played, 1.0 - trust);
        }
        Some(rewards)
    }

    /// Gives a node its moves.
    fn expand(&mut self, at: usize, position: &mut Position) {
        let Search { evaluation, tree, moves, promises, weights, .. } = self;
        position.legal_moves(moves);
        if at == 0 {
            moves.retain(|m| self.hopeful.contains(&m));
        }
        let mover = position.to_move().expect("the game goes on").index();
        let seats = position.seats();
        weights.clear();
        if self.is_clever {
            evaluation.narrow(position, moves);
            if seats > 2 && mover != self.seat {
                let mut likely = moves.to_vec();
                likely.sort_by_key(|&m| -evaluation.promise(m, mover, seats));
                likely.truncate(if seats > MANY { 1 } else { LIKELY });
                moves.retain(|m| likely.contains(&m));
            }
            if self.looks_ahead {
                evaluation.promises(position, mover, moves, promises);
            } else {
                promises.clear();
                promises.extend(moves.iter().map(|&m| evaluation.promise(m, mover, seats)));
            }
            weights.extend(promises.iter().map(|&promise| (promise as f32 / 40.0).exp()));
        } else {
            weights.resize(moves.len(), 1.0);
        }
        // How likely each move is to be good; the sum is 1.
        let sum: f32 = weights.iter().sum();
        let children = moves.iter().zip(&*weights).map(|(&m, weight)| Node::new(m, mover, weight / sum));
        tree.grow(at, children);
        if self.is_clever && !self.has_chance && self.evaluation.has_sudden_wins() {
            self.see_endings(at, position);
        }
    }

    /// Marks the moves that end the game at once.
    fn see_endings(&mut self, at: usize, position: &mut Position) {
        for child in self.tree[at].children() {
            position.play_legal(self.tree[child].m, &Chance::NONE);
            if let Some(end) = position.end() {
                self.tree[child].proven = proven_by(&end.outcome);
            }
            position.undo();
            self.steps += 1;
        }
        self.tree.settle(at);
    }

    /// The child to look at next; `None` if chance has left none of them legal.
    fn choose_child(&mut self, at: usize, position: &Position) -> Option<usize> {
        let node = &self.tree[at];
        let visits = node.visits.max(1) as f32;
        let guess = node.guess;
        let explore = match self.is_clever {
            true => self.evaluation.curiosity() * visits.sqrt(),
            false => 2.0 * visits.ln(),
        };
        let is_clever = self.is_clever;
        let of_draw = self.of_draw;
        let value = |child: &Node| match (is_clever, child.proven, child.visits) {
            (true, Proven::Open, 0) => guess - 0.05 + explore * child.prior,
            (true, Proven::Open, n) => child.mean() + explore * child.prior / (1.0 + n as f32),
            (true, proven, _) => proven.reward(child.mover.into(), &of_draw) - 0.001,
            (false, _, 0) => f32::INFINITY,
            (false, _, n) => child.mean() + (explore / n as f32).sqrt(),
        };
        let mut best = None;
        let mut ties = 0;
        for child in node.children() {
            // Only chance makes moves illegal that were legal on another way through the same node.
            if self.has_chance && position.judge(self.tree[child].m).is_err() {
                continue;
            }
            let value = value(&self.tree[child]);
            match best {
                Some((_, least)) if value < least => {}
                Some((_, least)) if value == least => {
                    ties += 1;
                    if self.random.below(ties) == 0 {
                        best = Some((child, value));
                    }
                }
                _ => (best, ties) = (Some((child, value)), 1),
            }
        }
        best.map(|(child, _)| child)
    }

    fn back_up(&mut self, rewards: &Rewards) {
        let mut may_settle = self.is_clever && !self.has_chance;
        for (i, &at) in self.path.iter().enumerate().rev() {
            if may_settle && i + 1 < self.path.len() {
                may_settle = self.tree.settle(at);
            } else if may_settle {
                may_settle = self.tree[at].proven != Proven::Open;
            }
            let node = &mut self.tree[at];
            node.visits += 1;
            node.total += if node.proven == Proven::Open {
                rewards[usize::from(node.mover)]
            } else {
                node.proven.reward(node.mover.into(), &self.of_draw)
            };
        }
    }

    /// The best move of a node: a sure win, else the one most looked at that is not lost for sure.
    fn best_child(&self, at: usize) -> Option<usize> {
        let worth = |&child: &usize| {
            let node = &self.tree[child];
            let known = match node.proven {
                Proven::Won(winner) if winner == node.mover => 2,
                Proven::Won(_) => 0,
                Proven::Open | Proven::Drawn => 1,
            };
            (known, node.visits, node.prior.to_bits())
        };
        self.tree[at].children().max_by_key(worth)
    }

    /// Tells the best line so far.
    fn tell(&self, games: u32, watch: &mut dyn Watch) {
        let mut line = Vec::new();
        let mut at = 0;
        while let Some(child) = self.best_child(at).filter(|&child| at == 0 || self.tree[child].visits > 1) {
            line.push(self.tree[child].m);
            at = child;
        }
        let Some(best) = self.best_child(0) else { return };
        let values: Vec<_> = self.tree.children(0).iter().filter_map(|child| self.value(child)).collect();
        let score = self.value(&self.tree[best]).map_or(0, |value| value.score);
        let depth = line.len() as u32;
        watch.tell(&Finding { line: &line, depth, score, nodes: games.into(), text: "", values: &values });
    }

    /// What a move is worth, unless nothing is known of it.
    fn value(&self, node: &Node) -> Option<Value> {
        let score = match node.proven {
            Proven::Won(winner) if winner == node.mover => SURE,
            Proven::Won(_) => -SURE,
            Proven::Drawn => 0,
            Proven::Open if node.visits == 0 => return None,
            Proven::Open => lead_of(node.mean(), self.evaluation.clear_lead()),
        };
        Some(Value { m: node.m, score, is_exact: true })
    }
}
