//! Pictures as SVG, without fonts, scripts or anything from elsewhere.

use super::colour::Colour;
use super::shape::{At, Form, Picture, Shape, Step};
use std::fmt::Write;

/// A picture as the text of an SVG file.
pub fn svg(picture: &Picture) -> String {
    let (width, height) = (number(picture.width), number(picture.height));
    let title = escaped(&picture.title);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         role=\"img\" stroke-linecap=\"round\" stroke-linejoin=\"round\">\n<title>{title}</title>\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n"
    );
    for shape in &picture.shapes {
        write_shape(shape, &mut text);
    }
    text.push_str("</svg>\n");
    text
}

/// A text with nothing in it that means something to XML or HTML.
pub(crate) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            c if c.is_control() => safe.push(' '),
            c => safe.push(c),
        }
    }
    safe
}

fn write_shape(shape: &Shape, text: &mut String) {
    match &shape.form {
        Form::Circle { middle, radius } => {
            let (x, y, r) = (number(middle.x), number(middle.y), number(*radius));
            write!(text, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\"")
        }
        Form::Box { corner, width, height, round } => {
            let (x, y) = (number(corner.x), number(corner.y));
            let (width, height, round) = (number(*width), number(*height), number(*round));
            write!(text, "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"{round}\"")
        }
        Form::Path(steps) => write!(text, "<path d=\"{}\"", path(steps)),
    }
    .expect("a String takes everything");
    let fill = shape.fill.map_or_else(|| "none".to_owned(), Colour::hex);
    write!(text, " fill=\"{fill}\"").expect("a String takes everything");
    if let Some((colour, width)) = shape.line {
        write!(text, " stroke=\"{}\" stroke-width=\"{}\"", colour.hex(), number(width))
            .expect("a String takes everything");
    }
    text.push_str("/>\n");
}

fn path(steps: &[Step]) -> String {
    let at = |at: At| format!("{} {}", number(at.x), number(at.y));
    let words: Vec<String> = steps
        .iter()
        .map(|step| match *step {
            Step::Begin(to) => format!("M{}", at(to)),
            Step::To(to) => format!("L{}", at(to)),
            Step::Bend(by, to) => format!("Q{} {}", at(by), at(to)),
            Step::Close => "Z".to_owned(),
        })
        .collect();
    words.concat()
}

/// A number with at most two digits behind the point.
fn number(value: f32) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}
