//! An instant, as plain data.

/// An instant in UTC, in microseconds since 1970. Formatting and clocks live elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp {
    /// Microseconds since 1970-01-01T00:00:00Z.
    pub unix_us: i64,
}

impl Timestamp {
    /// Returns the instant that lies `seconds` after 1970, to the microsecond.
    pub fn from_unix_seconds(seconds: f64) -> Timestamp {
        // A float holds microseconds of the present exactly enough (2^53 us is the year 2255).
        Timestamp { unix_us: (seconds * 1e6).round() as i64 }
    }
}
