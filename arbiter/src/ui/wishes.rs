//! What people decide in any view.

/// What the person has decided about leaving.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaving {
    /// Nothing.
    No,
    /// Leave; open games are forfeited.
    Asked,
    /// Leave now, whatever runs.
    AtOnce,
}

/// When the picture of a pass makes way for the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterPass {
    /// As soon as one has had time to read it.
    Soon,
    /// When the person says so.
    OnEnter,
}
