//! Options that several verbs share, each with what it does.

pub(super) mod adviser;
pub(super) mod anchor;
pub(super) mod colour;
pub(super) mod debug;
pub(super) mod isolation;
pub(super) mod json_lines;
pub(super) mod people;
pub(super) mod pictures;
pub(super) mod position;
pub(super) mod printing;
pub(super) mod runtimes;
pub(super) mod time;
pub(super) mod tournament_file;
