//! What every schedule owes: thousands of sizes and results, played without bots.

use arbiter::record::Scored;
use arbiter::record::schema::ByesRecord;
use arbiter::statistics::{EloModel, Sprt, SprtRun};
use arbiter::tournament::schedule::{seed_slots, starters};
use arbiter::tournament::{Course, CourseRules, Fixture, Next, Schedule, Shard, Ties};
use arbiter_rules::Random;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet, HashMap};

fn rules(schedule: Schedule, entrants: usize, seats: usize) -> CourseRules {
    schedule.check(entrants, seats).unwrap_or_else(|error| panic!("{schedule:?} of {entrants}: {error}"));
    CourseRules { schedule, entrants, seats, withdraw_after: 0, sprt: None, shard: None, wave: None }
}

fn swiss(rounds: u32, pairs: u32) -> Schedule {
    Schedule::Swiss { rounds, pairs, byes: Some(ByesRecord::LowestAndWalkovers) }
}

fn scored(ranks: impl Iterator<Item = u8>, failed: impl Fn(usize) -> bool) -> Scored {
    Scored::new(&ranks.collect::<Vec<_>>(), failed).expect("no game has so many seats")
}

/// A result that follows from who played: the same whoever asks, and in whatever order. Of equal `luck`, draws.
fn result(fixture: &Fixture, seed: u64) -> Scored {
    let luck = |player: usize| {
        Random::new(seed ^ (fixture.number as u64) << 20 ^ (player as u64) << 8).below(4) + player % 3
    };
    let luck: Vec<usize> = fixture.players.iter().map(|&player| luck(player)).collect();
    let ranks = luck.iter().map(|mine| luck.iter().filter(|other| *other > mine).count() as u8 + 1);
    scored(ranks, |_| false)
}

/// The one with the smaller number wins.
fn favourite_wins(fixture: &Fixture) -> Scored {
    let ranks = fixture
        .players
        .iter()
        .map(|mine| fixture.players.iter().filter(|other| *other < mine).count() as u8 + 1);
    scored(ranks, |_| false)
}

/// Plays a schedule to its end, one game at a time.
fn play(rules: CourseRules, result: impl Fn(&Fixture) -> Scored) -> (Vec<Fixture>, Course) {
    let mut course = Course::new(rules);
    let mut games = Vec::new();
    while let Next::Game(fixture) = course.hand_out() {
        let scored = result(&fixture);
        course.over(fixture.number, Some(scored));
        games.push(fixture);
    }
    (games, course)
}

/// How often each two have met, the smaller number first.
fn meetings_of(games: &[Fixture]) -> BTreeMap<(usize, usize), u32> {
    let mut met = BTreeMap::new();
    for game in games {
        for (index, &a) in game.players.iter().enumerate() {
            for &b in &game.players[index + 1..] {
                assert_ne!(a, b, "nobody meets himself: {game:?}");
                *met.entry((a.min(b), a.max(b))).or_default() += 1;
            }
        }
    }
    met
}

fn seat_counts(games: &[Fixture], entrants: usize, seats: usize) -> Vec<Vec<u32>> {
    let mut counts = vec![vec![0; seats]; entrants];
    for game in games {
        for (seat, &player) in game.players.iter().enumerate() {
            counts[player][seat] += 1;
        }
    }
    counts
}

#[test]
fn everybody_meets_everybody_as_often_as_promised_and_more_rounds_change_nothing_before() {
    for entrants in 2..=33 {
        let play =
            |rounds| play(rules(Schedule::RoundRobin { rounds }, entrants, 2), |game| result(game, 1)).0;
        let (once, thrice) = (play(1), play(3));
        let pairs = entrants * (entrants - 1) / 2;
        assert_eq!((once.len(), thrice.len()), (2 * pairs, 6 * pairs));
        assert_eq!(thrice[..once.len()], once, "{entrants}: the first round stays as it is");
        let met = meetings_of(&thrice);
        assert!(met.len() == pairs && met.values().all(|&games| games == 6), "{entrants}: {met:?}");
        for (player, seats) in seat_counts(&thrice, entrants, 2).into_iter().enumerate() {
            assert_eq!(seats[0], seats[1], "{entrants}: player {player} sits in both seats equally often");
        }
        assert!(thrice.iter().enumerate().all(|(index, game)| game.number as usize == index + 1));
    }
}

