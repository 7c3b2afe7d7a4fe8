//! The list beside the board: players, the unfinished move, what the board does not show, bots, moves.

use super::marks::Scene;
use super::screen::{Text, broken, columns, put, wrap};
use crate::ui::story::{Frame, Story};
use crate::ui::{thoughts, words};
use crate::verdict::{BotReport, ChosenBy};
use arbiter_rules::Seat;
use arbiter_rules::layout::GroupState;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use std::collections::BTreeMap;
use std::time::Duration;

/// Below this, clocks show tenths and say that time is short.
pub(super) const SHORT: Duration = Duration::from_secs(10);

/// So many moves are shown before anything that can be looked up elsewhere.
const SOME_MOVES: usize = 10;

pub(super) fn left(story: &Story, seat: Seat) -> Option<Duration> {
    let left = story.clocks.get(seat.index()).copied().flatten()?;
    let running = match (&story.draft, story.asked) {
        (Some(turn), _) if turn.id.seat == seat => turn.gone(),
        (_, Some((asked, since))) if asked == seat && !story.seats[seat.index()].is_person => {
            Some(since.elapsed())
        }
        _ => None,
    };
    Some(left.saturating_sub(running.unwrap_or_default()))
}

/// `0:41`, or `9.4 s` in the last seconds.
pub(super) fn clock(left: Option<Duration>) -> String {
    match left {
        None => "-:--".to_owned(),
        Some(left) if left < SHORT => format!("{:.1} s", left.as_secs_f64()),
        Some(left) => format!("{}:{:02}", left.as_secs() / 60, left.as_secs() % 60),
    }
}

/// What the seat to move is told when it has little time.
pub(super) fn time_short(story: &Story) -> Option<String> {
    let turn = story.draft.as_ref()?;
    let left = left(story, turn.id.seat).filter(|&left| left < SHORT)?;
    Some(format!("Time short: {:.1} s.", left.as_secs_f64()))
}

/// Draws the list from the top, the moves in whatever is left. For what is `said` there is no room below the board.
pub(super) fn draw(scene: &Scene<'_>, said: &[Text], printed: Vec<String>, area: Rect, buf: &mut Buffer) {
    let mut list = List { left: area, buf };
    Seat::all(scene.story.seats.len()).for_each(|seat| list.player(scene, seat));
    let (plain, bold) = (Style::new(), Style::new().bold());
    let notes = words::notes(scene.position(), scene.look.charset);
    // What stands beside each other under a board stands below each other here.
    let notes = notes.iter().flat_map(|note| note.split("   ")).filter(|part| !part.trim().is_empty());
    let notes: Vec<String> = notes.flat_map(|part| wrap(part, area.width)).collect();
    let said: Vec<_> = said.iter().map(|(sentence, style)| (wrap(sentence, area.width), *style)).collect();
    for (sentence, style) in newest(&said, usize::from(list.left.height).saturating_sub(notes.len())) {
        list.lines(sentence.iter().cloned(), *style);
    }
    list.lines(draft(scene).iter().flat_map(|line| wrap(line, area.width)), bold);
    list.lines(notes, plain);
    list.lines(groups(scene), plain);
    list.lines(stack(scene), plain);
    if scene.switches.bar {
        list.lines(bar(scene, area.width), plain);
    }
    if scene.switches.bot && scene.story.seats.iter().any(|sitter| !sitter.is_person) {
        list.lines(bot(scene, area), plain);
    }
    list.lines(printed, plain);
    // The text of the position, where the moves leave room for it.
    let text = wrap(&format!("Position: {}", scene.frame().position.text()), area.width);
    if usize::from(list.left.height) > text.len() + SOME_MOVES {
        list.row();
        list.lines(text, plain.dim());
    }
    list.row();
    let room = usize::from(list.left.height);
    let (moves, shown) = moves(scene, usize::from(area.width));
    // Around the one that is shown, as far as there are others.
    let first = shown.saturating_sub(room.div_ceil(2)).min(moves.len().saturating_sub(room));
    for (index, line) in moves.iter().enumerate().skip(first) {
        list.line(line, if index < shown { plain } else { plain.dim() });
    }
}

/// The last of these sentences for which there are enough rows.
fn newest(said: &[(Vec<String>, Style)], rows: usize) -> &[(Vec<String>, Style)] {
    let rows_from = |first: &usize| said[*first..].iter().map(|(lines, _)| lines.len()).sum::<usize>();
    let first = (0..said.len()).find(|first| rows_from(first) <= rows);
    &said[first.unwrap_or(said.len().saturating_sub(1))..]
}

