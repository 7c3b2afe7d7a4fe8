//! What every game promises, checked on thousands of random games under many options.

use crate::support::{Case, cases, legal, pick, random_move};
use arbiter_rules::draft::{Draft, DraftStep};
use arbiter_rules::{
    Chance, ChanceSource, EndReason, GameEnd, Move, MoveKind, Obligation, Position, Random, Refusal, Score,
    Seat,
};
use std::collections::{BTreeSet, HashMap, HashSet};

/// Moves of each case, about: short games are played often, and long ones a few times.
const MOVES: u32 = 2500;

#[test]
fn every_game_keeps_its_promises_in_random_games() {
    for case in cases() {
        let mut texts = Texts::default();
        for seed in 0..(MOVES / case.longest).clamp(12, 400) {
            let mut random = Random::new(u64::from(seed));
            play_and_check(&case, &mut random, &mut texts);
        }
    }
}

/// What one position looked like, for comparing it after undo.
#[derive(PartialEq, Debug)]
struct Snapshot {
    text: String,
    keys: (u128, u128),
    cells: Vec<u8>,
    legal: Vec<Move>,
    ply: u32,
    end: Option<GameEnd>,
    mover: Option<Seat>,
    scores: Vec<Score>,
    obligation: Option<Obligation>,
}

fn snapshot(position: &Position) -> Snapshot {
    Snapshot {
        text: position.text(),
        keys: (position.key(), position.symmetric_key()),
        cells: position.cells(),
        legal: legal(position),
        ply: position.ply(),
        end: position.end(),
        mover: position.to_move(),
        scores: position.scores(),
        obligation: position.obligation(),
    }
}

/// Plays one game at random and looks at some of its positions closely.
fn play_and_check(case: &Case, random: &mut Random, texts: &mut Texts) {
    let mut position = case.start();
    // Another position that is copied over now and then and must go the same way.
    let mut shadow = case.start();
    let mut past = Vec::new();
    let elimination = random.below(3) == 0 && position.seats() > 2;
    while position.end().is_none() {
        if random.below(30) == 0 {
            inspect(case, &position, random);
        }
        if Seat::all(position.seats()).all(|seat| position.is_in(seat)) {
            texts.check(case, &position);
        }
        if random.below(20) == 0 {
            assert!(shadow.copy_from(&position), "{case}: {position:?}");
            assert!(!shadow.undo(), "{case}: a copy has nothing to undo");
        }
        if elimination && random.below(30) == 0 {
            eliminate_somebody(case, &mut position, random);
            shadow.copy_from(&position);
            past.clear();
            continue;
        }
        past.push(snapshot(&position));
        let m = random_move(&position, random);
        let chance = position.draw_chance(m, ChanceSource::GameSeed(random.bits()));
        assert_eq!(position.judge_chance(m, &chance), Ok(()), "{case}: {position:?}");
        let in_step = shadow.ply() == position.ply() && shadow.text() == position.text();
        position.play(m, &chance).unwrap_or_else(|error| panic!("{case}: {position:?}: {error}"));
        if in_step {
            shadow.play(m, &chance).expect("a copy plays what the original plays");
            assert_eq!(snapshot(&shadow), snapshot(&position), "{case}");
        }
        assert!(position.ply() <= case.longest, "{case}: longer than {} moves", case.longest);
    }
    check_end(case, &position);
    for before in past.iter().rev() {
        assert!(position.undo(), "{case}: nothing to undo at {position:?}");
        assert_eq!(snapshot(&position), *before, "{case}");
    }
    assert!(!position.undo(), "{case}: more was undone than played");
}

/// Takes one seat out; it never moves again.
fn eliminate_somebody(case: &Case, position: &mut Position, random: &mut Random) {
    let seats: Vec<Seat> = Seat::all(position.seats()).filter(|&seat| position.is_in(seat)).collect();
    let seat = *pick(&seats, random);
    position.eliminate(seat);
    assert!(!position.is_in(seat), "{case}: {position:?}");
    if let Some(mover) = position.to_move() {
        assert!(position.is_in(mover), "{case}: {position:?} lets seat {mover} move");
    }
    assert!(!position.undo(), "{case}: an elimination cannot be undone");
}

