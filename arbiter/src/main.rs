//! The command `arbiter`.
fn main() {}
