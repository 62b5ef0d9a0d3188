//! Outcomes told apart, on a suite that does everything wrong.

use serde_json::Value;

use crate::env::TestEnv;

const SUITE: &str = "
import os, sys, time

class Params:
    params = [False, True]
    param_names = ['good']
    def time_half(self, good):
        if not good:
            raise ValueError('a bad case')

class Skips:
    params = [1, 2]
    def setup(self, n):
        if n == 2:
            raise NotImplementedError('two is too many')
    def track_n(self, n):
        return n

def time_good(): pass
def time_raises(): raise RuntimeError('on purpose')
def time_sleeps(): time.sleep(30)
time_sleeps.timeout = 0.3
def time_leaves(): os._exit(7)
def time_quits(): sys.exit('bye')
def time_killed(): os.kill(os.getpid(), 9)
def track_none(): return None
def track_text(): return 'text'
def track_nan(): return float('nan')
def track_true(): return True
def track_many(): return 12.5
track_many.unit = 'items/s'
def mem_list(): return [0] * 1000
def peakmem_block(): return bytearray(30_000_000)
def timeraw_sum(): return 'sum(range(10))'
async def time_awaited(): pass
";

fn results(env: &TestEnv, arguments: &[&str], code: i32) -> Vec<Value> {
    let said = env.tacho(arguments);
    assert_eq!(said.code, Some(code), "{}", said.all());
    let shown = env.tacho(&["show", "--json", "--samples"]).json(0);
    shown["runs"][0]["results"].as_array().unwrap().clone()
}

/// Returns `name(params): state message` of each result, without what differs from run to run.
fn told(results: &[Value]) -> String {
    let line = |result: &Value| {
        let parameters: Vec<&str> =
            result["parameters"].as_array().unwrap().iter().map(|p| p["value"].as_str().unwrap()).collect();
        let message = result["message"].as_str().map(|message| format!(" | {message}")).unwrap_or_default();
        let name = result["benchmark"].as_str().unwrap();
        format!("{name}({}) {}{message}", parameters.join(", "), result["state"].as_str().unwrap())
    };
    results.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn each_way_to_end_has_its_own_word() {
    let env = TestEnv::with_project(&[("benchmarks/all.py", SUITE)]);
    let results = results(&env, &["run", "--quick"], 3);
    insta::assert_snapshot!(told(&results));
}

#[test]
fn spawned_cases_end_as_forked_ones_do() {
    let env = TestEnv::with_project(&[("benchmarks/all.py", SUITE)]);
    let forked = told(&results(&env, &["run", "--quick"], 3));
    let spawned = told(&results(&env, &["run", "--quick", "--launch-method", "spawn"], 3));
    let states =
        |text: &str| -> Vec<String> { text.lines().map(|line| line.split(" | ").next().unwrap().to_owned()).collect() };
    assert_eq!(states(&forked), states(&spawned));
}

#[test]
fn values_have_the_units_of_their_kinds() {
    let env = TestEnv::with_project(&[("benchmarks/all.py", SUITE)]);
    let results = results(&env, &["run", "--quick", "-b", "mem_|peakmem_|timeraw_|track_many|time_good"], 0);
    let one = |name: &str| results.iter().find(|r| r["benchmark"] == format!("all.{name}")).unwrap();
    let value = |name: &str| one(name)["value"].as_f64().unwrap();
    assert!((8_000.0..9_000.0).contains(&value("mem_list")), "eight bytes an entry: {}", value("mem_list"));
    assert!(value("peakmem_block") > 30e6, "{}", value("peakmem_block"));
    assert!((1e-9..1e-3).contains(&value("timeraw_sum")), "{}", value("timeraw_sum"));
    assert_eq!((one("track_many")["value"].as_f64(), &one("track_many")["direction"]), (Some(12.5), &"higher".into()));
    assert_eq!(one("peakmem_block")["metric"], "peak_memory");
}
