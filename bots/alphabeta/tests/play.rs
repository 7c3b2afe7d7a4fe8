//! What alphabeta plays, without an arbiter.

use alphabeta::Alphabeta;
use arbiter_rules::{Chance, Move, MoveList, Position, Seat, SeatResult, Setup, registry};
use bot_engine::{Finding, Level, Patience, Seating, Thinker, Watch};

fn player(seat: usize, level: Level) -> Alphabeta {
    Alphabeta::new(Seating { seat, seed: 1, memory: 4 << 20 }, level)
}

fn read(game: &str, text: &str) -> Box<dyn Position> {
    registry::start(game, &Setup { position: Some(text), ..Setup::default() }).expect(text)
}

/// Plays on against every reply, and counts the games that the player did not lose, and those that it lost.
fn games(player: &mut Alphabeta, seat: Seat, position: &mut dyn Position) -> [u32; 2] {
    if let Some(end) = position.end() {
        let is_lost = end.outcome.of(seat) == SeatResult::Loss;
        return [u32::from(!is_lost), u32::from(is_lost)];
    }
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    let replies = if position.to_move() == Some(seat) {
        vec![player.choose(position, &mut Patience::default())]
    } else {
        moves.to_vec()
    };
    let mut sum = [0, 0];
    for m in replies {
        position.play(m, &Chance::NONE).unwrap();
        let more = games(player, seat, position);
        sum = [sum[0] + more[0], sum[1] + more[1]];
        position.undo();
    }
    sum
}

#[test]
fn tic_tac_toe_is_never_lost_whatever_the_opponent_does() {
    for seat in [Seat::FIRST, Seat::SECOND] {
        let mut start = registry::start("tic-tac-toe", &Setup::default()).unwrap();
        let [kept, lost] = games(&mut player(seat.index(), Level::FULL), seat, &mut *start);
        assert!(kept > 50 && lost == 0, "in seat {seat}: {kept} games kept, {lost} lost");
    }
}

/// Remembers the last that it was told.
#[derive(Default)]
struct Listener {
    score: i32,
    text: String,
    line: Vec<Move>,
    patience: Patience,
}

impl Watch for Listener {
    fn is_enough(&self) -> bool {
        self.patience.is_enough()
    }

    fn tell(&mut self, finding: &Finding<'_>) {
        (self.score, self.text, self.line) = (finding.score, finding.text.to_owned(), finding.line.to_vec());
    }
}

/// The answer to a position, and what was told last.
fn ask(game: &str, text: &str) -> (String, Listener) {
    let position = read(game, text);
    let seat = position.to_move().unwrap().index();
    let mut listener = Listener { patience: Patience::of(1000), ..Listener::default() };
    let m = player(seat, Level::FULL).choose(&*position, &mut listener);
    (position.move_text(m), listener)
}

#[test]
fn solved_positions_are_told_with_their_final_difference_and_the_word() {
    let text = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X";
    let (best, told) = ask("othello", text);
    assert_eq!((&*best, told.score, &*told.text), ("g8", 18, "solved"));
    // The first four discs in the bottom row win after 16 others: (42 + 1 - 16) / 2 are left.
    let (best, told) = ask("connect-four", "......./......./......./xo...ox/oox.oxo/xxx.oxo x");
    assert_eq!((&*best, told.score, &*told.text), ("4", 13, "solved"));
}

#[test]
fn a_win_seen_to_its_end_is_worth_a_hundred_thousand_less_its_plies() {
    let (best, told) = ask("tic-tac-toe", "xx1oo4 x");
    assert_eq!((&*best, told.score), ("c1", 99_999));
    let (best, told) = ask("stacks", "x,x,x,-/o,o,-,-/o,-,-,-/-,-,-,- x -");
    assert_eq!((&*best, told.score), ("+d1", 99_999));
}

#[test]
fn an_opponents_win_is_parried() {
    let (best, _) = ask("stacks", "x,x,x,-/o,o,-,-/o,-,-,-/-,-,-,- o -");
    assert!(["+d1", "-a1", "-b1", "-c1"].contains(&&*best), "{best}");
}
