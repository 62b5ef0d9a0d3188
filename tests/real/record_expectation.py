#!/usr/bin/env python3
"""Record what asv itself says about one real suite: the oracle of tests/real.

    record_expectation.py NAME --python VENV/bin/python --source SDIST_FOLDER
    record_expectation.py NAME --python ... --source ... --discovery
    record_expectation.py --check NAME
    VENV/bin/python record_expectation.py --probe

NAME is an entry of suites.json.  VENV holds the released wheel of that very
version, the entry's `requirements`, asv 0.6.6 and asv_runner 0.3.2.
SDIST_FOLDER is the unpacked source distribution; nothing in it is changed.

The suite's folder is copied into a scratch git repository with an
asv.conf.json of our own, and asv runs there, the given Python as existing
environment, HOME in the scratch folder (asv keeps its machine file in HOME).
The rest of the environment stays as it is.

The first form runs the suite's declared part (`part`: regular expressions, as
`asv run --bench` takes them) with --quick, `--runs` times, and lists the whole
suite; `--spare` allows more runs on a busy machine and keeps the least
disturbed.  `--discovery` only lists the suite; cases already recorded for the
same version are kept.  Both write expectations/NAME.json:

    {"made_with": {...}, "package": NAME, "version": V, "benchmarks": {
     benchmark: {"version", "type", "unit", "params", "param_names", "cases"}}}

`cases` is null for a benchmark outside the declared part, otherwise it has
one entry for each combination of parameters (last parameter fastest; exactly
one entry without parameters).  An entry is null when the declared part leaves
that combination out, otherwise [state, value of run 1, value of run 2, ...]:
state is measured, failed or skipped (asv's null and NaN), a value is in asv's
unit and null unless measured.  Where runs disagree on the state, the entry is
[[state 1, state 2, ...], value 1, value 2, ...].

A benchmark's `version` can hold a path (NumPy's bench_ufunc has a module named
`version`, which asv takes for the attribute): sys.prefix of PYTHON is written
as {prefix}.  The text of the suite's code is never written.  `--check NAME`
tells how far asv is from itself: the runs of the file held against one
another.

Standard library only; `--probe` alone needs numpy.
"""

import argparse
import datetime
import hashlib
import itertools
import json
import math
import os
import platform
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
THREADS = re.compile(r"^(OMP|OPENBLAS|MKL|BLIS|NUMEXPR|NPY|NUMBA|PYTHON|DASK|ASV|SCIPY)_?")
QUIET = 0.2
FIELDS = ("version", "type", "unit", "params", "param_names")


# --- the speed of the machine -------------------------------------------------

def speed_probe():
    """Seconds of four small fixed jobs, each the best of five.

    loop_s       pure Python, 2 500 000 integer additions in a for loop
    sort_s       numpy, sort of 3 000 000 float64 from a fixed random seed
    dot_s        numpy, float64 matrix product 1200 x 1200 (BLAS, its threads)
    start_s      start and end of `python -c pass`, the same interpreter

    A test on another machine divides its own probe by the recorded one to
    judge how far absolute values may be apart.
    """
    import numpy

    generator = numpy.random.RandomState(1)
    values = generator.random_sample(3_000_000)
    matrix = generator.random_sample((1200, 1200))

    def loop():
        total = 0
        for number in range(2_500_000):
            total += number
        return total

    jobs = {
        "loop_s": loop,
        "sort_s": lambda: numpy.sort(values),
        "dot_s": lambda: matrix @ matrix,
        "start_s": lambda: subprocess.run([sys.executable, "-c", "pass"], check=True),
    }
    return {name: round(best_of_five(job), 6) for name, job in jobs.items()}


def best_of_five(job):
    times = []
    for _ in range(5):
        start = time.perf_counter()
        job()
        times.append(time.perf_counter() - start)
    return min(times)


# --- the scratch repository ---------------------------------------------------

def prepare(scratch, source, suite):
    """Copy the suite into a fresh git repository; return (config folder, commit)."""
    benchmark_dir = suite["benchmark_dir"]
    shutil.copytree(os.path.join(source, benchmark_dir),
                    os.path.join(scratch, benchmark_dir),
                    ignore=shutil.ignore_patterns("__pycache__"))
    folder = os.path.join(scratch, os.path.dirname(benchmark_dir))
    write_config(folder, scratch, suite, "results")
    identity = ["-c", "user.name=oracle", "-c", "user.email=oracle@example.org"]
    git(scratch, "init", "-q", "-b", "master")
    git(scratch, "add", "-A", "-f")
    git(scratch, *identity, "commit", "-q", "-m", "the suite, unchanged")
    return folder, git(scratch, "rev-parse", "HEAD").strip()


