//! The fast generator against the slow one.

use super::oracle::{self, Star};
use super::{legal, position, random_text};
use arbiter_rules::{Move, Obligation, Random};

/// Makes sure that both tell the same of a position, and gives the tier of its obligation.
fn tier_that_both_tell(text: &str, allow_return: bool, no_blocking: bool) -> u8 {
    let options = [allow_return, no_blocking].map(|on| if on { "true" } else { "false" });
    let position = position(text, &[("allow_return", options[0]), ("no_blocking", options[1])]);
    assert_eq!(position.text(), text);
    let star = Star { allow_return, no_blocking, ..Star::read(text) };

    let listed: Vec<_> =
        star.legal().into_iter().map(|(from, to)| Move::shift(from as u16, to as u16)).collect();
    let listed = if listed.is_empty() { vec![Move::PASS] } else { listed };
    assert_eq!(legal(&position), listed, "{text}");
    assert_eq!(position.legal_count(), listed.len(), "{text}");
    let mut counted: Vec<_> = (0..listed.len()).map(|n| position.nth_legal(n)).collect();
    counted.sort();
    assert_eq!(counted, listed, "{text}");

    let (tier, in_the_way) = star.duty();
    let in_the_way = in_the_way.into_iter().map(|hole| oracle::number(hole) as u16).collect();
    assert_eq!(position.obligation(), Some(Obligation { tier, in_the_way }), "{text}");
    tier
}

#[test]
fn the_fast_and_the_slow_rules_agree_on_thousands_of_random_positions() {
    let mut random = Random::new(20);
    for i in 0..4000 {
        tier_that_both_tell(&random_text(&mut random), i % 3 > 0, i % 5 > 0);
    }
}

#[test]
fn the_rules_agree_in_packed_triangles_where_the_no_blocking_rule_works() {
    let mut random = Random::new(21);
    let mut tiers = [0; 4];
    for _ in 0..4000 {
        tiers[usize::from(tier_that_both_tell(&endgame(&mut random), true, true))] += 1;
    }
    assert!(tiers.iter().all(|&seen| seen >= 50), "every tier is seen often enough: {tiers:?}");
}

/// Branch A still has pawns at home, and nearly all of D's are there already.
fn endgame(random: &mut Random) -> String {
    let mut board = ['.'; 121];
    let mix = [['D', 'D', 'D', 'A'], ['D', 'D', '.', 'A'], ['D', '.', '.', '.']][random.below(3)];
    board[..10].fill_with(|| mix[random.below(4)]);
    board[random.below(3)] = 'A';
    let at_home = board.iter().filter(|&&pawn| pawn == 'D').count();
    for _ in at_home..10.min(at_home + random.below(4)) {
        // The hexagon at the mouth of the triangle.
        board[[14, 26, 37][random.below(3)] + random.below(5)] = 'D';
    }
    for hole in 111..121 - board.iter().filter(|&&pawn| pawn == 'A').count() {
        board[hole] = 'A';
    }
    format!("{} AD A", super::field(&board))
}

#[test]
fn the_legal_list_is_what_is_judged_legal_one_by_one() {
    let mut random = Random::new(22);
    for i in 0..30 {
        let text = if i % 2 == 0 { random_text(&mut random) } else { endgame(&mut random) };
        let options = [("allow_return", if i % 3 == 0 { "false" } else { "true" })];
        let position = position(&text, &options);
        let all = (0..=125).flat_map(|from| (0..=125).map(move |to| Move::shift(from, to)));
        let judged: Vec<_> = all.chain([Move::PASS]).filter(|&m| position.judge(m).is_ok()).collect();
        assert_eq!(judged, legal(&position), "{text}");
    }
}

#[test]
fn a_canonical_path_is_legal_and_none_is_shorter_or_smaller() {
    let mut random = Random::new(23);
    for _ in 0..300 {
        let position = position(&random_text(&mut random), &[]);
        for m in legal(&position).into_iter().filter(|&m| m != Move::PASS) {
            let path = position.path(m);
            let judge = |path: &[u16]| {
                position.judge_path(&path.iter().map(|&hole| i64::from(hole)).collect::<Vec<_>>())
            };
            assert_eq!(judge(&path).unwrap().played, m);
            assert!(path.len() <= 37);
            for hole in 1..path.len() - 1 {
                let smaller = (0..path[hole]).filter(|_| path.len() == 3);
                assert!(smaller.map(|other| [path[0], other, path[2]]).all(|other| judge(&other).is_err()));
                let shorter: Vec<_> = path.iter().enumerate().filter(|(i, _)| *i != hole).collect();
                let shorter: Vec<_> = shorter.into_iter().map(|(_, &hole)| hole).collect();
                assert!(judge(&shorter).is_err());
            }
        }
    }
}