fn check_end(case: &Case, position: &Position) {
    let end = position.end().expect("the game is over");
    let ranks = end.outcome.ranks();
    assert_eq!(ranks.len(), position.seats(), "{case}: {position:?}");
    assert_eq!(ranks.iter().min(), Some(&1), "{case}: {position:?}");
    assert_eq!((position.to_move(), position.legal_count(), legal(position)), (None, 0, vec![]), "{case}");
    let over = [
        position.judge(Move::place(0)).err(),
        position.read_move("a1").err(),
        position.pick(&Draft::default(), 0).err(),
    ];
    for refused in over {
        assert_eq!(
            refused.expect("nothing is legal any more").reason,
            Refusal::GameOver,
            "{case}: {position:?}"
        );
    }
}

/// Everything that can be asked of a single position.
fn inspect(case: &Case, position: &Position, random: &mut Random) {
    check_lists(case, position, random);
    check_cells(case, position);
    check_move_texts(case, position);
    check_drafts(case, position);
    check_copies(case, position, random);
    check_chance(case, position, random);
}

/// The list, the count, the n-th move and the judge tell the same.
fn check_lists(case: &Case, position: &Position, random: &mut Random) {
    let listed = legal(position);
    assert!(!listed.is_empty(), "{case}: nobody can move, but the game goes on: {position:?}");
    assert_eq!(position.legal_count(), listed.len(), "{case}: {position:?}");
    let set: HashSet<Move> = listed.iter().copied().collect();
    assert_eq!(set.len(), listed.len(), "{case}: a move is listed twice: {position:?}");
    let nth: HashSet<Move> = (0..listed.len()).map(|n| position.nth_legal(n)).collect();
    assert_eq!(nth, set, "{case}: {position:?}");
    for &m in &listed {
        assert_eq!(position.judge(m), Ok(()), "{case}: {m:?} in {position:?}");
        assert_eq!(position.path(m).last(), Some(&m.to()).filter(|_| m != Move::PASS), "{case}: {m:?}");
    }
    let before = snapshot(position);
    let mut victim = position.clone();
    for _ in 0..40 {
        let m = unlikely_move(position, pick(&listed, random), random);
        if set.contains(&m) {
            continue;
        }
        let refused = victim.play(m, &Chance::NONE).expect_err("unlisted moves are illegal");
        assert!(!refused.sentence.is_empty(), "{case}: {m:?} in {position:?}");
    }
    assert_eq!(snapshot(&victim), before, "{case}: a refused move has changed something");
}

/// Bits that are no move, or a move that is probably illegal.
fn unlikely_move(position: &Position, legal: &Move, random: &mut Random) -> Move {
    let cell = |random: &mut Random| random.below(position.shape().cells() + 3) as u16;
    match random.below(8) {
        0 => Move::from_bits(random.bits()),
        1 => Move::from_bits(legal.bits() ^ 1 << random.below(64)),
        2 => Move::from_bits(random.bits() & 0x0007_0000_01ff_01ff),
        3 => Move::PASS,
        4 => Move::shift(cell(random), cell(random)),
        5 => Move::remove(cell(random)),
        6 => Move::from_bits(0),
        _ => Move::place(cell(random)),
    }
}

fn check_cells(case: &Case, position: &Position) {
    for (cell, content) in position.cells().into_iter().enumerate() {
        let column = position.column(cell as u16);
        if usize::from(content) <= position.seats() {
            assert_eq!(column.last().copied().unwrap_or(0), content, "{case}: cell {cell} of {position:?}");
        }
    }
    assert!(position.column(u16::MAX).is_empty(), "{case}: there is no such cell");
}

/// Moves and positions read back as they were written.
fn check_move_texts(case: &Case, position: &Position) {
    for m in legal(position) {
        let text = position.move_text(m);
        let choice = position.read_move(&text).unwrap_or_else(|error| panic!("{case}: {text}: {error}"));
        assert_eq!(choice.played, m, "{case}: {text} in {position:?}");
        let read = position.read_move(&position.choice_text(&choice));
        assert_eq!(read.expect("records read back").played, m, "{case}: {text} in {position:?}");
        assert_eq!(position.split_moves(&format!("{text}, {text}")), [&*text, &*text], "{case}");
    }
}

