//! The clock on the wall.

use std::time::{SystemTime, UNIX_EPOCH};

use tacho_model::Timestamp;

/// Returns the present moment; 1970 where the clock stands before that.
pub fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Timestamp { unix_us: since.as_micros() as i64 }
}
