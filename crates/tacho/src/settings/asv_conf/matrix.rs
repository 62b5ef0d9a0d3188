//! `pythons`, `matrix`, `exclude` and `include` of `asv.conf.json`, by asv's rules.

use std::path::Path;

use serde_json::{Map, Value};
use tacho_measure::environments::{Axis, AxisKind, Condition, Inclusion, Rule, RuleKey, ValuePattern};
use tacho_measure::matching::Pattern;

use super::Conf;
use crate::error::{CommandError, Result, WithHint};
use crate::settings::Settings;
use crate::settings::declared::Declared;
use crate::settings::tacho_toml::nearest;

/// The parts of a matrix; without any of them everything in it is a requirement, as it was once written.
const PARTS: [&str; 3] = ["req", "env", "env_nobuild"];

/// Keys of a rule beside those of a matrix.
const PLACES: [&str; 3] = ["python", "environment_type", "sys_platform"];

/// Reads everything that says which environments there are.
pub(super) fn apply(conf: &Conf<'_>, path: &Path, settings: &mut Settings) -> Result<()> {
    let mut axes = Vec::new();
    if let Some(pythons) = conf.map.get("pythons").filter(|value| !value.is_null()) {
        let values = values(conf, "pythons", pythons, &AxisKind::Python)?;
        // asv has no environment then; an interpreter is at hand all the same.
        if !pythons.as_array().is_some_and(Vec::is_empty) {
            axes.push((axis(conf, "pythons", AxisKind::Python, &values)?, "pythons".to_owned()));
        }
    }
    if let Some(matrix) = conf.object("matrix")? {
        for (kind, value, key) in entries(conf, "matrix", matrix)? {
            let values = values(conf, &key, value, &kind)?;
            axes.push((axis(conf, &key, kind, &values)?, key));
        }
    }
    settings.environment.take_axes(axes, path);
    let exclude = conf.objects("exclude")?.map(|rules| rules.into_iter().map(|rule| exclusion(conf, rule)).collect());
    settings.environment.exclude.take_from_file(exclude.transpose()?, path, "exclude");
    let include = conf.objects("include")?.map(|rules| rules.into_iter().map(|rule| inclusion(conf, rule)).collect());
    settings.environment.include.take_from_file(include.transpose()?, path, "include");
    Ok(())
}

fn axis(conf: &Conf<'_>, key: &str, kind: AxisKind, values: &[Option<String>]) -> Result<Axis> {
    let axis = Axis::new(kind, values).map_err(|error| conf.error(&format!("`{key}`"), &error))?;
    Ok(Axis { is_asvs: true, ..axis })
}

/// Returns what stands in a matrix or a rule: (axis, value, key in the file).
fn entries<'a>(
    conf: &Conf<'_>,
    key: &str,
    matrix: &'a Map<String, Value>,
) -> Result<Vec<(AxisKind, &'a Value, String)>> {
    if !PARTS.iter().any(|part| matrix.contains_key(*part)) {
        let flat = matrix.iter().filter(|(name, _)| key == "matrix" || !PLACES.contains(&name.as_str()));
        return Ok(flat.map(|(name, value)| requirement(name, value, format!("{key}.{name}"))).collect());
    }
    let known: Vec<&str> = PARTS.iter().chain(PLACES.iter().filter(|_| key != "matrix")).copied().collect();
    if let Some(name) = matrix.keys().find(|name| !known.contains(&name.as_str())) {
        let error = conf.error(&format!("`{key}`"), &format!("unknown key `{name}`"));
        let near = nearest(name, known.iter().copied()).map(|near| format!("did you mean `{near}`?"));
        return Err(error.hint(near.unwrap_or_else(|| format!("it has {}", known.join(", ")))));
    }
    let mut found = Vec::new();
    for part in PARTS {
        let Some(value) = matrix.get(part) else { continue };
        let what = format!("`{key}.{part}`");
        let inner = value.as_object().ok_or_else(|| conf.error(&what, &format!("{value} is no object")))?;
        for (name, value) in inner {
            let kind = match part {
                "env" => AxisKind::SharedVariable(name.clone()),
                "env_nobuild" => AxisKind::RunVariable(name.clone()),
                _ => AxisKind::Requirement(name.clone()),
            };
            found.push((kind, value, format!("{key}.{part}.{name}")));
        }
    }
    Ok(found)
}

fn requirement<'a>(name: &str, value: &'a Value, key: String) -> (AxisKind, &'a Value, String) {
    (AxisKind::Requirement(name.to_owned()), value, key)
}

