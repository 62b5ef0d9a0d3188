//! A value with its spread and unit, in parts that a column can align.

use tacho_model::unit;

/// A value as it is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Quantity {
    pub(crate) value: String,
    pub(crate) spread: Option<String>,
    pub(crate) unit: String,
}

impl Quantity {
    /// Returns the parts of a value; `spread` is that of the samples, `None` where there is only one.
    pub(crate) fn new(value: f64, spread: Option<f64>, unit: &str) -> Quantity {
        let text = match spread {
            Some(spread) => unit::human_with_spread(value, spread, unit),
            None => unit::human(value, unit),
        };
        let (value, rest) = match text.split_once(" ± ") {
            Some((value, rest)) => (value, Some(rest)),
            None => (text.as_str(), None),
        };
        let (last, unit) = split_unit(rest.unwrap_or(value));
        match rest {
            Some(_) => Quantity { value: value.into(), spread: Some(last.into()), unit: unit.into() },
            None => Quantity { value: last.into(), spread: None, unit: unit.into() },
        }
    }
}

fn split_unit(text: &str) -> (&str, &str) {
    text.split_once(' ').unwrap_or((text, ""))
}

impl std::fmt::Display for Quantity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.value)?;
        if let Some(spread) = &self.spread {
            write!(f, " ± {spread}")?;
        }
        if self.unit.is_empty() { Ok(()) } else { write!(f, " {}", self.unit) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(value: f64, spread: Option<f64>, unit: &str, expected: (&str, Option<&str>, &str)) {
        let found = Quantity::new(value, spread, unit);
        assert_eq!((found.value.as_str(), found.spread.as_deref(), found.unit.as_str()), expected);
    }

    #[test]
    fn parts_are_those_of_the_text() {
        check(1.234e-3, Some(2e-5), "seconds", ("1.23", Some("0.02"), "ms"));
        check(1.234e-3, None, "seconds", ("1.23", None, "ms"));
        check(3.0, Some(0.0), "unit", ("3", None, ""));
        check(3.0, None, "requests per second", ("3", None, "requests per second"));
        check(-3.0, Some(1.0), "a ± b", ("-3.00", Some("1.00"), "a ± b"));
    }
}
