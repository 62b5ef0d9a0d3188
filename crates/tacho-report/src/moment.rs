//! Instants as text, always UTC.

use tacho_model::Timestamp;

/// Returns an instant for people: `2024-05-01 12:00 UTC`.
pub fn moment_text(moment: Timestamp) -> String {
    formatted(moment, "%Y-%m-%d %H:%M UTC")
}

/// Returns an instant for a place that says it is in UTC: `2024-05-01 12:00`.
pub(crate) fn moment_in_utc(moment: Timestamp) -> String {
    formatted(moment, "%Y-%m-%d %H:%M")
}

fn formatted(moment: Timestamp, format: &str) -> String {
    match jiff::Timestamp::from_microsecond(moment.unix_us) {
        Ok(instant) => instant.strftime(format).to_string(),
        Err(_) => "an impossible date".to_owned(),
    }
}

/// Reads a date (the beginning of that day in UTC), a date and time, or an instant of RFC 3339.
pub fn parse_moment(text: &str) -> Option<Timestamp> {
    if let Ok(instant) = text.parse::<jiff::Timestamp>() {
        return Some(Timestamp { unix_us: instant.as_microsecond() });
    }
    let civil = text.parse::<jiff::civil::DateTime>().ok()?;
    let since = civil.duration_since(jiff::civil::date(1970, 1, 1).at(0, 0, 0, 0));
    Some(Timestamp { unix_us: i64::try_from(since.as_micros()).ok()? })
}

/// Returns a date for people, in UTC: `2024-05-01`.
pub(crate) fn day_in_utc(moment: Timestamp) -> String {
    formatted(moment, "%Y-%m-%d")
}

/// Returns an instant as RFC 3339 in UTC (`2024-05-01T12:00:00.25Z`); `None` outside the years -9999 to 9999.
pub fn rfc3339(moment: Timestamp) -> Option<String> {
    jiff::Timestamp::from_microsecond(moment.unix_us).ok().map(|instant| instant.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(unix_us: i64, text: &str, rfc: Option<&str>) {
        let moment = Timestamp { unix_us };
        assert_eq!((moment_text(moment).as_str(), rfc3339(moment).as_deref()), (text, rfc));
    }

    #[test]
    fn dates_are_read_as_utc() {
        for (text, expected) in [
            ("1970-01-02", Some(86_400_000_000)),
            ("1970-01-01T00:00:01", Some(1_000_000)),
            ("1970-01-01T02:00:00+02:00", Some(0)),
            ("2026-13-01", None),
            ("v1.0", None),
            ("", None),
        ] {
            assert_eq!(parse_moment(text), expected.map(|unix_us| Timestamp { unix_us }), "{text}");
        }
    }

    #[test]
    fn instants_are_utc() {
        check(0, "1970-01-01 00:00 UTC", Some("1970-01-01T00:00:00Z"));
        check(1_714_564_800_250_000, "2024-05-01 12:00 UTC", Some("2024-05-01T12:00:00.25Z"));
        check(i64::MAX, "an impossible date", None);
        assert_eq!(moment_in_utc(Timestamp { unix_us: 0 }), "1970-01-01 00:00");
    }
}
