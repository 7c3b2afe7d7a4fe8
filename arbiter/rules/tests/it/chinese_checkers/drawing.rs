//! What people see of a position.

use super::{play, position, start};
use arbiter_rules::draw::{Charset, Marks, draw};

#[test]
fn the_star_is_drawn_51_columns_wide_and_17_rows_high() {
    let game = start(6, &[]);
    let scene = game.scene(Charset::Unicode);
    assert_eq!(scene.cells.len(), 121);
    assert_eq!(scene.cells.iter().map(|&(x, _)| x).max(), Some(49), "and one column for a mark");
    assert_eq!(scene.cells.iter().map(|&(_, y)| y).max(), Some(16));
    assert_eq!((scene.cells[0], scene.cells[10], scene.cells[60]), ((25, 0), (1, 4), (25, 8)));
}

#[test]
fn pawns_are_drawn_as_the_number_of_their_player() {
    let mut game = start(4, &[]);
    play(&mut game, "6-15");
    let marks = Marks { last: vec![6, 15], targets: vec![60], must: vec![19] };
    assert_eq!(
        draw(&game, Charset::Unicode, &marks),
        "                         1
                       1   1
                     1   1   1
                  ‹·›  1   1   1
 ·   ·   ·   ·   ·  ‹1›  ·   ·   ·   2!  2   2   2
   ·   ·   ·   ·   ·   ·   ·   ·   ·   2   2   2
     ·   ·   ·   ·   ·   ·   ·   ·   ·   2   2
       ·   ·   ·   ·   ·   ·   ·   ·   ·   2
         ·   ·   ·   ·   ◆   ·   ·   ·   ·
       4   ·   ·   ·   ·   ·   ·   ·   ·   ·
     4   4   ·   ·   ·   ·   ·   ·   ·   ·   ·
   4   4   4   ·   ·   ·   ·   ·   ·   ·   ·   ·
 4   4   4   4   ·   ·   ·   ·   ·   ·   ·   ·   ·
                   3   3   3   3
                     3   3   3
                       3   3
                         3
  1: 119 to go   2: 120 to go   3: 120 to go   4: 120 to go
  Player 2 to move.
"
    );
}

#[test]
fn the_notes_say_who_is_out_whose_turn_it_is_and_who_must_leave() {
    let obliged = position("D/DD/DDD/ADDD/4D8/12/11/10/9/10/11/12/13/1AAA/AAA/AA/A AD A", &[]);
    assert_eq!(
        obliged.notes(Charset::Ascii),
        [
            "  1: 10 to go   2: 1 to go",
            "  Player 1 to move.",
            "  Player 2 can only get on by entering your home: move the piece on 6 out of your home \
             (rule: no blocking).",
        ]
    );
    let out = position("A/2/3/4/13/12/11/10/9/10/11/12/13/4/3/2/1 AB B", &[]);
    assert_eq!(out.notes(Charset::Ascii)[0], "  1: -4 to go   2: -20 to go   3: out   4: out");
    let mut won = position("D/DD/DDD/DDD1/7D5/12/11/10/9/10/11/12/13/AAAA/AAA/AA/A AD D", &[]);
    play(&mut won, "17-9");
    assert_eq!(won.notes(Charset::Ascii), ["  1: 0 to go   2: 0 to go"]);
}

#[test]
fn the_notes_name_no_player_to_move_once_the_game_is_over() {
    let mut repeated = start(2, &[]);
    play(&mut repeated, "5-18-5 117-106-117 5-18-5 117-106-117");
    assert_eq!(repeated.notes(Charset::Ascii), ["  1: 120 to go   2: 120 to go"]);
    let mut left = start(2, &[]);
    left.eliminate(arbiter_rules::Seat::SECOND);
    assert_eq!(left.notes(Charset::Ascii), ["  1: 120 to go   2: out"]);
}