#[test]
fn a_gauntlet_is_between_challengers_and_all_others() {
    for entrants in 2..=20 {
        for challengers in 1..entrants {
            let schedule = Schedule::Gauntlet { challengers, rounds: 2 };
            let (games, course) = play(rules(schedule, entrants, 2), |game| result(game, 2));
            let met = meetings_of(&games);
            assert_eq!(met.len(), challengers * (entrants - challengers));
            assert!(met.keys().all(|(a, b)| *a < challengers && *b >= challengers));
            assert!(met.values().all(|&games| games == 4) && course.is_over());
        }
    }
}

#[test]
fn groups_of_more_seats_are_balanced_as_well_as_cyclic_designs_can_be() {
    let table = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/schedules/multiseat.json");
    let table = crate::support::json(table);
    let cases = table["cases"].as_array().unwrap();
    assert!(!cases.is_empty());
    for case in cases {
        let number = |value: &Value| value.as_u64().unwrap() as usize;
        let (seats, entrants) = (number(&case["seats"]), number(&case["bots"]));
        let blocks = starters(entrants, seats);
        for wanted in case["cycles_to_spread"].as_array().unwrap() {
            let (cycles, spread) = (number(&wanted[0]), number(&wanted[1]));
            // How often entrants at every distance meet, by distance.
            let mut met = vec![0_u32; entrants];
            for (a, b) in blocks[..cycles].iter().flat_map(|block| {
                block.iter().flat_map(|a| block.iter().map(move |b| (a, b))).filter(|(a, b)| a != b)
            }) {
                met[(b + entrants - a) % entrants] += 1;
            }
            let (least, most) = (met[1..].iter().min().unwrap(), met[1..].iter().max().unwrap());
            assert!(
                (most - least) as usize <= spread,
                "{seats} seats, {entrants} bots, {cycles} rounds: {met:?}"
            );
        }
    }
}

#[test]
fn in_games_of_more_seats_everybody_sits_everywhere_and_before_everybody_equally_often() {
    for seats in [3, 4, 6] {
        for entrants in [seats, seats + 1, seats + 2, seats + 5, seats + 9] {
            let rounds = starters(entrants, seats).len() as u32;
            let play = |rounds| {
                play(rules(Schedule::RoundRobin { rounds }, entrants, seats), |game| result(game, 3)).0
            };
            let (one, all) = (play(1), play(rounds));
            assert_eq!(
                all[..one.len()],
                one,
                "{entrants} in {seats} seats: more rounds change nothing before"
            );
            for games in [&one, &all] {
                let counts = seat_counts(games, entrants, seats);
                assert!(
                    counts.iter().flatten().all(|count| *count == counts[0][0]),
                    "{entrants}: {counts:?}"
                );
            }
            let mut before: HashMap<(usize, usize), i64> = HashMap::new();
            for game in &all {
                for (index, &a) in game.players.iter().enumerate() {
                    game.players[index + 1..].iter().for_each(|&b| *before.entry((a, b)).or_default() += 1);
                }
            }
            let is_even = |(&(a, b), &count): (&(usize, usize), &i64)| before.get(&(b, a)) == Some(&count);
            assert!(before.iter().all(is_even), "{entrants} in {seats} seats");
        }
    }
}

#[test]
fn a_unit_is_every_member_once_in_every_seat_over_one_opening() {
    for (schedule, entrants, seats) in [
        (Schedule::RoundRobin { rounds: 2 }, 7, 2),
        (Schedule::RoundRobin { rounds: 1 }, 8, 6),
        (swiss(3, 2), 9, 2),
        (Schedule::Match { games: 12 }, 3, 3),
    ] {
        let (games, _) = play(rules(schedule, entrants, seats), |game| result(game, 4));
        for unit in games.chunks(seats) {
            assert!(unit.iter().all(|game| game.unit == unit[0].unit));
            let mut sat: BTreeSet<(usize, usize)> = BTreeSet::new();
            for game in unit {
                sat.extend(game.players.iter().enumerate().map(|(seat, &player)| (player, seat)));
            }
            assert_eq!(sat.len(), seats * seats, "{unit:?}");
        }
    }
}

