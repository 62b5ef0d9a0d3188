//! `[axes]` and the rules: tables whose keys are names of axes, nested or dotted, in the order they are written.

use std::collections::BTreeMap;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Value, json};

/// One value: a text, or `None` for what is absent.
pub(super) type Scalar = Option<String>;

/// What stands behind a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Values {
    One(Scalar),
    Many(Vec<Scalar>),
}

impl Values {
    pub(super) fn all(&self) -> &[Scalar] {
        match self {
            Values::One(value) => std::slice::from_ref(value),
            Values::Many(values) => values,
        }
    }

    fn json(&self) -> Value {
        let scalar = |value: &Scalar| value.as_ref().map_or(json!(false), |text| json!(text));
        match self {
            Values::One(value) => scalar(value),
            Values::Many(values) => values.iter().map(scalar).collect(),
        }
    }
}

/// A table of axes: `req.numpy = […]`, `"req.numpy" = […]` and `[axes.req]` say the same.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct AxisTable(pub(super) Vec<(String, Values)>);

impl AxisTable {
    /// Returns the table for people to read.
    pub(super) fn json(&self) -> Value {
        self.0.iter().map(|(name, values)| (name.clone(), values.json())).collect::<serde_json::Map<_, _>>().into()
    }
}

/// A value, or a table of more names.
enum Node {
    Values(Values),
    Table(Vec<(String, Node)>),
}

impl<'de> Deserialize<'de> for AxisTable {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<AxisTable, D::Error> {
        let mut flat: Vec<(String, Values)> = Vec::new();
        match Node::deserialize(deserializer)? {
            Node::Table(entries) => flatten("", entries, &mut flat),
            Node::Values(_) => return Err(D::Error::custom("a table of axes is expected")),
        }
        let mut seen: Vec<&str> = Vec::new();
        for (name, _) in &flat {
            if seen.contains(&name.as_str()) {
                return Err(D::Error::custom(format!("the axis `{name}` is declared twice")));
            }
            seen.push(name);
        }
        Ok(AxisTable(flat))
    }
}

fn flatten(prefix: &str, entries: Vec<(String, Node)>, flat: &mut Vec<(String, Values)>) {
    for (key, node) in entries {
        let name = if prefix.is_empty() { key } else { format!("{prefix}.{key}") };
        match node {
            Node::Values(values) => flat.push((name, values)),
            Node::Table(entries) => flatten(&name, entries, flat),
        }
    }
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Node, D::Error> {
        deserializer.deserialize_any(NodeVisitor)
    }
}

struct NodeVisitor;

impl<'de> Visitor<'de> for NodeVisitor {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text, a whole number, `false` for what is absent, or a list of these")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Node, E> {
        Ok(Node::Values(Values::One(Some(text.to_owned()))))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Node, E> {
        self.visit_str(&number.to_string())
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Node, E> {
        let message = "is a number whose zeros would be lost, as 1.10 is 1.1: write it in quotes";
        Err(E::custom(format!("{number:?} {message}")))
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Node, E> {
        if value {
            return Err(E::custom("`true` is no value of an axis: write the value, or `false` for what is absent"));
        }
        Ok(Node::Values(Values::One(None)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Node, A::Error> {
        let mut values = Vec::new();
        while let Some(item) = items.next_element::<Node>()? {
            match item {
                Node::Values(Values::One(value)) => values.push(value),
                _ => return Err(A::Error::custom("a list of values holds texts, whole numbers and `false`")),
            }
        }
        Ok(Node::Values(Values::Many(values)))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Node, A::Error> {
        let mut entries = Vec::new();
        while let Some((key, node)) = map.next_entry::<String, Node>()? {
            // The reader of TOML hands on a date as a table with a name of its own.
            if key.starts_with("$__") {
                return Err(A::Error::custom("a date is no value of an axis: write it in quotes"));
            }
            entries.push((key, node));
        }
        Ok(Node::Table(entries))
    }
}

/// One value, or a list of them.
#[derive(JsonSchema)]
#[schemars(rename = "AxisValues")]
#[serde(untagged)]
#[expect(dead_code, reason = "only its schema is wanted")]
enum ValuesShape {
    One(ScalarShape),
    Many(Vec<ScalarShape>),
}

struct ScalarShape;

impl JsonSchema for ScalarShape {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "AxisValue".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A text, a whole number, or false for what is absent.",
            "anyOf": [{"type": "string"}, {"type": "integer"}, {"const": false}],
        })
    }
}

/// Names may be nested, dotted or quoted: `"req.numpy"`.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is wanted")]
pub(super) struct AxesShape {
    /// The interpreter: versions, programs' names or paths.
    python: Option<ValuesShape>,
    /// Versions of packages, by their names; an empty text is the newest.
    req: Option<BTreeMap<String, ValuesShape>>,
    /// Variables that benchmarks see, by their names. They make no other build.
    env: Option<BTreeMap<String, ValuesShape>>,
    /// Variables that builds see, by their names.
    build: Option<BTreeMap<String, ValuesShape>>,
    /// How many threads every threading library may use.
    threads: Option<ValuesShape>,
    /// The processors that benchmarks may use: `0`, `0-3`, `0,2`.
    cpus: Option<ValuesShape>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Result<&str, &str>) {
        let read: Result<AxisTable, _> = toml::from_str(text);
        match (read, expected) {
            (Ok(table), Ok(expected)) => assert_eq!(table.json().to_string(), expected, "{text}"),
            (Err(error), Err(expected)) => assert!(error.to_string().contains(expected), "{text}: {error}"),
            (read, expected) => panic!("{text}: {read:?} is not {expected:?}"),
        }
    }

    #[test]
    fn names_are_nested_dotted_or_quoted_and_keep_their_order() {
        check(
            "threads = [2, 1]\nreq.numpy = [\"2.1\", false]\n\"req.zope.interface\" = \"5\"\n[env]\nA = 1\n[build]\nB = []\n",
            Ok(r#"{"threads":["2","1"],"req.numpy":["2.1",false],"req.zope.interface":"5","env.A":"1","build.B":[]}"#),
        );
    }

    #[test]
    fn what_is_no_value_is_told() {
        check("python = 3.10", Err("3.1 is a number whose zeros would be lost"));
        check("python = [3.10]", Err("write it in quotes"));
        check("req.numpy = true", Err("`true` is no value of an axis"));
        check("req.numpy = [[\"1\"]]", Err("a list of values holds texts, whole numbers and `false`"));
        check("req.numpy = [{a = 1}]", Err("a list of values holds texts, whole numbers and `false`"));
        check("req.numpy = 2024-01-01", Err("a date is no value of an axis: write it in quotes"));
        check("req.a = \"1\"\n\"req.a\" = \"2\"", Err("the axis `req.a` is declared twice"));
    }
}
