//! Lists of processors and nodes as Linux writes them: `0-3,8`.

/// Reads a list such as `0-3,8`; what is no number is passed over.
pub(crate) fn numbers(list: &str) -> Vec<u32> {
    let range = |part: &str| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        Some(first.trim().parse::<u32>().ok()?..=last.trim().parse::<u32>().ok()?)
    };
    list.split(',').filter_map(range).flatten().collect()
}

/// Writes a list as [`numbers`] reads it.
pub(crate) fn ranges(numbers: &[u32]) -> String {
    let runs = numbers.chunk_by(|before, after| before + 1 == *after);
    let text = |run: &[u32]| match run {
        [one] => one.to_string(),
        run => format!("{}-{}", run[0], run[run.len() - 1]),
    };
    runs.map(text).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(list: &str, expected: &[u32], written: &str) {
        let found = numbers(list);
        assert_eq!((found.as_slice(), ranges(&found).as_str()), (expected, written), "{list:?}");
    }

    #[test]
    fn a_list_is_ranges_and_single_numbers() {
        check("", &[], "");
        check("0", &[0], "0");
        check("0-3,8", &[0, 1, 2, 3, 8], "0-3,8");
        check("0,2,4-5", &[0, 2, 4, 5], "0,2,4-5");
        check("x,1", &[1], "1");
    }
}
