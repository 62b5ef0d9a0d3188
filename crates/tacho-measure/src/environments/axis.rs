//! The axes of a project's environments, and what values they take.

use thiserror::Error;

use super::command_line::is_variable;

/// What an axis varies.
///
/// The order is that of the words in a label: interpreter, requirements, variables, and what only changes the run.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AxisKind {
    /// The interpreter: `python`.
    Python,
    /// The version of a package, by the name it is required by, asv's `pip+` included: `req.NAME`.
    Requirement(String),
    /// A variable that builds and benchmarks see, asv's `env`: `env.NAME`.
    SharedVariable(String),
    /// A variable that only benchmarks see, asv's `env_nobuild`: `env.NAME`.
    RunVariable(String),
    /// A variable that only builds see: `build.NAME`.
    BuildVariable(String),
    /// How many threads every threading library may use: `threads`.
    Threads,
    /// The processors that benchmarks may use: `cpus`.
    Cpus,
}

impl AxisKind {
    /// Reads an axis by the name it has in `tacho.toml`.
    ///
    /// # Errors
    /// No kind of axis, or one without the name that it needs.
    pub fn parse(text: &str) -> Result<AxisKind, AxisError> {
        let unknown = || AxisError::Unknown { name: text.to_owned() };
        let (kind, name) = text.split_once('.').map_or((text, None), |(kind, name)| (kind, Some(name)));
        match (kind, name.filter(|name| !name.is_empty())) {
            ("python", None) if name.is_none() => Ok(AxisKind::Python),
            ("threads", None) if name.is_none() => Ok(AxisKind::Threads),
            ("cpus", None) if name.is_none() => Ok(AxisKind::Cpus),
            ("req", Some(name)) => Ok(AxisKind::Requirement(name.to_owned())),
            ("env", Some(name)) => Ok(AxisKind::RunVariable(name.to_owned())),
            ("build", Some(name)) => Ok(AxisKind::BuildVariable(name.to_owned())),
            _ => Err(unknown()),
        }
    }

    /// Returns the axis's name as it stands in a series.
    pub fn name(&self) -> String {
        match self {
            AxisKind::Python => "python".to_owned(),
            // Who installs a package is no part of its name.
            AxisKind::Requirement(name) => format!("req.{}", name.strip_prefix("pip+").unwrap_or(name)),
            AxisKind::SharedVariable(name) | AxisKind::RunVariable(name) => format!("env.{name}"),
            AxisKind::BuildVariable(name) => format!("build.{name}"),
            AxisKind::Threads => "threads".to_owned(),
            AxisKind::Cpus => "cpus".to_owned(),
        }
    }

    /// Returns true where another value needs another build.
    pub fn needs_build(&self) -> bool {
        use AxisKind::{BuildVariable, Python, Requirement, SharedVariable};
        matches!(self, Python | Requirement(_) | SharedVariable(_) | BuildVariable(_))
    }

    /// Returns a value as it stands in a series: processors as a plain list, everything else as it was written.
    ///
    /// # Errors
    /// A value that the axis cannot take.
    pub fn value(&self, text: &str) -> Result<String, AxisError> {
        let wrong = |wanted| AxisError::Value { axis: self.name(), value: text.to_owned(), wanted };
        if text.contains(['\0', '\n', '\r']) {
            return Err(wrong("one line of text"));
        }
        match self {
            AxisKind::Python if text.trim().is_empty() => Err(wrong("a version, a program's name or a path")),
            AxisKind::Threads => match text.parse::<u32>() {
                Ok(n) if n > 0 => Ok(n.to_string()),
                _ => Err(wrong("a whole number from 1 on")),
            },
            AxisKind::Cpus => match read_processors(text) {
                Some(list) => Ok(processors_text(&list)),
                None => Err(wrong("a list of processors, such as `0-3` or `0,2`")),
            },
            _ => Ok(text.to_owned()),
        }
    }
}

/// An axis with its values, in declared order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Axis {
    /// What varies.
    pub kind: AxisKind,
    /// The values; `None` where it is absent: a package that is not installed, a variable that is not set.
    pub values: Vec<Option<String>>,
    /// One value of the project as a whole, which a combination that is listed on its own has too.
    pub is_common: bool,
    /// Declared in asv's matrix, which holds only where environments are made.
    pub is_asvs: bool,
}

