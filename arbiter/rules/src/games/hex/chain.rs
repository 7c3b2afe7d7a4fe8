//! The chain that the record of a game shows.

use super::board::Cells;

/// One of the shortest chains of stones that connect two sides, the one whose cells, sorted, come first; no cells where the
/// sides are not connected.
pub(super) fn shortest(stones: Cells, [near, far]: [Cells; 2]) -> Cells {
    let mut steps = steps(stones, near, far);
    for (row, column) in stones.iter() {
        let Some(step) = steps.iter().position(|cells| cells.has(row, column)) else { continue };
        let mut alone = Cells::NONE;
        alone.add(row, column);
        let others = std::mem::replace(&mut steps[step], alone);
        if !hangs_together(&steps) {
            steps[step] = others;
        }
    }
    let mut chain = Cells::NONE;
    steps.iter().flat_map(Cells::iter).for_each(|(row, column)| chain.add(row, column));
    chain
}

/// The stones by the number of stones that it takes to come to them from the near side, up to the nearest of the far side.
fn steps(mut stones: Cells, near: Cells, far: Cells) -> Vec<Cells> {
    let mut steps = vec![stones & near];
    loop {
        let last = steps[steps.len() - 1];
        if !(last & far).is_empty() {
            let end = steps.len() - 1;
            steps[end] = last & far;
            return steps;
        }
        if last.is_empty() {
            return Vec::new();
        }
        stones = stones.without(last);
        steps.push(stones.touching(last));
    }
}

/// Whether there is a way through one cell of each step.
fn hangs_together(steps: &[Cells]) -> bool {
    let reached = steps.iter().copied().reduce(|reached, next| next.touching(reached));
    reached.is_some_and(|reached| !reached.is_empty())
}
