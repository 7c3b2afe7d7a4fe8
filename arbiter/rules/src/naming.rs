//! Words that somebody typed, as messages quote them, and which name was meant.

/// Letters of a misspelt word that are looked at.
const LONGEST: usize = 64;

/// ` (did you mean stacks?)` where one of the known names is near, otherwise nothing.
///
/// ```
/// let hint = arbiter_rules::did_you_mean("otello", ["othello", "hex"]);
/// assert_eq!(hint, " (did you mean othello?)");
/// ```
#[must_use]
pub fn did_you_mean<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let nearest = known.into_iter().map(|known| (distance(name, known), known)).min();
    match nearest {
        Some((typos, known)) if typos <= known.len() / 2 => format!(" (did you mean {known}?)"),
        _ => String::new(),
    }
}

/// A text as messages quote it: with escapes for what is not seen, and no more than its first 40 characters.
///
/// ```
/// assert_eq!(arbiter_rules::shown("c3\n"), "c3\\n");
/// ```
#[must_use]
pub fn shown(text: &str) -> String {
    text.chars().take(40).flat_map(char::escape_debug).collect()
}

/// How many letters must be changed, added or left out to turn one word into the other (Levenshtein).
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, a) in a.chars().take(LONGEST).enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, &b) in b.iter().enumerate() {
            let changed = diagonal + usize::from(a != b);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_changed_added_and_left_out_are_counted() {
        for (a, b, typos) in
            [("stacks", "stacks", 0), ("stack", "stacks", 1), ("kitten", "sitting", 3), ("", "ko", 2)]
        {
            assert_eq!((distance(a, b), distance(b, a)), (typos, typos), "{a} and {b}");
        }
    }

    #[test]
    fn a_text_is_quoted_up_to_forty_characters() {
        assert_eq!([shown("z\t"), shown(&"z".repeat(2_000_000))], ["z\\t".to_owned(), "z".repeat(40)]);
    }

    #[test]
    fn only_a_near_name_is_suggested() {
        assert_eq!(did_you_mean("max-turn", ["n", "max_turns"]), " (did you mean max_turns?)");
        assert_eq!(did_you_mean("size", ["n", "max_turns"]), "");
    }
}
