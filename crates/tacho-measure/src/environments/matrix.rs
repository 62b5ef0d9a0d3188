//! What a project asks for, multiplied out: axes, what is left out, what is added.
//!
//! Source of the rules for asv's matrix: "matrix", "exclude" and "include" in asv's documentation of
//! `asv.conf.json`.

use std::collections::{BTreeMap, HashSet};

use thiserror::Error;

use super::axis::read_processors;
use super::rule::{Point, Target};
use super::{Axis, AxisKind, Combination, Commands, EnvironmentSpec, Requirement, Rule, RunSpec, Tool, label};
use crate::matching::PatternError;

/// So many combinations are taken: beyond that somebody has multiplied what was meant to be listed.
pub const MOST_COMBINATIONS: usize = 10_000;

/// So many are looked at before rules leave some out: real projects multiply more than they keep.
const MOST_LOOKED_AT: usize = 1_000_000;

/// Everything that a project says about its environments.
#[derive(Debug, Clone)]
pub struct Request {
    /// What all environments have in common: everything but interpreter, requirements, variables, axes and label.
    pub common: EnvironmentSpec,
    /// The tool as the project calls it: asv's `virtualenv` is a name for what `uv` makes.
    pub tool_name: String,
    /// The platform, as Python's `sys.platform` has it.
    pub platform: String,
    /// The version of the active interpreter, where it is known: what labels and rules take where none is declared.
    pub active_python: Option<String>,
    /// The axes; the last one is the fastest.
    pub axes: Vec<Axis>,
    /// Combinations to leave out.
    pub exclude: Vec<Rule>,
    /// Combinations to add, which nothing leaves out.
    pub include: Vec<Inclusion>,
}

/// A combination that is listed on its own.
#[derive(Debug, Clone)]
pub struct Inclusion {
    /// Where it is added: conditions on platform and tool.
    pub only_where: Rule,
    /// Its axes. One that is not named is absent, unless it is common to the project.
    pub axes: Vec<(AxisKind, Option<String>)>,
}

/// Why there is no list of combinations.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum MatrixError {
    /// The axes multiply to more than can be meant.
    #[error("the axes make {n} combinations, and {MOST_COMBINATIONS} is the most: {axes}")]
    TooMany {
        /// How many.
        n: usize,
        /// The axes with how many values each has.
        axes: String,
    },
    /// A rule cannot be held against a value.
    #[error(transparent)]
    Pattern(#[from] PatternError),
}

impl Request {
    /// Returns all combinations, each once, in the order of the axes; those listed on their own come last.
    ///
    /// With a tool that makes nothing, they are those of [`Request::in_place`].
    ///
    /// # Errors
    /// Too many of them, or a rule that cannot be applied.
    pub fn expand(&self) -> Result<Vec<Combination>, MatrixError> {
        if self.common.tool == Tool::Existing {
            return self.in_place().multiplied();
        }
        self.multiplied()
    }

    /// Returns the request for what is there already: nothing is made, and only what changes the run holds.
    ///
    /// asv's matrix is left out as a whole, as asv does.
    #[must_use]
    pub fn in_place(&self) -> Request {
        let runs_only = |axis: &&Axis| !axis.is_asvs && (axis.kind == AxisKind::Python || !axis.kind.needs_build());
        let included = self.include.iter().filter(|entry| !entry.only_where.is_asvs).map(|entry| {
            let axes = entry.axes.iter().filter(|(kind, _)| *kind == AxisKind::Python || !kind.needs_build());
            Inclusion { axes: axes.cloned().collect(), ..entry.clone() }
        });
        Request {
            common: EnvironmentSpec { run_line: self.common.run_line.clone(), ..bare(Tool::Existing) },
            tool_name: "existing".into(),
            platform: self.platform.clone(),
            active_python: None,
            axes: self.axes.iter().filter(runs_only).cloned().collect(),
            exclude: self.exclude.iter().filter(|rule| !rule.is_asvs).cloned().collect(),
            include: included.collect(),
        }
    }