#[test]
fn swiss_rounds_have_one_bye_at_most_and_no_rematch_while_there_is_another_way() {
    for entrants in 2..=24 {
        for seed in 0..8 {
            let rounds = (entrants as u32).next_power_of_two().ilog2().min(entrants as u32 - 1).max(1);
            let play = |rounds| play(rules(swiss(rounds, 1), entrants, 2), |game| result(game, seed)).0;
            let games = play(rounds);
            assert_eq!(games.len(), rounds as usize * (entrants / 2) * 2);
            assert_eq!(
                play(rounds + 1)[..games.len()],
                games,
                "{entrants}: more rounds change nothing before"
            );
            if rounds as usize * 2 < entrants {
                assert!(
                    meetings_of(&games).values().all(|&games| games == 2),
                    "{entrants}, seed {seed}: a rematch"
                );
            }
            for round in 0..rounds {
                let players: Vec<usize> = games
                    .iter()
                    .filter(|game| game.unit.round == round)
                    .flat_map(|game| game.players.clone())
                    .collect();
                let different: BTreeSet<usize> = players.iter().copied().collect();
                assert_eq!(players.len(), 2 * different.len(), "one meeting each");
                assert_eq!(different.len(), entrants - entrants % 2, "one bye at most");
            }
        }
    }
}

#[test]
fn nobody_sits_out_while_somebody_lower_has_had_no_bye() {
    for entrants in [7, 9, 15] {
        let (games, _) = play(rules(swiss(3, 1), entrants, 2), favourite_wins);
        let (mut points, mut byes) = (vec![0; entrants], Vec::new());
        for round in 0..3 {
            let games: Vec<_> = games.iter().filter(|game| game.unit.round == round).collect();
            let is_free = |entrant: &usize| !games.iter().any(|game| game.players.contains(entrant));
            let free = (0..entrants).find(is_free).expect("their number is odd");
            let had_none = (0..entrants).filter(|entrant| !byes.contains(entrant));
            let lowest = had_none.min_by_key(|&entrant| (points[entrant], entrants - entrant));
            assert_eq!(Some(free), lowest, "{entrants} entrants, round {round}, points {points:?}");
            games.iter().for_each(|game| points[*game.players.iter().min().unwrap()] += 1);
            points[free] += 2;
            byes.push(free);
        }
    }
}

#[test]
fn a_bye_is_worth_a_won_meeting_and_comes_once_to_each() {
    let (_, course) = play(rules(swiss(5, 2), 5, 2), favourite_wins);
    assert_eq!(
        course.half_points_without_play(),
        [8; 5],
        "five rounds, five players: a bye for each, as four games won"
    );
}

const ONE_PAIR: Ties = Ties { pairs: 1, most_pairs: 1 };

/// How many meetings there were, counting a tied one once.
fn matches(games: &[Fixture]) -> usize {
    games.iter().map(|game| game.unit.lane).collect::<BTreeSet<_>>().len()
}

#[test]
fn a_knockout_has_one_match_less_than_entrants_and_byes_go_to_the_best() {
    for entrants in 2..=64 {
        let (games, course) = play(rules(Schedule::Knockout(ONE_PAIR), entrants, 2), favourite_wins);
        assert_eq!((matches(&games), games.len()), (entrants - 1, 2 * (entrants - 1)));
        assert_eq!(course.games_asked() as usize, games.len());
        let first: BTreeSet<usize> =
            games.iter().filter(|game| game.unit.round == 0).flat_map(|game| game.players.clone()).collect();
        let byes: Vec<usize> = (0..entrants).filter(|player| !first.contains(player)).collect();
        assert_eq!(byes, (0..entrants.next_power_of_two() - entrants).collect::<Vec<_>>());
        let places = course.places();
        assert_eq!(&places[..2], [1, 2], "the best two meet in the final: {places:?}");
        let at_start = Course::new(rules(Schedule::Knockout(ONE_PAIR), entrants, 2));
        assert_eq!(at_start.games_asked() as usize, games.len(), "the count is known before");
    }
    assert_eq!(seed_slots(11), [1, 16, 8, 9, 4, 13, 5, 12, 2, 15, 7, 10, 3, 14, 6, 11]);
}

