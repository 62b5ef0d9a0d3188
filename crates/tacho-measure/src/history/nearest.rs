//! Names that come near one that is not there.

/// How many names an error lists.
const LISTED: usize = 8;

/// How near a name has to come to be meant, from 0 to 1.
const NEAR: f64 = 0.8;

/// Returns the names that come near, the nearest first: three at most.
pub(super) fn near<'a>(word: &str, names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let scored = names.map(|name| (strsim::jaro_winkler(word, name), name)).filter(|(score, _)| *score >= NEAR);
    let mut scored: Vec<_> = scored.collect();
    scored.sort_by(|(a, one), (b, other)| b.total_cmp(a).then_with(|| one.cmp(other)));
    scored.dedup_by_key(|(_, name)| *name);
    scored.into_iter().take(3).map(|(_, name)| name.to_owned()).collect()
}

/// The same, or the first names where none comes near.
pub(super) fn near_or_first<'a>(word: &str, names: impl Iterator<Item = &'a str> + Clone) -> Vec<String> {
    let found = near(word, names.clone());
    if found.is_empty() { names.take(LISTED).map(str::to_owned).collect() } else { found }
}
