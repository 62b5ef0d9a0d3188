//! The price of a jump, chosen by what is left after the fit.

use super::fit;
use super::golden::{self, Tolerance};
use super::levels::Levels;

/// Returns where the stretches end for the price that the criterion likes best; nothing where there are no values.
///
/// The criterion is `4·ln(n)/n` for each stretch plus the logarithm of the absolute residuals, once the resemblance of neighbours
/// was taken out of them.
pub(super) fn best_ends(levels: &mut Levels) -> Vec<usize> {
    let n = levels.points.len();
    if n == 0 {
        return vec![];
    }
    let per_stretch = 4.0 * libm::log(n as f64) / n as f64;
    let whole = levels.of(0..n).distance;
    let unit = if whole == 0.0 { 1.0 } else { whole };
    // One stretch, should no price have a criterion that is a number.
    let mut best = (f64::INFINITY, vec![n]);
    let cheapest = libm::log(0.1 / n as f64);
    let tolerance = Tolerance { place: cheapest.abs() * 0.1, value: 0.0 };
    let criterion = |log_price: f64| {
        let ends = fit::ends(levels, unit * libm::exp(log_price));
        let left = per_stretch * ends.len() as f64 + libm::log(residual(levels, &ends));
        if left < best.0 {
            best = (left, ends);
        }
        left
    };
    golden::least(criterion, cheapest..0.0, tolerance);
    best.1
}

/// Returns the absolute residuals that no resemblance between neighbours explains, with a floor for noise that was not measured.
fn residual(levels: &mut Levels, ends: &[usize]) -> f64 {
    let medians: Vec<f64> = fit::ranges(ends).map(|range| levels.of(range).median).collect();
    let fitted = fit::ranges(ends).zip(&medians).flat_map(|(range, median)| range.map(move |_| *median));
    let errors: Vec<(f64, f64)> =
        levels.points.iter().zip(fitted).map(|((value, weight), fitted)| (value - fitted, *weight)).collect();
    let sum = |rho: f64| {
        let first = errors[0].0.abs() * errors[0].1;
        errors.windows(2).fold(first, |sum, pair| sum + (pair[1].0 - rho * pair[0].0).abs() * pair[1].1)
    };
    let rho = golden::least(sum, -1.0..1.0, Tolerance { place: 0.05, value: 1e-8 });
    noise_floor(&medians) + sum(rho)
}

fn noise_floor(medians: &[f64]) -> f64 {
    let least = |sizes: &mut dyn Iterator<Item = f64>| sizes.fold(f64::INFINITY, f64::min);
    let floor = if medians.len() > 2 {
        0.1 * least(&mut medians.windows(2).map(|pair| (pair[1] - pair[0]).abs()))
    } else {
        0.001 * least(&mut medians.iter().map(|median| median.abs()))
    };
    floor.max(1e-300)
}