    /// Returns the names of declared axes that cannot hold in an environment that nothing is installed into.
    ///
    /// asv's are not among them: asv says nothing either.
    pub fn not_in_place(&self) -> Vec<String> {
        let included = self.include.iter().filter(|entry| !entry.only_where.is_asvs);
        let included = included.flat_map(|entry| entry.axes.iter().map(|(kind, _)| kind));
        let declared = self.axes.iter().filter(|axis| !axis.is_asvs).map(|axis| &axis.kind);
        let lost = |kind: &&AxisKind| **kind != AxisKind::Python && kind.needs_build();
        let mut names: Vec<String> = Vec::new();
        for name in declared.chain(included).filter(lost).map(AxisKind::name) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// Returns the request with one interpreter, and without what is listed on its own.
    #[must_use]
    pub(super) fn with_python(&self, python: Option<&str>) -> Request {
        let mut request = Request { include: vec![], ..self.clone() };
        let at = request.axes.iter().position(|axis| axis.kind == AxisKind::Python);
        if let Some(at) = at {
            request.axes.remove(at);
        }
        if let Some(python) = python {
            let values = vec![Some(python.to_owned())];
            let axis = Axis { kind: AxisKind::Python, values, is_common: false, is_asvs: false };
            request.axes.insert(at.unwrap_or(0), axis);
        }
        request
    }

    /// Returns the one combination that has nothing but what is common, and this interpreter.
    pub(super) fn plain(&self, python: &str) -> Combination {
        let mut point = self.common_point();
        point.insert(AxisKind::Python, python.to_owned());
        self.combination(&point)
    }

    fn multiplied(&self) -> Result<Vec<Combination>, MatrixError> {
        Ok(self.points()?.iter().map(|point| self.combination(point)).collect())
    }

    fn points(&self) -> Result<Vec<Point>, MatrixError> {
        let n = self.axes.iter().fold(1_usize, |n, axis| n.saturating_mul(axis.values.len()));
        if n > MOST_LOOKED_AT {
            return Err(self.too_many(n));
        }
        let mut kept = Vec::new();
        for k in 0..n {
            let point = self.nth(k);
            if !self.leaves_out(&self.told(&point))? {
                kept.push(point);
            }
        }
        for entry in &self.include {
            let point = self.listed(entry);
            if entry.only_where.holds(&self.target(&self.told(&point)))? {
                kept.push(point);
            }
        }
        let mut seen = HashSet::new();
        kept.retain(|point| seen.insert(point.clone()));
        if kept.len() > MOST_COMBINATIONS {
            return Err(self.too_many(kept.len()));
        }
        Ok(kept)
    }

    /// Returns a combination with the interpreter that it gets where none is declared.
    fn told(&self, point: &Point) -> Point {
        let mut point = point.clone();
        if let Some(active) = &self.active_python {
            point.entry(AxisKind::Python).or_insert_with(|| active.clone());
        }
        point
    }

    /// Returns the combination at a place in the order of all: the last axis is the last digit.
    fn nth(&self, mut k: usize) -> Point {
        let mut point = Point::new();
        for axis in self.axes.iter().rev() {
            let value = &axis.values[k % axis.values.len()];
            k /= axis.values.len();
            point.extend(value.clone().map(|value| (axis.kind.clone(), value)));
        }
        point
    }

    fn leaves_out(&self, point: &Point) -> Result<bool, PatternError> {
        for rule in &self.exclude {
            if rule.holds(&self.target(point))? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn too_many(&self, n: usize) -> MatrixError {
        let sizes = self.axes.iter().filter(|axis| axis.values.len() > 1);
        let axes: Vec<String> = sizes.map(|axis| format!("{} of {}", axis.values.len(), axis.kind.name())).collect();
        MatrixError::TooMany { n, axes: axes.join(", ") }
    }

    fn target<'a>(&'a self, point: &'a Point) -> Target<'a> {
        Target { point, tool: &self.tool_name, platform: &self.platform }
    }

    fn common_point(&self) -> Point {
        let common = self.axes.iter().filter(|axis| axis.is_common);
        common.filter_map(|axis| Some((axis.kind.clone(), axis.values.first()?.clone()?))).collect()
    }

    fn listed(&self, entry: &Inclusion) -> Point {
        let mut point = self.common_point();
        for (kind, value) in &entry.axes {
            // The same name declared in another way is the same axis.
            point.retain(|known, _| known.name() != kind.name());
            point.extend(value.clone().map(|value| (kind.clone(), value)));
        }
        point
    }

    fn combination(&self, point: &Point) -> Combination {
        let mut environment = EnvironmentSpec { python: point.get(&AxisKind::Python).cloned(), ..self.common.clone() };
        let mut run = RunSpec { variables: self.unset(), ..RunSpec::default() };
        for (kind, value) in point {
            let axes = if kind.needs_build() { &mut environment.axes } else { &mut run.axes };
            if *kind != AxisKind::Python {
                axes.insert(axis_name(kind, point), value.clone());
            }
            apply(kind, value, &mut environment, &mut run);
        }
        let told = self.told(point);
        let built: Point = told.iter().filter(|(kind, _)| kind.needs_build()).map(owned).collect();
        environment.label = label::of(&self.tool_name, &built);
        Combination { environment, run, label: label::of(&self.tool_name, &told) }
    }

    /// Variables that are an axis are not taken over from whoever starts the run where they are absent.
    fn unset(&self) -> BTreeMap<String, Option<String>> {
        let declared = self.axes.iter().map(|axis| &axis.kind);
        let listed = self.include.iter().flat_map(|entry| entry.axes.iter().map(|(kind, _)| kind));
        let variables = declared.chain(listed).filter_map(|kind| match kind {
            AxisKind::SharedVariable(name) | AxisKind::RunVariable(name) => Some((name.clone(), None)),
            _ => None,
        });
        variables.collect()
    }
}

/// Returns what makes nothing but what `tool` makes by itself.
pub fn bare(tool: Tool) -> EnvironmentSpec {
    EnvironmentSpec {
        tool,
        python: None,
        requirements: vec![],
        packages: vec![],
        lock: None,
        environment_file: None,
        channels: vec![],
        build_variables: Default::default(),
        commands: Commands::default(),
        run_line: None,
        label: String::new(),
        axes: Default::default(),
    }
}

fn owned((kind, value): (&AxisKind, &String)) -> (AxisKind, String) {
    (kind.clone(), value.clone())
}

/// A package that is required in two ways is two axes; asv's results are read by the same rule.
fn axis_name(kind: &AxisKind, point: &Point) -> String {
    match kind {
        AxisKind::Requirement(name) => match name.strip_prefix("pip+") {
            Some(plain) if point.contains_key(&AxisKind::Requirement(plain.to_owned())) => format!("req.{name}"),
            _ => kind.name(),
        },
        _ => kind.name(),
    }
}

fn apply(kind: &AxisKind, value: &str, environment: &mut EnvironmentSpec, run: &mut RunSpec) {
    let value = value.to_owned();
    match kind {
        AxisKind::Python => {}
        AxisKind::Requirement(name) => {
            let (name, by_pip) = name.strip_prefix("pip+").map_or((name.as_str(), false), |plain| (plain, true));
            environment.requirements.push(Requirement { name: name.to_owned(), version: value, by_pip });
        }
        AxisKind::SharedVariable(name) => {
            environment.build_variables.insert(name.clone(), value.clone());
            run.variables.insert(name.clone(), Some(value));
        }
        AxisKind::RunVariable(name) => drop(run.variables.insert(name.clone(), Some(value))),
        AxisKind::BuildVariable(name) => drop(environment.build_variables.insert(name.clone(), value)),
        AxisKind::Threads => run.threads = value.parse().ok(),
        AxisKind::Cpus => run.cpus = read_processors(&value),
    }
}

#[cfg(test)]
mod tests;
