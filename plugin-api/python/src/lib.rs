//! The rules that arbiter referees by, as Python sees them: `Game` and `Position` of the package `arbiter_games`, the latter in the
//! words of `arbiter_bot.Position`. What they mean is said in `python/arbiter_games/__init__.pyi`.
#![forbid(unsafe_code)]

mod actions;

use actions::Actions;
use arbiter_rules::draw::{Charset, Marks, draw};
use arbiter_rules::{
    self as rules, Chance, ChanceSource, IllegalMove, Move, MoveList, Seat, SeatResult, Setup,
};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyDict, PyList, PyTuple, PyType};
use std::cell::RefCell;

/// The classes of the module `arbiter_bot`, once it has told them.
struct Words {
    move_class: Py<PyType>,
    illegal_move: Py<PyType>,
    /// LOSS, DRAW, WIN.
    outcomes: [Py<PyAny>; 3],
}

static WORDS: PyOnceLock<Words> = PyOnceLock::new();

fn words(py: Python<'_>) -> &Words {
    WORDS.get(py).expect("a position can be had only from modules that import arbiter_bot")
}

/// `arbiter_bot` tells its classes while it is imported.
#[pyfunction]
fn know(
    py: Python<'_>,
    move_class: Py<PyType>,
    illegal_move: Py<PyType>,
    loss: Py<PyAny>,
    draw: Py<PyAny>,
    win: Py<PyAny>,
) {
    // A module that is loaded anew keeps the classes of before, which positions have handed out.
    let _ = WORDS.set(py, Words { move_class, illegal_move, outcomes: [loss, draw, win] });
}

/// The names of all games.
#[pyfunction]
fn games(py: Python<'_>) -> PyResult<Bound<'_, PyTuple>> {
    PyTuple::new(py, rules::registry::GAMES.iter().map(|info| info.id))
}

thread_local! {
    /// A list to generate moves into: clearing it is free, a new one would cost more than most generators.
    static MOVES: RefCell<MoveList> = const { RefCell::new(MoveList::new()) };
}

fn with_moves<T>(position: &rules::Position, work: impl FnOnce(&[Move]) -> T) -> T {
    MOVES.with_borrow_mut(|moves| {
        position.legal_moves(moves);
        work(moves)
    })
}

#[pyclass(frozen, module = "arbiter_games")]
struct Game {
    start: rules::Position,
    actions: Actions,
}

#[pymethods]
impl Game {
    #[new]
    #[pyo3(signature = (id, /, *, players = None, start_text = None, **rules))]
    fn new(
        id: &str,
        players: Option<usize>,
        start_text: Option<&str>,
        rules: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Game> {
        let given =
            rules.into_iter().flatten().map(|(name, value)| Ok((name.extract()?, option_text(&value)?)));
        let given: Vec<(String, String)> = given.collect::<PyResult<_>>()?;
        let options: Vec<_> = given.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let setup = Setup { players, options: &options, position: start_text };
        let start =
            rules::registry::start(id, &setup).map_err(|why| PyValueError::new_err(why.to_string()))?;
        let actions = Actions::of(&start);
        Ok(Game { start, actions })
    }

    #[getter]
    fn id(&self) -> &'static str {
        self.start.info().id
    }

    #[getter]
    fn title(&self) -> &'static str {
        self.start.info().title
    }

    #[getter]
    fn players(&self) -> usize {
        self.start.seats()
    }

    #[getter]
    fn width(&self) -> u16 {
        self.start.shape().width
    }

    #[getter]
    fn height(&self) -> u16 {
        self.start.shape().height
    }

    #[getter]
    fn depth(&self) -> u16 {
        self.start.shape().depth
    }

    #[getter]
    fn start_text(&self) -> String {
        self.start.text()
    }

    #[getter]
    fn rules<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let rules = PyDict::new(py);
        for (name, value) in self.start.options().iter() {
            rules.set_item(name, value.to_string())?;
        }
        Ok(rules)
    }

    #[getter]
    fn actions(&self) -> usize {
        self.actions.count()
    }

    #[getter]
    fn has_chance(&self) -> bool {
        self.start.has_chance()
    }

    #[getter]
    fn start(&self) -> Position {
        self.reset(0)
    }

    #[pyo3(signature = (seed = 0))]
    fn reset(&self, seed: u64) -> Position {
        Position { position: self.start.clone(), actions: self.actions, seed }
    }

    fn parse_position(&self, text: &str) -> Option<Position> {
        let position = self.start.read_position(text).ok()?;
        Some(Position { position, actions: self.actions, seed: 0 })
    }

    fn action_of(&self, r#move: u64) -> PyResult<usize> {
        let m = Move::from_bits(r#move);
        self.actions
            .number(m)
            .ok_or_else(|| PyValueError::new_err(format!("{} has no move {m:?}", self.id())))
    }

    fn __repr__(&self) -> String {
        let rules: String =
            self.start.options().iter().map(|(name, value)| format!(" {name}={value}")).collect();
        format!("<{}, {} players{rules}>", self.id(), self.players())
    }
}

