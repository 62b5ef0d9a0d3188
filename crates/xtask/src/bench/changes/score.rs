//! What was found against what was there.

/// How far a change point may be from the true one: the margin of the Turing Change Point Dataset.
pub const MARGIN: usize = 5;

/// What was found over many series.
#[derive(Debug, Clone, Default)]
pub struct Counts {
    n_points: usize,
    n_series: usize,
    n_series_with_false: usize,
    n_true: usize,
    n_found: usize,
    /// How far each found step is from the true one.
    misses: Vec<usize>,
}

impl Counts {
    /// Takes in one series. True steps are far apart, so that each is matched by the nearest change point; a second one nearby is false.
    pub fn push(&mut self, n_points: usize, steps: &[usize], found: &[usize]) {
        let nearest = |step: &usize| found.iter().map(|at| at.abs_diff(*step)).min().filter(|miss| *miss <= MARGIN);
        let misses: Vec<usize> = steps.iter().filter_map(nearest).collect();
        self.n_points += n_points;
        self.n_series += 1;
        self.n_series_with_false += usize::from(found.len() > misses.len());
        self.n_true += steps.len();
        self.n_found += found.len();
        self.misses.extend(misses);
    }

    /// The share of steps that were found.
    pub fn recall(&self) -> f64 {
        ratio(self.misses.len(), self.n_true)
    }

    /// The share of change points that are steps.
    pub fn precision(&self) -> f64 {
        ratio(self.misses.len(), self.n_found)
    }

    /// The harmonic mean of both.
    pub fn f1(&self) -> f64 {
        ratio(2 * self.misses.len(), self.n_true + self.n_found)
    }

    /// Change points where there is no step, for 1,000 points.
    pub fn false_per_1000(&self) -> f64 {
        1000.0 * ratio(self.n_found - self.misses.len(), self.n_points)
    }

    /// The share of series with any of them.
    pub fn share_with_false(&self) -> f64 {
        ratio(self.n_series_with_false, self.n_series)
    }

    /// How far off this share of the found steps are at most, in points.
    pub fn miss(&self, share: f64) -> f64 {
        let mut misses = self.misses.clone();
        misses.sort_unstable();
        let at = (share * misses.len() as f64) as usize;
        misses.get(at.min(misses.len().saturating_sub(1))).map_or(f64::NAN, |miss| *miss as f64)
    }
}

/// Returns a ratio of counts; NaN of none.
pub fn ratio(part: usize, whole: usize) -> f64 {
    part as f64 / whole as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_near_a_step_is_right_once() {
        let mut counts = Counts::default();
        counts.push(100, &[20, 60], &[22, 24, 80]);
        counts.push(100, &[], &[]);
        assert_eq!((counts.recall(), counts.precision()), (0.5, 1.0 / 3.0));
        assert_eq!((counts.f1(), counts.false_per_1000(), counts.share_with_false()), (0.4, 10.0, 0.5));
        assert_eq!(counts.miss(0.5), 2.0);
    }
}
