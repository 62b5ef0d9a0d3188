//! The unpaired comparison of two stored results.
//!
//! A difference is held against the noise *between* runs of the same series, which no spread within a run tells. Where the
//! series has no past, five processes a side allow a statement on this one experiment; with fewer nothing is said.

use tacho_model::{Basis, Direction, Effect, Judgement, Outcome, Verdict};

use super::history::{Noise, Scale};
use crate::{rank_sum, student};

/// The confidence of every interval here.
const CONFIDENCE: f64 = 0.99;
/// The fewest processes a side that say anything: one process has one memory layout, whatever many others have.
const FEWEST_PROCESSES: usize = 5;

/// Judges two measured outcomes; `None` without two values.
///
/// `band` is a fraction: 0.02 for ± 2 %.
pub(super) fn judge(before: &Outcome, after: &Outcome, noise: Option<Noise>, band: f64) -> Option<Judgement> {
    let (a, b) = (before.value?, after.value?);
    // What every process read has to have a place on the scale.
    let read = before.round_values.iter().chain(&after.round_values).filter(|_| noise.is_none());
    let scale = if read.copied().all(|value| value > 0.0) { Scale::of(a, b) } else { Scale::Linear };
    let found = evidence(before, after, noise, scale)?;
    let band = match scale {
        Scale::Logarithmic => libm::log1p(band),
        Scale::Linear => band * a.abs(),
    };
    let verdict = found.verdict(band, after.metric.direction);
    let is_change = matches!(verdict, Verdict::Faster | Verdict::Slower);
    Some(Judgement {
        verdict,
        effect: found.effect(scale),
        basis: found.basis,
        within_band: is_change && found.difference.abs() < band,
    })
}

/// How far apart the sides are, on the scale of the comparison.
struct Evidence {
    difference: f64,
    interval: Option<(f64, f64)>,
    basis: Basis,
}

fn evidence(before: &Outcome, after: &Outcome, noise: Option<Noise>, scale: Scale) -> Option<Evidence> {
    let difference = scale.difference(before.value?, after.value?)?;
    if before.metric.exact && after.metric.exact && is_settled(before) && is_settled(after) {
        return Some(Evidence { difference, interval: Some((difference, difference)), basis: Basis::Exact });
    }
    if let Some(Noise { sigma, spike, n_differences }) = noise {
        let half = (student::two_sided_t(CONFIDENCE, n_differences - 1) * sigma).max(spike);
        let interval = Some((difference - half, difference + half));
        return Some(Evidence { difference, interval, basis: Basis::History { n_differences } });
    }
    Some(of_processes(before, after, scale).unwrap_or_else(|| {
        let (n_before, n_after) = (before.round_values.len(), after.round_values.len());
        Evidence { difference, interval: None, basis: Basis::TooLittle { n_before, n_after } }
    }))
}

/// An exact metric is believed where two processes agree on it.
fn is_settled(outcome: &Outcome) -> bool {
    let values = &outcome.round_values;
    values.len() >= 2 && values.iter().all(|value| *value == values[0])
}

fn of_processes(before: &Outcome, after: &Outcome, scale: Scale) -> Option<Evidence> {
    let scaled =
        |outcome: &Outcome| outcome.round_values.iter().map(|value| scale.position(*value)).collect::<Vec<f64>>();
    let (x, y) = (scaled(before), scaled(after));
    if x.len().min(y.len()) < FEWEST_PROCESSES {
        return None;
    }
    let (difference, interval) = rank_sum::shift(&x, &y, CONFIDENCE)?;
    let basis = Basis::Processes { n_before: x.len(), n_after: y.len() };
    interval.is_some().then_some(Evidence { difference, interval, basis })
}

impl Evidence {
    fn verdict(&self, band: f64, direction: Direction) -> Verdict {
        let Some((low, high)) = self.interval else { return Verdict::Inconclusive };
        let is_real = low > 0.0 || high < 0.0;
        let matters = self.difference.abs() >= band || self.basis == Basis::Exact;
        if is_real && matters {
            super::worded(direction, self.difference < 0.0)
        } else if -band <= low && high <= band {
            Verdict::Unchanged
        } else {
            Verdict::Inconclusive
        }
    }

    fn effect(&self, scale: Scale) -> Effect {
        let interval = self.interval;
        match scale {
            Scale::Logarithmic => Effect::Ratio {
                value: libm::exp(self.difference),
                interval: interval.map(|(low, high)| (libm::exp(low), libm::exp(high))),
            },
            Scale::Linear => Effect::Difference { value: self.difference, interval },
        }
    }
}

#[cfg(test)]
mod tests;
