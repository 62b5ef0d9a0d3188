//! Events: where a series goes on as another one.

use tacho_model::{Disagreement, Event};

/// What decides whether two points of a series may be held against each other; `None` where nobody knows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Kind<'a> {
    /// The benchmark's version.
    pub version: Option<&'a str>,
    /// The unit of the values.
    pub unit: Option<&'a str>,
    /// The measuring method.
    pub method: Option<&'a str>,
    /// The machine's processor.
    pub cpu: Option<&'a str>,
    /// How many processors it has.
    pub num_cpu: Option<&'a str>,
}

impl<'a> Kind<'a> {
    fn fields(&self) -> [(&'static str, Option<&'a str>); 5] {
        let Kind { version, unit, method, cpu, num_cpu } = *self;
        [("version", version), ("unit", unit), ("method", method), ("cpu", cpu), ("num_cpu", num_cpu)]
    }
}

/// Returns the events of a series, whose points are of these kinds in the order of history. What nobody knows at a point is as
/// it was when it was last known.
pub fn events(kinds: &[Kind<'_>]) -> Vec<Event> {
    let mut known: [Option<&str>; 5] = [None; 5];
    let mut found = Vec::new();
    for (at, kind) in kinds.iter().enumerate() {
        let mut fields = Vec::new();
        for (known, (field, value)) in known.iter_mut().zip(kind.fields()) {
            let Some(value) = value else { continue };
            if let Some(before) = known.replace(value).filter(|before| differ(before, value)) {
                let (before, after) = (Some(before.to_owned()), Some(value.to_owned()));
                fields.push(Disagreement { field: field.to_owned(), before, after });
            }
        }
        if !fields.is_empty() {
            found.push(Event { at, fields });
        }
    }
    found
}

/// Most neighbours are of one text, which need not be read to be equal.
fn differ(before: &str, after: &str) -> bool {
    !std::ptr::eq(before, after) && before != after
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks events over versions and processors, written `version/cpu` with `-` for what is unknown.
    fn check(points: &[&str], expected: &[(usize, &str)]) {
        let known = |text: &'static str| Some(text).filter(|text| *text != "-");
        let kind = |text: &&str| {
            let text: &'static str = Box::leak((*text).to_owned().into_boxed_str());
            let (version, cpu) = text.split_once('/').unwrap_or((text, "-"));
            Kind { version: known(version), cpu: known(cpu), ..Kind::default() }
        };
        let kinds: Vec<Kind<'_>> = points.iter().map(kind).collect();
        let field = |one: &Disagreement| {
            format!("{} {} {}", one.field, one.before.as_deref().unwrap_or("-"), one.after.as_deref().unwrap_or("-"))
        };
        let told = |event: Event| (event.at, event.fields.iter().map(field).collect::<Vec<_>>().join(", "));
        let found: Vec<(usize, String)> = events(&kinds).into_iter().map(told).collect();
        let found: Vec<(usize, &str)> = found.iter().map(|(at, text)| (*at, text.as_str())).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn what_is_another_one_is_an_event() {
        check(&[], &[]);
        check(&["1", "1", "1"], &[]);
        check(&["1/x", "1/x", "2/x", "2/y"], &[(2, "version 1 2"), (3, "cpu x y")]);
        check(&["1/x", "2/y"], &[(1, "version 1 2, cpu x y")]);
    }

    #[test]
    fn unknown_against_known_is_none() {
        check(&["-", "1", "-", "1"], &[]);
        check(&["1", "-", "2"], &[(2, "version 1 2")]);
    }
}
