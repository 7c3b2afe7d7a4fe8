//! Names and messages of bots are hostile text until they have been through here.

/// The text with every control character, and every character that turns the direction of writing, shown as an
/// escape, so that it can change nothing but itself on a terminal or a page.
#[must_use]
pub(crate) fn sanitize(text: &str) -> String {
    let is_tame = |c: char| {
        !c.is_control()
            && !matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
    };
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            c if is_tame(c) => shown.push(c),
            c if u32::from(c) < 0x100 => shown.push_str(&format!("\\x{:02x}", u32::from(c))),
            c => shown.extend(c.escape_unicode()),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bots_name_cannot_clear_the_screen_or_write_backwards() {
        assert_eq!(sanitize("\x1b[2Jdeep\nblue\u{202e}"), "\\x1b[2Jdeep\\x0ablue\\u{202e}");
        assert_eq!(sanitize("Žofie 4.2 (β)"), "Žofie 4.2 (β)");
    }
}
