//! Files of pictures: one, or a folder with one after every move.

use crate::cli::{ExitCode, Failure};
use crate::picture::{Format, render};
use crate::verdict::Event;
use arbiter_rules::{Choice, Move, Position};
use clap::Args;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// Where pictures go, and as what.
#[derive(Args, Debug)]
pub(crate) struct PicturesArgs {
    /// Folder for a picture after every move: game-0001-ply-0000.svg is the first position of the first game. SMPATH is
    /// its default
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pictures: Option<PathBuf>,
    /// What these pictures are [default: svg]
    #[arg(long, value_enum, value_name = "FORMAT", help_heading = "Output")]
    picture_format: Option<Format>,
}

#[derive(Debug)]
pub(crate) struct Pictures {
    folder: PathBuf,
    format: Format,
    has_failed: AtomicBool,
}

impl PicturesArgs {
    /// The folder, if pictures are wanted; it is there then.
    pub(crate) fn open(&self) -> Result<Option<Pictures>, Failure> {
        // By this variable the folder was named before there was `--pictures`.
        let usual = || std::env::var_os("SMPATH").filter(|value| !value.is_empty()).map(PathBuf::from);
        let Some(folder) = self.pictures.clone().or_else(usual) else {
            return match self.picture_format {
                Some(_) => Err(Failure::usage("--picture-format is about pictures, and none are wanted")
                    .hint("--pictures DIR, where they shall go")),
                None => Ok(None),
            };
        };
        fs::create_dir_all(&folder).map_err(|error| {
            let message = format!("cannot make the folder {} for pictures", folder.display());
            Failure::file(message).because(&error).hint("another folder after --pictures")
        })?;
        Ok(Some(Pictures {
            folder,
            format: self.picture_format.unwrap_or(Format::Svg),
            has_failed: AtomicBool::new(false),
        }))
    }
}

impl Pictures {
    pub(crate) fn hear(&self, game: u32, event: &Event<'_>) {
        match event {
            Event::Started { position } => self.save(game, position, &[]),
            Event::Played(played) => self.save(game, played.position, &cells(played.choice)),
            // In place of the picture before it: nobody has moved.
            Event::Eliminated { position, .. } => self.save(game, position, &[]),
            Event::Asked { .. } | Event::Refused(_) | Event::TakenBack { .. } | Event::Ended { .. } => {}
        }
    }

    /// Saves a position of a game with the cells of the move that led to it. Games go on if that fails: it is told once,
    /// and at the end by [`end`](Pictures::end).
    pub(crate) fn save(&self, game: u32, position: &Position, last: &[u16]) {
        let name = format!("game-{game:04}-ply-{:04}.{}", position.ply(), self.format.ending());
        let file = self.folder.join(name);
        let written = render(position, last, self.format, SCALE)
            .map_err(|error| Failure::of(ExitCode::File, &error))
            .and_then(|picture| write_picture(&file, &picture));
        if let Err(failure) = written
            && !self.has_failed.swap(true, Ordering::Relaxed)
        {
            failure.tell();
        }
    }

    /// What the program ends with, if all else went well.
    pub(crate) fn end(&self, code: ExitCode) -> ExitCode {
        if code == ExitCode::Done && self.has_failed.load(Ordering::Relaxed) { ExitCode::File } else { code }
    }
}

/// The cells that a move goes through, as far as they are known.
pub(crate) fn cells(choice: &Choice) -> Vec<u16> {
    match choice.played {
        Move::PASS => Vec::new(),
        _ if !choice.path.is_empty() => choice.path.clone(),
        played => vec![played.from(), played.to()],
    }
}

#[expect(clippy::disallowed_methods, reason = "a picture may go to a pipe, and can be drawn again")]
pub(crate) fn write_picture(file: &Path, picture: &[u8]) -> Result<(), Failure> {
    let hint = "a folder that can be written to, and has room";
    fs::write(file, picture).map_err(Failure::cannot("write the picture", file, hint))
}

/// Pixels of a PNG for each unit: sharp on today's screens and on paper.
pub(crate) const SCALE: f32 = 2.0;

/// The format that the ending of a file names, of those that there are.
pub(crate) fn format_of(file: &Path, known: &[Format]) -> Result<Format, Failure> {
    let ending = file.extension().unwrap_or_default().to_string_lossy().into_owned();
    Format::of_ending(&ending).filter(|format| known.contains(format)).ok_or_else(|| {
        let endings: Vec<_> = known.iter().map(|format| format!(".{}", format.ending())).collect();
        let message = format!("the ending of {} says no format", file.display());
        Failure::usage(message).hint(format!("a file that ends in {}", endings.join(", ")))
    })
}
