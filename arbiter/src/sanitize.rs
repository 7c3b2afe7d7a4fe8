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

/// The text without invisible characters, which keyboards put into emoji: for what people call themselves.
pub(crate) fn seen(text: &str) -> String {
    text.chars().filter(|&c| !is_unseen(c)).collect()
}

fn is_tame(c: char) -> bool {
    !c.is_control() && !is_unseen(c)
}

fn is_unseen(c: char) -> bool {
    UNSEEN.iter().any(|range| range.contains(&c))
}

/// JSON as standard output shows it: no text in it steers a terminal either, and a program reads the same as before.
pub(crate) fn shown_json(json: &str) -> String {
    let mut shown = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            // Control characters of these stand between values only.
            '\0'..='~' => shown.push(c),
            c if is_tame(c) => shown.push(c),
            c => {
                c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| shown.push_str(&format!("\\u{unit:04x}")))
            }
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
    fn json_on_a_terminal_does_nothing_to_it_and_says_the_same() {
        let said = "\u{1b}[2J\u{7f}\u{9b}31m\u{202e}\\\u{2069}\u{e0041} Žofie 黒 🤖";
        let json = serde_json::json!({ "said": said });
        let shown = shown_json(&format!("{json:#}\n"));
        assert!(
            shown.contains("\\u001b[2J\\u007f\\u009b31m\\u202e\\\\\\u2069\\udb40\\udc41 Žofie 黒 🤖\"\n"),
            "{shown}"
        );
        assert_eq!(serde_json::from_str::<serde_json::Value>(&shown).unwrap(), json);
    }

    #[test]
    fn a_bots_name_cannot_look_like_another() {
        for hidden in ['\u{ad}', '\u{61c}', '\u{2060}', '\u{fe0f}', '\u{e0041}', '\u{3164}'] {
            let name = format!("Greedy{hidden}");
            assert_ne!(sanitize(&name), name, "{}", hidden.escape_unicode());
        }
    }
}
