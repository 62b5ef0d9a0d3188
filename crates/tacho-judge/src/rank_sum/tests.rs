//! The null distribution against brute force and tables.

use super::*;

/// Counts every way to interleave two samples, by brute force.
fn counted(m: usize, n: usize) -> Vec<f64> {
    let mut counts = vec![0.0; m * n + 1];
    let mut total = 0.0;
    for mask in 0_u32..1 << (m + n) {
        if mask.count_ones() as usize != m {
            continue;
        }
        let (mut u, mut seconds) = (0, 0);
        for place in 0..m + n {
            if mask >> place & 1 == 1 { u += seconds } else { seconds += 1 }
        }
        counts[u] += 1.0;
        total += 1.0;
    }
    counts.iter().map(|count| count / total).collect()
}

#[test]
fn the_null_distribution_is_that_of_all_orders() {
    for (m, n) in [(1, 1), (2, 3), (3, 2), (4, 4), (5, 5), (3, 8), (7, 6)] {
        for (ours, exact) in null_distribution(m, n).iter().zip(counted(m, n)) {
            assert!((ours - exact).abs() < 1e-12, "{m} and {n}: {ours} for {exact}");
        }
    }
}

/// Critical values of the two-sided test, from the table of Mann and Whitney's U in any textbook: the largest U that is
/// significant.
fn check_critical(m: usize, n: usize, level: f64, expected: usize) {
    assert_eq!(lower_rank(m, n, level / 2.0), expected + 1, "{m} and {n} at {level}");
}

#[test]
fn critical_values_are_those_of_the_tables() {
    for (m, n, critical) in [(5, 5, 2), (6, 6, 5), (8, 8, 13), (10, 10, 23), (10, 20, 55), (20, 20, 127)] {
        check_critical(m, n, 0.05, critical);
    }
    for (m, n, critical) in [(5, 5, 0), (6, 6, 2), (8, 8, 7), (10, 10, 16), (20, 20, 105)] {
        check_critical(m, n, 0.01, critical);
    }
    assert_eq!(lower_rank(4, 4, 0.005), 0, "four a side cannot reach one in a hundred");
}

#[test]
fn five_a_side_give_the_range_of_the_differences() {
    let (before, after) = ([1.0, 2.0, 3.0, 4.0, 5.0], [11.0, 12.0, 13.0, 14.0, 15.0]);
    assert_eq!(shift(&before, &after, 0.99), Some((10.0, Some((6.0, 14.0)))));
    assert_eq!(shift(&before[1..], &after, 0.99), Some((9.5, None)));
    assert_eq!(shift(&[], &after, 0.99), None);
}

#[test]
fn the_approximation_takes_over_without_a_step() {
    let exact = lower_rank(100, 100, 0.005);
    let approximate = normal_lower_rank(100, 100, 0.005);
    assert!(exact.abs_diff(approximate) <= 10, "{exact} and {approximate}");
    assert!(lower_rank(101, 101, 0.005) > exact);
}
