//! Letters and digits as lines of a pen, so that a picture is the same on a machine without fonts.
//!
//! A glyph is a text of strokes: `x,y` points with blanks between, `|` between strokes, `~` before a stroke that is round
//! at its corners. Capitals and digits reach from 0 to 6, small letters from 2, descenders to 8.

use super::colour::Colour;
use super::shape::{At, Form, Shape, Step};

/// From the top of a capital to the line it stands on.
const CAPITAL: f32 = 6.0;
const GAP: f32 = 1.5;
const BLANK: f32 = 2.2;
const PEN: f32 = 0.78;

/// Every printable character of ASCII but the blank, from `!` to `~`.
const ASCII: [&str; 94] = [
    "0,0 0,4.2|0,5.9 0,6",
    "0,0 0,1.6|1.4,0 1.4,1.6",
    "1.2,0.6 0.6,6|3.2,0.6 2.6,6|0,2.2 3.8,2.2|0,4.4 3.8,4.4",
    "~3.4,1.4 3.2,0.6 0,0.6 0,3 3.4,3 3.4,5.4 0,5.4 0,4.4|1.7,-0.4 1.7,6.4",
    "0.4,6 3.8,0|~0.8,0 0,0 0,1.8 1.6,1.8 1.6,0 0.8,0|~3.4,4.2 2.6,4.2 2.6,6 4.2,6 4.2,4.2 3.4,4.2",
    "~4,6 0.6,1.8 0.6,0 2.8,0 2.8,1.8 0,3.2 0,6 3,6 4,3.6",
    "0,0 0,1.6",
    "~1.4,-0.4 0,1.4 0,4.8 1.4,6.8",
    "~0,-0.4 1.4,1.4 1.4,4.8 0,6.8",
    "1.4,0.8 1.4,4|0,1.6 2.8,3.2|2.8,1.6 0,3.2",
    "0,3.6 3,3.6|1.5,2.1 1.5,5.1",
    "0.3,5.7 0,7",
    "0,3.6 2.4,3.6",
    "0,5.9 0,6",
    "0,6.6 2.6,-0.4",
    "~1.8,0 0,0 0,6 3.6,6 3.6,0 1.8,0",
    "0.4,1.4 2,0 2,6",
    "~0.1,1.5 0.1,0 3.6,0 3.6,2.6 1.8,4.2 0,6|0,6 3.6,6",
    "~0.1,1.1 0.3,0 3.5,0 3.5,2.8 1.4,2.8|~1.4,2.8 3.8,2.8 3.8,6 0.2,6 0,4.8",
    "2.9,6 2.9,0 0,4.3 3.9,4.3",
    "3.4,0 0.5,0 0.2,2.7|~0.2,2.7 1,2.1 3.8,2.1 3.8,6 0.2,6 0,4.9",
    "~3.3,0.9 3,0 0,0 0,3.4 0,6 3.6,6 3.6,2.6 0.3,2.6 0,4.2",
    "0,0 3.6,0 1.4,6",
    "~1.8,0 0.2,0 0.2,2.8 3.4,2.8 3.4,0 1.8,0|~1.8,2.8 0,2.8 0,6 3.6,6 3.6,2.8 1.8,2.8",
    "~0.3,5.1 0.6,6 3.6,6 3.6,2.6 3.6,0 0,0 0,3.4 3.3,3.4 3.6,1.8",
    "0,2.6 0,2.7|0,5.9 0,6",
    "0.3,2.6 0.3,2.7|0.3,5.7 0,7",
    "3,1.6 0,3.6 3,5.6",
    "0,2.8 3,2.8|0,4.4 3,4.4",
    "0,1.6 3,3.6 0,5.6",
    "~0,1.3 0,0 3.2,0 3.2,2.4 1.6,2.8 1.6,4.3|1.6,5.9 1.6,6",
    "~3.4,4 3.4,2 1.4,2 1.4,4.4 3.4,4.4 3.4,3|~3.4,3 3.6,4.6 4.8,4.4 4.8,0 0,0 0,6 3.8,6",
    "0,6 2.1,0 4.2,6|0.75,4 3.45,4",
    "0,0 0,6|~0,0 3.6,0 3.6,2.9 0,2.9|~0,2.9 4,2.9 4,6 0,6",
    "~4,1.2 3.6,0 0,0 0,6 3.6,6 4,4.8",
    "0,0 0,6|~0,0 4.2,0 4.2,6 0,6",
    "3.6,0 0,0 0,6 3.6,6|0,3 3,3",
    "3.6,0 0,0 0,6|0,3 3,3",
    "~4,1.2 3.6,0 0,0 0,6 4,6 4,3.2|2.4,3.2 4,3.2",
    "0,0 0,6|4,0 4,6|0,3 4,3",
    "0,0 0,6",
    "~2.6,0 2.6,4 2.6,6 0,6 0,4.6",
    "0,0 0,6|3.8,0 0,3.7|1.3,2.6 4,6",
    "0,0 0,6 3.4,6",
    "0,6 0,0 2.4,4 4.8,0 4.8,6",
    "0,6 0,0 4,6 4,0",
    "~2.1,0 0,0 0,6 4.2,6 4.2,0 2.1,0",
    "0,0 0,6|~0,0 4,0 4,3.3 0,3.3",
    "~2.1,0 0,0 0,6 4.2,6 4.2,0 2.1,0|2.6,4.4 4.2,6.4",
    "0,0 0,6|~0,0 4,0 4,3.3 0,3.3|1.9,3.3 4,6",
    "~3.8,1.1 3.6,0 0.1,0 0.1,3 3.9,3 3.9,6 0.2,6 0,4.9",
    "0,0 4,0|2,0 2,6",
    "~0,0 0,3.4 0,6 4,6 4,3.4 4,0",
    "0,0 2.1,6 4.2,0",
    "0,0 1.3,6 2.6,1 3.9,6 5.2,0",
    "0,0 4,6|4,0 0,6",
    "0,0 2,3 4,0|2,3 2,6",
    "0,0 4,0 0,6 4,6",
    "1.2,-0.4 0,-0.4 0,6.8 1.2,6.8",
    "0,-0.4 2.6,6.6",
    "0,-0.4 1.2,-0.4 1.2,6.8 0,6.8",
    "0,2 1.4,0 2.8,2",
    "0,6.8 3.4,6.8",
    "0,0 1,1.2",
    "~1.6,2 0,2 0,6 3.2,6 3.2,2 1.6,2|3.2,2 3.2,6",
    "0,0 0,6|~1.6,2 0,2 0,6 3.2,6 3.2,2 1.6,2",
    "~3,2.9 2.8,2 0,2 0,6 2.8,6 3,5.1",
    "3.2,0 3.2,6|~1.6,2 0,2 0,6 3.2,6 3.2,2 1.6,2",
    "0,4 3.2,4|~3.2,4 3.2,2 0,2 0,6 2.8,6 3.1,5.1",
    "~2.4,0.1 1,0 1,1.6 1,2.6|1,2 1,6|0,2 2.2,2",
    "~1.6,2 0,2 0,6 3.2,6 3.2,2 1.6,2|~3.2,2 3.2,5 3.2,8 0.4,8 0.2,7.3",
    "0,0 0,6|~0,4 0,2 3.2,2 3.2,4 3.2,6",
    "0,2 0,6|0,0.3 0,0.4",
    "~1,2 1,5 1,8 -0.6,8|1,0.3 1,0.4",
    "0,0 0,6|2.9,2 0,4.5|1.1,3.6 3.1,6",
    "~0,0 0,4 0,6 1,6",
    "0,2 0,6|~0,4 0,2 2.5,2 2.5,4 2.5,6|~2.5,4 2.5,2 5,2 5,4 5,6",
    "0,2 0,6|~0,4 0,2 3.2,2 3.2,4 3.2,6",
    "~1.6,2 0,2 0,6 3.2,6 3.2,2 1.6,2",
    "0,2 0,8|~1.6,2 0,2 0,6 3.2,6 3.2,2 1.6,2",
    "3.2,2 3.2,8|~1.6,2 0,2 0,6 3.2,6 3.2,2 1.6,2",
    "0,2 0,6|~0,4 0,2 1.5,2 2.2,2.2",
    "~2.8,2.8 2.6,2 0.1,2 0.1,4 2.9,4 2.9,6 0.2,6 0,5.2",
    "~1,0.6 1,4 1,6 2.4,6|0,2 2.2,2",
    "~0,2 0,4 0,6 3.2,6 3.2,4|3.2,2 3.2,6",
    "0,2 1.6,6 3.2,2",
    "0,2 1.2,6 2.4,2.6 3.6,6 4.8,2",
    "0,2 3.1,6|3.1,2 0,6",
    "0,2 1.6,6|3.2,2 0.9,8",
    "0,2 3,2 0,6 3,6",
    "~1.6,-0.4 0.7,-0.4 0.7,3.2 0,3.2|~0,3.2 0.7,3.2 0.7,6.8 1.6,6.8",
    "0,-0.4 0,6.8",
    "~0,-0.4 0.9,-0.4 0.9,3.2 1.6,3.2|~1.6,3.2 0.9,3.2 0.9,6.8 0,6.8",
    "~0,4 0.2,2.8 1.6,3 2.2,4.4 3.4,4.2 3.6,3",
];

