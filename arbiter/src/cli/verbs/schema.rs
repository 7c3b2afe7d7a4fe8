//! `arbiter schema`: the JSON Schema of match reports, made from the structs that write them.

use crate::cli::{ExitCode, Failure, Output};
use crate::record::schema::MatchReport;

pub(crate) fn schema(out: &mut Output) -> Result<ExitCode, Failure> {
    let schema = schemars::schema_for!(MatchReport);
    out.line(&serde_json::to_string_pretty(&schema).expect("a schema is plain data"))?;
    Ok(ExitCode::Done)
}
