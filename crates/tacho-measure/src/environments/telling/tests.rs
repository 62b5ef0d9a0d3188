//! Tests on what programs really printed.

use super::*;

fn check(text: &str, expected: &str) {
    assert_eq!(telling_line(text).as_deref(), Some(expected), "{text}");
}

/// `uv build` 0.13 of an extension that does not compile.
const UV_BUILD: &str = "\
Building wheel...
running build_ext
building 'pfail' extension
gcc -Wsign-compare -DNDEBUG -O3 -Wall -fPIC -c a.c -o build/a.o
a.c:1:9: error: expected expression before ';' token
    1 | int x = ;
      |         ^
a.c:7:1: error: unknown type name 'y'
error: Command '['gcc', '-c', 'a.c', '-o', 'build/a.o']' returned non-zero exit status 1.
error: Failed to build `/src/p2`
  cause: The build backend returned an error
  cause: Call to `setuptools.build_meta.build_wheel` failed (exit status: 1)

hint: Build failures usually indicate a problem with the package or the build environment
";

/// pip 23 of the same.
const PIP_WHEEL: &str = "\
Building wheels for collected packages: pfail
  Building wheel for pfail (pyproject.toml): finished with status 'error'
  error: subprocess-exited-with-error

  × Building wheel for pfail (pyproject.toml) did not run successfully.
  │ exit code: 1
  ╰─> [16 lines of output]
      running build_ext
      a.c:1:9: fatal error: Python.h: No such file or directory
      compilation terminated.
      error: command '/usr/bin/gcc' failed with exit code 1
      [end of output]

  note: This error originates from a subprocess, and is likely not a problem with pip.
  ERROR: Failed building wheel for pfail
Failed to build pfail
ERROR: Failed to build one or more wheels
";

#[test]
fn a_compilers_first_error_is_the_cause() {
    check(UV_BUILD, "a.c:1:9: error: expected expression before ';' token");
    check(PIP_WHEEL, "a.c:1:9: fatal error: Python.h: No such file or directory");
    check(
        "x.o: in function `f':\nx.c:(.text+0x5): undefined reference to `g'\ncollect2: error: ld returned 1 exit status\n",
        "x.c:(.text+0x5): undefined reference to `g'",
    );
}

#[test]
fn a_missing_compiler_is_named() {
    check(
        "nosuchcc -c a.c\nerror: [Errno 2] No such file or directory: 'nosuchcc'\nerror: Failed to build `/p`\n  cause: The build backend returned an error\n",
        "error: [Errno 2] No such file or directory: 'nosuchcc'",
    );
    check(
        "error: command 'gcc' failed: No such file or directory\nERROR: Failed building wheel for x\n",
        "error: command 'gcc' failed: No such file or directory",
    );
}

#[test]
fn a_tracebacks_last_line_says_what_happened() {
    let text = "Traceback (most recent call last):\n  File \"setup.py\", line 1, in <module>\n    import numpy\nModuleNotFoundError: No module named 'numpy'\nerror: Failed to build `/p`\n  cause: The build backend returned an error\n";
    check(text, "ModuleNotFoundError: No module named 'numpy'");
    let text = "Traceback (most recent call last):\n  File \"a.py\", line 2\nsubprocess.CalledProcessError: Command '['make']' returned non-zero exit status 2.\nmake: *** [Makefile:3: all] Error 2\nRuntimeError: no make\n";
    check(text, "RuntimeError: no make");
}