#[test]
fn in_a_double_elimination_whoever_loses_twice_leaves_and_nobody_else() {
    for entrants in 2..=40 {
        for seed in 0..12 {
            // Decisive results: of two, one wins both games.
            let decisive = |game: &Fixture| {
                let first = Random::new(seed ^ u64::from(game.unit.number)).below(2) == 0;
                let best =
                    *if first { game.players.iter().min() } else { game.players.iter().max() }.unwrap();
                let ranks = game.players.iter().map(|&player| if player == best { 1 } else { 2 });
                scored(ranks, |_| false)
            };
            let (games, course) = play(rules(Schedule::DoubleElimination(ONE_PAIR), entrants, 2), decisive);
            let count = matches(&games);
            assert!([2 * entrants - 2, 2 * entrants - 1].contains(&count), "{entrants}: {count}");
            let mut lost = vec![0; entrants];
            for game in games.iter().step_by(2) {
                let scored = decisive(game);
                let loser = scored.ranks().iter().position(|&rank| rank == 2).unwrap();
                lost[game.players[loser]] += 1;
                assert!(lost[game.players[loser]] <= 2, "{entrants}, seed {seed}: somebody lost three times");
            }
            let winner = course.places().iter().position(|&place| place == 1).unwrap();
            let others = lost.iter().enumerate().filter(|(player, _)| *player != winner);
            assert!(others.clone().all(|(_, &lost)| lost == 2) && lost[winner] < 2, "{entrants}: {lost:?}");
        }
    }
}

#[test]
fn a_tied_meeting_gets_more_pairs_up_to_the_cap_and_then_the_better_seed_goes_on() {
    let drawn = |game: &Fixture| scored(game.players.iter().map(|_| 1), |_| false);
    let ties = Ties { pairs: 2, most_pairs: 5 };
    let (games, course) = play(rules(Schedule::Knockout(ties), 4, 2), drawn);
    assert_eq!(games.len(), 3 * 5 * 2, "three matches of five pairs");
    assert_eq!(course.places(), [1, 2, 3, 3]);
    let openings: BTreeSet<(u32, u32)> =
        games.iter().map(|game| (game.unit.lane, game.unit.meeting)).collect();
    assert_eq!(openings.len(), 15, "no pair of a match repeats an opening");
}

/// A random order of the numbers below `count`.
fn shuffled(count: usize, random: &mut Random) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    for last in (1..count).rev() {
        order.swap(last, random.below(last + 1));
    }
    order
}

#[test]
fn the_course_is_the_same_in_whatever_order_games_end() {
    let failing = |game: &Fixture| {
        let ranks = result(game, 5);
        scored(ranks.ranks().iter().copied(), |seat| game.players[seat] == 3 && game.number > 10)
    };
    for schedule in [
        Schedule::RoundRobin { rounds: 3 },
        Schedule::Gauntlet { challengers: 2, rounds: 3 },
        swiss(5, 2),
        Schedule::Knockout(Ties { pairs: 2, most_pairs: 4 }),
        Schedule::DoubleElimination(Ties { pairs: 2, most_pairs: 4 }),
    ] {
        let rules = || CourseRules { withdraw_after: 3, ..rules(schedule.clone(), 8, 2) };
        let (expected, one) = play(rules(), failing);
        let expected: Vec<Fixture> = expected.into_iter().filter(|game| one.counts(game.number)).collect();
        for seed in 0..20 {
            let mut random = Random::new(seed);
            let mut course = Course::new(rules());
            let (mut running, mut played): (Vec<Fixture>, Vec<Fixture>) = (Vec::new(), Vec::new());
            loop {
                while running.len() < 6 {
                    let Next::Game(fixture) = course.hand_out() else { break };
                    running.push(fixture);
                }
                if running.is_empty() {
                    break;
                }
                let index = shuffled(running.len(), &mut random)[0];
                let fixture = running.swap_remove(index);
                let scored = failing(&fixture);
                course.over(fixture.number, Some(scored));
                played.push(fixture);
            }
            played.retain(|game| course.counts(game.number));
            played.sort_by_key(|game| game.number);
            assert_eq!(played, expected, "{schedule:?}, seed {seed}");
            assert_eq!(course.withdrawals(), one.withdrawals());
            assert_eq!((course.games_asked(), course.is_over()), (played.len() as u32, true));
        }
    }
}

