//! Names and messages of bots are hostile text until they have been through here.

use std::ops::RangeInclusive;

/// Characters that are not seen themselves: they turn the direction of writing, join or separate, or choose the look of
/// others. Those of Unicode's class Cf, and what its property Default_Ignorable_Code_Point adds.
const UNSEEN: [RangeInclusive<char>; 18] = [
    '\u{ad}'..='\u{ad}',
    '\u{34f}'..='\u{34f}',
    '\u{600}'..='\u{605}',
    '\u{61c}'..='\u{61c}',
    '\u{6dd}'..='\u{6dd}',
    '\u{70f}'..='\u{70f}',
    '\u{115f}'..='\u{1160}',
    '\u{17b4}'..='\u{17b5}',
    '\u{180b}'..='\u{180f}',
    '\u{200b}'..='\u{200f}',
    '\u{2028}'..='\u{202e}',
    '\u{2060}'..='\u{206f}',
    '\u{3164}'..='\u{3164}',
    '\u{fe00}'..='\u{fe0f}',
    '\u{feff}'..='\u{feff}',
    '\u{ffa0}'..='\u{ffa0}',
    '\u{fff0}'..='\u{fffb}',
    '\u{e0000}'..='\u{e0fff}',
];

/// The text with every control character and every invisible character shown as an escape. It can then neither steer a
/// terminal or page, nor look like another name.
pub(crate) fn sanitize(text: &str) -> String {
    let is_tame = |c: char| !c.is_control() && !UNSEEN.iter().any(|range| range.contains(&c));
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

/// A word as a shell reads it.
pub(crate) fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=,+%@".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bots_name_cannot_clear_the_screen_or_write_backwards() {
        assert_eq!(sanitize("\x1b[2Jdeep\nblue\u{202e}"), "\\x1b[2Jdeep\\x0ablue\\u{202e}");
        assert_eq!(sanitize("Žofie 4.2 (β) 黒 🤖"), "Žofie 4.2 (β) 黒 🤖");
    }

    #[test]
    fn a_bots_name_cannot_look_like_another() {
        for hidden in ['\u{ad}', '\u{61c}', '\u{2060}', '\u{fe0f}', '\u{e0041}', '\u{3164}'] {
            let name = format!("Greedy{hidden}");
            assert_ne!(sanitize(&name), name, "{}", hidden.escape_unicode());
        }
    }
}
