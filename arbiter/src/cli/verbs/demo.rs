//! `arbiter demo`: a tour of all boards that goes on by itself.

use crate::cli::options::{ColourArgs, GameName, WebArgs, start};
use crate::cli::parsing::whole;
use crate::cli::show::presentation::{has_screen, show_stories};
use crate::cli::show::{pages, print};
use crate::cli::{Failure, Output};
use crate::player::{Desk, OpenTurn, TurnId};
use crate::ui::log::{Entry, Log, Moved, Sitter, What};
use crate::ui::story::{Pose, Story};
use crate::ui::terminal::{Mode, Viewer};
use crate::verdict::{Adjudication, ChosenBy, Ending, Spent};
use crate::web::Show;
use arbiter_rules::draft::{Draft, DraftStep};
use arbiter_rules::{ChanceSource, GameInfo, Outcome, Position, Random, Setup, registry};
use clap::Args;
use std::sync::Arc;
use std::time::Duration;

/// Moves that are shown of a game that does not end before.
const MOVES: u32 = 24;

/// After so many moves, the tour shows what people can do at the board.
const MOVES_BEFORE_POSES: u32 = 4;

/// How long a picture stays on a page.
const PICTURE: Duration = Duration::from_millis(900);

#[derive(Args, Debug)]
pub(crate) struct DemoArgs {
    /// Show this game alone
    #[arg(value_name = "GAME", value_parser = GameName, hide_possible_values = true)]
    game: Option<String>,
    /// Print the boards even on a terminal
    #[arg(long)]
    text: bool,
    /// How fast it is: 1 is twice as fast, 2 four times, -1 half
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole::<i32>(-1..=6))]
    speed: i32,
    #[command(flatten)]
    colour: ColourArgs,
    #[command(flatten)]
    web: WebArgs,
}

pub(crate) fn demo(args: &DemoArgs, out: &mut Output) -> Result<(), Failure> {
    let games: Vec<&GameInfo> = match &args.game {
        None => registry::GAMES.to_vec(),
        Some(game) => vec![start(game, None, &[], None)?.info()],
    };
    if args.web.web {
        return on_pages(&games, args);
    }
    let stories: Vec<Story> = (1..).zip(games).map(|(number, info)| story(number, info)).collect();
    if has_screen() && !args.text {
        let look = args.colour.look(out.charset());
        let mut viewer = Viewer::of_stories(Mode::Tour, look, stories, None);
        viewer.set_speed(args.speed);
        return show_stories(viewer, look);
    }
    stories.iter().try_for_each(|story| print(story, Some(story.frames.len() - 1), out))
}

