//! Files that show what comes out, made on purpose and reviewed as a difference:
//! `UPDATE_GOLDEN=1 cargo test -p arbiter --test it -- pictures trees screens`.

use std::fs;
use std::path::Path;

/// Compares a text with its golden file in `tests/golden`, or writes it where that was asked for.
#[track_caller]
pub(crate) fn compare(name: &str, text: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, text).unwrap();
    }
    let golden = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    if golden != text {
        let place = golden.lines().zip(text.lines()).position(|(golden, text)| golden != text);
        let line = place.unwrap_or_else(|| golden.lines().count().min(text.lines().count()));
        let show = |text: &str| text.lines().nth(line).unwrap_or("").to_owned();
        panic!(
            "{} differs in line {}; UPDATE_GOLDEN=1 accepts it:\n  golden: {}\n  now:    {}",
            file.display(),
            line + 1,
            show(&golden),
            show(text)
        );
    }
}