#[test]
fn a_resolver_is_heard_out() {
    // `uv` 0.13.
    check(
        "Using Python 3.11.7 environment at: env2\nerror: No solution found when resolving dependencies\n  cause: Because there is no version of numpy==99 and you require numpy==99, we can conclude that your requirements are unsatisfiable.\n",
        "Because there is no version of numpy==99 and you require numpy==99, we can conclude that your requirements are unsatisfiable.",
    );
    // `uv` 0.5, whose lines are broken.
    check(
        "  × No solution found when resolving dependencies:\n  ╰─▶ Because only numpy<=2.1 is available and\n      you require numpy==99, we can conclude that\n      your requirements are unsatisfiable.\n",
        "Because only numpy<=2.1 is available and you require numpy==99, we can conclude that your requirements are unsatisfiable.",
    );
    check(
        "ERROR: Could not find a version that satisfies the requirement numpy==99 (from versions: 1.3.0)\nERROR: No matching distribution found for numpy==99\n",
        "ERROR: No matching distribution found for numpy==99",
    );
    check(
        "ERROR: Cannot install a and b because these package versions have conflicting dependencies.\n\nThe conflict is caused by:\n    a 1 depends on c>2\n\nERROR: ResolutionImpossible: for help visit https://pip.pypa.io/\n",
        "ERROR: Cannot install a and b because these package versions have conflicting dependencies.",
    );
}

#[test]
fn a_cause_is_told_with_what_it_caused() {
    let text = "error: Failed to fetch: `https://e.org/x.whl`\n  Caused by: Request failed\n  Caused by: HTTP status client error (404 Not Found)\n\nhint: look\n";
    check(text, "error: Failed to fetch: `https://e.org/x.whl`: HTTP status client error (404 Not Found)");
}

#[test]
fn the_last_line_has_to_do_where_none_tells_more() {
    check("one\ntwo \n\n", "two");
    check(&"x".repeat(400), &format!("{} …", "x".repeat(300)));
    assert_eq!(telling_line(" \n\n"), None);
}

fn check_blame(text: &str, expected: Option<Blame>) {
    assert_eq!(blame(text).map(|(blame, _)| blame), expected, "{text}");
}

#[test]
fn what_the_machine_is_to_blame_for_is_told_apart() {
    check_blame(UV_BUILD, None);
    check_blame(
        "fatal error: error writing to /tmp/cc.s: No space left on device\ncompilation terminated.\n",
        Some(Blame::Disk),
    );
    check_blame(
        "error: Failed to write to the client cache\n  Caused by: No space left on device (os error 28)\n",
        Some(Blame::Disk),
    );
    let uv = "error: Failed to fetch: `https://pypi.org/simple/numpy/`\n  Caused by: error sending request for url (https://pypi.org/simple/numpy/)\n  Caused by: dns error: failed to lookup address information\n";
    check_blame(uv, Some(Blame::Network));
    check_blame(
        "WARNING: Retrying (Retry(total=4)) after connection broken by 'NewConnectionError(...)': /simple/x/\nERROR: No matching distribution found for x\n",
        Some(Blame::Network),
    );
    check_blame(
        "error: Failed to fetch: `https://e.org/x.whl`\n  Caused by: HTTP status client error (404 Not Found)\n",
        None,
    );
}

#[test]
fn colours_hide_no_error() {
    let coloured = "\u{1b}[01m\u{1b}[Ka.c:3:4:\u{1b}[m\u{1b}[K \u{1b}[01;31m\u{1b}[Kerror: \u{1b}[m\u{1b}[Kno é\n\u{1b}]0;title\u{7}end";
    assert_eq!(plain(coloured), "a.c:3:4: error: no é\nend");
    assert_eq!(plain("\u{1b}"), "");
    assert_eq!(plain("a\u{1b}[é"), "a");
    check(&plain(coloured), "a.c:3:4: error: no é");
}

#[test]
fn a_backend_that_was_killed_is_told_by_its_end() {
    check(
        "Building wheel...\nerror: Failed to build `/src/p2`\n  cause: The build backend returned an error\n  cause: Call to \
         `backend.build_wheel` failed (signal: 9)\n\nhint: Build failures usually indicate a problem\n",
        "Call to `backend.build_wheel` failed (signal: 9)",
    );
}

#[test]
fn what_has_no_hash_is_named() {
    check(
        "ERROR: In --require-hashes mode, all requirements must have their versions pinned with ==. These do not:\n    toolz from \
         https://pypi.org/toolz (from -r locked.txt (line 2))\n",
        "ERROR: In --require-hashes mode, all requirements must have their versions pinned with ==. These do not: toolz from \
         https://pypi.org/toolz (from -r locked.txt (line 2))",
    );
}
