//! Markup in which no text can become markup: what is written as it is has to be part of this program.

use crate::sanitize::sanitize;
use std::fmt::Display;

/// A piece of a page.
#[derive(Clone, Debug, Default)]
pub(super) struct Html(String);

impl Html {
    /// Markup of our own.
    pub(super) fn raw(&mut self, markup: &'static str) -> &mut Html {
        self.0.push_str(markup);
        self
    }

    /// Text of anybody.
    pub(super) fn text(&mut self, text: impl Display) -> &mut Html {
        escape(&sanitize(&text.to_string()), &mut self.0);
        self
    }

    /// An attribute of the tag that is open.
    pub(super) fn attr(&mut self, name: &'static str, value: impl Display) -> &mut Html {
        self.raw(" ").raw(name).raw("=\"").text(value).raw("\"")
    }

    /// A cell of a table: `open` is its tag, such as `<td class=n>`.
    pub(super) fn cell(&mut self, open: &'static str, text: impl Display) -> &mut Html {
        self.raw(open).text(text)
    }

    /// Another piece.
    pub(super) fn piece(&mut self, piece: &Html) -> &mut Html {
        self.0.push_str(&piece.0);
        self
    }

    /// The markup.
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

/// A number with its sign: `+0.5`, `−12`, `0`.
pub(super) fn signed(number: f64) -> String {
    if number == 0.0 { "0".to_owned() } else { format!("{number:+}").replace('-', "−") }
}

/// A rating.
pub(super) fn elo(rating: f64) -> String {
    signed(rating.round())
}

fn escape(text: &str, markup: &mut String) {
    for c in text.chars() {
        match c {
            '&' => markup.push_str("&amp;"),
            '<' => markup.push_str("&lt;"),
            '>' => markup.push_str("&gt;"),
            '"' => markup.push_str("&quot;"),
            '\'' => markup.push_str("&#39;"),
            c => markup.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_has_no_sign() {
        assert_eq!([-0.3, 0.3, -12.0, 178.2].map(elo), ["0", "0", "−12", "+178"]);
    }

    #[test]
    fn a_bots_name_is_never_markup() {
        let mut html = Html::default();
        html.raw("<td").attr("title", "\" onclick=\"x").raw(">").text("<img src=x>&'\u{202e}").raw("</td>");
        let safe = "<td title=\"&quot; onclick=&quot;x\">&lt;img src=x&gt;&amp;&#39;\\u{202e}</td>";
        assert_eq!(html.as_str(), safe);
    }
}
