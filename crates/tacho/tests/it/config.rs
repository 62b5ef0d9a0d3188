//! `tacho config`: configuration as it is found in the wild.

use crate::env::TestEnv;

fn check(files: &[(&str, &str)], arguments: &[&str]) -> String {
    let env = TestEnv::new();
    for (name, text) in files {
        env.write(name, text);
    }
    env.tacho(arguments).all()
}

const IN_THE_WILD: &str = r#"{
    // The version of the config file format.
    "version": 1,
    "project": "wild", /* block */
    "repo": "..",
    "benchmark_dir": "bench",
    "branchs": ["main"],
    "matrix": {"req": {"numpy": ["1.26"]}},
    "default_benchmark_timeout": 500,
}
"#;

#[test]
fn asv_configuration_has_comments_trailing_commas_and_unknown_keys() {
    insta::assert_snapshot!(check(&[("asv.conf.json", IN_THE_WILD)], &["config", "show"]));
}

#[test]
fn tacho_toml_goes_over_asv_and_each_value_tells_its_origin() {
    let toml = "[run]\ntimeout_s = 5\n[environment]\npython = \"3.12\"\nvariables = { OMP_NUM_THREADS = \"1\" }\n";
    insta::assert_snapshot!(check(&[("asv.conf.json", IN_THE_WILD), ("tacho.toml", toml)], &["config", "show"]));
}

#[test]
fn an_unknown_key_of_tacho_toml_is_an_error_with_the_nearest_one() {
    insta::assert_snapshot!(check(&[("tacho.toml", "[run]\ntimeouts = 5\n")], &["config", "show"]));
}

#[test]
fn wrong_values_are_told_with_file_and_key() {
    for text in [
        r#"{"project": 1}"#,
        r#"{"branches": "main"}"#,
        r#"{"default_benchmark_timeout": -1}"#,
        r#"{"launch_method": "thread"}"#,
        "not json",
        "[]",
    ] {
        let said = check(&[("asv.conf.json", text)], &["config", "show"]);
        assert!(said.starts_with("exit: 2") && said.contains("asv.conf.json"), "{text}: {said}");
    }
}

#[test]
fn without_a_configuration_the_way_out_is_told() {
    insta::assert_snapshot!(check(&[], &["config", "show"]), @r"
    exit: 2
    ----- stdout

    ----- stderr
    error: no `tacho.toml` or `asv.conf.json` in `[PROJECT]` or above
    hint: begin with `tacho init`, measure a single file with `tacho run FILE.py`, or name the configuration with --config
    ");
    insta::assert_snapshot!(check(&[("sub/asv.conf.json", "{}")], &["run"]), @r"
    exit: 2
    ----- stdout

    ----- stderr
    error: no `tacho.toml` or `asv.conf.json` in `[PROJECT]` or above
    hint: one is in a folder below: add `--config sub/asv.conf.json`
    ");
}

#[test]
fn json_carries_schema_and_origins() {
    let env = TestEnv::new();
    env.write("tacho.toml", "[project]\nname = \"p\"\n");
    let said = env.tacho(&["config", "show", "--json"]).json(0);
    assert_eq!(said["schema"], "tacho.config/1");
    assert_eq!(said["settings"][0]["origin"], "tacho.toml: project.name");
}

#[test]
fn the_schema_of_the_configuration_is_published() {
    let env = TestEnv::new();
    let said = env.tacho(&["config", "schema"]).with_code(0);
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/formats/tacho-toml.schema.json");
    if std::env::var_os("TACHO_UPDATE_SCHEMAS").is_some() {
        std::fs::write(&path, &said).unwrap();
    }
    assert!(std::fs::read_to_string(path).unwrap_or_default() == said, "run TACHO_UPDATE_SCHEMAS=1 cargo test");
}

#[test]
fn the_environments_that_are_asked_for_are_named() {
    let environments = |files: &[(&str, &str)]| {
        let env = TestEnv::new();
        files.iter().for_each(|(name, text)| env.write(name, text));
        env.tacho(&["config", "show", "--json"]).json(0)["environments"].clone()
    };
    let axes = "[axes]\npython = [\"3.12\"]\nreq.numpy = [\"1.26\", \"2.1\"]\nthreads = [1, 2]\n";
    assert_eq!(
        environments(&[("tacho.toml", axes)]),
        serde_json::json!([
            "uv-py3.12-numpy1.26-threads1",
            "uv-py3.12-numpy1.26-threads2",
            "uv-py3.12-numpy2.1-threads1",
            "uv-py3.12-numpy2.1-threads2",
        ])
    );
    assert_eq!(environments(&[("tacho.toml", "")]), serde_json::json!(["existing"]));
    let text = check(&[("tacho.toml", axes)], &["config", "show"]);
    assert!(text.contains("\n# environment: uv-py3.12-numpy2.1-threads2\n"), "{text}");
    // Settings are shown even where nothing can be made of them, and it is said why.
    let text = check(&[("tacho.toml", "[environment]\nexclude = [{}]\n")], &["config", "show"]);
    assert!(text.contains("environment.exclude = ") && text.contains("warning: no environment is left"), "{text}");
    assert!(environments(&[("tacho.toml", "[environment]\nexclude = [{}]\n")]).is_null());
}