def write_config(folder, scratch, suite, results):
    config = {
        "version": 1,
        "project": suite["name"],
        "repo": os.path.relpath(scratch, folder),
        "branches": ["master"],
        "environment_type": "virtualenv",
        "benchmark_dir": os.path.basename(suite["benchmark_dir"]),
        "results_dir": results,
    }
    with open(os.path.join(folder, "asv.conf.json"), "w") as file:
        json.dump(config, file, indent=1)


def git(folder, *arguments):
    return subprocess.run(["git", *arguments], cwd=folder, check=True,
                          stdout=subprocess.PIPE, text=True).stdout


# --- running asv --------------------------------------------------------------

def asv_command(suite, commit, discovery):
    """The arguments behind `python -m asv`."""
    command = ["run", "--python=same", "--machine=oracle", f"--set-commit-hash={commit}"]
    if discovery:
        return command + ["--bench=just-discover"]
    command += ["--quick", "--record-samples", "--show-stderr"]
    return command + [f"--bench={pattern}" for pattern in suite["part"]]


def run_asv(python, folder, home, command, log):
    """Run asv once; return {"exit", "wall_s", "others_busy"}.

    others_busy is the mean number of CPUs that other processes of the machine
    kept busy meanwhile: above some 0.2 single --quick samples go astray.
    """
    environment = dict(os.environ, HOME=home)
    write_machine(home)
    busy, own, start = busy_seconds(), own_seconds(), time.perf_counter()
    with open(log, "w") as output:
        code = subprocess.run([python, "-m", "asv", *command], cwd=folder, env=environment,
                              stdin=subprocess.DEVNULL, stdout=output,
                              stderr=subprocess.STDOUT).returncode
    wall = time.perf_counter() - start
    others = (busy_seconds() - busy - (own_seconds() - own)) / wall
    return {"exit": code, "wall_s": round(wall, 1), "others_busy": round(max(others, 0), 2)}


def busy_seconds():
    """CPU seconds of the whole machine since its start, without idle and wait."""
    with open("/proc/stat") as file:
        ticks = [int(word) for word in file.readline().split()[1:9]]
    return (sum(ticks) - ticks[3] - ticks[4]) / os.sysconf("SC_CLK_TCK")


def own_seconds():
    """CPU seconds of the children that have ended, asv and all it started."""
    times = os.times()
    return times.children_user + times.children_system


def write_machine(home):
    os.makedirs(home, exist_ok=True)
    machine = {"arch": platform.machine(), "cpu": cpu_model(), "machine": "oracle",
               "num_cpu": str(os.cpu_count()), "os": platform.system(), "ram": ""}
    with open(os.path.join(home, ".asv-machine.json"), "w") as file:
        json.dump({"oracle": machine, "version": 1}, file)


# --- reading asv's files ------------------------------------------------------

def read_benchmarks(results, prefix):
    """asv's discovery: {name: our fields}, without code and attributes."""
    with open(os.path.join(results, "benchmarks.json")) as file:
        raw = json.load(file)
    raw.pop("version")
    for entry in raw.values():
        entry["version"] = str(entry["version"]).replace(prefix, "{prefix}")
    return {name: {field: entry[field] for field in FIELDS} for name, entry in sorted(raw.items())}


def read_results(results, commit):
    """asv's result file: {name: {column: value}}."""
    folder = os.path.join(results, "oracle")
    names = [name for name in os.listdir(folder) if name.startswith(commit[:8])]
    if len(names) != 1:
        raise SystemExit(f"expected one result file in {folder}, found {names}")
    with open(os.path.join(folder, names[0])) as file:
        raw = json.load(file)
    columns = raw["result_columns"]
    return {name: dict(zip(columns, row)) for name, row in raw["results"].items()}


def combinations(entry):
    return list(itertools.product(*entry["params"])) if entry["params"] else [None]


def selected(name, entry, part):
    """asv's rule: search in the name, or in `name(repr, repr)` with parameters."""
    texts = [name if values is None else f"{name}({', '.join(values)})"
             for values in combinations(entry)]
    return [any(re.search(pattern, text) for pattern in part) for text in texts]


def outcomes(entry, chosen, row):
    """[(state, value) or None] for every combination, from one result row."""
    values = row["result"]
    if values is None:
        values = [None] * len(chosen)
    return [outcome(value) if take else None for value, take in zip(values, chosen)]


def outcome(value):
    if value is None:
        return "failed", None
    if isinstance(value, float) and math.isnan(value):
        return "skipped", None
    if isinstance(value, float) and math.isinf(value):
        return "measured", str(value)
    return "measured", value


