//! The brackets of knockout and double elimination.

use super::bracket::{Match, Source, seed_slots};

/// A knockout: losers leave. One match fewer than entrants.
pub(super) fn single(entrants: usize) -> (Vec<Match>, usize) {
    let mut matches = Vec::new();
    winners(entrants, true, &mut matches);
    (matches, entrants)
}

/// A double elimination: players who have lost twice leave. Losers of the winners' rounds come into the losers'
/// bracket from the other end each time, so that old opponents meet late. The winner of the losers' bracket must win
/// two finals.
pub(super) fn double(entrants: usize) -> (Vec<Match>, usize) {
    let mut matches = Vec::new();
    let mut rounds = winners(entrants, false, &mut matches).into_iter();
    let add = |places: [Source; 2], round: u32, matches: &mut Vec<Match>| {
        let wave = round + 1;
        matches.push(Match { places, round, wave, is_last_chance: true, only_if_second_wins: None });
        Source::Winner(matches.len() - 1)
    };
    let losers = |round: &[usize]| -> Vec<Source> { round.iter().map(|&of| Source::Loser(of)).collect() };
    let first = rounds.next().expect("two entrants play one round at least");
    let (mut alive, mut champion, mut number) = (losers(&first), first[0], 0);
    for round in rounds {
        champion = round[0];
        alive = alive.chunks(2).map(|pair| add([pair[0], pair[1]], number, &mut matches)).collect();
        let mut fallen = losers(&round);
        if number.is_multiple_of(4) {
            fallen.reverse();
        }
        let pairs = fallen.into_iter().zip(alive);
        alive = pairs.map(|(fallen, alive)| add([fallen, alive], number + 1, &mut matches)).collect();
        number += 2;
    }
    let grand_final = matches.len();
    let places = [Source::Winner(champion), alive[0]];
    matches.push(Match {
        places,
        round: number,
        wave: number + 1,
        is_last_chance: false,
        only_if_second_wins: None,
    });
    let places = [Source::Winner(grand_final), Source::Loser(grand_final)];
    matches.push(Match {
        places,
        round: number + 1,
        wave: number + 2,
        is_last_chance: true,
        only_if_second_wins: Some(grand_final),
    });
    (matches, entrants)
}

/// The winners' bracket; returns its matches by rounds.
fn winners(entrants: usize, is_last_chance: bool, matches: &mut Vec<Match>) -> Vec<Vec<usize>> {
    let mut places: Vec<Source> =
        seed_slots(entrants).into_iter().map(|seed| Source::Seed(seed - 1)).collect();
    let mut rounds: Vec<Vec<usize>> = Vec::new();
    while places.len() > 1 {
        let first = matches.len();
        let round = rounds.len() as u32;
        let of = |pair: &[Source]| Match {
            places: [pair[0], pair[1]],
            round,
            // A round of the losers' bracket comes between two of the winners'.
            wave: if is_last_chance { round } else { (2 * round).saturating_sub(1) },
            is_last_chance,
            only_if_second_wins: None,
        };
        matches.extend(places.chunks(2).map(of));
        let round: Vec<usize> = (first..matches.len()).collect();
        places = round.iter().map(|&of| Source::Winner(of)).collect();
        rounds.push(round);
    }
    rounds
}
