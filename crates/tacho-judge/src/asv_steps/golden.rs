//! Golden section search, step for step as asv makes it.

use std::ops::Range;

/// When a search is over.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tolerance {
    /// The bracket is shorter than this.
    pub(super) place: f64,
    /// The two values differ by less than this share of the larger of the first two.
    pub(super) value: f64,
}

/// Returns about where `of` is least, with the ends of `between` as the first two places that are tried. J. Kiefer, "Sequential Minimax
/// Search for a Maximum", Proceedings of the American Mathematical Society 4 (1953) 502-506.
pub(super) fn least(mut of: impl FnMut(f64) -> f64, between: Range<f64>, tolerance: Tolerance) -> f64 {
    let ratio = 2.0 / (1.0 + 5.0_f64.sqrt());
    let (a, b) = (between.start, between.end);
    let mut low = (ratio * a - (1.0 - ratio) * b) / (2.0 * ratio - 1.0);
    let mut high = (ratio * b - (1.0 - ratio) * a) / (2.0 * ratio - 1.0);
    let mut left = ratio * low + (1.0 - ratio) * high;
    let mut right = (1.0 - ratio) * low + ratio * high;
    let (mut at_left, mut at_right) = (of(left), of(right));
    let size = at_left.abs().max(at_right.abs());
    loop {
        if (low - high).abs() < tolerance.place || (at_left - at_right).abs() < tolerance.value * size {
            return if at_right < at_left { right } else { left };
        }
        if at_right < at_left {
            (low, left, at_left) = (left, right, at_right);
            right = ratio * left + (1.0 - ratio) * high;
            at_right = of(right);
        } else {
            (high, right, at_right) = (right, left, at_left);
            left = ratio * right + (1.0 - ratio) * low;
            at_left = of(left);
        }
    }
}
