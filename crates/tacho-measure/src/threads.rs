//! Caps the threads of numeric libraries: one number for all of them, by the variable that each documents.
//!
//! A variable is what a library starts with. Code that asks its library for another number of threads gets it; what holds
//! always is the processors that a process may use. oneTBB has no variable of its own and starts a thread for each of those.

use std::collections::BTreeMap;

/// The variables that cap a library's threads, each to be set to a whole number.
pub const CAPS: [&str; 12] = [
    // OpenMP: GNU's, LLVM's and Intel's runtimes, and what is built on them (PyTorch, scikit-learn, Arrow).
    "OMP_NUM_THREADS",
    // OpenBLAS where it is built without OpenMP.
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "BLIS_NUM_THREADS",
    // Apple's Accelerate.
    "VECLIB_MAXIMUM_THREADS",
    "NUMEXPR_NUM_THREADS",
    // More threads than this many are an error of NumExpr's, and unset it is less than some machines have processors.
    "NUMEXPR_MAX_THREADS",
    "NUMBA_NUM_THREADS",
    "RAYON_NUM_THREADS",
    "POLARS_MAX_THREADS",
    "JULIA_NUM_THREADS",
    "GOMAXPROCS",
];

/// Variables that count before one of [`CAPS`], and so would lift a cap that is set there.
pub const LIFTS: [&str; 6] =
    ["MKL_DOMAIN_NUM_THREADS", "BLIS_JC_NT", "BLIS_PC_NT", "BLIS_IC_NT", "BLIS_JR_NT", "BLIS_IR_NT"];

/// Variables beside these that decide how many threads there are, or where they run and how they wait.
const MANNERS: [&str; 13] = [
    "OMP_THREAD_LIMIT",
    "OMP_DYNAMIC",
    "OMP_MAX_ACTIVE_LEVELS",
    "OMP_PROC_BIND",
    "OMP_PLACES",
    "OMP_WAIT_POLICY",
    "OPENBLAS_DEFAULT_NUM_THREADS",
    "GOMP_CPU_AFFINITY",
    "KMP_AFFINITY",
    "KMP_BLOCKTIME",
    "MKL_DYNAMIC",
    "NUMBA_THREADING_LAYER",
    "JULIA_EXCLUSIVE",
];

/// Returns what a cap of `cap` threads, one or more, sets (`Some`) and removes (`None`), by name.
///
/// Whether a library may use fewer threads than it is given (`OMP_DYNAMIC`, `MKL_DYNAMIC`) stays as it is: a cap is the
/// most there may be, and switching that off would let MKL start threads inside of threads.
pub fn variables(cap: u32) -> Vec<(String, Option<String>)> {
    let set = CAPS.map(|name| (name.to_owned(), Some(cap.to_string())));
    let removed = LIFTS.map(|name| (name.to_owned(), None));
    set.into_iter().chain(removed).collect()
}

/// Returns every variable that rules threads: whatever of these a process was started with belongs to its numbers.
pub fn ruling() -> impl Iterator<Item = &'static str> {
    CAPS.into_iter().chain(LIFTS).chain(MANNERS)
}

/// Returns the cap that all variables of threading libraries agree on; `None` where none is set, or they differ.
pub fn agreed_cap(variables: &BTreeMap<String, Option<String>>) -> Option<u32> {
    let value = |name: &str| variables.get(name)?.as_deref();
    if LIFTS.into_iter().any(|name| value(name).is_some()) {
        return None;
    }
    let mut caps = CAPS.into_iter().filter_map(value);
    let first = caps.next()?;
    // `OMP_NUM_THREADS=4,2` has a number for each level of nesting, and is no one cap.
    if caps.all(|cap| cap == first) { first.parse().ok().filter(|cap| *cap > 0) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_number_caps_every_library_and_nothing_lifts_it() {
        let set: BTreeMap<String, Option<String>> = variables(3).into_iter().collect();
        assert_eq!(set.len(), CAPS.len() + LIFTS.len());
        for name in ["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS"] {
            assert_eq!(set[name].as_deref(), Some("3"), "{name}");
        }
        for name in ["NUMEXPR_NUM_THREADS", "RAYON_NUM_THREADS", "JULIA_NUM_THREADS", "GOMAXPROCS"] {
            assert_eq!(set[name].as_deref(), Some("3"), "{name}");
        }
        assert_eq!((&set["MKL_DOMAIN_NUM_THREADS"], &set["BLIS_JC_NT"]), (&None, &None));
        assert_eq!(agreed_cap(&set), Some(3));
    }

    #[test]
    fn every_variable_stands_once() {
        let names: Vec<&str> = ruling().collect();
        let once: std::collections::BTreeSet<&str> = names.iter().copied().collect();
        assert_eq!(names.len(), once.len());
    }

    fn check_cap(set: &[(&str, Option<&str>)], expected: Option<u32>) {
        let set = set.iter().map(|(name, value)| ((*name).to_owned(), value.map(str::to_owned))).collect();
        assert_eq!(agreed_cap(&set), expected, "{set:?}");
    }

    #[test]
    fn a_cap_is_told_where_all_agree() {
        check_cap(&[], None);
        check_cap(&[("OMP_NUM_THREADS", Some("2"))], Some(2));
        check_cap(&[("OMP_NUM_THREADS", Some("2")), ("MKL_NUM_THREADS", None)], Some(2));
        check_cap(&[("OMP_NUM_THREADS", Some("2")), ("GOMAXPROCS", Some("2"))], Some(2));
        check_cap(&[("OMP_NUM_THREADS", Some("2")), ("GOMAXPROCS", Some("3"))], None);
        check_cap(&[("OMP_NUM_THREADS", Some("4,2"))], None);
        check_cap(&[("OMP_NUM_THREADS", Some("0"))], None);
        check_cap(&[("JULIA_NUM_THREADS", Some("auto"))], None);
        check_cap(&[("MY_THREADS", Some("2"))], None);
        check_cap(&[("BLIS_NUM_THREADS", Some("2")), ("BLIS_IC_NT", Some("4"))], None);
    }
}
