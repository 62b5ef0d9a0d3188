"""Records what asv_runner finds in a fixture suite, for `test_identity` to hold the runner against.

Made with asv_runner 0.3.2 and pympler 1.1 on CPython 3.11.7, from the folder of this script:

    python -m venv VENV && VENV/bin/pip install asv_runner==0.3.2 pympler==1.1
    VENV/bin/python record_forms.py forms > recorded/forms.json
"""

import json
import os
import sys
from importlib.metadata import version

SETTINGS = ("number", "repeat", "rounds", "sample_time", "warmup_time", "min_run_count")


def entry(benchmark):
    settings = {name: getattr(benchmark, name, None) for name in SETTINGS}
    return {
        "version": benchmark.version,
        "code": benchmark.code,
        "params": benchmark.params,
        "param_names": benchmark.param_names,
        "timeout_s": benchmark.timeout,
        "unit": benchmark.unit,
        "pretty_name": benchmark.pretty_name,
        "setup_cache_key": benchmark.setup_cache_key,
        "setup_cache_timeout_s": benchmark.setup_cache_timeout,
        "settings": settings if benchmark.type == "time" else {},
    }


def main():
    from asv_runner._aux import update_sys_path
    from asv_runner.discovery import disc_benchmarks

    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "suites", sys.argv[1])
    update_sys_path(root)
    found = {benchmark.name: entry(benchmark) for benchmark in disc_benchmarks(root)}
    made_with = {"asv_runner": version("asv_runner"), "python": sys.version.split()[0]}
    json.dump({"made_with": made_with, "benchmarks": found}, sys.stdout, indent=1, sort_keys=True)
    print()


if __name__ == "__main__":
    main()
