//! Honest bots play.

use super::support::{play, sandboxed, start};

#[test]
fn a_bot_in_c_plays_whole_games_of_othello() {
    let (mut first, mut second) = (sandboxed("first", &[]), sandboxed("first", &[]));
    for _ in 0..2 {
        let mut position = start("othello");
        assert!(play(position.as_mut(), &mut [&mut first, &mut second]) > 9);
    }
    assert_eq!(first.greeting().unwrap().name, "First");
    assert_eq!((first.finish(), second.finish()), (Ok(()), Ok(())));
}