/// The value of an option as the rules read it: Python writes `True` where they say `true`.
fn option_text(value: &Bound<'_, PyAny>) -> PyResult<String> {
    value.extract::<bool>().map(|flag| flag.to_string()).or_else(|_| Ok(value.str()?.to_string()))
}

#[pyclass(module = "arbiter_games")]
struct Position {
    position: rules::Position,
    actions: Actions,
    /// Where chance comes from when [`step`](Position::step) plays.
    seed: u64,
}

impl Position {
    fn seat(&self, seat: usize) -> PyResult<Seat> {
        let there = Seat::new(seat).filter(|_| seat < self.position.seats());
        there.ok_or_else(|| PyIndexError::new_err(format!("this game has no seat {seat}")))
    }

    /// Plays a move, with what chance does after it.
    fn play(&mut self, py: Python<'_>, m: Move, source: Option<ChanceSource>) -> PyResult<()> {
        self.position.judge(m).map_err(|why| illegal(py, &why))?;
        let chance = source.map_or(Chance::NONE, |source| self.position.draw_chance(m, source));
        self.position.play_legal(m, &chance);
        Ok(())
    }

    /// The legal move with this number.
    fn legal(&self, py: Python<'_>, action: usize) -> PyResult<Move> {
        if let Some(m) = self.actions.only(action) {
            return self.position.judge(m).map(|()| m).map_err(|why| illegal(py, &why));
        }
        let is_it = |m: &Move| self.actions.number(*m) == Some(action);
        let found = with_moves(&self.position, |moves| moves.iter().copied().find(is_it));
        found.ok_or_else(|| {
            let over = self.position.end().map_or("", |_| ": the game is over");
            refusal(py, format!("action {action} is not legal in this position{over}"))
        })
    }
}

fn illegal(py: Python<'_>, why: &IllegalMove) -> PyErr {
    refusal(py, why.to_string())
}

fn refusal(py: Python<'_>, why: String) -> PyErr {
    PyErr::from_type(words(py).illegal_move.bind(py).clone(), why)
}

