//! Instants as RFC 3339 texts in UTC.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tacho_model::Timestamp;

use crate::error::Misfit;

/// An instant in UTC with microseconds, as RFC 3339 writes it: `2026-11-30T08:35:37.123456Z`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
#[schemars(extend("format" = "date-time"))]
pub(crate) struct Instant(String);

impl Instant {
    pub(crate) fn from_model(time: Timestamp) -> Result<Instant, Misfit> {
        let Timestamp { unix_us } = time;
        let instant = jiff::Timestamp::from_microsecond(unix_us)
            .map_err(|error| Misfit(format!("the time {unix_us} us: {error}")))?;
        Ok(Instant(format!("{instant:.6}")))
    }

    pub(crate) fn into_model(self) -> Result<Timestamp, Misfit> {
        let Instant(text) = self;
        let instant: jiff::Timestamp =
            text.parse().map_err(|error| Misfit(format!("`{text}` is not a time: {error}")))?;
        Ok(Timestamp { unix_us: instant.as_microsecond() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(unix_us: i64, expected: &str) {
        let time = Timestamp { unix_us };
        let instant = Instant::from_model(time).expect("the time can be written");
        assert_eq!(instant.0, expected);
        assert_eq!(instant.into_model().expect("the text is a time"), time);
    }

    #[test]
    fn instants_have_six_decimals() {
        check(0, "1970-01-01T00:00:00.000000Z");
        check(1_796_027_737_123_456, "2026-11-30T08:35:37.123456Z");
        check(-1, "1969-12-31T23:59:59.999999Z");
    }

    #[test]
    fn other_texts_and_times_are_refused() {
        assert!(Instant("yesterday".into()).into_model().is_err());
        assert!(Instant::from_model(Timestamp { unix_us: i64::MAX }).is_err());
    }
}
