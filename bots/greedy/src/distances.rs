//! How far seats have to go, in the games where nothing is ever taken. Greedy and minimax look at it alike.

use arbiter_plugin_api::Cell;

/// Chinese checkers: the branches of the star from which so many players start, one for each seat.
pub(crate) fn branches(players: usize) -> &'static [u8] {
    match players {
        2 => b"AD",
        3 => b"ACE",
        4 => b"ABDE",
        _ => b"ABCDEF",
    }
}

/// How many rows a piece has to go from a hole, if it started in this branch of the star.
pub(crate) fn way(branch: u8, hole: usize) -> i32 {
    let (row, column) = coordinates(hole);
    match branch {
        b'A' => 16 - row,
        b'B' => (column - row) / 2 + 6,
        b'C' => (column + row) / 2 - 2,
        b'D' => row,
        b'E' => 10 - (column - row) / 2,
        _ => 18 - (column + row) / 2,
    }
}

/// The row of a hole from the top, and its column, in halves of the step to the next hole in its row.
fn coordinates(hole: usize) -> (i32, i32) {
    let (mut row, mut place) = (0, hole);
    for holes in [1, 2, 3, 4, 13, 12, 11, 10, 9, 10, 11, 12, 13, 4, 3, 2, 1] {
        if place < holes {
            return (row, 13 + 2 * place as i32 - holes as i32);
        }
        (row, place) = (row + 1, place - holes);
    }
    unreachable!("the star has 121 holes")
}

/// Hex: how many more stones a seat needs to connect its two sides.
pub(crate) fn missing_stones(cells: &[Cell], size: usize, seat: usize) -> i32 {
    let from_side = |place: usize| if seat == 0 { place / size } else { place % size };
    let mut is_new = vec![true; cells.len()];
    // The cells that are reached with so many stones, and with one more.
    let (mut here, mut further) = (Vec::new(), Vec::new());
    let mut reach = |place: usize, here: &mut Vec<usize>, further: &mut Vec<usize>| {
        if std::mem::take(&mut is_new[place]) {
            match cells[place].seat() {
                None => further.push(place),
                Some(owner) if owner == seat => here.push(place),
                Some(_) => {}
            }
        }
    };
    (0..cells.len())
        .filter(|&place| from_side(place) == 0)
        .for_each(|place| reach(place, &mut here, &mut further));
    for stones in 0.. {
        while let Some(place) = here.pop() {
            if from_side(place) == size - 1 {
                return stones;
            }
            let (row, column) = (place / size, place % size);
            for (down, right) in [(0, 1), (0, -1), (1, 0), (-1, 0), (-1, 1), (1, -1)] {
                let (row, column) = (row.wrapping_add_signed(down), column.wrapping_add_signed(right));
                if row < size && column < size {
                    reach(row * size + column, &mut here, &mut further);
                }
            }
        }
        if further.is_empty() {
            break;
        }
        std::mem::swap(&mut here, &mut further);
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tips of the six branches, and those opposite.
    const TIPS: [(u8, usize, usize); 6] =
        [(b'A', 0, 120), (b'B', 22, 98), (b'C', 110, 10), (b'D', 120, 0), (b'E', 98, 22), (b'F', 10, 110)];

    #[test]
    fn the_way_across_the_star_is_sixteen_rows_from_every_corner() {
        for (branch, start, target) in TIPS {
            assert_eq!((way(branch, start), way(branch, target)), (16, 0), "branch {}", char::from(branch));
            assert_eq!(way(branch, 60), 8, "from the middle it is half way");
        }
    }
}
