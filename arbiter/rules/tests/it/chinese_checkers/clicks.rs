//! A turn by clicks, hole by hole.

use super::{legal, position, random_text, start};
use arbiter_rules::draft::{Draft, DraftStep};
use arbiter_rules::{IllegalMove, Move, Position, Random};

/// Clicks holes one after the other.
fn click(position: &Position, cells: &[u16]) -> Result<DraftStep, IllegalMove> {
    let mut draft = Draft::default();
    for (i, &cell) in cells.iter().enumerate() {
        match position.pick(&draft, cell)? {
            DraftStep::Unfinished(next) => draft = next,
            finished => {
                assert_eq!(i + 1, cells.len(), "the turn ends with the last click");
                return Ok(finished);
            }
        }
    }
    Ok(DraftStep::Unfinished(draft))
}

fn draft(position: &Position, cells: &[u16]) -> Draft {
    match click(position, cells) {
        Ok(DraftStep::Unfinished(draft)) => draft,
        other => panic!("{cells:?} should be unfinished: {other:?}"),
    }
}

fn refusal(position: &Position, cells: &[u16]) -> String {
    click(position, cells).unwrap_err().to_string()
}

const LADDER: &str = "1/2/3/4/6A6/5D6/11/4D5/9/4D5/11/5D6/13/4/3/2/1 AD A";
const OBLIGED: &str = "D/DD/DDD/ADDD/4D8/12/11/10/9/10/11/12/13/1AAA/AAA/AA/A AD A";

#[test]
fn a_step_ends_the_turn_at_once() {
    let game = start(2, &[]);
    let view = game.draft_view(&Draft::default());
    assert_eq!((view.targets, view.can_finish, view.must), (vec![3, 4, 5, 6, 7, 8, 9], false, vec![]));
    assert_eq!(game.draft_view(&draft(&game, &[6])).targets, [14, 15]);
    let Ok(DraftStep::Finished(choice)) = click(&game, &[6, 15]) else { panic!("6-15 is a whole turn") };
    assert_eq!((choice.played, choice.path), (Move::shift(6, 15), vec![6, 15]));
}

#[test]
fn a_chain_goes_on_until_the_player_finishes_it() {
    let game = position(LADDER, &[]);
    let chain = draft(&game, &[16, 39, 60]);
    assert_eq!(chain.cells, [16, 39, 60]);
    let view = game.draft_view(&chain);
    assert_eq!((view.targets, view.can_finish), (vec![39, 79], true));
    let Ok(DraftStep::Finished(choice)) = game.act(&chain, "finish") else { panic!("it may stop there") };
    assert_eq!((choice.played, choice.path), (Move::shift(16, 60), vec![16, 39, 60]));

    let back = draft(&game, &[16, 39, 16]);
    assert_eq!(back.cells, [16, 39, 16], "a landing on the hole it left is part of the chain");
    assert!(game.draft_view(&back).can_finish);
    let one = draft(&game, &[16]);
    assert!(!game.draft_view(&one).can_finish);
    assert_eq!(game.act(&one, "finish").unwrap_err().reason.code(), "too-short");
    assert_eq!(game.act(&one, "remove").unwrap_err().reason.code(), "not-understood");
}

#[test]
fn another_piece_can_be_taken_instead() {
    let game = start(2, &[]);
    assert_eq!(draft(&game, &[6, 9]).cells, [9]);
    assert_eq!(draft(&game, &[5, 18, 9]).cells, [9]);
    assert_eq!(draft(&game, &[6, 6]), Draft::default(), "a second click puts the piece down");
    let no_return = start(2, &[("allow_return", "false")]);
    assert_eq!(draft(&no_return, &[5, 18, 5]).cells, [5], "it may not land there, so it is taken anew");
}

