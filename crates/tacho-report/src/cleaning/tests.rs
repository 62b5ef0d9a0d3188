//! Tests of what is said about cleaning.

use tacho_model::{CachedKind, Timestamp};

use super::*;
use crate::Screen;

fn cached(kind: CachedKind, name: &str, label: Option<&str>, size_bytes: u64) -> Cached {
    let used_at = Timestamp { unix_us: 1_767_323_045_000_000 };
    Cached { kind, name: name.into(), label: label.map(str::to_owned), size_bytes, used_at }
}

#[test]
fn sizes_are_told_in_their_largest_unit() {
    let check = |bytes: u64, expected: &str| assert_eq!(bytes_text(bytes), expected);
    check(0, "0 B");
    check(1023, "1023 B");
    check(1024, "1.0 KiB");
    check(1 << 20, "1.0 MiB");
    check(15 << 29, "7.5 GiB");
    check(300 << 20, "300 MiB");
    check(u64::MAX, "16777216 TiB");
}

#[test]
fn what_is_gone_and_what_is_not_is_told_apart() {
    let cleaned = Cleaning {
        removed: vec![
            cached(CachedKind::Environment, "envs/0123456789abcdef", Some("uv-py3.12\u{1b}[31m"), 30 << 20),
            cached(CachedKind::Repository, "repos/demo-0123", None, 2 << 10),
        ],
        in_use: vec![cached(CachedKind::Build, "builds/fedcba9876543210", Some("uv-py3.12"), 100)],
        kept: vec![],
    };
    insta::assert_snapshot!(cleaning(&cleaned, false).terminal(&Screen { width: 100, colour: false }), @r"
    Removed
      what         name                   label                   size  last used (UTC)
      ──────────────────────────────────────────────────────────────────────────────────
      environment  envs/0123456789abcdef  uv-py3.12\u{1b}[31m   30 MiB  2026-01-02 03:04
      repository   repos/demo-0123        -                    2.0 KiB  2026-01-02 03:04

    In use, and still there
      what   name                     label       size  last used (UTC)
      ──────────────────────────────────────────────────────────────────
      build  builds/fedcba9876543210  uv-py3.12  100 B  2026-01-02 03:04

    2 things, 30 MiB are free; 1 in use; 100 B left
    ");
    let none = Cleaning::default();
    assert_eq!(cleaning(&none, true).terminal(&Screen { width: 100, colour: false }).trim(), "nothing to remove");
}

#[test]
fn json_says_the_same() {
    let cleaned = Cleaning {
        removed: vec![cached(CachedKind::Environment, "envs/0123456789abcdef", Some("uv-py3.12"), 30 << 20)],
        in_use: vec![],
        kept: vec![cached(CachedKind::Other, "runner", None, 7)],
    };
    let read: serde_json::Value = serde_json::from_str(&crate::json::clean(&cleaned, true)).expect("JSON");
    let of = |kind: &str, name: &str, label: serde_json::Value, size_bytes: u64| {
        serde_json::json!({
            "kind": kind, "name": name, "label": label, "size_bytes": size_bytes, "used_at": "2026-01-02T03:04:05Z",
        })
    };
    let expected = serde_json::json!({
        "schema": "tacho.clean/1",
        "dry_run": true,
        "removed": [of("environment", "envs/0123456789abcdef", "uv-py3.12".into(), 30 << 20)],
        "in_use": [],
        "kept": [of("other", "runner", serde_json::Value::Null, 7)],
        "freed_bytes": 30 << 20,
        "left_bytes": 7,
    });
    assert_eq!(read, expected);
}