#[test]
fn a_withdrawal_is_counted_in_the_order_of_the_schedule_and_units_stay_whole() {
    let failing =
        |game: &Fixture| scored(result(game, 6).ranks().iter().copied(), |seat| game.players[seat] == 2);
    let rules = CourseRules { withdraw_after: 3, ..rules(Schedule::RoundRobin { rounds: 4 }, 5, 2) };
    let (games, course) = play(rules, failing);
    let of_two: Vec<u32> =
        games.iter().filter(|game| game.players.contains(&2)).map(|game| game.number).collect();
    assert_eq!(of_two.len(), 4, "three games lost, and the second game of that pair");
    let withdrawal = &course.withdrawals()[0];
    assert_eq!((withdrawal.player, withdrawal.after_game), (2, of_two[2]));
    assert_eq!(games.len() as u32, course.games_asked());
    let others = meetings_of(&games).into_iter().filter(|((a, b), _)| *a != 2 && *b != 2);
    assert!(others.into_iter().all(|(_, games)| games == 8), "the others play on");
}

/// Whoever met it late, or not at all, would otherwise be behind those who won against it.
#[test]
fn somebody_who_is_withdrawn_has_lost_to_all_others_alike() {
    const LOSER: usize = 2;
    let failing = |game: &Fixture| {
        let ranks =
            game.players.iter().map(|&player| if player == LOSER { game.players.len() as u8 } else { 1 });
        scored(ranks, |seat| game.players[seat] == LOSER)
    };
    let cases: [(Schedule, usize, &[u32]); 4] = [
        // Four rounds with two games between each two, two half points for each.
        (Schedule::RoundRobin { rounds: 4 }, 2, &[16, 16, 0, 16, 16]),
        (Schedule::Gauntlet { challengers: 1, rounds: 4 }, 2, &[16, 0, 0, 0, 0]),
        // The last one has a bye.
        (swiss(1, 5), 2, &[20, 0, 0, 0, 20]),
        // Of ten units of three games, each other one is in three with it; two who are equal share the first two places.
        (Schedule::RoundRobin { rounds: 2 }, 3, &[27, 27, 0, 27, 27]),
    ];
    for (schedule, seats, expected) in cases {
        let rules = CourseRules { withdraw_after: 2, ..rules(schedule.clone(), 5, seats) };
        let (games, course) = play(rules, failing);
        assert_eq!(course.withdrawals().len(), 1, "{schedule:?}");
        let mut half_points = course.half_points_without_play();
        for game in games.iter().filter(|game| game.players.contains(&LOSER)) {
            for &player in game.players.iter().filter(|player| **player != LOSER) {
                half_points[player] += 2 * seats as u32 - game.players.len() as u32;
            }
        }
        assert_eq!(half_points, expected, "{schedule:?} of {seats}");
    }
}

/// It would be missing in the next round, and the one that is there would be out.
#[test]
fn nobody_goes_on_who_is_withdrawn_in_a_meeting_that_it_leads() {
    let failing = |game: &Fixture| {
        let fails = game.number > 4;
        let loser = usize::from(!fails);
        let ranks = game.players.iter().map(|&player| 1 + u8::from(player == loser));
        scored(ranks, |seat| fails && game.players[seat] == loser)
    };
    for most_pairs in [4, 8] {
        let knockout = Schedule::Knockout(Ties { pairs: 4, most_pairs });
        let (games, course) = play(CourseRules { withdraw_after: 2, ..rules(knockout, 2, 2) }, failing);
        assert_eq!((games.len(), course.withdrawals().len()), (6, 1), "it leads by 4 to 2, and two are left");
        assert_eq!(course.places(), [2, 1]);
    }
}

