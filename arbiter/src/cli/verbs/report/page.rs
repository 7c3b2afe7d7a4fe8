//! `arbiter report -o FILE.html`: a page for a browser.

use crate::cli::exit_code::ExitCode;
use crate::cli::failure::Failure;
use crate::cli::output::Output;
use crate::cli::show::results::{self, ShownArgs};
use crate::sanitize::sanitize;
use crate::ui::talk;
use std::path::{Path, PathBuf};

/// Whether a name is that of a page.
pub(super) fn is_page(path: &Path) -> bool {
    path.extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("html") || ending.eq_ignore_ascii_case("htm"))
}

/// Writes a page of some reports to a file, or prints it. Reports that cannot be read are named afterwards.
pub(super) fn write(
    files: &[PathBuf],
    output: Option<&Path>,
    shown: &ShownArgs,
    out: &mut Output,
) -> Result<ExitCode, Failure> {
    let Some(output) = output else {
        let (page, failure) = results::page(files, shown);
        page.map_or(Ok(()), |html| out.text(&html))?;
        return failure.map_or(Ok(ExitCode::Done), Err);
    };
    let size = results::save(files, output, shown)?.div_ceil(1000);
    talk(&format!("{}: {size} kB; open it in a browser", sanitize(&output.display().to_string())));
    Ok(ExitCode::Done)
}
