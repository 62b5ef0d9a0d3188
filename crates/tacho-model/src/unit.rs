//! Numbers for people: the only place that chooses a unit's prefix and digits.

/// Returns a count with its noun: `1 case`, `2 cases`.
pub fn counted(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

/// Returns a value of a metric with its unit, three significant digits: `1.23 ms`, `4.5 GB`, `12.0 GFLOP/s`.
///
/// `unit` is the metric's unit text. Seconds and bytes get decimal prefixes; other units stay as they are.
pub fn human(value: f64, unit: &str) -> String {
    match unit {
        "seconds" | "s" | "second" | "sec" => prefixed(value, &TIMES),
        "bytes" | "byte" | "B" => prefixed(value, &SIZES),
        "unit" | "" => whole_or_significant(value),
        other => format!("{} {other}", whole_or_significant(value)),
    }
}

/// Returns `value ± spread` with both in the unit that fits the value, the spread to the value's digits.
pub fn human_with_spread(value: f64, spread: f64, unit: &str) -> String {
    let ladder: &[(f64, &str)] = match unit {
        "seconds" | "s" | "second" | "sec" => &TIMES,
        "bytes" | "byte" | "B" => &SIZES,
        "unit" | "" if spread == 0.0 => return whole_or_significant(value),
        other if spread == 0.0 => return format!("{} {other}", whole_or_significant(value)),
        "unit" | "" => return with_spread(value, spread),
        other => return format!("{} {other}", with_spread(value, spread)),
    };
    let (scale, name) = step(value, ladder);
    format!("{} {name}", with_spread(value / scale, spread / scale))
}

/// A spread finer than the value's last digit keeps one digit of its own, down to a thousandth of the value;
/// below that it is shown as nothing.
fn with_spread(number: f64, spread: f64) -> String {
    let value = significant(number);
    let decimals = value.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    let rounded = format!("{spread:.decimals$}");
    let is_nothing = spread != 0.0 && rounded.trim_matches(['0', '.', '-']).is_empty();
    let spread = match (value.contains('e'), is_nothing) {
        (true, _) => significant(spread),
        (false, true) if spread.abs() < number.abs() / 1000.0 => "0".into(),
        (false, true) => format!("{spread:.*}", (-spread.abs().log10().floor()).max(0.0) as usize),
        (false, false) => rounded,
    };
    format!("{value} ± {spread}")
}

/// Returns a duration in seconds as a short text for progress: `0.4 s`, `12 s`, `3 min 20 s`, `2 h 05 min`.
pub fn human_duration(seconds: f64) -> String {
    let whole = seconds.max(0.0).round() as u64;
    if seconds < 10.0 {
        format!("{:.1} s", seconds.max(0.0))
    } else if whole < 60 {
        format!("{whole} s")
    } else if whole < 3600 {
        format!("{} min {:02} s", whole / 60, whole % 60)
    } else {
        format!("{} h {:02} min", whole / 3600, whole % 3600 / 60)
    }
}

const TIMES: [(f64, &str); 4] = [(1.0, "s"), (1e-3, "ms"), (1e-6, "μs"), (1e-9, "ns")];
const SIZES: [(f64, &str); 5] = [(1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB"), (1.0, "B")];

fn step<'a>(value: f64, ladder: &[(f64, &'a str)]) -> (f64, &'a str) {
    let size = value.abs();
    let smallest = ladder[ladder.len() - 1];
    // 0.9995 rounds up to the next unit when it is shown with three digits.
    *ladder.iter().find(|(scale, _)| size >= scale * 0.9995).unwrap_or(&smallest)
}

fn prefixed(value: f64, ladder: &[(f64, &str)]) -> String {
    let (scale, name) = step(value, ladder);
    format!("{} {name}", significant(value / scale))
}

/// A count stays a count: `180 roads`, not `180.0`.
fn whole_or_significant(value: f64) -> String {
    if value.fract() == 0.0 && value.abs() < 1e6 { format!("{value:.0}") } else { significant(value) }
}

/// Returns a number with three significant digits, without an exponent between 0.001 and a million.
pub fn significant(value: f64) -> String {
    let size = value.abs();
    if value == 0.0 {
        "0".into()
    } else if !(1e-3..999_999.5).contains(&size) {
        format!("{value:.2e}")
    } else if size >= 99.95 {
        format!("{value:.0}")
    } else if size >= 9.995 {
        format!("{value:.1}")
    } else if size >= 0.9995 {
        format!("{value:.2}")
    } else {
        let digits = 2 - size.log10().floor() as i32;
        format!("{value:.*}", digits as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(value: f64, unit: &str, expected: &str) {
        assert_eq!(human(value, unit), expected, "{value} {unit}");
    }

    #[test]
    fn times_and_sizes_get_prefixes() {
        check(1.2345, "seconds", "1.23 s");
        check(0.00123, "seconds", "1.23 ms");
        check(2.5e-5, "s", "25.0 μs");
        check(3e-10, "seconds", "0.300 ns");
        check(0.9996, "seconds", "1.00 s");
        check(4.5e9, "bytes", "4.50 GB");
        check(12.0, "bytes", "12.0 B");
        check(0.0, "seconds", "0 ns");
    }

    #[test]
    fn other_units_stay_as_they_are() {
        check(12.5, "GFLOP/s", "12.5 GFLOP/s");
        check(12.0, "items", "12 items");
        check(-3.0, "", "-3");
        check(1234567.0, "unit", "1.23e6");
        check(-0.25, "score", "-0.250 score");
    }

    #[test]
    fn value_and_spread_share_a_unit() {
        assert_eq!(human_with_spread(1.234e-3, 2e-6, "seconds"), "1.23 ± 0.002 ms");
        assert_eq!(human_with_spread(1.234e-3, 2e-5, "seconds"), "1.23 ± 0.02 ms");
        assert_eq!(human_with_spread(0.5, 0.0078, "seconds"), "500 ± 8 ms");
        assert_eq!(human_with_spread(0.2, 7e-8, "seconds"), "200 ± 0 ms");
        assert_eq!(human_with_spread(3.0, 0.0, "unit"), "3");
        assert_eq!(human_with_spread(3.0, 0.25, "unit"), "3.00 ± 0.25");
        assert_eq!(human_with_spread(1.5e7, 2e5, "unit"), "1.50e7 ± 200000");
    }

    #[test]
    fn durations_are_short() {
        for (seconds, text) in [(0.42, "0.4 s"), (59.0, "59 s"), (200.0, "3 min 20 s"), (7500.0, "2 h 05 min")] {
            assert_eq!(human_duration(seconds), text);
        }
    }
}