impl Axis {
    /// Returns an axis after a look at its name and values.
    ///
    /// # Errors
    /// No values, one that the axis cannot take, or no name for a variable.
    pub fn new(kind: AxisKind, values: &[Option<String>]) -> Result<Axis, AxisError> {
        use AxisKind::{BuildVariable, RunVariable, SharedVariable};
        if let SharedVariable(name) | RunVariable(name) | BuildVariable(name) = &kind
            && !is_variable(name)
        {
            return Err(AxisError::Variable { name: name.clone() });
        }
        if values.is_empty() {
            return Err(AxisError::Empty { axis: kind.name() });
        }
        let read = |value: &Option<String>| value.as_ref().map(|text| kind.value(text)).transpose();
        let values = values.iter().map(read).collect::<Result<_, _>>()?;
        Ok(Axis { kind, values, is_common: false, is_asvs: false })
    }
}

/// What is wrong with an axis.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum AxisError {
    /// There is no such kind.
    #[error("there is no axis `{name}`")]
    Unknown {
        /// The name.
        name: String,
    },
    /// A variable's name that is none.
    #[error("`{name}` is no name of an environment variable")]
    Variable {
        /// The name.
        name: String,
    },
    /// Nothing to choose from.
    #[error("the axis `{axis}` has no values")]
    Empty {
        /// The axis.
        axis: String,
    },
    /// A value that the axis cannot take.
    #[error("the axis `{axis}` cannot be `{value}`: it is {wanted}")]
    Value {
        /// The axis.
        axis: String,
        /// The value.
        value: String,
        /// What it takes.
        wanted: &'static str,
    },
}

/// Reads `0`, `0-3`, `0,2-4` as processors, ascending and without doubles.
pub fn read_processors(text: &str) -> Option<Vec<u32>> {
    let mut list = Vec::new();
    for part in text.split(',') {
        let (first, last) = part.trim().split_once('-').unwrap_or((part.trim(), part.trim()));
        let (first, last): (u32, u32) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
        if first > last || last > 65_535 {
            return None;
        }
        list.extend(first..=last);
    }
    list.sort_unstable();
    list.dedup();
    Some(list)
}

/// Returns processors as the text that the axis `cpus` has.
pub fn processors_text(list: &[u32]) -> String {
    list.iter().map(u32::to_string).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, value: &str, expected: Result<&str, &str>) {
        let found = AxisKind::parse(name).and_then(|kind| {
            let axis = Axis::new(kind, &[Some(value.to_owned())])?;
            Ok(format!("{} = {}", axis.kind.name(), axis.values[0].as_deref().unwrap_or("absent")))
        });
        assert_eq!(found.map_err(|error| error.to_string()), expected.map(Into::into).map_err(Into::into), "{name}");
    }

    #[test]
    fn names_and_values_are_read() {
        check("python", "3.12", Ok("python = 3.12"));
        check("req.numpy", "", Ok("req.numpy = "));
        check("req.zope.interface", ">=5,<6", Ok("req.zope.interface = >=5,<6"));
        check("req.pip+tables", "3", Ok("req.tables = 3"));
        check("env.OMP_NUM_THREADS", "1", Ok("env.OMP_NUM_THREADS = 1"));
        check("build.CFLAGS", "-O3 -g", Ok("build.CFLAGS = -O3 -g"));
        check("threads", "04", Ok("threads = 4"));
        check("cpus", "2, 0-1", Ok("cpus = 0,1,2"));
    }

    #[test]
    fn what_no_axis_takes_is_told() {
        check("pythons", "3", Err("there is no axis `pythons`"));
        check("req", "3", Err("there is no axis `req`"));
        check("req.", "3", Err("there is no axis `req.`"));
        check("threads.", "3", Err("there is no axis `threads.`"));
        check("env.A-B", "3", Err("`A-B` is no name of an environment variable"));
        check("threads", "0", Err("the axis `threads` cannot be `0`: it is a whole number from 1 on"));
        check(
            "cpus",
            "3-1",
            Err("the axis `cpus` cannot be `3-1`: it is a list of processors, such as `0-3` or `0,2`"),
        );
        check("python", " ", Err("the axis `python` cannot be ` `: it is a version, a program's name or a path"));
        check("env.A", "1\n2", Err("the axis `env.A` cannot be `1\n2`: it is one line of text"));
        assert_eq!(Axis::new(AxisKind::Python, &[]), Err(AxisError::Empty { axis: "python".into() }));
    }

    #[test]
    fn processors_are_sorted_once_each() {
        assert_eq!(read_processors("3,0-1,1"), Some(vec![0, 1, 3]));
        for wrong in ["", "a", "3-1", "1-", "0-99999999"] {
            assert_eq!(read_processors(wrong), None, "{wrong}");
        }
    }
}