/// A box, for what there is no letter for.
const UNKNOWN: &str = "0,0 3,0 3,6 0,6 0,0";

fn glyph(c: char) -> &'static str {
    match c {
        '!'..='~' => ASCII[c as usize - '!' as usize],
        '≤' => "3,0.8 0,2.6 3,4.4|0,6 3,6",
        '≥' => "0,0.8 3,2.6 0,4.4|0,6 3,6",
        '–' | '−' => "0,3.6 3.2,3.6",
        '×' => "0,2.2 3,5.2|3,2.2 0,5.2",
        _ => UNKNOWN,
    }
}

/// The strokes of a glyph, each with whether it is round.
fn strokes(c: char) -> impl Iterator<Item = (bool, Vec<(f32, f32)>)> {
    let point = |text: &str| {
        let (x, y) = text.split_once(',')?;
        Some((x.parse().ok()?, y.parse().ok()?))
    };
    let glyph = if c == ' ' { "" } else { glyph(c) };
    glyph.split('|').map(move |stroke| {
        let points = stroke.trim_start_matches('~').split(' ').filter_map(point);
        (stroke.starts_with('~'), points.collect())
    })
}

/// How wide a glyph is without the gap after it.
fn width_of(c: char) -> f32 {
    if c == ' ' {
        return BLANK - GAP;
    }
    strokes(c).flat_map(|(_, points)| points).map(|(x, _)| x).fold(0.0, f32::max)
}