/// The test has ended the schedule, and what it left unplayed was no game of anybody.
#[test]
fn nobody_has_walkovers_behind_the_end_of_a_test() {
    let failing = |game: &Fixture| {
        scored(game.players.iter().map(|&player| 1 + player as u8), |seat| game.players[seat] == 1)
    };
    let ends_of = |withdraw_after| {
        let test = SprtRun::new(Sprt::new(EloModel::Logistic, 0.0, 100.0, 0.05, 0.05).unwrap());
        let rules = CourseRules {
            withdraw_after,
            sprt: Some(test),
            ..rules(Schedule::RoundRobin { rounds: 500 }, 2, 2)
        };
        let (games, course) = play(rules, failing);
        (games.len() as u32, course.withdrawals().len(), course.half_points_without_play())
    };
    let (games, ..) = ends_of(0);
    assert!(games < 100, "the test has decided: {games}");
    assert_eq!(ends_of(games), (games, 1, vec![0, 0]), "withdrawn by the last game");
    assert_eq!(ends_of(2), (2, 1, vec![2 * 998, 0]), "withdrawn before the test decides");
}

#[test]
fn parts_play_everything_once_between_them() {
    for schedule in [Schedule::RoundRobin { rounds: 3 }, Schedule::Gauntlet { challengers: 1, rounds: 7 }] {
        let whole = play(rules(schedule.clone(), 6, 2), |game| result(game, 7)).0;
        let mut parts: Vec<Fixture> = (1..=4)
            .flat_map(|index| {
                let shard = Shard::new(index, 4);
                play(CourseRules { shard, ..rules(schedule.clone(), 6, 2) }, |game| result(game, 7)).0
            })
            .collect();
        parts.sort_by_key(|game| game.number);
        assert_eq!(parts, whole);
    }
}

#[test]
fn parts_of_rounds_that_depend_on_results_go_in_waves() {
    let whole = play(rules(swiss(4, 2), 9, 2), |game| result(game, 8)).0;
    let mut known: Vec<Fixture> = Vec::new();
    let mut waves = 0;
    while known.len() < whole.len() {
        let mut new = Vec::new();
        for index in 1..=3 {
            let shard = Shard::new(index, 3);
            let mut course = Course::new(CourseRules { shard, ..rules(swiss(4, 2), 9, 2) });
            for game in &known {
                course.ended(game.number, result(game, 8));
            }
            course.begin();
            while let Next::Game(fixture) = course.hand_out() {
                let scored = result(&fixture, 8);
                course.over(fixture.number, Some(scored));
                new.push(fixture);
            }
        }
        assert!(!new.is_empty(), "every wave plays something");
        known.extend(new);
        waves += 1;
    }
    known.sort_by_key(|game| game.number);
    assert_eq!((known, waves), (whole, 4), "one wave a round");
}

/// A worker that stops puts back what it has not begun. That must not take from a game the second try that a bug of ours owes
/// it, nor give it a third.
#[test]
fn a_game_that_was_put_back_is_tried_as_often_as_any_other() {
    let mut course = Course::new(rules(Schedule::RoundRobin { rounds: 1 }, 3, 2));
    let mut begun = Vec::new();
    let mut times_put_back = 0;
    while let Next::Game(fixture) = course.hand_out() {
        // Before its first try and before its second one.
        if fixture.number == 2 && times_put_back <= begun.iter().filter(|&&number| number == 2).count() {
            times_put_back += 1;
            course.put_back(2);
            continue;
        }
        let is_broken = fixture.number == 2;
        course.over(fixture.number, (!is_broken).then(|| result(&fixture, 9)));
        begun.push(fixture.number);
        assert!(begun.len() < 20, "{begun:?}");
    }
    assert_eq!((begun, times_put_back), (vec![1, 2, 2, 3, 4, 5, 6], 2));
    assert!(!course.is_over(), "game 2 is left for another run");
}

/// A game that nobody asks for any more would be played for nothing, and stand in the report of a withdrawn player.
#[test]
fn a_game_that_was_put_back_is_not_handed_out_when_it_has_become_needless() {
    let rules = CourseRules { withdraw_after: 2, ..rules(Schedule::Match { games: 5 }, 2, 2) };
    let mut course = Course::new(rules);
    let handed: Vec<Fixture> = (1..=3).filter_map(|number| course.fixture(number)).collect();
    handed.iter().for_each(|fixture| assert_eq!(course.hand_out(), Next::Game(fixture.clone())));
    for fixture in &handed[..2] {
        let lost = |seat: usize| fixture.players[seat] == 0;
        course.over(fixture.number, Some(scored((0..2).map(|seat| 1 + u8::from(lost(seat))), lost)));
    }
    course.put_back(3);
    assert_eq!(course.hand_out(), Next::Nothing);
}
