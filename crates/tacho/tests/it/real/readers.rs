//! DuckDB, pandas and Polars read what is written as Parquet.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::compare;
use crate::env::TestEnv;
use crate::query::rows;

/// A benchmark's name that is no harm to anybody.
const HOSTILE: &str = "core.time_'; DROP TABLE results; --\u{1b}[31m<b>|µ😀";

/// Reads a data set and a single file in three ways; prints what each says of them, in one form.
const READ: &str = r#"
import glob, json, sys
import duckdb, pandas, polars

folder, answer, hostile = sys.argv[1:]
files = folder + "/*.parquet"
COUNTS = "count(*), count(DISTINCT benchmark), count(value), sum(CASE WHEN outcome = 'failed' THEN 1 ELSE 0 END)"

def of_duckdb():
    one = lambda sql, *more: list(duckdb.execute(sql, more).fetchone())
    types = dict(duckdb.execute(f"SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM '{files}')").fetchall())
    return {
        "counts": [int(n) for n in one(f"SELECT {COUNTS} FROM '{files}'")],
        "sum": one(f"SELECT sum(value) FROM '{files}'")[0],
        "first": one(f"SELECT strftime(min(commit_date) AT TIME ZONE 'UTC', '%Y-%m-%dT%H:%M:%SZ') FROM '{files}'")[0],
        "hostile": one(f"SELECT count(*) FROM '{files}' WHERE benchmark = ?", hostile)[0],
        "parameter": one(f"SELECT count(*) FROM '{files}' WHERE parameters::JSON->>'param1' = '''<img src=x>'''")[0],
        "types": [types[name] for name in ("benchmark", "commit_date", "position", "value", "quick", "on_line", "parameters")],
        "answer": duckdb.execute(f"SELECT * FROM '{answer}'").fetchall(),
    }

def of_pandas():
    frame = pandas.read_parquet(folder)
    parameter = frame.parameters.map(json.loads).map(lambda named: named.get("param1"))
    assert str(frame.benchmark.dtype) in ("object", "str", "string"), frame.benchmark.dtype
    assert str(frame.on_line.isna().all()) == "True"
    return {
        "counts": [len(frame), frame.benchmark.nunique(), int(frame.value.notna().sum()), int((frame.outcome == "failed").sum())],
        "sum": float(frame.value.sum()),
        "first": frame.commit_date.min().strftime("%Y-%m-%dT%H:%M:%SZ"),
        "hostile": int((frame.benchmark == hostile).sum()),
        "parameter": int((parameter == "'<img src=x>'").sum()),
        "types": [str(frame[name].dtype) for name in ("commit_date", "position", "value", "quick", "n_samples")],
        "answer": json.loads(pandas.read_parquet(answer, dtype_backend="numpy_nullable").to_json(orient="values")),
    }

def of_polars():
    frame = polars.read_parquet(folder)
    assert polars.scan_parquet(files).select(polars.len()).collect().item() == len(frame)
    named = frame["parameters"].str.json_path_match("$.param1")
    return {
        "counts": [len(frame), frame["benchmark"].n_unique(), frame["value"].count(), int((frame["outcome"] == "failed").sum())],
        "sum": frame["value"].sum(),
        "first": frame["commit_date"].min().strftime("%Y-%m-%dT%H:%M:%SZ"),
        "hostile": int((frame["benchmark"] == hostile).sum()),
        "parameter": int((named == "'<img src=x>'").sum()),
        "types": [str(frame[name].dtype) for name in ("benchmark", "commit_date", "position", "value", "quick", "on_line")],
        "answer": polars.read_parquet(answer).rows(),
    }

print(json.dumps({"duckdb": of_duckdb(), "pandas": of_pandas(), "polars": of_polars()}))
"#;

/// The interpreter that has them; nothing where it is not prepared.
fn python() -> Option<PathBuf> {
    let python = std::env::var_os("TACHO_REAL").map(|folder| Path::new(&folder).join("readers/bin/python"));
    let python = python.filter(|python| python.exists());
    if python.is_none() {
        eprintln!("skipped: DuckDB, pandas and Polars are not prepared; `cargo xtask test` does it");
    }
    python
}

/// asv's results with failures, parameters and a hostile name.
fn project() -> TestEnv {
    let env = compare::project();
    let path = env.path("results/lab/abcd0003-virtualenv-py3.12.json");
    let mut file: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    file["results"][HOSTILE] = json!([[null], [], "1"]);
    std::fs::write(path, file.to_string()).unwrap();
    env
}

fn read(env: &TestEnv, python: &Path, folder: &str, answer: &str) -> Value {
    let mut command = Command::new(python);
    command.args(["-I", "-c", READ]).arg(env.path(folder)).arg(env.path(answer)).arg(HOSTILE);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn three_readers_agree_with_the_index() {
    let Some(python) = python() else { return };
    let env = project();
    env.tacho(&["export", "parquet", "--dir", "set"]).with_code(0);
    let sql = "SELECT 1 AS whole, 0.5 AS real, 'µ' AS text, NULL AS none UNION ALL SELECT NULL, 2, NULL, NULL";
    env.tacho(&["query", "--parquet", "answer.parquet", sql]).with_code(0);
    let found = read(&env, &python, "set", "answer.parquet");
    let counts = "SELECT count(*), count(DISTINCT benchmark), count(value), sum(outcome = 'failed') FROM results";
    let sum = rows(&env, "SELECT sum(value), min(commit_date) FROM results");
    for reader in ["duckdb", "pandas", "polars"] {
        let found = &found[reader];
        assert_eq!(found["counts"], rows(&env, counts)[0], "{reader}");
        let difference = found["sum"].as_f64().unwrap() - sum[0][0].as_f64().unwrap();
        assert!(difference.abs() < 1e-12, "{reader}: {difference}");
        assert_eq!(found["first"], sum[0][1], "{reader}");
        assert_eq!((&found["hostile"], &found["parameter"]), (&json!(1), &json!(compare::N_COMMITS)), "{reader}");
        assert_eq!(found["answer"], json!([[1, 0.5, "µ", null], [null, 2.0, null, null]]), "{reader}");
    }
    let types = json!(["VARCHAR", "TIMESTAMP WITH TIME ZONE", "BIGINT", "DOUBLE", "BOOLEAN", "BOOLEAN", "VARCHAR"]);
    assert_eq!(found["duckdb"]["types"], types);
    assert_eq!(found["pandas"]["types"], json!(["datetime64[us, UTC]", "int64", "float64", "bool", "int64"]));
    let moment = "Datetime(time_unit='us', time_zone='UTC')";
    assert_eq!(found["polars"]["types"], json!(["String", moment, "Int64", "Float64", "Boolean", "Boolean"]));
}

#[test]
fn an_empty_history_is_read_too() {
    let Some(python) = python() else { return };
    let env = TestEnv::with_project(&[]);
    env.tacho(&["export", "parquet", "--dir", "set"]).with_code(0);
    let count = "import duckdb, pandas, polars, sys\nfolder = sys.argv[1]\n\
                 assert duckdb.execute(f\"SELECT count(*) FROM '{folder}/*.parquet'\").fetchone() == (0,)\n\
                 assert pandas.read_parquet(folder).shape == (0, 38)\nassert polars.read_parquet(folder).shape == (0, 38)\n";
    let output = Command::new(python).args(["-I", "-c", count]).arg(env.path("set")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
