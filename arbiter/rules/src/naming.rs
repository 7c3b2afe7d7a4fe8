//! Which name somebody may have meant.

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
    fn only_a_near_name_is_suggested() {
        assert_eq!(did_you_mean("max-turn", ["n", "max_turns"]), " (did you mean max_turns?)");
        assert_eq!(did_you_mean("size", ["n", "max_turns"]), "");
    }
}