/// Shows the tour in browsers, again and again until Ctrl-C.
fn on_pages(games: &[&'static GameInfo], args: &DemoArgs) -> Result<(), Failure> {
    let log = Arc::new(Log::default());
    let show = Show {
        log: Arc::clone(&log),
        desk: Arc::new(Desk::new(|_| {})),
        guests: Vec::new(),
        games: games.len() as u32,
        title: "A tour of all boards".to_owned(),
        rules: String::new(),
        asks_after_pass: false,
    };
    let _pages = pages::serve(show, &args.web, pages::HERE)?;
    let pause = PICTURE.mul_f64(0.5_f64.powi(args.speed));
    for (number, info) in (1..).zip(games.iter().cycle()) {
        let mut last = None;
        for step in tour(number, info) {
            match step {
                Step::Happens(what) => {
                    if let What::Moved(moved) = &what {
                        last = Some(Arc::clone(&moved.position));
                    }
                    log.append(number, what);
                    std::thread::sleep(pause);
                }
                Step::Poses(sentence, pose) => {
                    log.append(number, What::Drafted(pose.turn));
                    log.append(number, What::Noted(sentence));
                    std::thread::sleep(3 * pause);
                }
            }
        }
        // Pages go on to the next game when one has ended.
        if let Some(position) = last.filter(|position| position.end().is_none()) {
            let outcome = Outcome::draw(position.seats(), |_| true);
            let ending = Ending::Adjudicated { outcome, by: Adjudication::MaxPlies(MOVES) };
            log.append(number, What::Ended { ending, duration: Duration::ZERO, position });
        }
        std::thread::sleep(3 * pause);
    }
    unreachable!("a tour that is walked again and again has no end")
}

fn story(number: u32, info: &'static GameInfo) -> Story {
    let entry = |what| Entry { id: 0, at: Duration::ZERO, game: number, what };
    let mut told: Option<Story> = None;
    for step in tour(number, info) {
        match (&mut told, step) {
            (Some(story), Step::Happens(what)) => story.hear(&entry(what)),
            (Some(story), Step::Poses(sentence, pose)) => story.pose(pose, sentence),
            (None, Step::Happens(what)) => told = Story::of(&entry(what)),
            (None, Step::Poses(..)) => {}
        }
    }
    told.expect("a tour begins")
}

enum Step {
    Happens(What),
    /// What a hand could do there, in a sentence.
    Poses(String, Pose),
}

/// What can be done at a board: to choose, to be refused, to take back, to finish.
fn poses(position: &Position) -> Vec<Step> {
    let Some(seat) = position.to_move() else { return Vec::new() };
    let pose = |cursor, draft: &Draft| {
        let (id, view) = (TurnId { game: 0, seat, ply: position.ply() }, position.draft_view(draft));
        let turn = OpenTurn {
            id,
            view,
            draft: draft.clone(),
            pending: None,
            shown: None,
            stopped_at: None,
            hard: None,
            may_take_back: false,
        };
        Pose { cursor, turn }
    };
    let (nothing, cells) = (Draft::default(), position.shape().cells() as u16);
    let Some(&cell) = pose(0, &nothing).turn.view.targets.last() else { return Vec::new() };
    let mut poses = Vec::new();
    let mut add = |sentence: &str, cell, draft: &Draft| {
        poses.push(Step::Poses(sentence.to_owned(), pose(cell, draft)));
    };
    let choosing = "Choosing: arrows, Tab, digits or a click move the cursor; hints (h) mark what it can do.";
    add(choosing, cell, &nothing);
    if let Some((cell, why)) = (0..cells).find_map(|cell| Some((cell, position.pick(&nothing, cell).err()?)))
    {
        add(&format!("A refusal says why, and costs nothing: {}", why.sentence), cell, &nothing);
    }
    if let Ok(DraftStep::Unfinished(picked)) = position.pick(&nothing, cell) {
        add("Space or a left click chooses; a move of several parts grows part by part.", cell, &picked);
        add("Undo: u takes back the last part, Esc all of them.", cell, &nothing);
    }
    let mouse = "The mouse alone will do: a left click chooses, a right click, as Enter, plays the move.";
    add(mouse, cell, &nothing);
    poses
}

/// The first moves of a game between players who choose at random, the same every time for a number.
fn tour(number: u32, info: &'static GameInfo) -> Vec<Step> {
    let options: &[(&str, &str)] = if info.options.iter().any(|option| option.name == "earthquake") {
        &[("earthquake", "true")]
    } else {
        &[]
    };
    let setup = Setup { options, players: info.seats.iter().copied().max(), position: None };
    let mut position = registry::start(info.id, &setup).expect("every game begins with its most seats");
    let sitter = |seat: usize| Sitter { name: format!("guest {}", seat + 1), is_person: false, player: None };
    let seats: Vec<Sitter> = (0..position.seats()).map(sitter).collect();
    let started = What::Started { seats: seats.into(), max_errors: 0, position: position.clone().into() };
    let mut steps = vec![Step::Happens(started), Step::Happens(What::Noted(first_sentence(info.page)))];
    let mut random = Random::new(u64::from(number) + 40);
    while position.end().is_none() && position.ply() < MOVES {
        if position.ply() == MOVES_BEFORE_POSES {
            steps.extend(poses(&position));
        }
        steps.push(Step::Happens(What::Moved(play(&mut position, &mut random))));
    }
    if let Some(end) = position.end() {
        let ended =
            What::Ended { ending: Ending::ByRules(end), duration: Duration::ZERO, position: position.into() };
        steps.push(Step::Happens(ended));
    }
    steps
}

/// What a game is about: the first sentence of its rules.
fn first_sentence(page: &str) -> String {
    let paragraph = page.lines().skip_while(|line| line.is_empty() || line.starts_with('#'));
    let words: Vec<&str> = paragraph.take_while(|line| !line.is_empty()).collect();
    let text = words.join(" ").replace(['*', '`'], "");
    let end = text.find(". ").map_or(text.len(), |end| end + 1);
    text[..end].to_owned()
}

fn play(position: &mut Position, random: &mut Random) -> Moved {
    let m = position.nth_legal(random.below(position.legal_count()));
    let (seat, ply) = (position.to_move().expect("the game goes on"), position.ply());
    let (text, path) = (position.move_text(m), position.path(m));
    let chance = position.draw_chance(m, ChanceSource::GameSeed(u64::from(ply) + 7));
    position.play(m, &chance).expect("the move is from the legal list");
    let by = if path.is_empty() { ChosenBy::Rules } else { ChosenBy::Player };
    let position = position.clone().into();
    Moved { seat, ply, path, text, by, spent: Spent::default(), chance, report: None, position }
}
