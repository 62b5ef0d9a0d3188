//! The rank-sum test of Mann and Whitney and the interval that inverts it.

use libm::erfc;

/// Sizes up to which the null distribution is computed; beyond, the normal approximation is as good.
const EXACT_UP_TO: usize = 100;

/// Returns the Hodges-Lehmann shift of `after` against `before` (the median of all differences between one of
/// each) with its interval at `confidence`; no interval where the sizes cannot reach it.
///
/// The interval holds the shifts that a two-sided rank-sum test at `1 - confidence` does not reject: order
/// statistics of the differences, with ranks from the exact null distribution. See M. Hollander, D. A. Wolfe and E.
/// Chicken, "Nonparametric Statistical Methods", 3rd edition (Wiley, 2014), sections 4.2 and 4.3. Ties make it wider, never
/// narrower. `None` where a side is empty.
pub(crate) fn shift(before: &[f64], after: &[f64], confidence: f64) -> Option<(f64, Option<(f64, f64)>)> {
    let mut differences: Vec<f64> = after.iter().flat_map(|b| before.iter().map(move |a| b - a)).collect();
    differences.sort_by(f64::total_cmp);
    let median = crate::quantile(&differences, 0.5)?;
    let rank = lower_rank(before.len(), after.len(), (1.0 - confidence) / 2.0);
    let below = rank.checked_sub(1);
    Some((median, below.map(|below| (differences[below], differences[differences.len() - rank]))))
}

/// Returns the largest `r` with `P(U <= r - 1) <= tail`; 0 where there is none.
fn lower_rank(m: usize, n: usize, tail: f64) -> usize {
    if m.max(n) > EXACT_UP_TO {
        return normal_lower_rank(m, n, tail);
    }
    // A tail equal to the bound counts as within it, whatever the rounding of the sum.
    let bound = tail * (1.0 + 1e-9);
    let mut cumulated = 0.0;
    let ranks = null_distribution(m, n).into_iter().take_while(|probability| {
        cumulated += probability;
        cumulated <= bound
    });
    ranks.count().min(m * n / 2)
}

fn normal_lower_rank(m: usize, n: usize, tail: f64) -> usize {
    let is_within = |rank: usize| normal_tail(m, n, rank as f64 - 0.5) <= tail;
    let (mut low, mut high) = (0, m * n / 2);
    while low < high {
        let middle = (low + high).div_ceil(2);
        if is_within(middle) { low = middle } else { high = middle - 1 }
    }
    low
}

/// Returns the normal approximation of `P(U <= u)`.
pub(crate) fn normal_tail(m: usize, n: usize, u: f64) -> f64 {
    let (m, n) = (m as f64, n as f64);
    let variance = m * n * (m + n + 1.0) / 12.0;
    0.5 * erfc((m * n / 2.0 - u) / variance.sqrt() / std::f64::consts::SQRT_2)
}

/// Returns the probabilities of U = 0, 1, …, mn when both samples come from one continuous distribution.
///
/// The recursion of H. B. Mann and D. R. Whitney, "On a test of whether one of two random variables is
/// stochastically larger than the other", Annals of Mathematical Statistics 18 (1947) 50-60: the largest of all is of the first sample
/// with probability m / (m + n), and then exceeds all n of the second.
pub(crate) fn null_distribution(m: usize, n: usize) -> Vec<f64> {
    // Row i holds, for each j up to n, the distribution for sizes i and j.
    let mut row: Vec<Vec<f64>> = vec![vec![1.0]; n + 1];
    for i in 1..=m {
        let mut next: Vec<Vec<f64>> = vec![vec![1.0]];
        for j in 1..=n {
            let share = i as f64 / (i + j) as f64;
            let mut mixed = vec![0.0; i * j + 1];
            for (u, probability) in row[j].iter().enumerate() {
                mixed[u + j] += share * probability;
            }
            for (u, probability) in next[j - 1].iter().enumerate() {
                mixed[u] += (1.0 - share) * probability;
            }
            next.push(mixed);
        }
        row = next;
    }
    row.swap_remove(n)
}

#[cfg(test)]
mod tests;
