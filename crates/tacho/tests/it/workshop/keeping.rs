//! How long environments are kept, and what is removed first.

use std::fs::FileTimes;
use std::time::{Duration, SystemTime};

use tacho_measure::environments::{Cache, Tool};
use tacho_model::{Cached, CachedKind};

use super::bench::Bench;

fn names(all: &[Cached]) -> Vec<&str> {
    all.iter().map(|cached| cached.name.as_str()).collect()
}

/// Makes environments of three sources, the first of them the least recently used.
fn three(bench: &Bench) -> Vec<String> {
    let workshop = bench.workshop();
    let mut all = Vec::new();
    for (age, id) in [(300, "one"), (200, "two"), (100, "three")] {
        let made = bench.make(&workshop, id).unwrap();
        let name = made.dir.file_name().unwrap().to_string_lossy().into_owned();
        let time = FileTimes::new().set_modified(SystemTime::now() - Duration::from_secs(age));
        for folder in [&made.dir, &built(bench, &made.build.wheel.as_ref().unwrap().name, &all)] {
            std::fs::File::open(folder.join("tacho-made.json")).unwrap().set_times(time).unwrap();
        }
        all.push(name);
    }
    all
}

/// Returns the folder of the newest build.
fn built(bench: &Bench, wheel: &str, _before: &[String]) -> std::path::PathBuf {
    let folder = bench.path("cache/builds");
    let folders = bench.names("cache/builds").into_iter().map(|name| folder.join(name));
    let made = folders.filter(|path| path.join("wheel").join(wheel).is_file());
    made.max_by_key(|path| path.join("tacho-made.json").metadata().unwrap().modified().unwrap()).unwrap()
}

#[test]
fn the_least_recently_used_go_first_and_what_is_in_use_stays() {
    let bench = Bench::new(Tool::Uv);
    let all = three(&bench);
    let workshop = bench.workshop();
    let listed = Cache::new(&bench.path("cache")).list().unwrap();
    let sizes: u64 =
        listed.iter().filter(|cached| cached.kind != CachedKind::Other).map(|cached| cached.size_bytes).sum();
    assert!(listed.iter().any(|cached| cached.label.as_deref() == Some("test")), "{listed:?}");
    let none = workshop.prune(sizes).unwrap();
    assert_eq!((none.removed.len(), none.in_use.len()), (0, 0));
    // To use an environment makes it the last to go.
    let one = bench.with_order("one", |order| workshop.ready(order)).unwrap();
    let pruned = workshop.prune(sizes - 1).unwrap();
    assert!(pruned.removed.iter().all(|cached| !cached.name.ends_with(&all[0])), "{pruned:?}");
    assert!(bench.with_order("one", |order| workshop.ready(order)).is_some());
    let nothing = workshop.prune(0).unwrap();
    assert_eq!(names(&nothing.in_use), [format!("envs/{}", all[0])]);
    assert_eq!(bench.run(&one.python, "import tiny_pkg; print(tiny_pkg.VALUE)"), "1");
    drop(one);
    let rest = workshop.prune(0).unwrap();
    assert_eq!(names(&rest.removed), [format!("envs/{}", all[0])]);
    assert_eq!(bench.environments(), Vec::<String>::new());
    // And everything can be made anew.
    bench.make(&workshop, "one").unwrap();
}

#[test]
fn a_failure_is_forgotten_when_the_cache_is_cleaned() {
    let bench = Bench::new(Tool::Uv);
    bench.write("code/refuse.txt", "no");
    let workshop = bench.workshop();
    assert!(bench.make(&workshop, "one").is_err());
    assert!(bench.with_order("one", |order| workshop.failed_before(order)).is_some());
    Cache::new(&bench.path("cache")).clean(0).unwrap();
    assert!(bench.with_order("one", |order| workshop.failed_before(order)).is_none());
    assert_eq!(bench.names("cache/envs"), Vec::<String>::new());
}

#[test]
fn what_several_share_is_counted_once() {
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::new(folder.path());
    let file = |name: &str| folder.path().join(name);
    for name in ["envs/0123456789abcdef", "envs/0123456789abcdee"] {
        std::fs::create_dir_all(file(name)).unwrap();
    }
    std::fs::write(file("envs/0123456789abcdef/big"), vec![1; 1 << 20]).unwrap();
    let before: u64 = cache.list().unwrap().iter().map(|cached| cached.size_bytes).sum();
    std::fs::hard_link(file("envs/0123456789abcdef/big"), file("envs/0123456789abcdee/big")).unwrap();
    let after: u64 = cache.list().unwrap().iter().map(|cached| cached.size_bytes).sum();
    assert!(before >= 1 << 20 && after - before < 1 << 16, "{before} {after}");
}
