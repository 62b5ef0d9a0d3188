//! The nouns of Tachograph: what there is, and nothing about where it comes from or goes to.
//!
//! Every type here is plain data. None of them can be serialised: each boundary (record files, the
//! runner protocol, JSON output) has a twin of its own and converts once. The crate knows no files,
//! no clocks, no asv, no SQL.

mod answer;
mod benchmark;
mod benchmark_time;
mod build;
mod cached;
mod case;
mod change;
mod check;
mod comparison;
mod condition;
mod control;
mod environment;
mod literal;
mod machine;
mod metric;
mod outcome;
mod past;
mod provenance;
mod results;
mod round;
mod run;
mod sheet;
mod subject;
mod time;
pub mod unit;

pub use answer::{Answer, Datum};
pub use benchmark::{Benchmark, Kind, ParameterAxis, Problem, Settings, SetupCache};
pub use benchmark_time::BenchmarkTime;
pub use build::{Build, Wheel};
pub use cached::{Cached, CachedKind, Cleaning};
pub use case::{Case, Parameter};
pub use change::{Change, ChangeGroup, ChangePoint, ChangeState, Drift, Event, Outlook, Segment, SeriesKey, Spike};
pub use check::{Level, Phase, Rehearsal, Remark};
pub use comparison::{Basis, Comparison, Disagreement, Effect, Judgement, Standing, Verdict};
pub use condition::{Condition, Finding, FindingState, Fix};
pub use control::{Clock, ControlRound, NoiseFloor, Timing, Workload};
pub use environment::{Environment, Threads};
pub use literal::{Value, literal_text};
pub use machine::{CPU_FACT, Machine, RAM_FACT, UNKNOWN_CPU, ram_text};
pub use metric::{Direction, Metric};
pub use outcome::Outcome;
pub use past::{PastPoint, PastSeries};
pub use provenance::{Load, Provenance, Purpose, RunSettings};
pub use results::Results;
pub use round::{Isolation, Resumption, Round, Samples, State};
pub use run::{Completeness, Planned, Run};
pub use sheet::{Reading, Sheet};
pub use subject::Subject;
pub use time::Timestamp;
