//! The rules of every game that arbiter referees.
#![forbid(unsafe_code)]