struct List<'a> {
    left: Rect,
    buf: &'a mut Buffer,
}

impl List<'_> {
    fn lines(&mut self, lines: impl IntoIterator<Item = String>, style: Style) {
        lines.into_iter().for_each(|line| self.line(&line, style));
    }

    fn line(&mut self, text: &str, style: Style) {
        if let Some(row) = self.row() {
            put(self.buf, row, 0, text, style);
        }
    }

    fn row(&mut self) -> Option<Rect> {
        let row = self.left.rows().next()?;
        self.left = Rect { y: row.bottom(), height: self.left.height - 1, ..row };
        Some(row)
    }

    fn player(&mut self, scene: &Scene<'_>, seat: Seat) {
        let Some(row) = self.row() else { return };
        let (story, position, look) = (scene.story, scene.position(), scene.look);
        let is_next = position.to_move() == Some(seat);
        let (arrow, style) = match is_next {
            true => (look.charset.pick("▶", ">"), Style::new().bold()),
            false => (" ", Style::new()),
        };
        let clock = clock(left(story, seat));
        let from = row.width.saturating_sub(clock.len() as u16);
        put(self.buf, row, 0, &format!("{arrow}{seat} "), style);
        let sign = position.sign(seat.index(), look.charset).to_string();
        put(self.buf, row, 3, &sign, look.palette.piece(seat));
        let out = if position.is_in(seat) { "" } else { " (out)" };
        let name = format!("{}{out}", story.seats[seat.index()].name);
        put(self.buf, Rect { width: from.saturating_sub(1), ..row }, 5, &name, style);
        put(self.buf, row, from, &clock, Style::new());
        let errors = story.errors[seat.index()];
        if errors > 0 {
            let limit = story.limit();
            self.line(&format!("     errors {errors}{limit}"), Style::new());
        }
    }
}

/// The unfinished move, and what finishes it.
fn draft(scene: &Scene<'_>) -> Vec<String> {
    let Some(turn) = scene.draft.filter(|turn| !turn.draft.cells.is_empty()) else { return Vec::new() };
    let position = scene.position();
    let cells: Vec<_> = turn.draft.cells.iter().map(|&cell| position.cell_name(cell)).collect();
    let text = turn.pending.clone().unwrap_or_else(|| cells.join("-"));
    let mut lines = vec![format!("Your move so far: {text}")];
    if turn.view.can_finish {
        lines.push("Enter plays it.".to_owned());
    }
    lines.extend(turn.view.actions.iter().map(|action| {
        let key = action.id.chars().next().unwrap_or(' ');
        format!("{key}: {}", action.label)
    }));
    lines
}

/// How the boards within the board stand, as a small board of their own.
fn groups(scene: &Scene<'_>) -> Vec<String> {
    let (position, charset) = (scene.position(), scene.look.charset);
    let layout = position.layout();
    let mut rows: BTreeMap<i32, BTreeMap<i32, char>> = BTreeMap::new();
    for group in &layout.groups {
        let Some(at) = group.cells.first().map(|&cell| layout.cells[usize::from(cell)]) else { continue };
        let sign = match group.state {
            GroupState::Won(seat) => position.sign(seat.index(), charset).to_ascii_uppercase(),
            GroupState::Open => charset.pick('·', '.'),
            GroupState::Forced => charset.pick('□', '='),
            GroupState::Drawn => '-',
        };
        rows.entry(at.y).or_default().insert(at.x, sign);
    }
    let row = |row: BTreeMap<i32, char>| row.into_values().flat_map(|sign| [' ', sign]).collect();
    rows.into_values().map(row).collect()
}

/// The pieces on the cell under the cursor, where pieces stand on each other.
fn stack(scene: &Scene<'_>) -> Vec<String> {
    let position = scene.position();
    let Some(cell) = scene.cursor else { return Vec::new() };
    let pieces = position.column(cell);
    let name = position.place_name(cell);
    if pieces.len() < 2 {
        return vec![format!("Cursor on {name}")];
    }
    let mut lines = vec![format!("Stack on {name}:")];
    let last = pieces.len() - 1;
    for (height, &piece) in pieces.iter().enumerate().rev() {
        let side = match height {
            0 => "bottom",
            _ if height == last => "top",
            _ => "",
        };
        let sign = position.sign(usize::from(piece) - 1, scene.look.charset);
        lines.push(format!("{side:>7} [{sign}]"));
    }
    lines
}

