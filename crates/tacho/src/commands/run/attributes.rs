//! `--attribute`, `--quick` and `--cpu-affinity`: what overrides the benchmarks' own attributes.

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use tacho_measure::environments::read_processors;

use crate::error::{CommandError, Result};

/// The attributes that asv lets be overridden, and those of ours.
const KNOWN: [&str; 10] = [
    "rounds",
    "processes",
    "repeat",
    "number",
    "sample_time",
    "warmup_time",
    "min_run_count",
    "timeout",
    "version",
    "cpu_affinity",
];

/// Overrides, resolved.
#[derive(Debug, Clone, Default)]
pub(crate) struct Attributes {
    /// For the runner: `number`, `repeat`, `sample_time`, `warmup_time`, `min_run_count`, `timeout`, `rounds`.
    pub(crate) settings: Map<String, Value>,
    /// How many rounds every timed case gets.
    pub(crate) rounds: Option<u32>,
    /// What every benchmark's version is taken to be.
    pub(crate) version: Option<String>,
    /// Processors that cases may use.
    pub(crate) affinity: Option<Vec<u32>>,
    /// The overrides as given, for the record.
    pub(crate) texts: BTreeMap<String, String>,
}

impl Attributes {
    /// Reads `NAME=VALUE` texts; `quick` stands for number 1, repeat 1, no warm-up, one round, over them.
    pub(crate) fn parse(given: &[String], quick: bool, affinity: Option<&str>) -> Result<Attributes> {
        let mut all = Attributes::default();
        for text in given {
            let (name, value) = text.split_once('=').ok_or_else(|| malformed(text, "there is no `=`"))?;
            all.set(name.trim(), value.trim(), text)?;
        }
        if quick {
            for (name, value) in [("number", "1"), ("repeat", "1"), ("warmup_time", "0"), ("rounds", "1")] {
                all.set(name, value, name)?;
            }
        }
        if let Some(list) = affinity {
            all.set("cpu_affinity", list, &format!("cpu_affinity={list}"))?;
        }
        Ok(all)
    }

    fn set(&mut self, name: &str, value: &str, text: &str) -> Result<()> {
        if !KNOWN.contains(&name) {
            let error = malformed(text, &format!("there is no attribute `{name}`"));
            return Err(error.hint(format!("known attributes: {}", KNOWN.join(", "))));
        }
        let name = if name == "processes" { "rounds" } else { name };
        match name {
            "version" => self.version = Some(value.to_owned()),
            "cpu_affinity" => {
                self.affinity =
                    Some(read_processors(value).ok_or_else(|| malformed(text, "it is no list of processors"))?)
            }
            "repeat" => {
                self.settings.insert(
                    name.into(),
                    repeat(value).ok_or_else(|| {
                        malformed(text, "it is neither a whole number from 0 on nor (min, max, seconds)")
                    })?,
                );
            }
            "rounds" | "number" | "min_run_count" => {
                let n: u32 =
                    value.parse().map_err(|_| malformed(text, "it is no whole number from 0 to 4294967295"))?;
                if name == "rounds" {
                    if n == 0 {
                        return Err(malformed(text, "at least one round is needed"));
                    }
                    self.rounds = Some(n);
                }
                self.settings.insert(name.into(), n.into());
            }
            _ => {
                let seconds: f64 = value.parse().map_err(|_| malformed(text, "it is no number"))?;
                let limit_ok = name != "timeout" || crate::settings::is_time_limit(seconds);
                let value = serde_json::Number::from_f64(seconds).filter(|_| limit_ok);
                self.settings.insert(
                    name.into(),
                    value
                        .ok_or_else(|| {
                            malformed(
                                text,
                                if limit_ok {
                                    "it is no finite number"
                                } else {
                                    "it is no time limit: a number of seconds above 0, and 1e9 at most"
                                },
                            )
                        })?
                        .into(),
                );
            }
        }
        self.texts.insert(name.to_owned(), value.to_owned());
        Ok(())
    }
}

fn malformed(text: &str, why: &str) -> CommandError {
    CommandError::new(format!("cannot use `--attribute {text}`: {why}"))
}

/// Reads asv's `repeat`: `3`, or `(1, 10, 20.0)` for least, most and seconds.
fn repeat(text: &str) -> Option<Value> {
    if let Ok(n) = text.parse::<u32>() {
        return Some(n.into());
    }
    let inner = text.trim_matches(['(', ')', '[', ']']);
    let parts: Vec<f64> = inner.split(',').map(|part| part.trim().parse().ok()).collect::<Option<_>>()?;
    let valid = parts.len() == 3 && parts.iter().all(|part| part.is_finite() && *part >= 0.0);
    valid.then(|| serde_json::json!([parts[0] as u64, parts[1] as u64, parts[2]]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Option<Value>) {
        let parsed = Attributes::parse(&[text.to_owned()], false, None);
        let found = parsed.ok().map(|all| Value::Object(all.settings));
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn attributes_are_read_as_asv_reads_them() {
        use serde_json::json;
        check("rounds=3", Some(json!({"rounds": 3})));
        check("processes=3", Some(json!({"rounds": 3})));
        check("repeat=5", Some(json!({"repeat": 5})));
        check("repeat=(1, 10, 20.0)", Some(json!({"repeat": [1, 10, 20.0]})));
        check("timeout=1.5", Some(json!({"timeout": 1.5})));
        check("warmup_time=0", Some(json!({"warmup_time": 0.0})));
        for wrong in ["rounds", "rounds=0", "rounds=x", "repeat=(1,2)", "timeout=0", "timeout=nan", "colour=red"] {
            check(wrong, None);
        }
    }

    #[test]
    fn quick_wins_over_given_attributes() {
        let all = Attributes::parse(&["rounds=5".into()], true, Some("1")).expect("valid");
        assert_eq!((all.rounds, all.affinity), (Some(1), Some(vec![1])));
        assert_eq!(all.settings["warmup_time"], serde_json::json!(0.0));
    }
}
