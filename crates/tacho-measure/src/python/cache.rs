//! The result of a `setup_cache`: made once, shared by the cases that need it.

use std::path::{Path, PathBuf};

use tacho_model::State;

use crate::convert;
use crate::protocol::SetupCacheReply;
use crate::session::SessionError;

/// A setup_cache that has been tried.
#[derive(Debug, Clone)]
pub(super) enum Cache {
    Ready(PathBuf),
    Failed { state: State, message: String, detail: Option<String> },
}

/// Returns what a reply says of a cache in `dir`.
pub(super) fn cache_of(reply: SetupCacheReply, dir: &Path, outside: &str) -> Cache {
    let state = State::parse(&reply.state).unwrap_or(State::Failed);
    if state == State::Measured {
        return Cache::Ready(dir.to_owned());
    }
    let message = format!("setup_cache: {}", reply.message.unwrap_or_else(|| state.word().replace('_', " ")));
    let output = format!("{outside}{}", reply.output);
    Cache::Failed { state, message, detail: convert::detail(state, reply.traceback.as_deref(), &output) }
}

/// Turns the loss of a session into a failed cache, unless it is nobody's fault here.
pub(super) fn lost_cache(error: SessionError) -> Result<Cache, SessionError> {
    let text = error.to_string();
    let (state, output) = match error {
        SessionError::Start { .. } | SessionError::Interrupted => return Err(error),
        SessionError::Late { output, .. } => (State::TimedOut, output),
        SessionError::Ended { signal: Some(_), output, .. } => (State::Killed, output),
        SessionError::Ended { output, .. } => (State::Failed, output),
        SessionError::Unexpected { .. } => (State::Failed, String::new()),
    };
    Ok(Cache::Failed { state, message: format!("setup_cache: {text}"), detail: convert::detail(state, None, &output) })
}

/// The failure of a cache is told in full once; the cases it spreads to name it in one line.
pub(super) fn without_detail(cache: &Cache) -> Cache {
    match cache {
        Cache::Ready(dir) => Cache::Ready(dir.clone()),
        Cache::Failed { state, message, .. } => Cache::Failed { state: *state, message: message.clone(), detail: None },
    }
}
