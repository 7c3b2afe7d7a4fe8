//! Shapes: all that a picture is made of, whatever it is written as.

use super::colour::Colour;

/// A point on a picture, in its units: x to the right, y downwards.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct At {
    /// To the right.
    pub x: f32,
    /// Downwards.
    pub y: f32,
}

impl At {
    pub(crate) const fn new(x: f32, y: f32) -> At {
        At { x, y }
    }

    /// The point so far away.
    pub(crate) fn moved(self, x: f32, y: f32) -> At {
        At::new(self.x + x, self.y + y)
    }

    pub(crate) fn middle(self, other: At) -> At {
        At::new((self.x + other.x) / 2.0, (self.y + other.y) / 2.0)
    }
}

/// Something to draw.
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub struct Shape {
    /// Its form.
    pub form: Form,
    /// What it is filled with.
    pub fill: Option<Colour>,
    /// The line around it or along it, with its width. Lines end round.
    pub line: Option<(Colour, f32)>,
}

/// The form of a shape.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "what needs a word about a field stands with its variant")]
pub enum Form {
    /// A disc.
    Circle { middle: At, radius: f32 },
    /// An upright rectangle by its top left corner, with `round` as the radius of its corners.
    Box { corner: At, width: f32, height: f32, round: f32 },
    /// A line from point to point.
    Path(Vec<Step>),
}

/// A step along a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    /// Lift the pen and begin here.
    Begin(At),
    /// Straight on.
    To(At),
    /// Along a parabola, towards the first point and on to the second.
    Bend(At, At),
    /// Back to the beginning.
    Close,
}

impl Shape {
    pub(crate) fn circle(middle: At, radius: f32) -> Shape {
        Shape::of(Form::Circle { middle, radius })
    }

    /// A rectangle with round corners, by its middle.
    pub(crate) fn tile(middle: At, width: f32, height: f32, round: f32) -> Shape {
        let corner = middle.moved(-width / 2.0, -height / 2.0);
        Shape::of(Form::Box { corner, width, height, round })
    }

    pub(crate) fn line_through(points: &[At]) -> Shape {
        let steps = points.iter().enumerate();
        let steps = steps.map(|(i, &at)| if i == 0 { Step::Begin(at) } else { Step::To(at) });
        Shape::of(Form::Path(steps.collect()))
    }

    pub(crate) fn area(points: &[At]) -> Shape {
        let mut shape = Shape::line_through(points);
        if let Form::Path(steps) = &mut shape.form {
            steps.push(Step::Close);
        }
        shape
    }

    /// A form that is neither filled nor drawn yet.
    pub(crate) fn of(form: Form) -> Shape {
        Shape { form, fill: None, line: None }
    }

    pub(crate) fn filled(self, colour: Colour) -> Shape {
        Shape { fill: Some(colour), ..self }
    }

    pub(crate) fn lined(self, colour: Colour, width: f32) -> Shape {
        Shape { line: Some((colour, width)), ..self }
    }

    pub(crate) fn placed(&self, scale: f32, by: At) -> Shape {
        let at = |point: At| At::new(point.x * scale + by.x, point.y * scale + by.y);
        let form = match &self.form {
            Form::Circle { middle, radius } => Form::Circle { middle: at(*middle), radius: radius * scale },
            Form::Box { corner, width, height, round } => Form::Box {
                corner: at(*corner),
                width: width * scale,
                height: height * scale,
                round: round * scale,
            },
            Form::Path(steps) => Form::Path(
                steps
                    .iter()
                    .map(|step| match *step {
                        Step::Begin(to) => Step::Begin(at(to)),
                        Step::To(to) => Step::To(at(to)),
                        Step::Bend(by, to) => Step::Bend(at(by), at(to)),
                        Step::Close => Step::Close,
                    })
                    .collect(),
            ),
        };
        Shape { form, fill: self.fill, line: self.line.map(|(colour, width)| (colour, width * scale)) }
    }
}

/// A picture: shapes on white, the later ones over the earlier ones.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// From the left edge to the right one.
    pub width: f32,
    /// From the top to the bottom.
    pub height: f32,
    /// What it shows, in words, for those who cannot see it.
    pub title: String,
    /// The shapes.
    pub shapes: Vec<Shape>,
}
