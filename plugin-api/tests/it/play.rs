//! What a bot sees and does through the safe side.

use std::sync::atomic::Ordering::SeqCst;
use std::time::Duration;

use arbiter_plugin_api::{
    Bot, Cell, Game, IllegalMove, Kind, LogLevel, Move, MoveList, Outcome, Position, Report, Result,
    RootMove, StopLevel, Turn, bot_table, raw,
};

use crate::desk::{Board, Desk, Notes, Seat, place};

type Check = fn(&Turn) -> Result<Move>;

/// Runs a check inside a turn, after x took the corner and o the middle.
fn inside_a_turn(desk: &Desk, check: Check) {
    struct Checker;

    thread_local! {
        static CHECK: std::cell::Cell<Option<Check>> = const { std::cell::Cell::new(None) };
    }

    impl Bot for Checker {
        fn new(_: &Game) -> Result<Self> {
            Ok(Checker)
        }

        fn choose_move(&mut self, turn: &Turn) -> Result<Move> {
            CHECK.get().unwrap()(turn)
        }
    }

    CHECK.set(Some(check));
    let seat = Seat::take(desk, bot_table!(Checker, name: "Checker"));
    assert_eq!(seat.new_game(&[]), raw::OK);
    let (status, _) = seat.choose(&Board::after(&[0, 4]));
    assert_eq!((status, desk.log()), (raw::OK, String::new()));
}

fn take(cell: u16) -> Move {
    Move::new(Kind::Place, cell, cell, 0)
}

#[test]
fn a_turn_tells_everything_that_the_arbiter_knows() {
    let desk = Desk::new();
    desk.notes().time_left.store(-1, SeqCst);
    inside_a_turn(&desk, |turn| {
        assert_eq!(turn.moves(), [1, 2, 3, 5, 6, 7, 8].map(take));
        assert_eq!(turn.history(), [take(0), take(4)]);
        assert_eq!((turn.seat(), turn.players(), turn.ply(), turn.attempt()), (0, 2, 2, 0));
        assert_eq!(turn.text(), "x...o....");
        assert_eq!(turn.cells().iter().filter_map(|cell| cell.seat()).collect::<Vec<_>>(), [0, 1]);
        assert_eq!(turn.hard_limit(), None);
        assert_eq!(turn.soft_limit(), Duration::from_secs(1));
        assert_eq!(turn.time_left(), Some(Duration::ZERO), "a clock that is overdrawn has nothing left");
        assert_eq!((turn.clock(0), turn.clock(1)), (None, Some(Duration::ZERO)));
        let game = turn.game();
        assert_eq!((game.id(), game.width(), game.height(), game.depth()), ("tic-tac-toe", 3, 3, 1));
        assert_eq!(game.rules().collect::<Vec<_>>(), [("columns", "3")]);
        assert_eq!((game.time(), game.move_limit()), (None, Some(Duration::from_secs(5))));
        assert_eq!(game.memory(), None);
        assert_eq!(turn.host().program(), ("desk", "0.0.1"));
        assert_ne!(turn.random(), turn.random());
        Ok(turn.moves()[0])
    });
}

#[test]
fn a_position_can_be_played_on_and_taken_back() {
    inside_a_turn(&Desk::new(), |turn| {
        let mut position = turn.position();
        let before = (position.hash(), position.text());
        assert_eq!(position.to_move(), Some(0));
        position.apply(take(3))?;
        assert_eq!(position.apply(take(3)), Err(IllegalMove(take(3))), "that cell is taken");
        position.apply(take(8))?;
        position.apply(take(6))?;
        assert_eq!(position.to_move(), None);
        assert_eq!(position.outcome(0), Some(Outcome::Win));
        assert_eq!(position.outcome(1), Some(Outcome::Loss));
        assert!(position.legal_moves().is_empty());
        assert_eq!(turn.view().outcome(0), None, "the arbiter's own position is as it was");
        (0..3).for_each(|_| position.undo());
        assert_eq!((position.hash(), position.text()), before);
        assert_eq!(position.column(4), [turn.cells()[4]]);
        assert_eq!(position.column(5), []);
        assert_eq!((position.cells()[1], position.cells()[0].seat()), (Cell::EMPTY, Some(0)));
        Ok(turn.moves()[0])
    });
}