def merge(runs):
    """Join one combination's outcome of every run into a case entry."""
    if runs[0] is None:
        return None
    states = [state for state, _ in runs]
    head = states[0] if len(set(states)) == 1 else states
    return [head, *(value for _, value in runs)]


# --- the expectation file -----------------------------------------------------

def expectation_path(name):
    return os.path.join(HERE, "expectations", f"{name}.json")


def write_expectation(path, data):
    """Compact JSON, one benchmark a line."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    compact = lambda value: json.dumps(value, separators=(",", ":"), sort_keys=False)
    lines = [f" {compact(name)}:{compact(entry)}" for name, entry in data["benchmarks"].items()]
    head = [f'"{key}":{compact(data[key])},' for key in ("package", "version")]
    made = [f" {compact(key)}:{compact(value)}" for key, value in data["made_with"].items()]
    with open(path, "w") as file:
        file.write('{"made_with":{\n' + ",\n".join(made) + "\n},\n" + "\n".join(head)
                   + '\n"benchmarks":{\n' + ",\n".join(lines) + "\n}}\n")


def made_with(python, arguments, suite, command, runs):
    return {
        "asv": installed(python, "asv"),
        "asv_runner": installed(python, "asv_runner"),
        "python": ask(python, "import platform; print(platform.python_version())"),
        "command": shown_command(arguments),
        "asv_command": " ".join(["PYTHON -m asv", *(shown(word) for word in command)]),
        "suite_sha256": tree_hash(os.path.join(arguments.source, suite["benchmark_dir"])),
        "machine": {"cpu": cpu_model(), "num_cpu": os.cpu_count(), "os": platform.system()},
        "speed_probe": json.loads(subprocess.run(
            [python, os.path.abspath(__file__), "--probe"],
            check=True, stdout=subprocess.PIPE, text=True).stdout),
        "environment": {key: value for key, value in sorted(os.environ.items())
                        if THREADS.match(key)},
        "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "runs": runs,
    }


def shown_command(arguments):
    words = ["python3 tests/real/record_expectation.py", arguments.name,
             "--python PYTHON --source SDIST_FOLDER"]
    words += ["--discovery"] if arguments.discovery else [f"--runs {arguments.runs} --spare {arguments.spare}"]
    return " ".join(words)


def shown(word):
    if word.startswith("--set-commit-hash="):
        return "--set-commit-hash=COMMIT"
    return word if re.fullmatch(r"[\w=./-]+", word) else "'" + word + "'"


def installed(python, distribution):
    return ask(python, "import importlib.metadata as m; "
                       f"print(m.version({distribution!r}))")


def ask(python, code):
    return subprocess.run([python, "-c", code], check=True,
                          stdout=subprocess.PIPE, text=True).stdout.strip()


def tree_hash(folder):
    """sha256 over the .py files of the suite: relative name, NUL, bytes, sorted."""
    digest = hashlib.sha256()
    names = [os.path.relpath(os.path.join(root, name), folder)
             for root, _, files in os.walk(folder) for name in files if name.endswith(".py")]
    for name in sorted(names):
        with open(os.path.join(folder, name), "rb") as file:
            digest.update(name.replace(os.sep, "/").encode() + b"\0" + file.read())
    return digest.hexdigest()


def cpu_model():
    try:
        with open("/proc/cpuinfo") as file:
            for line in file:
                if line.startswith("model name"):
                    return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor()


# --- the three modes ----------------------------------------------------------

def record(arguments, suite):
    python = os.path.abspath(arguments.python)
    scratch = tempfile.mkdtemp(prefix=f"oracle-{suite['name']}-", dir=arguments.scratch)
    scratch = os.path.abspath(scratch)
    home = os.path.join(scratch, ".home")
    folder, commit = prepare(os.path.join(scratch, "repo"), arguments.source, suite)
    command = asv_command(suite, commit, arguments.discovery)
    reports, rows = [], []
    for number in range(1, (1 if arguments.discovery else arguments.runs + arguments.spare) + 1):
        results = os.path.join(folder, f"results-{number}")
        write_config(folder, os.path.join(scratch, "repo"), suite, os.path.basename(results))
        log = os.path.join(scratch, f"run-{number}.log")
        reports.append(run_asv(python, folder, home, command, log))
        print(f"run {number}: {reports[-1]}, log {log}", flush=True)
        if not arguments.discovery:
            rows.append(read_results(results, commit))
        if sum(report["others_busy"] < QUIET for report in reports) == arguments.runs:
            break
    if rows:
        rows = keep_quietest(reports, rows, arguments.runs)
    benchmarks = read_benchmarks(results, ask(python, "import sys; print(sys.prefix)"))
    for name, entry in benchmarks.items():
        entry["cases"] = cases(name, entry, suite["part"], rows)
    data = {"made_with": made_with(python, arguments, suite, command, reports),
            "package": suite["name"], "version": suite["version"], "benchmarks": benchmarks}
    path = expectation_path(suite["name"])
    if arguments.discovery:
        data = keep_cases(path, data)
    write_expectation(path, data)
    print(f"wrote {path}: {len(benchmarks)} benchmarks")
    check(suite["name"])


def keep_quietest(reports, rows, count):
    """The rows of the `count` least disturbed runs, in order; marks their reports.

    Only others_busy decides, never a value.
    """
    order = sorted(range(len(rows)), key=lambda index: reports[index]["others_busy"])
    for index, report in enumerate(reports):
        report["kept"] = index in order[:count]
    return [row for row, report in zip(rows, reports) if report["kept"]]


def cases(name, entry, part, rows):
    if not rows:
        return None
    chosen = selected(name, entry, part)
    if not any(chosen):
        return None
    per_run = [outcomes(entry, chosen, row[name]) for row in rows]
    return [merge(runs) for runs in zip(*per_run)]


def keep_cases(path, data):
    """A new listing keeps the cases, and their origin, of the same version."""
    if not os.path.exists(path):
        return data
    with open(path) as file:
        old = json.load(file)
    if old["version"] != data["version"] or "--discovery" in old["made_with"]["command"]:
        return data
    for name, entry in data["benchmarks"].items():
        entry["cases"] = old["benchmarks"].get(name, {}).get("cases")
    old["made_with"]["listed_again"] = data["made_with"]["date"]
    return dict(data, made_with=old["made_with"])


def check(name):
    """Print counts, and how often asv differs from itself by more than a factor two."""
    with open(expectation_path(name)) as file:
        data = json.load(file)
    entries = data["benchmarks"].values()
    whole = sum(len(combinations(entry)) for entry in entries)
    taken = [(entry["type"], case) for entry in entries for case in entry["cases"] or [] if case]
    states = {}
    for _, case in taken:
        state = case[0] if isinstance(case[0], str) else "unstable"
        states[state] = states.get(state, 0) + 1
    print(f"{name} {data['version']}: {len(entries)} benchmarks, {whole} cases; declared part "
          f"{sum(1 for entry in entries if entry['cases'])} benchmarks, {len(taken)} cases {states}")
    for kind in ("time", "other"):
        report_spread(kind, [case[1:] for kind_of, case in taken
                             if case[0] == "measured" and (kind_of == "time") == (kind == "time")])


def report_spread(kind, pairs):
    ratios = [values[1] / values[0] for values in pairs if len(values) > 1
              and all(isinstance(value, (int, float)) and value > 0 for value in values[:2])]
    if not ratios:
        return
    far = sum(1 for ratio in ratios if not 0.5 <= ratio <= 2)
    print(f"  {kind}: run 2 / run 1 over {len(ratios)} cases: median {statistics.median(ratios):.3f}, "
          f"beyond a factor two {far} ({100 * far / len(ratios):.1f} %), "
          f"smallest {min(ratios):.2f}, largest {max(ratios):.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("name", nargs="?", help="an entry of suites.json")
    parser.add_argument("--python", help="the interpreter with the wheel and asv")
    parser.add_argument("--source", help="the unpacked sdist")
    parser.add_argument("--runs", type=int, default=2, help="runs of the declared part (2)")
    parser.add_argument("--spare", type=int, default=0,
                        help="more runs while others keep the machine busy; the least "
                             "disturbed are kept (0)")
    parser.add_argument("--scratch", help="where to make the scratch folder")
    parser.add_argument("--discovery", action="store_true", help="list the suite, run nothing")
    parser.add_argument("--check", action="store_true", help="summarise an existing expectation")
    parser.add_argument("--probe", action="store_true", help="print speed_probe() as JSON")
    arguments = parser.parse_args()
    if arguments.probe:
        print(json.dumps(speed_probe()))
    elif arguments.name is None:
        parser.error("which suite?")
    elif arguments.check:
        check(arguments.name)
    elif not (arguments.python and arguments.source):
        parser.error("--python and --source are needed")
    else:
        with open(os.path.join(HERE, "suites.json")) as file:
            suites = {suite["name"]: suite for suite in json.load(file)["suites"]}
        record(arguments, suites[arguments.name])


if __name__ == "__main__":
    main()
