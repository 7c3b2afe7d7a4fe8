//! Round robins of two seats by Berger tables (FIDE Handbook C.05, annex 1): everybody meets everybody once, at most one
//! bye a round, first seats as evenly as can be.

/// One table: its rounds, each a list of ordered pairs, the one who sits in the first seat first. Entrants count from 0.
pub(super) fn table(entrants: usize) -> Vec<Vec<[usize; 2]>> {
    // Of an odd number, who is drawn against the last place has a bye.
    let places = entrants + entrants % 2;
    (0..places.saturating_sub(1)).map(|round| pairs(round, places, entrants)).collect()
}

fn pairs(round: usize, places: usize, entrants: usize) -> Vec<[usize; 2]> {
    let (circle, last) = (places - 1, places - 1);
    let lone = round * (places / 2) % circle;
    let against_last = if round.is_multiple_of(2) { [lone, last] } else { [last, lone] };
    let opposite = (1..places / 2).map(|step| [(lone + step) % circle, (lone + circle - step) % circle]);
    let mut pairs: Vec<_> = std::iter::once(against_last).chain(opposite).collect();
    pairs.retain(|pair| pair.iter().all(|&entrant| entrant < entrants));
    pairs.sort_unstable_by_key(|pair| *pair.iter().min().expect("a pair is two"));
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_those_of_the_handbook() {
        let one_based = |entrants| -> Vec<Vec<[usize; 2]>> {
            let up = |pair: [usize; 2]| pair.map(|entrant| entrant + 1);
            table(entrants).into_iter().map(|round| round.into_iter().map(up).collect()).collect()
        };
        let four = [[[1, 4], [2, 3]], [[1, 2], [4, 3]], [[3, 1], [2, 4]]];
        assert_eq!(one_based(4), four.map(Vec::from));
        let six = [
            [[1, 6], [2, 5], [3, 4]],
            [[1, 2], [5, 3], [6, 4]],
            [[3, 1], [2, 6], [4, 5]],
            [[1, 4], [2, 3], [6, 5]],
            [[5, 1], [4, 2], [3, 6]],
        ];
        assert_eq!(one_based(6), six.map(Vec::from));
        assert_eq!(one_based(3), [[[2, 3]], [[1, 2]], [[3, 1]]].map(Vec::from));
    }
}
