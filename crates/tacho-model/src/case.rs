//! A case: a benchmark at one point of its parameters.

use crate::Value;

/// One parameter at one value.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Parameter {
    /// The parameter's name; no part of any identity.
    pub name: String,
    /// The value's text, a Python literal.
    pub text: String,
}

impl Parameter {
    /// Returns the number or the unquoted string that the text stands for.
    pub fn value(&self) -> Value {
        Value::of_literal(&self.text)
    }
}

/// A benchmark at one point of its parameters.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Case {
    /// The benchmark's name.
    pub benchmark: String,
    /// Position in the cartesian product of the benchmark's parameters.
    pub index: usize,
    /// The parameters in declared order.
    pub parameters: Vec<Parameter>,
}

impl Case {
    /// Returns the parameter texts: the part of the case's identity beside the benchmark's name.
    pub fn texts(&self) -> Vec<String> {
        self.parameters.iter().map(|parameter| parameter.text.clone()).collect()
    }

    /// Returns `name(text, text)`, or the bare name without parameters: what `--bench` patterns see.
    pub fn full_name(&self) -> String {
        if self.parameters.is_empty() {
            self.benchmark.clone()
        } else {
            format!("{}({})", self.benchmark, self.texts().join(", "))
        }
    }
}
