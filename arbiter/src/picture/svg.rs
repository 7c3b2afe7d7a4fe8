//! Pictures as SVG, without fonts, scripts or anything from elsewhere.

use super::colour::Colour;
use super::shape::{At, Form, Picture, Shape, Step};

pub(crate) fn svg(picture: &Picture) -> String {
    let (width, height) = (number(picture.width), number(picture.height));
    let title = escaped(&picture.title);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         role=\"img\" stroke-linecap=\"round\" stroke-linejoin=\"round\">\n<title>{title}</title>\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n"
    );
    text.extend(picture.shapes.iter().map(element));
    text + "</svg>\n"
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

fn element(shape: &Shape) -> String {
    let form = match &shape.form {
        Form::Circle { middle, radius } => {
            let (x, y, r) = (number(middle.x), number(middle.y), number(*radius));
            format!("circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\"")
        }
        Form::Box { corner, width, height, round } => {
            let (x, y) = (number(corner.x), number(corner.y));
            let (width, height, round) = (number(*width), number(*height), number(*round));
            format!("rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"{round}\"")
        }
        Form::Path(steps) => format!("path d=\"{}\"", path(steps)),
    };
    let fill = shape.fill.map_or_else(|| "none".to_owned(), Colour::hex);
    let line = shape.line.map_or_else(String::new, |(colour, width)| {
        format!(" stroke=\"{}\" stroke-width=\"{}\"", colour.hex(), number(width))
    });
    format!("<{form} fill=\"{fill}\"{line}/>\n")
}

fn path(steps: &[Step]) -> String {
    let at = |at: At| format!("{} {}", number(at.x), number(at.y));
    let word = |step: &Step| match *step {
        Step::Begin(to) => format!("M{}", at(to)),
        Step::To(to) => format!("L{}", at(to)),
        Step::Bend(by, to) => format!("Q{} {}", at(by), at(to)),
        Step::Close => "Z".to_owned(),
    };
    steps.iter().map(word).collect()
}

/// A number with at most two digits behind the point.
fn number(value: f32) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}
