//! The whole bot, linked in, at a table of tic-tac-toe.

#[path = "../../../plugin-api/tests/it/desk.rs"]
#[expect(dead_code, reason = "the desk serves other tests too")]
mod desk;
#[path = "../src/lib.rs"]
mod minimax;

use arbiter_plugin_api::raw;
use desk::{Board, Desk, Seat};

unsafe extern "C" {
    /// What `export_bot!` put into this program.
    fn arbiter_bot_v1(host_abi: u32) -> *const raw::Bot;
}

fn bot() -> &'static raw::Bot {
    // SAFETY: the table lives for ever.
    unsafe { &*arbiter_bot_v1(raw::ABI) }
}

/// Plays on against every reply, and counts the games that the bot lost.
fn losses(seat: &Seat, bot: usize, cells: &mut Vec<u64>) -> u32 {
    let board = Board::after(cells);
    if let Some(ended) = board.ended() {
        return u32::from(ended.is_some_and(|winner| usize::from(winner) != bot));
    }
    let replies = if cells.len() % 2 == bot {
        let (status, chosen) = seat.choose(&board);
        assert_eq!(status, raw::OK);
        vec![chosen & 0xffff]
    } else {
        (0..9).filter(|cell| !cells.contains(cell)).collect()
    };
    let mut lost = 0;
    for cell in replies {
        cells.push(cell);
        lost += losses(seat, bot, cells);
        cells.pop();
    }
    lost
}

#[test]
fn minimax_never_loses_a_game_it_can_see_to_the_end() {
    let desk = Desk::new();
    let seat = Seat::take(&desk, bot());
    for bot in 0..2 {
        assert_eq!(seat.new_game(&[("depth", "9")]), raw::OK);
        assert_eq!(losses(&seat, bot, &mut Vec::new()), 0, "in seat {bot}");
    }
}

#[test]
fn minimax_wins_at_once_and_says_how() {
    let desk = Desk::new();
    let seat = Seat::take(&desk, bot());
    assert_eq!(seat.new_game(&[("depth", "4")]), raw::OK);
    assert_eq!(seat.choose(&Board::after(&[0, 3, 1, 4])), (raw::OK, desk::place(2)));
    let reports = desk.notes().reports.lock().unwrap();
    let (best, depth, score, line, _) = reports.last().unwrap();
    assert_eq!((*best, *depth, *score, line), (desk::place(2), 1, 99_999, &vec![desk::place(2)]));
}

#[test]
fn minimax_looks_no_deeper_than_it_is_told() {
    let desk = Desk::new();
    let seat = Seat::take(&desk, bot());
    assert_eq!(seat.new_game(&[("depth", "2")]), raw::OK);
    assert_eq!(seat.choose(&Board::default()).0, raw::OK);
    let reports = desk.notes().reports.lock().unwrap();
    assert_eq!(reports.iter().map(|report| report.1).max(), Some(2));
}

#[test]
fn minimax_answers_when_its_time_is_over_before_it_began() {
    let desk = Desk::new();
    let seat = Seat::take(&desk, bot());
    assert_eq!(seat.new_game(&[]), raw::OK);
    desk.notes().stop_level.store(raw::ENOUGH, std::sync::atomic::Ordering::SeqCst);
    let (status, chosen) = seat.choose(&Board::default());
    assert_eq!((status, chosen >> 48), (raw::OK, u64::from(raw::KIND_PLACE)));
}

#[test]
fn minimax_refuses_options_that_make_no_sense_and_says_why() {
    let desk = Desk::new();
    let seat = Seat::take(&desk, bot());
    for (key, value) in [("deep", "4"), ("depth", "four"), ("depth", "0"), ("depth", "65")] {
        assert_eq!(seat.new_game(&[(key, value)]), raw::ERR_UNSUPPORTED);
    }
    assert_eq!(
        desk.log(),
        "3 there is no option deep: try depth\n\
         3 option depth=four: invalid digit found in string\n\
         3 option depth=0: it goes from 1 to 64\n\
         3 option depth=65: it goes from 1 to 64"
    );
}
