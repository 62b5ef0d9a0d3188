//! A sheet: what one benchmark says over all its cases, before each case is written out.

use crate::{Case, Metric, Parameter, State};

/// What one benchmark says in one metric over its cases: the product of its parameter axes, the last one fastest.
///
/// It says what outcomes do, without the texts of each case: files of large suites repeat them thousands of times.
#[derive(Debug, Clone, PartialEq)]
pub struct Sheet {
    /// The benchmark's name.
    pub benchmark: String,
    /// The metric.
    pub metric: Metric,
    /// The benchmark's version; `None` where whoever kept the sheet did not say.
    pub version: Option<String>,
    /// The method that gave the values, of the cases that have one.
    pub method: Option<String>,
    /// The parameters' names, as many as there are axes.
    pub names: Vec<String>,
    /// The texts of each parameter.
    pub axes: Vec<Vec<String>>,
    /// What the first cases of the product say; there may be fewer than cases.
    pub readings: Vec<Reading>,
}

/// What one case of a sheet says.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reading {
    /// How it ended.
    pub state: State,
    /// The value, in the metric's unit; `None` unless measured.
    pub value: Option<f64>,
    /// Half the distance between the quartiles.
    pub spread: Option<f64>,
    /// The 99 % interval of the median.
    pub interval: Option<(f64, f64)>,
    /// How many samples the value was made of; 0 where nobody knows.
    pub n_samples: usize,
    /// Why it is not measured.
    pub message: Option<&'static str>,
}

impl Sheet {
    /// Returns how many cases the axes make.
    pub fn n_cases(&self) -> usize {
        self.axes.iter().fold(1, |n, axis| n.saturating_mul(axis.len()))
    }

    /// Returns the case at a position that is below [`Sheet::n_cases`].
    pub fn case(&self, index: usize) -> Case {
        let mut rest = index;
        let mut parameters: Vec<Parameter> = Vec::with_capacity(self.axes.len());
        for (name, axis) in self.names.iter().zip(&self.axes).rev() {
            parameters.push(Parameter { name: name.clone(), text: axis[rest % axis.len()].clone() });
            rest /= axis.len();
        }
        parameters.reverse();
        Case { benchmark: self.benchmark.clone(), index, parameters }
    }
}
