//! A game is whole when it has rules for people, options that say what they take, a perft table, a transcript and a
//! picture.

use crate::support::tests_folder;
use arbiter_rules::draw::{Charset, Marks, draw};
use arbiter_rules::options::OptionKind;
use arbiter_rules::{Setup, registry};
use std::collections::HashSet;

#[test]
fn every_game_has_a_page_and_one_on_its_options() {
    for info in registry::GAMES {
        assert!(info.page.starts_with("# "), "{}: the page begins with its title", info.id);
        for part in ["## The end", "## Notation"] {
            assert!(info.page.contains(part), "{}: the page lacks '{part}'", info.id);
        }
        assert!(!info.page.contains("## Options"), "{}: options are explained in one place", info.id);
        for option in info.options {
            assert!(!option.about.is_empty(), "{}: {} is not explained", info.id, option.name);
            let has_default = !option.default.is_empty() || matches!(option.kind, OptionKind::Shorthand(_));
            assert!(has_default, "{}: {} has no default", info.id, option.name);
        }
    }
}

#[test]
fn options_are_listed_with_what_they_take_and_their_defaults() {
    let page = |game| registry::find(game).expect("a game").options_page();
    assert_eq!(page("othello"), "");
    assert_eq!(
        page("connect-four"),
        "## Options

- `-O columns=…` (a number from 1 to 20; default 7): columns of the grid
- `-O rows=…` (a number from 1 to 20; default 6): rows of the grid
- `-O connect=…` (a number from 1 to 20; default 4, or the longer side if that is less): how many discs in line win, \
at most the longer side
- `-O size=…` (COLUMNSxROWS, such as 7x6): short for columns and rows
"
    );
    let stacks = page("stacks");
    assert!(stacks.contains("- `-O removal=…` (any, own or off; default any): which tops"), "{stacks}");
    assert!(stacks.contains("- `-O repetition=…` (0 for off, or a number from 2; default 3): "), "{stacks}");
}

#[test]
fn every_option_is_listed_with_a_value_and_reads_back() {
    for info in registry::GAMES {
        let position = info.start(&Setup::default()).expect("every option has a default");
        let listed: Vec<_> = position.options().iter().map(|(name, _)| name).collect();
        let plain = info.options.iter().filter(|option| !matches!(option.kind, OptionKind::Shorthand(_)));
        assert_eq!(listed, plain.map(|option| option.name).collect::<Vec<_>>(), "{}", info.id);
        let again = position.read_position(&position.text()).expect("options as listed can be given");
        assert_eq!(again.options(), position.options(), "{}", info.id);
    }
}

#[test]
fn every_game_has_a_perft_table_with_sources() {
    for info in registry::GAMES {
        let cases = crate::perft_table::read(info.id);
        assert!(!cases.is_empty(), "{} has an empty perft table", info.id);
        assert!(cases.iter().all(|case| !case.source.is_empty()), "{}: a count without a source", info.id);
    }
}

#[test]
fn every_game_has_a_transcript() {
    for info in registry::GAMES {
        let path = tests_folder().join(format!("transcripts/{}.txt", info.id));
        assert!(path.exists(), "{} has no transcript: {} is missing", info.id, path.display());
    }
}

#[test]
fn every_cell_has_a_place_on_the_drawing() {
    for case in crate::support::cases() {
        let position = case.start();
        for charset in [Charset::Unicode, Charset::Ascii] {
            let scene = position.scene(charset);
            assert_eq!(scene.cells.len(), position.shape().cells(), "{case}");
            let places: HashSet<_> = scene.cells.iter().collect();
            assert_eq!(places.len(), scene.cells.len(), "{case}: two cells in one place");
            assert!(scene.cells.iter().all(|&(x, _)| x > 0), "{case}: no room for marks");
            let drawing = draw(&position, charset, &Marks::default());
            assert!(charset == Charset::Unicode || drawing.is_ascii(), "{case}: {drawing}");
            assert!(drawing.lines().all(|line| line == line.trim_end()), "{case}: {drawing}");
        }
        let names: HashSet<_> =
            (0..position.shape().cells()).map(|cell| position.cell_name(cell as u16)).collect();
        assert_eq!(names.len(), position.shape().cells(), "{case}: two cells with one name");
    }
}

#[test]
fn no_two_games_share_a_name() {
    let names: Vec<_> =
        registry::GAMES.iter().flat_map(|info| std::iter::once(&info.id).chain(info.aliases)).collect();
    let different: HashSet<_> = names.iter().collect();
    assert_eq!(different.len(), names.len());
    for name in names {
        assert!(registry::find(name).is_some(), "{name}");
    }
    let error = registry::start("stack", &Setup::default()).expect_err("a misspelt name").to_string();
    assert!(error.contains("did you mean stacks?"), "{error}");
}