/// By touching cells and pressing actions every legal move can be made, and no other.
fn check_drafts(case: &Case, position: &Position) {
    let mut reached = HashSet::new();
    let mut seen = BTreeSet::new();
    let mut open = vec![Draft::default()];
    while let Some(draft) = open.pop() {
        // What matters of a path of cells is where it begins and ends and whether it is a chain by now.
        if !seen.insert((draft.cells.first().copied(), draft.cells.last().copied(), draft.cells.len().min(3)))
        {
            continue;
        }
        let view = position.draft_view(&draft);
        let picks = view.targets.iter().map(|&cell| position.pick(&draft, cell));
        let acts = view.actions.iter().map(|action| position.act(&draft, action.id));
        let finish = view.can_finish.then(|| position.act(&draft, "finish"));
        for step in picks.chain(acts).chain(finish) {
            match step.unwrap_or_else(|error| panic!("{case}: {draft:?} in {position:?}: {error}")) {
                DraftStep::Unfinished(draft) => open.push(draft),
                DraftStep::Finished(choice) => drop(reached.insert(choice.played)),
            }
        }
    }
    let listed: HashSet<Move> = legal(position).into_iter().filter(|&m| m != Move::PASS).collect();
    assert_eq!(reached, listed, "{case}: {position:?}");
}

/// What happens to a copy does not happen to the original.
fn check_copies(case: &Case, position: &Position, random: &mut Random) {
    let before = snapshot(position);
    let mut copy = position.clone();
    let plies = copy.playout(random);
    assert!(copy.end().is_some() && copy.ply() == position.ply() + plies, "{case}: {copy:?}");
    assert!(copy.ply() <= case.longest, "{case}: a playout is longer than {} moves", case.longest);
    assert_eq!(snapshot(position), before, "{case}");
    assert!(copy.copy_from(position));
    assert_eq!(snapshot(&copy), before, "{case}");
    assert_eq!(position.without_limits().text(), before.text, "{case}");
}

/// Chance that is drawn is possible, and leads to the same position whenever it is replayed.
fn check_chance(case: &Case, position: &Position, random: &mut Random) {
    let m = random_move(position, random);
    let number = random.bits();
    for source in [ChanceSource::GameSeed(number), ChanceSource::Sample(number)] {
        let chance = position.draw_chance(m, source);
        assert_eq!(chance, position.draw_chance(m, source), "{case}: {position:?}");
        assert_eq!(position.judge_chance(m, &chance), Ok(()), "{case}: {position:?}");
        let after = || {
            let mut copy = position.clone();
            copy.play(m, &chance).expect("listed moves are legal");
            snapshot(&copy)
        };
        assert_eq!(after(), after(), "{case}: {position:?}");
    }
    let beyond = Chance { fallen: vec![(u16::MAX, 1)] };
    assert!(position.judge_chance(m, &beyond).is_err(), "{case}: {position:?}");
}

/// Texts and keys of one case: each text has one key and the other way round.
#[derive(Default)]
struct Texts {
    keys: HashMap<String, u128>,
    texts: HashMap<u128, String>,
}

impl Texts {
    fn check(&mut self, case: &Case, position: &Position) {
        let (text, key) = (position.text(), position.key());
        let known = *self.keys.entry(text.clone()).or_insert(key);
        assert_eq!(known, key, "{case}: one text, two keys: {text}");
        let known = self.texts.entry(key).or_insert_with(|| text.clone());
        assert_eq!(*known, text, "{case}: one key, two texts");
        if self.texts.len().is_multiple_of(4) {
            let read =
                position.read_position(&text).unwrap_or_else(|error| panic!("{case}: {text}: {error}"));
            assert_eq!((read.text(), read.key(), read.ply()), (text, key, 0), "{case}");
            assert_eq!((read.cells(), legal(&read)), (position.cells(), legal(position)), "{case}");
        }
    }
}

#[test]
fn moves_of_every_kind_are_told_apart() {
    for (m, kind) in [
        (Move::place(7), MoveKind::Place),
        (Move::shift(7, 9), MoveKind::Shift),
        (Move::remove(7), MoveKind::Remove),
        (Move::PASS, MoveKind::Pass),
    ] {
        assert_eq!(m.kind(), Some(kind));
        assert_eq!(Move::from_bits(m.bits()), m);
    }
    assert_eq!(Move::from_bits(0).kind(), None);
    assert_eq!(Move::from_bits(5 << 48).kind(), None);
    assert_eq!((Move::shift(7, 9).from(), Move::shift(7, 9).to()), (7, 9));
}

#[test]
fn every_refusal_and_ending_code_reads_back() {
    for code in Refusal::ALL {
        assert_eq!(Refusal::from_code(code.code()), Some(*code));
    }
    for code in EndReason::ALL {
        assert_eq!(EndReason::from_code(code.code()), Some(*code));
    }
}