/// What the bot said of the last move that it chose; of its values as many as leave room for moves.
fn bot(scene: &Scene<'_>, area: Rect) -> Vec<String> {
    let Some((seat, report)) = scene.story.reports(scene.ply).next() else { return Vec::new() };
    let lines = std::iter::once(format!("Bot of player {seat}:"));
    let lines = lines.chain(thoughts(report).into_iter().map(|line| format!(" {line}")));
    lines.flat_map(|line| broken(&line, area.width)).take(usize::from(area.height / 2)).collect()
}

/// A bar of what the strongest bot present thinks of the position: of the bots' last reports the one that looked deepest. The
/// filled part is what the score promises the first of two seats; among more, the bot's own.
fn bar(scene: &Scene<'_>, width: u16) -> Vec<String> {
    let mut last: Vec<(Seat, &BotReport)> = Vec::new();
    for (seat, report) in scene.story.reports(scene.ply) {
        if !last.iter().any(|(known, _)| *known == seat) {
            last.push((seat, report));
        }
    }
    let deepest = last.into_iter().filter_map(|(seat, report)| Some((seat, report.depth, report.score?)));
    let Some((seat, depth, score)) = deepest.max_by_key(|(_, depth, _)| *depth) else {
        return broken("No bot has said what it thinks.", width);
    };
    let (full, empty) = scene.look.charset.pick(("█", "░"), ("#", "-"));
    let shown = if scene.story.seats.len() == 2 { Seat::FIRST } else { seat };
    let score = if shown == seat { score } else { score.saturating_neg() };
    // The same curve as on lichess: a piece ahead is about six tenths.
    let share = 1.0 / (1.0 + (-0.003_682 * f64::from(score)).exp());
    let filled = (share * f64::from(width)).round() as usize;
    let (name, score) = (&scene.story.seats[seat.index()].name, f64::from(score) / 100.0);
    let of = format!("Player {shown}: {score:+.2}, says {name} at depth {depth}");
    let bar = full.repeat(filled) + &empty.repeat(usize::from(width) - filled);
    broken(&of, width).into_iter().chain([bar]).collect()
}

/// The moves of the game in lines of this width, and how many of them lead to the picture that is shown. The last of those is
/// marked where others come after it.
fn moves(scene: &Scene<'_>, width: usize) -> (Vec<String>, usize) {
    let more = scene.look.charset.pick("…", "...");
    let moved = |frames: &[Frame]| frames.iter().filter(|frame| frame.moved.is_some()).count();
    let frames = &scene.story.frames;
    let (shown, all) = (moved(&frames[..=scene.ply.min(frames.len() - 1)]), moved(frames));
    let moved = frames.iter().filter_map(|frame| frame.moved.as_ref().map(|moved| (frame, moved)));
    let lines = moved
        .enumerate()
        .map(|(index, (frame, moved))| {
            let sign = frame.position.sign(moved.seat.index(), scene.look.charset);
            let mark = match moved.by {
                ChosenBy::Opening => " (opening)",
                ChosenBy::Rules | ChosenBy::Player => "",
            };
            let fallen = if moved.chance.is_empty() { "" } else { " *" };
            let here = if index + 1 == shown && shown < all { ">" } else { "" };
            let number = format!("{here}{}", moved.ply + 1);
            let line = format!("{number:>3}. {sign} {}{fallen}{mark}", moved.text);
            // A chain whose end is cut off would seem to end elsewhere.
            match columns(&line) <= width {
                true => line,
                false => line.chars().take(width.saturating_sub(columns(more))).chain(more.chars()).collect(),
            }
        })
        .collect();
    (lines, shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of many moves since the person's own, the end of the game came last and was not seen.
    #[test]
    fn where_there_is_no_room_for_all_the_newest_sentences_are_told() {
        let said: Vec<_> = [2, 1, 2].map(|rows| (vec![String::new(); rows], Style::new())).into();
        for (room, told) in [(9, 3), (5, 3), (4, 2), (3, 2), (2, 1), (0, 1)] {
            assert_eq!(newest(&said, room), &said[3 - told..], "in {room} rows");
        }
        assert!(newest(&[], 0).is_empty());
    }
}
