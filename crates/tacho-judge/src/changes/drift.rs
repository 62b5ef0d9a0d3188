//! Stretches that a line describes better than levels do.

use std::ops::Range;

use super::segment::ranges;

/// The fewest points of a line.
const LEAST_POINTS: usize = 10;
/// By how much the criterion must prefer a line to levels: "very strong" evidence in R. E. Kass and A. E. Raftery, "Bayes
/// Factors", Journal of the American Statistical Association 90 (1995) 773-795.
const MARGIN: f64 = 10.0;

/// Segments, some of which are lines.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Shape {
    /// Where segments begin, but for the first.
    pub(super) starts: Vec<usize>,
    /// For each segment how far a line rises from its first point to its last, where it is one.
    pub(super) rises: Vec<Option<f64>>,
}

/// Replaces stairs by lines: two or more steps in a row, all up or all down, where one line through them has the clearly smaller
/// Bayesian information criterion (G. Schwarz, "Estimating the Dimension of a Model", Annals of Statistics 6 (1978) 461-464); and tells
/// which of the segments left are lines.
///
/// `variance` is what residuals have, `values` about 0.
pub(super) fn shape(values: &[f64], starts: &[usize], variance: f64) -> Shape {
    let stairs = replaced(values, starts, variance);
    let in_stairs = |start: &usize| stairs.iter().any(|range| range.start < *start && *start < range.end);
    let left: Vec<usize> = starts.iter().copied().filter(|start| !in_stairs(start)).collect();
    let rise = |range: Range<usize>| {
        let line = Line::through(&values[range.clone()]);
        (stairs.contains(&range) || is_line(&values[range], &line, variance)).then_some(line.rise)
    };
    let rises = ranges(&left, values.len()).map(rise).collect();
    Shape { starts: left, rises }
}

fn is_line(values: &[f64], line: &Line, variance: f64) -> bool {
    let n = values.len() as f64;
    values.len() >= LEAST_POINTS && (about_mean(values) - line.squares) / variance > libm::log(n) + MARGIN
}

/// Returns the stretches in which a line replaces steps.
fn replaced(values: &[f64], starts: &[usize], variance: f64) -> Vec<Range<usize>> {
    let segments: Vec<Range<usize>> = ranges(starts, values.len()).collect();
    let means: Vec<f64> = segments.iter().map(|range| mean(&values[range.clone()])).collect();
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut first = 0;
    while first + 2 < segments.len() {
        let is_up = means[first + 1] > means[first];
        let goes_on = |index: &usize| (means[index + 1] > means[*index]) == is_up;
        let last = (first..segments.len() - 1).take_while(goes_on).last().unwrap_or(first) + 1;
        let is_line = last >= first + 2 && line_is_better(values, &segments[first..=last], variance);
        if is_line {
            found.push(segments[first].start..segments[last].end);
        }
        // A turn belongs to the line before it, else to both stairs.
        first = if is_line { last + 1 } else { last };
    }
    found
}

fn line_is_better(values: &[f64], segments: &[Range<usize>], variance: f64) -> bool {
    let (start, end) = (segments[0].start, segments[segments.len() - 1].end);
    let levels: f64 = segments.iter().map(|range| about_mean(&values[range.clone()])).sum();
    // A level and a place for each segment, but for the first place; a line has a level and a slope.
    let more_parameters = 2.0 * segments.len() as f64 - 1.0 - 2.0;
    let line = Line::through(&values[start..end]);
    (line.squares - levels) / variance + MARGIN < more_parameters * libm::log((end - start) as f64)
}

/// The line of least squares through equally spaced values.
pub(super) struct Line {
    /// How far it rises from the first value to the last.
    pub(super) rise: f64,
    /// The sum of the squared residuals.
    squares: f64,
}

impl Line {
    pub(super) fn through(values: &[f64]) -> Line {
        let n = values.len() as f64;
        let (centre, mean) = ((n - 1.0) / 2.0, mean(values));
        let products: f64 = values.iter().enumerate().map(|(x, y)| (x as f64 - centre) * (y - mean)).sum();
        let spread = n * (n * n - 1.0) / 12.0;
        let slope = if spread > 0.0 { products / spread } else { 0.0 };
        let squares = (about_mean(values) - slope * products).max(0.0);
        Line { rise: slope * (n - 1.0), squares }
    }
}

/// Returns the residuals of a segment's values: from the line with this rise, or from the median.
pub(super) fn residuals(values: &[f64], rise: Option<f64>) -> Vec<f64> {
    let step = rise.map_or(0.0, |rise| rise / (values.len().max(2) - 1) as f64);
    let flat: Vec<f64> = values.iter().enumerate().map(|(x, y)| y - step * x as f64).collect();
    let level = super::scale::middle(&mut flat.clone());
    flat.into_iter().map(|value| value - level).collect()
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn about_mean(values: &[f64]) -> f64 {
    let mean = mean(values);
    values.iter().map(|value| (value - mean) * (value - mean)).sum()
}

#[cfg(test)]
mod tests;
