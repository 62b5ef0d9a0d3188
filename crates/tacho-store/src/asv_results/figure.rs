//! What stands in a result file where a number should: a number, null, NaN, or anything else.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{self, Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

use super::python_json::float_of_word;

/// What stands where a number should. Anything can be read as one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Figure {
    /// Null: a failure, or nothing to say.
    Null,
    /// NaN: skipped, or not selected.
    NotANumber,
    /// A number, which may be infinite. Python's `True` is 1.
    Number(f64),
    /// A text, a list, an object: what a `track_` benchmark may return against the rules.
    Other,
}

impl Figure {
    fn of_float(value: f64) -> Figure {
        if value.is_nan() { Figure::NotANumber } else { Figure::Number(value) }
    }

    /// Returns the number, where there is a finite one.
    pub(super) fn finite(self) -> Option<f64> {
        match self {
            Figure::Number(value) => Some(value).filter(|value| value.is_finite()),
            _ => None,
        }
    }
}

/// A list of figures: `None` for null, one item for a figure that stands alone (as format version 1 had it).
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Listed<T>(pub(super) Option<Vec<T>>);

impl From<Figure> for Listed<Figure> {
    fn from(figure: Figure) -> Listed<Figure> {
        Listed(Some(vec![figure]))
    }
}

/// Returns what stands in a JSON value where a number should.
pub(super) fn figure(value: &Value) -> Figure {
    // Every JSON value is a figure of some kind.
    Figure::deserialize(value).unwrap_or(Figure::Other)
}

/// Returns a text as it stands, anything else as its JSON text, and null as `None`.
pub(super) fn text(value: Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text),
        other => Some(other.to_string()),
    }
}

impl<'de> Deserialize<'de> for Figure {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Figure, D::Error> {
        deserializer.deserialize_any(FigureVisitor)
    }
}

struct FigureVisitor;

impl<'de> Visitor<'de> for FigureVisitor {
    type Value = Figure;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number")
    }

    fn visit_unit<E>(self) -> Result<Figure, E> {
        Ok(Figure::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Figure, E> {
        Ok(Figure::Number(value.into()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Figure, E> {
        Ok(Figure::Number(value as f64))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Figure, E> {
        Ok(Figure::Number(value as f64))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Figure, E> {
        Ok(Figure::of_float(value))
    }

    fn visit_str<E>(self, text: &str) -> Result<Figure, E> {
        Ok(float_of_word(text).map_or(Figure::Other, Figure::of_float))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Figure, A::Error> {
        while items.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Figure::Other)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Figure, A::Error> {
        while entries.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Figure::Other)
    }
}

impl<'de, T: Deserialize<'de> + From<Figure>> Deserialize<'de> for Listed<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Listed<T>, D::Error> {
        deserializer.deserialize_any(ListVisitor(PhantomData))
    }
}

struct ListVisitor<T>(PhantomData<T>);

fn alone<T: From<Figure>, E>(figure: Result<Figure, E>) -> Result<Listed<T>, E> {
    Ok(Listed(Some(vec![T::from(figure?)])))
}

impl<'de, T: Deserialize<'de> + From<Figure>> Visitor<'de> for ListVisitor<T> {
    type Value = Listed<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of numbers")
    }

    fn visit_unit<E: de::Error>(self) -> Result<Listed<T>, E> {
        Ok(Listed(None))
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<Listed<T>, E> {
        alone(FigureVisitor.visit_bool(value))
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Listed<T>, E> {
        alone(FigureVisitor.visit_i64(value))
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Listed<T>, E> {
        alone(FigureVisitor.visit_u64(value))
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Listed<T>, E> {
        alone(FigureVisitor.visit_f64(value))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Listed<T>, E> {
        alone(FigureVisitor.visit_str(text))
    }

    fn visit_map<A: MapAccess<'de>>(self, entries: A) -> Result<Listed<T>, A::Error> {
        alone(FigureVisitor.visit_map(entries))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Listed<T>, A::Error> {
        // JSON does not tell how many there are; most lists have a few, and growing takes longer than room.
        let mut list = Vec::with_capacity(8);
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Listed(Some(list)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(json: &str, expected: Option<&[Figure]>) {
        let found: Listed<Figure> = serde_json::from_str(json).expect("anything is a list of figures");
        assert_eq!(found.0.as_deref(), expected, "{json}");
    }

    #[test]
    fn anything_can_stand_in_a_list() {
        use Figure::{NotANumber, Null, Number, Other};
        check(
            "[1, -2, 0.5, null, true, \"\u{7f}\", \"x\", [1, [2]], {\"a\": {}}]",
            Some(&[Number(1.0), Number(-2.0), Number(0.5), Null, Number(1.0), NotANumber, Other, Other, Other]),
        );
        check("[]", Some(&[]));
    }

    #[test]
    fn a_figure_may_stand_alone() {
        check("null", None);
        check("3", Some(&[Figure::Number(3.0)]));
        check("-3", Some(&[Figure::Number(-3.0)]));
        check("0.5", Some(&[Figure::Number(0.5)]));
        check("\"\u{7f}\"", Some(&[Figure::NotANumber]));
        check("{\"a\": 1}", Some(&[Figure::Other]));
        check("false", Some(&[Figure::Number(0.0)]));
    }

    #[test]
    fn only_a_finite_number_is_one() {
        assert_eq!(Figure::Number(0.5).finite(), Some(0.5));
        for figure in [Figure::Number(f64::INFINITY), Figure::Null, Figure::NotANumber, Figure::Other] {
            assert_eq!(figure.finite(), None, "{figure:?}");
        }
    }

    #[test]
    fn texts_are_kept_and_the_rest_becomes_text() {
        assert_eq!(text(Value::from("'a'")), Some("'a'".to_owned()));
        assert_eq!(text(Value::from(3)), Some("3".to_owned()));
        assert_eq!(text(Value::Null), None);
    }
}