/// How wide a text is whose capitals are so high.
pub(crate) fn width(text: &str, height: f32) -> f32 {
    let all: f32 = text.chars().map(|c| width_of(c) + GAP).sum();
    (all - GAP).max(0.0) * height / CAPITAL
}

/// A text whose capitals are so high. `middle` is the middle of its first line of capitals.
pub(crate) fn centred(text: &str, middle: At, height: f32, colour: Colour) -> Shape {
    written(text, middle.moved(-width(text, height) / 2.0, -height / 2.0), height, colour)
}

/// A text that begins at a point, the top left corner of its capitals.
pub(crate) fn written(text: &str, corner: At, height: f32, colour: Colour) -> Shape {
    let scale = height / CAPITAL;
    let mut steps = Vec::new();
    let mut x = corner.x;
    for c in text.chars() {
        for (is_round, points) in strokes(c) {
            let points = points.iter().map(|(px, py)| At::new(x + px * scale, corner.y + py * scale));
            strike(&points.collect::<Vec<_>>(), is_round, &mut steps);
        }
        x += (width_of(c) + GAP) * scale;
    }
    Shape::of(Form::Path(steps)).lined(colour, PEN * scale)
}

fn strike(points: &[At], is_round: bool, steps: &mut Vec<Step>) {
    let (Some(&first), Some(&last)) = (points.first(), points.last()) else { return };
    steps.push(Step::Begin(first));
    if !is_round {
        steps.extend(points[1..].iter().map(|&to| Step::To(to)));
        return;
    }
    // From middle to middle of the lines between points, bent towards each point.
    for pair in points[1..].windows(2) {
        steps.push(Step::Bend(pair[0], if pair[1] == last { last } else { pair[0].middle(pair[1]) }));
    }
    if points.len() == 2 {
        steps.push(Step::To(last));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_character_of_ascii_has_its_strokes_and_its_place() {
        for c in '!'..='~' {
            assert_ne!(glyph(c), UNKNOWN, "{c}");
            let Form::Path(steps) =
                written(&c.to_string(), At::default(), 6.0, super::super::colour::INK).form
            else {
                panic!("letters are paths")
            };
            assert!(steps.len() >= 2, "{c} has no strokes");
            for step in steps {
                let (Step::Begin(at) | Step::To(at) | Step::Bend(_, at)) = step else { continue };
                assert!((-1.0..=6.0).contains(&at.x) && (-0.5..=8.1).contains(&at.y), "{c}: {at:?}");
            }
        }
        // The table is in the order of ASCII: a letter that slipped would show here.
        assert_eq!(glyph('I'), "0,0 0,6");
        assert_eq!(glyph('z'), "0,2 3,2 0,6 3,6");
        assert_eq!(glyph('T'), "0,0 4,0|2,0 2,6");
    }
}
