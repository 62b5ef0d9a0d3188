//! The result of a `setup_cache`: made once, shared by the cases that need it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use tacho_model::State;

use super::loss::Loss;
use crate::convert;
use crate::protocol::SetupCacheReply;

/// A setup_cache that has been tried.
#[derive(Debug, Clone)]
pub(super) enum Cache {
    Ready(PathBuf),
    Failed(Loss),
}

impl Cache {
    /// Returns what a reply says of a cache in `dir`.
    pub(super) fn of(reply: SetupCacheReply, dir: &Path, outside: &str) -> Cache {
        let state = State::parse(&reply.state).unwrap_or(State::Failed);
        if state == State::Measured {
            return Cache::Ready(dir.to_owned());
        }
        let message = reply.message.unwrap_or_else(|| state.word().replace('_', " "));
        let output = format!("{outside}{}", reply.output);
        let detail = convert::detail(state, reply.traceback.as_deref(), &output);
        Cache::Failed(Loss { state, message, detail, observed: BTreeMap::new() }.while_doing("setup_cache"))
    }

    /// Returns the cache as it is remembered: its failure is told in full once, and the cases it spreads to name it
    /// in one line.
    pub(super) fn remembered(&self) -> Cache {
        match self {
            Cache::Ready(dir) => Cache::Ready(dir.clone()),
            Cache::Failed(loss) => Cache::Failed(Loss { detail: None, ..loss.clone() }),
        }
    }
}