#[test]
fn text_goes_both_ways() {
    inside_a_turn(&Desk::new(), |turn| {
        let view = turn.view();
        for &m in turn.moves() {
            assert_eq!(view.parse_move(&view.move_text(m)), Some(m));
        }
        assert_eq!(view.parse_move("4"), None, "that cell is taken");
        assert_eq!(view.parse_move("8\0"), None);
        assert_eq!(view.move_path(take(7)), [7]);
        let start = turn.game().parse_position(turn.game().start_text()).unwrap();
        assert_eq!(start.text(), turn.game().start().text());
        assert!(turn.game().parse_position("nonsense").is_none());
        Ok(turn.moves()[0])
    });
}

#[test]
fn long_lists_and_long_texts_arrive_whole() {
    let desk = Desk::with(Notes { repeat: 1000, ..Notes::default() });
    inside_a_turn(&desk, |turn| {
        assert_eq!(turn.view().legal_moves().len(), 7000);
        assert_eq!(turn.view().text().len(), 9000);
        let mut list = MoveList::new();
        for _ in 0..2 {
            turn.view().legal_moves_into(&mut list);
            assert_eq!(list[6993..], *turn.moves());
        }
        Ok(turn.moves()[0])
    });
}

#[test]
fn a_position_outlives_the_turn_it_came_from() {
    struct Hoarder(Vec<Position>);

    impl Bot for Hoarder {
        fn new(game: &Game) -> Result<Self> {
            Ok(Hoarder(vec![game.start().to_position()]))
        }

        fn choose_move(&mut self, turn: &Turn) -> Result<Move> {
            let mut position = self.0[0].clone();
            assert_eq!(position.to_move(), Some(0));
            position.set(turn.view());
            self.0.push(position);
            Ok(turn.moves()[0])
        }

        fn next_game(self, _: &Game) -> Result<Self> {
            Ok(self)
        }
    }

    let desk = Desk::new();
    let seat = Seat::take(&desk, bot_table!(Hoarder, name: "Hoarder"));
    for turns in 0..3 {
        assert_eq!(seat.new_game(&[]), raw::OK);
        assert_eq!(seat.choose(&Board::after(&[0])), (raw::OK, place(1)));
        assert_eq!(desk.notes().positions.load(SeqCst), turns + 2);
    }
    drop(seat);
    assert_eq!(desk.notes().positions.load(SeqCst), 0, "every position is freed");
}

#[test]
fn worker_threads_may_share_the_root_and_the_clock() {
    inside_a_turn(&Desk::new(), |turn| {
        let (root, host) = (turn.view(), turn.host());
        std::thread::scope(|scope| {
            for &m in turn.moves() {
                scope.spawn(move || {
                    let mut position = root.to_position();
                    position.apply(m).unwrap();
                    assert!(!host.should_stop());
                });
            }
        });
        Ok(turn.moves()[0])
    });
}

#[test]
fn what_a_bot_reports_is_what_the_arbiter_hears() {
    let desk = Desk::new();
    inside_a_turn(&desk, |turn| {
        let line = [take(8), take(2)];
        turn.report(&Report::new(line[0]).depth(4).score(-30).nodes(99).line(&line).text("hm\0m"));
        turn.report(&Report::new(line[1]));
        Ok(line[0])
    });
    let reports = desk.notes().reports.lock().unwrap();
    assert_eq!(
        *reports,
        [
            (place(8), 4, -30, vec![place(8), place(2)], "hmm".to_owned()),
            (place(2), 0, raw::NO_SCORE, Vec::new(), String::new()),
        ]
    );
}