/// A list, or one value; an empty list is the newest version.
fn values(conf: &Conf<'_>, key: &str, value: &Value, kind: &AxisKind) -> Result<Vec<Option<String>>> {
    match value {
        Value::Array(items) if items.is_empty() => Ok(vec![Some(String::new())]),
        Value::Array(items) => items.iter().map(|item| scalar(conf, key, item, kind)).collect(),
        value => Ok(vec![scalar(conf, key, value, kind)?]),
    }
}

fn scalar(conf: &Conf<'_>, key: &str, value: &Value, kind: &AxisKind) -> Result<Option<String>> {
    match value {
        Value::Null => Ok(None),
        Value::String(text) => Ok(Some(text.clone())),
        Value::Number(number) if !number.is_f64() => Ok(Some(number.to_string())),
        // asv takes 3.9 so; 3.1 is what is left of 3.10, for asv too.
        Value::Number(number) if *kind == AxisKind::Python && number.to_string() != "3.1" => {
            Ok(Some(number.to_string()))
        }
        other => Err(conf.error(&format!("`{key}`"), &format!("{other} is no text")).hint("write it in quotes")),
    }
}

fn exclusion(conf: &Conf<'_>, rule: &Map<String, Value>) -> Result<Declared<Rule>> {
    let mut conditions = places(conf, "exclude", rule, &PLACES)?;
    for (kind, value, key) in entries(conf, "exclude", rule)? {
        conditions.push((RuleKey::Axis(kind), condition(conf, &key, value)?));
    }
    Ok(Declared { meaning: Rule { conditions, is_asvs: true }, text: Value::Object(rule.clone()) })
}

fn inclusion(conf: &Conf<'_>, rule: &Map<String, Value>) -> Result<Declared<Inclusion>> {
    if !rule.contains_key("python") {
        let text = Value::Object(rule.clone());
        return Err(conf.error("`include`", &format!("{text} has no `python`"))).hint("asv needs one in each entry");
    }
    let only_where = Rule { conditions: places(conf, "include", rule, &PLACES[1..])?, is_asvs: true };
    let mut axes = vec![(AxisKind::Python, scalar(conf, "include.python", &rule["python"], &AxisKind::Python)?)];
    for (kind, value, key) in entries(conf, "include", rule)? {
        let value = scalar(conf, &key, value, &kind)?;
        let axis = axis(conf, &key, kind, &[value])?;
        axes.extend(axis.values.into_iter().map(|value| (axis.kind.clone(), value)));
    }
    Ok(Declared { meaning: Inclusion { only_where, axes }, text: Value::Object(rule.clone()) })
}

fn places(conf: &Conf<'_>, key: &str, rule: &Map<String, Value>, names: &[&str]) -> Result<Vec<(RuleKey, Condition)>> {
    let present = names.iter().filter_map(|name| Some((*name, rule.get(*name)?)));
    let read = |(name, value): (&str, &Value)| {
        let looked_at = match name {
            "python" => RuleKey::Axis(AxisKind::Python),
            "environment_type" => RuleKey::Tool,
            _ => RuleKey::Platform,
        };
        Ok((looked_at, condition(conf, &format!("{key}.{name}"), value)?))
    };
    present.map(read).collect()
}

/// A regular expression of Python; `null` is what is absent.
fn condition(conf: &Conf<'_>, key: &str, value: &Value) -> Result<Condition> {
    let text = match value {
        Value::Null => return Ok(Condition::Absent),
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        other => return Err(conf.error(&format!("`{key}`"), &format!("{other} is no text"))),
    };
    let pattern = Pattern::parse(&text).map_err(|error| conf.error(&format!("`{key}`"), &error))?;
    Ok(Condition::Fits(vec![ValuePattern::Python(pattern)]))
}

impl Conf<'_> {
    fn error(&self, what: &str, why: &impl std::fmt::Display) -> CommandError {
        CommandError::new(format!("{what} in `{}`: {why}", self.path.display()))
    }

    fn object(&self, key: &str) -> Result<Option<&Map<String, Value>>> {
        match self.map.get(key) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::Object(map)) => Ok(Some(map)),
            Some(_) => Err(self.wrong(key, "an object")),
        }
    }

    fn objects(&self, key: &str) -> Result<Option<Vec<&Map<String, Value>>>> {
        let Some(value) = self.map.get(key).filter(|value| !value.is_null()) else { return Ok(None) };
        let list = value.as_array().ok_or_else(|| self.wrong(key, "a list of objects"))?;
        let objects = list.iter().map(Value::as_object).collect::<Option<Vec<_>>>();
        objects.map(Some).ok_or_else(|| self.wrong(key, "a list of objects"))
    }
}
