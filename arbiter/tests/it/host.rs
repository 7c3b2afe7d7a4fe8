//! Bots in processes of their own, and what becomes of them when they misbehave.

pub(crate) mod catalogue;
mod clock;
mod faults;
mod filters;
mod frozen;
mod isolated;
mod late;
mod loading;
mod older;
mod orphans;
mod plain;
mod plays;
mod rest;
mod services;
mod starts;
mod support;

pub(crate) use support::command_of;
