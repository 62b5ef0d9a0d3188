//! Forks that stand still: not every library survives being forked, and not every one can be told beforehand.

use std::collections::BTreeMap;

use tacho_model::State;

use super::loss::{Loss, Trouble};
use crate::protocol::SetupCacheReply;

/// What timed out and used less than this share of its limit on a processor stood still rather than worked.
const IDLE_SHARE: f64 = 0.01;

/// Returns true where so little processor time was counted that the process stood still; false where none is known.
pub(super) fn is_idle(observed: &BTreeMap<String, f64>, timeout_s: f64) -> bool {
    let used = |name: &str| observed.get(name).copied();
    match (used("cpu_user_s"), used("cpu_system_s")) {
        (None, None) => false,
        (user, system) => user.unwrap_or(0.0) + system.unwrap_or(0.0) < timeout_s * IDLE_SHARE,
    }
}

/// Returns true for a forked setup_cache that stood still, or whose interpreter did.
pub(super) fn is_cache(made: &Result<(SetupCacheReply, String), Trouble>, timeout_s: f64) -> bool {
    match made {
        Ok((reply, _)) => reply.state == State::TimedOut.word() && is_idle(&reply.observed, timeout_s),
        Err(Trouble::Lost(Loss { state, .. })) => *state == State::TimedOut,
        Err(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(user_s: Option<f64>, system_s: Option<f64>, expected: bool) {
        let named = [("cpu_user_s", user_s), ("cpu_system_s", system_s)];
        let known = named.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
        assert_eq!(is_idle(&known.collect(), 60.0), expected, "{user_s:?} {system_s:?}");
    }

    #[test]
    fn standing_still_is_known_by_the_processor_time() {
        check(Some(0.01), Some(0.02), true);
        check(Some(0.5), Some(0.2), false);
        check(Some(60.0), Some(0.0), false);
        check(Some(0.3), None, true);
        check(None, Some(0.7), false);
        check(None, None, false);
    }
}
