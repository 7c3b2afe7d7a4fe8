//! Pictures as PNG.

use super::colour::Colour;
use super::shape::{Form, Picture, Shape, Step};
use thiserror::Error;
use tiny_skia::{FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Rect, Stroke, Transform};

/// Most pixels that a side may have: what viewers open without trouble.
const LONGEST: f32 = 16_384.0;

/// Why there is no PNG.
#[derive(Clone, Debug, PartialEq, Error)]
#[expect(missing_docs, reason = "the message of each says what it is")]
pub enum PngError {
    #[error("the picture would be {width} by {height} pixels, and a PNG has at most {LONGEST} on a side")]
    TooLarge { width: f32, height: f32 },
    #[error("the picture cannot be packed: {0}")]
    NotPacked(String),
}

/// A picture as the bytes of a PNG file, with so many pixels for each unit.
///
/// # Errors
/// A picture that is too large.
pub fn png(picture: &Picture, scale: f32) -> Result<Vec<u8>, PngError> {
    let (width, height) = ((picture.width * scale).ceil(), (picture.height * scale).ceil());
    let too_large = || PngError::TooLarge { width, height };
    if width > LONGEST || height > LONGEST {
        return Err(too_large());
    }
    let mut pixels = Pixmap::new(width as u32, height as u32).ok_or_else(too_large)?;
    pixels.fill(tiny_skia::Color::WHITE);
    for shape in &picture.shapes {
        paint(shape, Transform::from_scale(scale, scale), &mut pixels);
    }
    pixels.encode_png().map_err(|error| PngError::NotPacked(error.to_string()))
}

fn paint(shape: &Shape, scale: Transform, pixels: &mut Pixmap) {
    // A path without an extent, such as a circle without a radius, shows nothing.
    let Some(path) = outline(&shape.form) else { return };
    if let Some(colour) = shape.fill {
        pixels.fill_path(&path, &plain(colour), FillRule::Winding, scale, None);
    }
    if let Some((colour, width)) = shape.line {
        let stroke =
            Stroke { width, line_cap: LineCap::Round, line_join: LineJoin::Round, ..Stroke::default() };
        pixels.stroke_path(&path, &plain(colour), &stroke, scale, None);
    }
}

fn plain(Colour(red, green, blue): Colour) -> Paint<'static> {
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    paint.set_color_rgba8(red, green, blue, 255);
    paint
}

fn outline(form: &Form) -> Option<Path> {
    let mut path = PathBuilder::new();
    match form {
        Form::Circle { middle, radius } => path.push_circle(middle.x, middle.y, *radius),
        Form::Box { corner, width, height, round } => {
            let rect = Rect::from_xywh(corner.x, corner.y, *width, *height)?;
            push_rounded(rect, round.min(width / 2.0).min(height / 2.0), &mut path);
        }
        Form::Path(steps) => {
            for step in steps {
                match *step {
                    Step::Begin(to) => path.move_to(to.x, to.y),
                    Step::To(to) => path.line_to(to.x, to.y),
                    Step::Bend(by, to) => path.quad_to(by.x, by.y, to.x, to.y),
                    Step::Close => path.close(),
                }
            }
        }
    }
    path.finish()
}

/// A rectangle whose corners are quarters of circles, as cubic curves come closest to them.
fn push_rounded(rect: Rect, round: f32, path: &mut PathBuilder) {
    if round <= 0.0 {
        path.push_rect(rect);
        return;
    }
    let (left, top, right, bottom) = (rect.left(), rect.top(), rect.right(), rect.bottom());
    let near = round * (1.0 - 0.552_285);
    path.move_to(left + round, top);
    path.line_to(right - round, top);
    path.cubic_to(right - near, top, right, top + near, right, top + round);
    path.line_to(right, bottom - round);
    path.cubic_to(right, bottom - near, right - near, bottom, right - round, bottom);
    path.line_to(left + round, bottom);
    path.cubic_to(left + near, bottom, left, bottom - near, left, bottom - round);
    path.line_to(left, top + round);
    path.cubic_to(left, top + near, left + near, top, left + round, top);
    path.close();
}
