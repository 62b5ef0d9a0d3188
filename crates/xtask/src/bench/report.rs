//! The table of what was measured, and the same as JSON.

use serde_json::{Value, json};

use crate::say;

/// What a property is held against.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Target {
    /// No more than this.
    AtMost(f64),
    /// No less than this.
    AtLeast(f64),
    /// Nothing: for those who look closer.
    None,
}

/// One property.
#[derive(Debug, Clone)]
pub struct Row {
    /// What was measured.
    pub property: String,
    /// The unit; empty for a ratio.
    pub unit: &'static str,
    /// What it is held against.
    pub target: Target,
    /// What it is; NaN where it could not be measured, which meets nothing.
    pub measured: f64,
}

impl Row {
    /// Returns one line of the table.
    pub fn new(property: impl Into<String>, unit: &'static str, target: Target, measured: f64) -> Row {
        Row { property: property.into(), unit, target, measured }
    }

    /// True if it is as it should be; `None` where nothing was asked for.
    pub fn is_met(&self) -> Option<bool> {
        match self.target {
            Target::AtMost(most) => Some(self.measured <= most),
            Target::AtLeast(least) => Some(self.measured >= least),
            Target::None => None,
        }
    }

    /// Prints the line.
    pub fn print(&self) {
        let target = match self.target {
            Target::AtMost(most) => format!("at most {}", short(most)),
            Target::AtLeast(least) => format!("at least {}", short(least)),
            Target::None => String::new(),
        };
        let verdict = self.is_met().map_or("", |is_met| if is_met { "met" } else { "MISSED" });
        let measured = format!("{} {}", short(self.measured), self.unit);
        say(format_args!("{:<62} {target:>16}  {measured:<14} {verdict}", self.property));
    }

    /// The line for programs.
    pub fn json(&self) -> Value {
        let (at_most, at_least) = match self.target {
            Target::AtMost(most) => (Some(most), None),
            Target::AtLeast(least) => (None, Some(least)),
            Target::None => (None, None),
        };
        let measured = self.measured.is_finite().then_some(self.measured);
        json!({ "property": self.property, "unit": self.unit, "at_most": at_most, "at_least": at_least,
            "measured": measured, "is_met": self.is_met() })
    }
}

/// Returns a number with three digits, at most four behind the point.
pub fn short(value: f64) -> String {
    if value.is_nan() {
        return "none".to_owned();
    }
    let text = if value.abs() >= 100.0 { format!("{value:.0}") } else { format!("{value:.3}") };
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    text.to_owned()
}
