//! `arbiter completions` and `arbiter man`, from the one definition of the command line; `arbiter schema`, from the structs that
//! write match reports.

use crate::cli::{Failure, Output};
use crate::record::schema::MatchReport;
use clap::{Args, Command};
use clap_complete::Shell;
use std::fs;
use std::path::PathBuf;

#[derive(Args, Debug)]
#[command(after_help = "Example, a line of ~/.bashrc:\n  source <(arbiter completions bash)")]
pub(crate) struct CompletionsArgs {
    /// Which shell
    #[arg(value_enum, value_name = "SHELL")]
    shell: Shell,
}

#[derive(Args, Debug)]
pub(crate) struct ManArgs {
    /// Folder for the pages; without it the first page is printed
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
}

pub(crate) fn completions(
    args: &CompletionsArgs,
    mut program: Command,
    out: &mut Output,
) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut program, "arbiter", &mut script);
    out.text(&String::from_utf8_lossy(&script))
}

pub(crate) fn man(args: &ManArgs, program: Command, out: &mut Output) -> Result<(), Failure> {
    let Some(folder) = &args.output else {
        let mut page = Vec::new();
        clap_mangen::Man::new(program)
            .render(&mut page)
            .map_err(|error| Failure::file("cannot write the page").because(&error))?;
        return out.text(&String::from_utf8_lossy(&page));
    };
    let written = fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(program, folder));
    let hint = "a folder that can be written to, after --output";
    written.map_err(Failure::cannot("write man pages to", folder, hint))
}

pub(crate) fn schema(out: &mut Output) -> Result<(), Failure> {
    let schema = schemars::schema_for!(MatchReport);
    out.line(&serde_json::to_string_pretty(&schema).expect("a schema is plain data"))
}
