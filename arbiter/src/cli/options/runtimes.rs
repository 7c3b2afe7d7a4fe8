//! `--python` and `--bridge`: what runs bots that are no libraries.

use crate::host::{BridgeChoice, Host};
use clap::Args;
use std::path::PathBuf;

/// Arguments of every verb that runs bots.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct RuntimeArgs {
    /// What runs bots in Python: a program, or the folder of a virtual environment [default: the first python3 on the PATH
    /// that can]
    #[arg(long, value_name = "PATH", help_heading = "Running")]
    python: Option<String>,
    /// A plugin that plays files with this ending; it is trusted as arbiter is
    #[arg(long, value_name = ".EXT=PLUGIN", value_parser = bridge, help_heading = "Running")]
    bridge: Vec<(String, PathBuf)>,
}

impl RuntimeArgs {
    pub(crate) fn host(&self, usual: &Host) -> Host {
        if self.python.is_none() && self.bridge.is_empty() {
            return usual.clone();
        }
        let runtimes = self.python.iter().map(|python| ("python".to_owned(), python.clone())).collect();
        usual.choosing(BridgeChoice { bridges: self.bridge.clone(), runtimes })
    }
}

fn bridge(text: &str) -> Result<(String, PathBuf), String> {
    match text.strip_prefix('.').and_then(|text| text.split_once('=')) {
        Some((ending, plugin)) if !ending.is_empty() && !plugin.is_empty() => {
            let plugin = PathBuf::from(plugin);
            Ok((ending.to_owned(), std::path::absolute(&plugin).unwrap_or(plugin)))
        }
        _ => Err("expected .EXT=PLUGIN, such as .lua=./libbridge_lua.so".to_owned()),
    }
}
