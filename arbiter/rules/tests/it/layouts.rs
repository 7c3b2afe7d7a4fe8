//! What every game says of its picture: a place for every cell, and boards within the board that belong together.

use crate::support::{after, read, start};
use arbiter_rules::Seat;
use arbiter_rules::layout::{GroupState, STEP};
use arbiter_rules::registry::GAMES;
use std::collections::BTreeSet;

#[test]
fn every_cell_has_a_place_of_its_own_and_no_two_are_too_close() {
    for info in GAMES {
        let position = start(info.id, &[]);
        let layout = position.layout();
        assert_eq!(layout.cells.len(), position.shape().cells(), "{}", info.id);
        for (i, a) in layout.cells.iter().enumerate() {
            for b in &layout.cells[i + 1..] {
                let apart = f64::from(a.x - b.x).hypot(f64::from(a.y - b.y));
                assert!(apart > f64::from(STEP) * 0.99, "{}: {a:?} and {b:?}", info.id);
            }
        }
        let grouped: Vec<u16> = layout.groups.iter().flat_map(|group| group.cells.clone()).collect();
        let all: BTreeSet<u16> = grouped.iter().copied().collect();
        assert_eq!(all.len(), grouped.len(), "{}: a cell is in two boards", info.id);
        assert!(all.is_empty() || all.len() == layout.cells.len(), "{}: a cell is in no board", info.id);
    }
}

#[test]
fn the_boards_of_ultimate_say_how_they_stand() {
    let states = |position: &arbiter_rules::Position| -> Vec<GroupState> {
        position.layout().groups.iter().map(|group| group.state).collect()
    };
    let position = read("ultimate", &[], "6xoxOOOX2xo1ox1oXx2xo4oox4ox o");
    let (won_by_o, won_by_x) = (GroupState::Won(Seat::SECOND), GroupState::Won(Seat::FIRST));
    let open = GroupState::Open;
    let expected = [open, won_by_o, won_by_o, won_by_o, won_by_x, open, won_by_x, open, open];
    assert_eq!(states(&position), expected);
    let forced = states(&after("ultimate", &[], "9b2"));
    assert_eq!(forced.iter().position(|state| *state == GroupState::Forced), Some(4));
    let drawn = read("ultimate", &[], "xoxxoooxx99999999 o -");
    assert_eq!(states(&drawn)[0], GroupState::Drawn);
}

#[test]
fn homes_are_those_of_the_seats_that_play() {
    for players in ["2", "3", "4", "6"] {
        let setup = arbiter_rules::Setup { players: players.parse().ok(), ..arbiter_rules::Setup::default() };
        let position = arbiter_rules::registry::start("chinese-checkers", &setup).unwrap();
        let homes = position.layout().homes;
        assert!(homes.iter().all(|home| home.corners.len() == 3), "{players}: {homes:?}");
        let seats: BTreeSet<Seat> = homes.iter().filter_map(|home| home.seat).collect();
        assert_eq!((homes.len(), seats.len()), (6, players.parse().unwrap()));
    }
}
