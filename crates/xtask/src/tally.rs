//! Counts tests from what `cargo test` and `unittest` print.

/// What passed and what did not.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// Tests and checks that passed.
    pub passed: u64,
    /// Tests and checks that failed.
    pub failed: u64,
    /// Tests that said they do not apply here.
    pub skipped: u64,
}

impl Tally {
    /// Adds another count to this one.
    pub fn add(&mut self, other: Tally) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }
}

/// Reads the output of one step, line by line.
#[derive(Debug, Default)]
pub struct Counter {
    tally: Tally,
    /// Tests that unittest ran, until its verdict says how they ended.
    ran: u64,
}

impl Counter {
    /// Reads one line.
    pub fn read(&mut self, line: &str) {
        if let Some(rest) = line.strip_prefix("test result: ") {
            let (passed, failed, skipped) = (before(rest, "passed"), before(rest, "failed"), before(rest, "ignored"));
            self.tally.add(Tally { passed, failed, skipped });
        } else if let Some(rest) = line.strip_prefix("Ran ") {
            self.ran = before(rest, "test").max(before(rest, "tests"));
        } else if line == "OK" || line.starts_with("OK (") || line.starts_with("FAILED (") {
            let failed = after(line, "failures") + after(line, "errors");
            let skipped = after(line, "skipped");
            let passed = std::mem::take(&mut self.ran).saturating_sub(failed + skipped);
            self.tally.add(Tally { passed, failed, skipped });
        }
    }

    /// Returns the count; a step that tells no numbers counts as one, and a failure always counts.
    pub fn finish(self, succeeded: bool) -> Tally {
        let mut tally = self.tally;
        if !succeeded && tally.failed == 0 {
            tally.failed = 1;
        }
        if succeeded && tally == Tally::default() {
            tally.passed = 1;
        }
        tally
    }
}

/// Returns the number before a word: `3` of `3 passed;`.
fn before(text: &str, word: &str) -> u64 {
    let words: Vec<&str> = text.split([' ', ';', '.']).filter(|word| !word.is_empty()).collect();
    words.windows(2).find(|pair| pair[1] == word).and_then(|pair| pair[0].parse().ok()).unwrap_or(0)
}

/// Returns the number of `key=number`; `expected failures=1` is another key than `failures`.
fn after(text: &str, key: &str) -> u64 {
    let inner = text.split_once('(').map_or("", |(_, inner)| inner).trim_end_matches(')');
    let mut pairs = inner.split(", ").filter_map(|pair| pair.split_once('='));
    pairs.find(|(name, _)| *name == key).and_then(|(_, number)| number.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(lines: &[&str], succeeded: bool, expected: [u64; 3]) {
        let mut counter = Counter::default();
        lines.iter().for_each(|line| counter.read(line));
        let [passed, failed, skipped] = expected;
        assert_eq!(counter.finish(succeeded), Tally { passed, failed, skipped }, "{lines:?}");
    }

    #[test]
    fn cargo_and_unittest_are_added_up() {
        let cargo = "test result: ok. 38 passed; 0 failed; 2 ignored; 0 measured; 0 filtered out; finished in 1.25s";
        check(&[cargo, cargo], true, [76, 0, 4]);
        check(&["Ran 12 tests in 0.01s", "", "OK"], true, [12, 0, 0]);
        check(&["Ran 1 test in 0.01s", "", "OK (skipped=1)"], true, [0, 0, 1]);
        let verdict = "FAILED (failures=1, errors=2, skipped=3, expected failures=4)";
        check(&["Ran 12 tests in 0.01s", verdict], false, [6, 3, 3]);
    }

    #[test]
    fn a_step_without_numbers_is_one_check() {
        check(&["warning: something"], true, [1, 0, 0]);
        check(&["error: something"], false, [0, 1, 0]);
    }

    #[test]
    fn a_step_that_breaks_after_good_tests_has_failed() {
        check(&["test result: ok. 3 passed; 0 failed; 0 ignored"], false, [3, 1, 0]);
    }
}
