//! `tacho.series/1`.

use serde::Serialize;

use super::finite;
use super::nouns::{SeriesTwin, SubjectTwin};
use crate::{Point, Series};

#[derive(Serialize)]
pub(super) struct SeriesDocument<'a> {
    series: Vec<Line<'a>>,
}

impl SeriesDocument<'_> {
    pub(super) fn of(series: &[Series]) -> SeriesDocument<'_> {
        SeriesDocument { series: series.iter().map(Line::of).collect() }
    }
}

/// A series: its key first, then its points in the order of history.
#[derive(Serialize)]
struct Line<'a> {
    #[serde(flatten)]
    series: SeriesTwin<'a>,
    points: Vec<PointTwin<'a>>,
}

impl Line<'_> {
    fn of(series: &Series) -> Line<'_> {
        let Series { case, metric, machine, axes, points } = series;
        Line { series: SeriesTwin::of(case, metric, machine, axes), points: points.iter().map(PointTwin::of).collect() }
    }
}

#[derive(Serialize)]
struct PointTwin<'a> {
    subject: SubjectTwin<'a>,
    run_id: &'a str,
    state: &'static str,
    value: Option<f64>,
    spread: Option<f64>,
    lower: Option<f64>,
    upper: Option<f64>,
    n_samples: usize,
    version: Option<&'a str>,
    message: Option<&'a str>,
    quick: bool,
    complete: bool,
}

impl PointTwin<'_> {
    fn of(point: &Point) -> PointTwin<'_> {
        let Point { subject, run_id, state, value, spread, interval, n_samples, version, message, quick, complete } =
            point;
        PointTwin {
            subject: SubjectTwin::of(subject),
            run_id,
            state: state.word(),
            value: finite(*value),
            spread: finite(*spread),
            lower: finite(interval.map(|(low, _)| low)),
            upper: finite(interval.map(|(_, high)| high)),
            n_samples: *n_samples,
            version: version.as_deref(),
            message: message.as_deref(),
            quick: *quick,
            complete: *complete,
        }
    }
}
