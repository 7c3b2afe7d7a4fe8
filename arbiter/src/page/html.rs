//! Markup in which no text can become markup: what is written as it is has to be part of this program.

use crate::picture::escaped;
use crate::sanitize::sanitize;
use std::fmt::Display;

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
        self.0.push_str(&escaped(&sanitize(&text.to_string())));
        self
    }

    /// An attribute of the tag that is open.
    pub(super) fn attr(&mut self, name: &'static str, value: impl Display) -> &mut Html {
        self.raw(" ").raw(name).raw("=\"").text(value).raw("\"")
    }

    pub(super) fn piece(&mut self, piece: &Html) -> &mut Html {
        self.0.push_str(&piece.0);
        self
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

/// Text of anybody.
impl<T: Display> From<T> for Html {
    fn from(text: T) -> Html {
        let mut html = Html::default();
        html.text(text);
        html
    }
}

/// An element of this class, if it has one, with this in it; `open` is the beginning of its tag.
fn element(open: &'static str, class: &str, inside: impl Into<Html>, close: &'static str) -> Html {
    let mut html = Html::default();
    html.raw(open);
    if !class.is_empty() {
        html.attr("class", class);
    }
    html.raw(">").piece(&inside.into()).raw(close);
    html
}

pub(super) fn cell(class: &str, inside: impl Into<Html>) -> Html {
    element("<td", class, inside, "</td>")
}

/// The cell that says what its row is about.
pub(super) fn name(class: &str, inside: impl Into<Html>) -> Html {
    element("<th scope=\"row\"", class, inside, "</th>")
}

pub(super) fn head(class: &str, inside: impl Into<Html>) -> Html {
    element("<th scope=\"col\"", class, inside, "</th>")
}

pub(super) fn numbers<T: Display>(numbers: impl IntoIterator<Item = T>) -> impl Iterator<Item = Html> {
    numbers.into_iter().map(|number| cell("n", number))
}

/// The heads of their columns.
pub(super) fn heads<T: Display>(names: impl IntoIterator<Item = T>) -> impl Iterator<Item = Html> {
    names.into_iter().map(|name| head("n", name))
}

/// A table that can be scrolled sideways where there is little room.
pub(super) fn table<R: IntoIterator<Item = Html>>(
    label: &'static str,
    head: impl IntoIterator<Item = Html>,
    rows: impl IntoIterator<Item = R>,
) -> Html {
    table_with_foot(label, head, rows, &Html::default())
}

/// The same, with what follows its rows.
pub(super) fn table_with_foot<R: IntoIterator<Item = Html>>(
    label: &'static str,
    head: impl IntoIterator<Item = Html>,
    rows: impl IntoIterator<Item = R>,
    foot: &Html,
) -> Html {
    let mut html = Html::default();
    html.raw("<div class=\"scroll\" role=\"group\" tabindex=\"0\"");
    html.attr("aria-label", format_args!("{label}, table")).raw("><table><thead>");
    html.piece(&row(head)).raw("</thead><tbody>");
    rows.into_iter().for_each(|cells| _ = html.piece(&row(cells)));
    html.raw("</tbody>").piece(foot).raw("</table></div>");
    html
}

pub(super) fn row(cells: impl IntoIterator<Item = Html>) -> Html {
    let mut html = Html::default();
    html.raw("<tr>");
    cells.into_iter().for_each(|cell| _ = html.piece(&cell));
    html.raw("</tr>");
    html
}

/// A number with its sign: `+0.5`, `−12`, `0`.
pub(super) fn signed(number: f64) -> String {
    if number == 0.0 { "0".to_owned() } else { format!("{number:+}").replace('-', "−") }
}

pub(super) fn elo(rating: f64) -> String {
    signed(rating.round())
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
