//! The whole bot, linked in, at a table of tic-tac-toe.

#[path = "../../../plugin-api/tests/it/desk.rs"]
#[expect(dead_code, reason = "the desk serves other tests too")]
mod desk;
#[path = "../src/lib.rs"]
mod greedy;

use arbiter_plugin_api::raw;
use desk::{Board, Desk, Seat, place};

unsafe extern "C" {
    /// What `export_bot!` put into this program.
    fn arbiter_bot_v1(host_abi: u32) -> *const raw::Bot;
}

/// The answers of a new player to a position, again and again.
fn answers(board: &Board) -> Vec<u64> {
    let desk = Desk::new();
    // SAFETY: the table lives for ever.
    let seat = Seat::take(&desk, unsafe { &*arbiter_bot_v1(raw::ABI) });
    assert_eq!(seat.new_game(&[]), raw::OK);
    (0..20)
        .map(|_| {
            let (status, chosen) = seat.choose(board);
            assert_eq!(status, raw::OK);
            chosen
        })
        .collect()
}

#[test]
fn greedy_takes_a_win_that_is_there() {
    assert_eq!(answers(&Board::after(&[0, 3, 1, 4])), [place(2); 20]);
}

#[test]
fn greedy_varies_its_play_and_repeats_it_from_the_same_seed() {
    let first = answers(&Board::default());
    assert!(first.iter().any(|&m| m != first[0]), "equal moves are not always the same one");
    assert_eq!(first, answers(&Board::default()));
}
