//! Rules that leave combinations out, or say where one is added.

use std::collections::BTreeMap;

use super::AxisKind;
use crate::matching::{NamePattern, Pattern, PatternError};

/// One combination before anything is made of it: what each axis is there. Absent axes are not in it.
pub(super) type Point = BTreeMap<AxisKind, String>;

/// Conditions that all have to hold.
#[derive(Debug, Clone)]
pub struct Rule {
    /// What is looked at, and how it has to be.
    pub conditions: Vec<(RuleKey, Condition)>,
    /// It comes from asv's file and is about asv's matrix.
    pub is_asvs: bool,
}

/// What a condition looks at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RuleKey {
    /// One axis: how asv names them.
    Axis(AxisKind),
    /// Whatever axis has this name in a series.
    Name(String),
    /// The name of the tool.
    Tool,
    /// The platform, as Python's `sys.platform` has it.
    Platform,
}

/// How a value has to be.
#[derive(Debug, Clone)]
pub enum Condition {
    /// Not there.
    Absent,
    /// There, and one of these fits.
    Fits(Vec<ValuePattern>),
}

/// A pattern for a value.
#[derive(Debug, Clone)]
pub enum ValuePattern {
    /// A regular expression of Python, by asv's rule.
    Python(Pattern),
    /// A glob, or a regular expression between slashes.
    Name(NamePattern),
}

/// What a rule is held against.
pub(super) struct Target<'a> {
    pub(super) point: &'a Point,
    pub(super) tool: &'a str,
    pub(super) platform: &'a str,
}

impl Rule {
    /// Returns the names of the axes that it looks at by their names in a series.
    pub fn axis_names(&self) -> Vec<String> {
        let named = self.conditions.iter().filter_map(|(key, _)| match key {
            RuleKey::Name(name) => Some(name.clone()),
            _ => None,
        });
        named.collect()
    }

    /// Returns true where all conditions hold; a rule without any always does, as asv's.
    ///
    /// # Errors
    /// A pattern that does not come to an end.
    pub(super) fn holds(&self, target: &Target<'_>) -> Result<bool, PatternError> {
        for (key, condition) in &self.conditions {
            if !condition.holds(key.values(target))? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

impl RuleKey {
    fn values<'a>(&self, target: &Target<'a>) -> Vec<&'a str> {
        match self {
            RuleKey::Axis(kind) => target.point.get(kind).map(String::as_str).into_iter().collect(),
            RuleKey::Name(name) => {
                let named = target.point.iter().filter(|(kind, _)| kind.name() == *name);
                named.map(|(_, value)| value.as_str()).collect()
            }
            RuleKey::Tool => vec![target.tool],
            RuleKey::Platform => vec![target.platform],
        }
    }
}

impl Condition {
    fn holds(&self, values: Vec<&str>) -> Result<bool, PatternError> {
        let Condition::Fits(patterns) = self else { return Ok(values.is_empty()) };
        for value in values {
            for pattern in patterns {
                if pattern.fits(value)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }
}

impl ValuePattern {
    fn fits(&self, value: &str) -> Result<bool, PatternError> {
        match self {
            ValuePattern::Python(pattern) => pattern.reaches_end(value),
            ValuePattern::Name(pattern) => Ok(pattern.matches(value)),
        }
    }
}
