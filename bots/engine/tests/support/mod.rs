//! What the tests of `alphabeta` and `mcts` share: positions, and a player against every opponent there can be.

use arbiter_rules::{Chance, MoveList, Position, Seat, SeatResult, Setup, registry};
use bot_engine::{Seating, Thinker, Watch};

/// A player without much memory.
pub(crate) const fn seating(seat: usize) -> Seating {
    Seating { seat, seed: 1, memory: 4 << 20 }
}

/// A position from its text.
pub(crate) fn read(game: &str, options: &[(&str, &str)], text: &str) -> Position {
    registry::start(game, &Setup { position: Some(text), options, ..Setup::default() }).expect(text)
}

/// Has a player play tic-tac-toe from both seats against every reply at every turn.
pub(crate) fn never_loses_tic_tac_toe<T: Thinker, W: Watch>(
    player: impl Fn(&Position, usize) -> T,
    watch: impl Fn() -> W,
) {
    for seat in [Seat::FIRST, Seat::SECOND] {
        let mut start = registry::start("tic-tac-toe", &Setup::default()).unwrap();
        let mut player = player(&start, seat.index());
        let [kept, lost] = games(&mut player, &watch, seat, &mut start);
        assert!(kept > 50 && lost == 0, "in seat {seat}: {kept} games kept, {lost} lost");
    }
}

/// Plays on against every reply, and counts the games that the player did not lose, and those that it lost.
fn games<T: Thinker, W: Watch>(
    player: &mut T,
    watch: &impl Fn() -> W,
    seat: Seat,
    position: &mut Position,
) -> [u32; 2] {
    if let Some(end) = position.end() {
        let is_lost = end.outcome.of(seat) == SeatResult::Loss;
        return [u32::from(!is_lost), u32::from(is_lost)];
    }
    let mut moves = MoveList::new();
    if position.to_move() == Some(seat) {
        moves.push(player.choose(position, &mut watch()));
    } else {
        position.legal_moves(&mut moves);
    }
    let mut sum = [0, 0];
    for &m in moves.iter() {
        position.play(m, &Chance::NONE).unwrap();
        let more = games(player, watch, seat, position);
        sum = [sum[0] + more[0], sum[1] + more[1]];
        position.undo();
    }
    sum
}