#[test]
fn a_click_that_leads_nowhere_says_why() {
    let game = start(2, &[]);
    for (cells, told) in [
        (&[60][..], "empty-origin: Hole 60 is empty: choose one of your own pieces first."),
        (&[111], "not-your-pawn: The piece on 111 belongs to player 2."),
        (&[500], "off-board: There is no hole called '500': holes are numbered 0 to 120."),
        (&[0], "stuck-piece: The piece on 0 cannot move: every touching hole is taken and there is no jump."),
        (
            &[6, 60],
            "not-in-reach: 60 cannot be reached from 6: a piece steps to a touching hole or jumps over exactly \
             one touching piece.",
        ),
        (&[6, 26], "nothing-to-jump: There is no piece between 6 and 26 to jump over."),
        (&[5, 18, 17], "step-in-chain: After a jump only further jumps are allowed: 18 to 17 is a step."),
        (&[5, 18, 18], "not-in-reach: The piece stands on 18 already."),
        (&[6, 111], "occupied: Hole 111 is taken by player 2."),
    ] {
        assert_eq!(refusal(&game, cells), told);
    }
    let edge = position("1/2/3/4/4A8/12/11/10/9/10/11/12/13/4/3/2/1 AD A", &[]);
    assert_eq!(
        refusal(&edge, &[14, 13]),
        "rest-in-wing: A piece may pass through 13 but not stop there: it is a side triangle."
    );
    let corner = position("1/2/3/4/13/7AD3/11/10/9/10/11/12/13/4/3/2/1 AD A", &[("allow_return", "false")]);
    assert_eq!(
        refusal(&corner, &[30, 32]),
        "rest-in-wing: A piece may pass through 32 but not stop there: it is a side triangle."
    );
    assert!(!corner.draft_view(&draft(&corner, &[30])).targets.contains(&32));
    let wing = position("1/2/3/3D/8D4/6DDA3/7DD2/6D1D1/9/10/11/12/13/4/3/2/A AD A", &[]);
    assert_eq!(
        refusal(&wing, &[31]),
        "stuck-piece: The piece on 31 cannot move: it could only stop in a side triangle."
    );
    let pass = position("1/2/3/3D/8D4/6DDA3/7DD2/6D1D1/9/10/11/12/13/4/3/2/1 AD A", &[]);
    assert_eq!(refusal(&pass, &[31]), "must-pass: You have no legal move: the turn is passed.");
    assert!(pass.draft_view(&Draft::default()).targets.is_empty());
}

#[test]
fn only_the_piece_that_must_leave_can_be_taken() {
    let game = position(OBLIGED, &[]);
    let view = game.draft_view(&Draft::default());
    assert_eq!((view.targets, view.must), (vec![6], vec![6]));
    assert_eq!(
        refusal(&game, &[112]),
        "must-leave: You must move the piece on 6 out of your home first (rule: no blocking)."
    );
    assert_eq!(game.draft_view(&draft(&game, &[6])).targets, [15, 26]);
    let back = draft(&game, &[6, 26, 6]);
    assert!(!game.draft_view(&back).can_finish, "a null turn does not satisfy the rule");
}

#[test]
fn every_legal_turn_can_be_clicked_together_and_nothing_else() {
    let mut random = Random::new(50);
    for i in 0..300 {
        let options = [("allow_return", if i % 3 == 0 { "false" } else { "true" })];
        let game = position(&random_text(&mut random), &options);
        let listed: Vec<_> = legal(&game).into_iter().filter(|&m| m != Move::PASS).collect();
        for &m in &listed {
            let path = game.path(m);
            let choice = match click(&game, &path) {
                Ok(DraftStep::Finished(choice)) => choice,
                Ok(DraftStep::Unfinished(draft)) => {
                    assert!(game.draft_view(&draft).can_finish);
                    let Ok(DraftStep::Finished(choice)) = game.act(&draft, "finish") else { panic!("{m:?}") };
                    choice
                }
                Err(error) => panic!("{} in {}: {error}", game.move_text(m), game.text()),
            };
            assert_eq!((choice.played, choice.path), (m, path));
        }
        // Wherever the next possible holes lead, they lead on or to a legal end.
        let mut walk = Draft::default();
        for _ in 0..20 {
            let view = game.draft_view(&walk);
            let open = (0..130).filter(|&cell| match game.pick(&walk, cell) {
                Ok(DraftStep::Finished(choice)) => listed.contains(&choice.played),
                Ok(DraftStep::Unfinished(next)) => next.cells.len() > walk.cells.len(),
                Err(_) => false,
            });
            let open: Vec<_> = open.collect();
            assert_eq!(view.targets, open, "{:?} in {}", walk.cells, game.text());
            if open.is_empty() {
                break;
            }
            match game.pick(&walk, open[random.below(open.len())]).unwrap() {
                DraftStep::Unfinished(next) => walk = next,
                DraftStep::Finished(_) => break,
            }
        }
    }
}

#[test]
fn a_draft_that_cannot_be_is_refused_and_shows_nothing() {
    let game = start(2, &[]);
    let mut random = Random::new(51);
    for _ in 0..2000 {
        let cells = (0..random.below(70)).map(|_| random.below(140) as u16).collect();
        let wild = Draft { cells };
        let _ = (game.pick(&wild, random.below(140) as u16), game.act(&wild, "finish"));
        let _ = game.draft_view(&wild);
    }
    let wild = Draft { cells: vec![60, 61] };
    assert!(game.draft_view(&wild).targets.is_empty());
    assert_eq!(game.pick(&wild, 62).unwrap_err().reason.code(), "empty-origin");
}
