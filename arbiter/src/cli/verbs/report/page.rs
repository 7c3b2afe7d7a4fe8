//! `arbiter report -o FILE.html`: a page for a browser.

use crate::cli::exit_code::ExitCode;
use crate::cli::failure::Failure;
use crate::cli::output::Output;
use crate::cli::shown;
use crate::page::Page;
use crate::sanitize::sanitize;
use crate::ui::talk;
use std::fs;
use std::path::{Path, PathBuf};

/// Whether a name is that of a page.
pub(super) fn is_page(path: &Path) -> bool {
    path.extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("html") || ending.eq_ignore_ascii_case("htm"))
}

/// Writes a page of some reports to a file, or prints it.
///
/// # Errors
/// Files that are no reports, after the page of the others has been written; a page that cannot be written.
pub(super) fn write(files: &[PathBuf], output: Option<&Path>, out: &mut Output) -> Result<ExitCode, Failure> {
    let mut page = Page::default();
    let mut failure = None;
    let mut read = 0;
    for path in files {
        match shown::add(&mut page, path) {
            Ok(()) => read += 1,
            Err(error) => failure = Some(Failure::after(error, failure)),
        }
    }
    if read > 0 {
        let html = page.html();
        match output {
            Some(output) => {
                save(output, &html)?;
                let (name, size) = (sanitize(&output.display().to_string()), html.len().div_ceil(1000));
                talk(&format!("{name}: {size} kB; open it in a browser"));
            }
            None => out.text(&html)?,
        }
    }
    failure.map_or(Ok(ExitCode::Done), Err)
}

/// Writes beside the file first, so that nobody ever sees half a page.
fn save(path: &Path, html: &str) -> Result<(), Failure> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut beside = path.as_os_str().to_owned();
    beside.push(format!(".{}.tmp", std::process::id()));
    let written = fs::create_dir_all(folder)
        .and_then(|()| fs::write(&beside, html))
        .and_then(|()| fs::rename(&beside, path))
        .inspect_err(|_| drop(fs::remove_file(&beside)));
    let failed = |error| {
        let message = format!("cannot write {}", path.display());
        Failure::new(ExitCode::File, message)
            .because(&error)
            .hint("a name in a folder that can be written to")
    };
    written.map_err(failed)
}