#[test]
fn a_message_with_a_zero_inside_is_not_cut_short() {
    let desk = Desk::new();
    let seat = Seat::take(&desk, bot_table!(Talker, name: "Talker"));
    struct Talker;
    impl Bot for Talker {
        fn new(game: &Game) -> Result<Self> {
            game.host().log(LogLevel::Warn, "one\0two");
            Ok(Talker)
        }
        fn choose_move(&mut self, turn: &Turn) -> Result<Move> {
            Ok(turn.moves()[0])
        }
    }
    assert_eq!(seat.new_game(&[]), raw::OK);
    assert_eq!(desk.log(), "2 onetwo");
}

#[test]
fn chance_is_drawn_from_the_number_that_the_bot_gives() {
    let desk = Desk::new();
    inside_a_turn(&desk, |turn| {
        let chance = turn.host().chance().unwrap();
        let mut position = turn.position();
        chance.apply(&mut position, take(1), 77)?;
        assert_eq!(chance.apply(&mut position, take(1), 78), Err(IllegalMove(take(1))));
        position.undo();
        assert_eq!(position.text(), turn.text(), "one undo takes back both");
        Ok(turn.moves()[0])
    });
    assert_eq!(*desk.notes().sampled.lock().unwrap(), [77, 78]);
}

#[test]
fn the_values_of_moves_arrive_as_they_were_given() {
    let desk = Desk::new();
    inside_a_turn(&desk, |turn| {
        let list =
            [RootMove::exact(take(2), 30), RootMove::at_most(take(1), -5), RootMove::at_least(take(3), 7)];
        assert_eq!(format!("{:?}", list[1]), format!("{:?} <= -5", take(1)));
        turn.report_root_moves(6, &list);
        Ok(turn.moves()[0])
    });
    let raw = |m: Move, score, bound| raw::RootMove { r#move: m.to_raw(), score, bound };
    let list =
        vec![raw(take(2), 30, raw::EXACT), raw(take(1), -5, raw::AT_MOST), raw(take(3), 7, raw::AT_LEAST)];
    assert_eq!(*desk.notes().root_moves.lock().unwrap(), [(6, list)]);
}

#[test]
fn a_payload_is_read_as_it_was_given_and_missing_where_there_is_none() {
    inside_a_turn(&Desk::new(), |turn| {
        let payload = turn.host().payload().expect("one was given");
        assert_eq!(
            (payload.bytes(), payload.name(), payload.sha256()),
            (&b"three"[..], "weights.bin", "00ff")
        );
        Ok(turn.moves()[0])
    });
    let without = Desk::with(Notes { has_extensions: false, repeat: 1, ..Notes::default() });
    inside_a_turn(&without, |turn| {
        assert!(turn.host().payload().is_none());
        Ok(turn.moves()[0])
    });
}

#[test]
fn an_arbiter_without_root_moves_is_told_nothing() {
    let desk = Desk::with(Notes { has_extensions: false, repeat: 1, ..Notes::default() });
    inside_a_turn(&desk, |turn| {
        turn.report_root_moves(6, &[RootMove::exact(turn.moves()[0], 1)]);
        Ok(turn.moves()[0])
    });
}

#[test]
fn the_stop_level_rises_and_later_ones_compare_greater() {
    let levels = [
        (-1, StopLevel::GoOn),
        (raw::GO_ON, StopLevel::GoOn),
        (raw::ENOUGH, StopLevel::Enough),
        (raw::STOP, StopLevel::Stop),
        (raw::ABANDON, StopLevel::Abandon),
        (99, StopLevel::Abandon),
    ];
    let desk = Desk::new();
    for (number, _) in levels {
        desk.notes().stop_level.store(number, SeqCst);
        inside_a_turn(&desk, |turn| {
            turn.report(&Report::new(turn.moves()[0]).depth(turn.stop_level() as u32));
            assert_eq!(turn.should_stop(), turn.stop_level() > StopLevel::GoOn);
            Ok(turn.moves()[0])
        });
    }
    let reports = desk.notes().reports.lock().unwrap();
    let heard: Vec<u32> = reports.iter().map(|report| report.1).collect();
    assert_eq!(heard, levels.map(|(_, level)| level as u32));
}
