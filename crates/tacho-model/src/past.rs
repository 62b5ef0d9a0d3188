//! The past of a series, as far as the noise between its runs is read from it.

use std::sync::Arc;

/// The values of one series at one place, in the order of history.
#[derive(Debug, Clone, PartialEq)]
pub struct PastSeries {
    /// The benchmark's name.
    pub benchmark: String,
    /// The texts of the case's parameters, first slowest.
    pub texts: Vec<String>,
    /// The metric's name.
    pub metric: String,
    /// What was measured, oldest first.
    pub points: Vec<PastPoint>,
}

/// What a series had at one subject. Texts are shared by many points.
#[derive(Debug, Clone, PartialEq)]
pub struct PastPoint {
    /// The subject's id.
    pub subject: Arc<str>,
    /// The value, in `unit`.
    pub value: f64,
    /// The unit.
    pub unit: Arc<str>,
    /// The benchmark's version, where it is known.
    pub version: Option<Arc<str>>,
    /// The measuring method, where it is known.
    pub method: Option<Arc<str>>,
}
