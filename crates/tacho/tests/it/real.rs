//! Real suites of real projects, held against what asv made of them.
