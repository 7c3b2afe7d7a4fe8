//! What people are shown: a match while it is played, and results on screens and pages.

pub(super) mod boards;
pub(super) mod circumstances;
pub(super) mod hung;
pub(super) mod live;
pub(super) mod names;
pub(super) mod pages;
pub(super) mod presentation;
pub(super) mod results;