fn move_object(py: Python<'_>, m: Move) -> PyResult<Bound<'_, PyAny>> {
    words(py).move_class.bind(py).call1((m.bits(),))
}

#[pymethods]
impl Position {
    fn copy(&self) -> Position {
        Position { position: self.position.clone(), ..*self }
    }

    fn __copy__(&self) -> Position {
        self.copy()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Position {
        self.copy()
    }

    fn apply(&mut self, py: Python<'_>, r#move: u64) -> PyResult<()> {
        self.play(py, Move::from_bits(r#move), None)
    }

    fn apply_sampled(&mut self, py: Python<'_>, r#move: u64, random: u64) -> PyResult<()> {
        self.play(py, Move::from_bits(r#move), Some(ChanceSource::Sample(random)))
    }

    fn step(&mut self, py: Python<'_>, action: usize) -> PyResult<()> {
        let m = self.legal(py, action)?;
        let chance = self.position.draw_chance(m, ChanceSource::GameSeed(self.seed));
        self.position.play_legal(m, &chance);
        Ok(())
    }

    fn undo(&mut self) -> PyResult<()> {
        if self.position.undo() {
            return Ok(());
        }
        Err(PyIndexError::new_err("there is no move to take back: this copy has played none"))
    }

    fn set(&mut self, from_: PyRef<'_, Position>) -> PyResult<()> {
        if self.position.copy_from(&from_.position) {
            self.seed = from_.seed;
            return Ok(());
        }
        Err(PyValueError::new_err("both positions must come from the same game"))
    }

    #[getter]
    fn seed(&self) -> u64 {
        self.seed
    }

    #[getter]
    fn ply(&self) -> u32 {
        self.position.ply()
    }

    fn to_move(&self) -> Option<usize> {
        self.position.to_move().map(Seat::index)
    }

    fn outcome(&self, py: Python<'_>, seat: usize) -> PyResult<Option<Py<PyAny>>> {
        let seat = self.seat(seat)?;
        let result = match self.position.end() {
            Some(end) => end.outcome.of(seat),
            None if !self.position.is_in(seat) => SeatResult::Loss,
            None => return Ok(None),
        };
        let at = match result {
            SeatResult::Loss => 0,
            SeatResult::Draw => 1,
            SeatResult::Win => 2,
        };
        Ok(Some(words(py).outcomes[at].clone_ref(py)))
    }

    fn returns(&self) -> Vec<f64> {
        let end = self.position.end();
        let of = |seat| match end.map(|end| end.outcome.of(seat)) {
            Some(SeatResult::Win) => 1.0,
            Some(SeatResult::Loss) => -1.0,
            Some(SeatResult::Draw) | None => 0.0,
        };
        Seat::all(self.position.seats()).map(of).collect()
    }

    fn ranks<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyList>>> {
        self.position.end().map(|end| PyList::new(py, end.outcome.ranks())).transpose()
    }

    fn reason(&self) -> Option<&'static str> {
        self.position.end().map(|end| end.reason.code())
    }

    fn scores<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let scores = PyDict::new(py);
        for score in self.position.scores() {
            scores.set_item(score.name, score.by_seat)?;
        }
        Ok(scores)
    }

    fn legal_moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        with_moves(&self.position, |moves| {
            let moves: Vec<_> = moves.iter().map(|m| move_object(py, *m)).collect::<PyResult<_>>()?;
            PyList::new(py, moves)
        })
    }

    fn legal_actions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        with_moves(&self.position, |moves| {
            PyList::new(py, moves.iter().map(|m| self.actions.number(*m).expect("legal moves have a number")))
        })
    }

    fn legal_mask<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        with_moves(&self.position, |moves| {
            PyBytes::new_with(py, self.actions.count(), |mask| {
                for m in moves {
                    mask[self.actions.number(*m).expect("legal moves have a number")] = 1;
                }
                Ok(())
            })
        })
    }

    fn move_of<'py>(&self, py: Python<'py>, action: usize) -> PyResult<Bound<'py, PyAny>> {
        move_object(py, self.legal(py, action)?)
    }

    fn cells<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        PyBytes::new_with(py, self.position.shape().cells(), |cells| {
            self.position.write_cells(cells);
            Ok(())
        })
    }

    fn column<'py>(&self, py: Python<'py>, cell: u64) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &u16::try_from(cell).map_or_else(|_| Vec::new(), |cell| self.position.column(cell)))
    }

    fn hash(&self) -> u64 {
        self.position.key() as u64
    }

    fn text(&self) -> String {
        self.position.text()
    }

    #[pyo3(signature = (*, ascii = false))]
    fn draw(&self, ascii: bool) -> String {
        let charset = if ascii { Charset::Ascii } else { Charset::Unicode };
        draw(&self.position, charset, &Marks::default())
    }

    fn move_text(&self, r#move: u64) -> String {
        self.position.move_text(Move::from_bits(r#move))
    }

    fn parse_move<'py>(&self, py: Python<'py>, text: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.position.read_move(text).ok().map(|choice| move_object(py, choice.played)).transpose()
    }

    fn move_path(&self, r#move: u64) -> Vec<u16> {
        let m = Move::from_bits(r#move);
        if self.position.judge(m).is_ok() { self.position.path(m) } else { Vec::new() }
    }

    fn __str__(&self) -> String {
        self.draw(false)
    }

    fn __repr__(&self) -> String {
        format!("<{} {}>", self.position.info().id, self.position.text())
    }
}

/// What `_arbiter` takes in.
#[pymodule]
mod _native {
    #[pymodule_export]
    use super::{Game, Position, games, know};
}
