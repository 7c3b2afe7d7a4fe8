//! `arbiter schema`: the JSON Schema of match reports, made from the structs that write them.

use super::exit_code::ExitCode;
use super::failure::Failure;
use super::output::Output;
use crate::record::schema::MatchReport;

/// Runs `arbiter schema`.
///
/// # Errors
/// Output that cannot be written.
pub(super) fn schema(out: &mut Output) -> Result<ExitCode, Failure> {
    let schema = schemars::schema_for!(MatchReport);
    out.line(&serde_json::to_string_pretty(&schema).expect("a schema is plain data"))?;
    Ok(ExitCode::Done)
}
