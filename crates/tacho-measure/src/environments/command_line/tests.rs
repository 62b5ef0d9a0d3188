//! Lines as they stand in projects' settings, and what they come to.

use super::*;

fn values() -> BTreeMap<&'static str, String> {
    let pairs = [
        ("project", "demo"),
        ("env_dir", "/e/one two"),
        ("build_dir", "/b"),
        ("build_cache_dir", "/c"),
        ("wheel_file", "/c/demo-1-py3-none-any.whl"),
        ("conf_dir", "A=b"),
        ("build.CFLAGS", "-O3 -g"),
    ];
    pairs.into_iter().map(|(name, value)| (name, value.to_owned())).collect()
}

fn line(variables: &[(&str, &str)], codes: Option<&[i32]>, dir: Option<&str>, words: &[&str]) -> BuildLine {
    BuildLine {
        variables: variables.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect(),
        accepted_codes: codes.map_or(AcceptedCodes::Any, |codes| AcceptedCodes::Only(codes.iter().copied().collect())),
        dir: dir.map(str::to_owned),
        words: words.iter().map(|word| (*word).to_owned()).collect(),
    }
}

fn check(text: &str, expected: &BuildLine) {
    assert_eq!(parse_line(text, &values()).as_ref(), Ok(expected), "{text}");
}

fn check_error(text: &str, expected: &str) {
    let error = parse_line(text, &values()).expect_err(text);
    assert_eq!(error.to_string(), expected, "{text}");
}

#[test]
fn the_lines_of_asvs_own_defaults_are_read() {
    check(
        "PIP_NO_BUILD_ISOLATION=0 python -m build",
        &line(&[("PIP_NO_BUILD_ISOLATION", "0")], Some(&[0]), None, &["python", "-m", "build"]),
    );
    check(
        "python -m pip wheel -w {build_cache_dir} {build_dir}",
        &line(&[], Some(&[0]), None, &["python", "-m", "pip", "wheel", "-w", "/c", "/b"]),
    );
    check(
        "in-dir={env_dir} python -m pip install {wheel_file} --force-reinstall",
        &line(
            &[],
            Some(&[0]),
            Some("/e/one two"),
            &["python", "-m", "pip", "install", "/c/demo-1-py3-none-any.whl", "--force-reinstall"],
        ),
    );
    check(
        "return-code=any python -m pip uninstall -y {project}",
        &line(&[], None, None, &["python", "-m", "pip", "uninstall", "-y", "demo"]),
    );
}

#[test]
fn words_are_a_shells_and_nothing_is_expanded() {
    check(
        r#"return-code=0,3 A='x y' B="{project}" sh -c 'echo "$HOME" *' a\ b # done"#,
        &line(&[("A", "x y"), ("B", "demo")], Some(&[0, 3]), None, &["sh", "-c", "echo \"$HOME\" *", "a b"]),
    );
    // What stands behind the program is the program's own.
    check("env in-dir=x A=1", &line(&[], Some(&[0]), None, &["env", "in-dir=x", "A=1"]));
    check("pip install ''", &line(&[], Some(&[0]), None, &["pip", "install", ""]));
}

#[test]
fn a_value_stays_one_word_and_becomes_nothing_else() {
    check(
        "cc {build.CFLAGS} -o {env_dir}/out",
        &line(&[], Some(&[0]), None, &["cc", "-O3 -g", "-o", "/e/one two/out"]),
    );
    check("{conf_dir} x", &line(&[], Some(&[0]), None, &["A=b", "x"]));
    check("echo {{project}} {{{project}}}", &line(&[], Some(&[0]), None, &["echo", "{project}", "{demo}"]));
}

#[test]
fn what_is_wrong_with_a_line_is_told() {
    check_error("sh -c 'a", "`sh -c 'a` has a quote that is not closed");
    check_error("", "`` names no program");
    check_error("A=1 return-code=any", "`A=1 return-code=any` names no program");
    check_error("'' x", "`'' x` names no program");
    check_error("echo {project", "`echo {project` has a single `{`: a brace itself is written twice");
    check_error("echo }", "`echo }` has a single `}`: a brace itself is written twice");
    check_error(
        "return-code=a x",
        "`return-code=a x` has `return-code=a`: it is `return-code=any`, or numbers as in `return-code=0,1`",
    );
    check_error("return-code=0 return-code=1 x", "`return-code=0 return-code=1 x` has `return-code` twice");
    check_error("in-dir=a in-dir=b x", "`in-dir=a in-dir=b x` has `in-dir` twice");
    check_error("echo {commit}", "`echo {commit}` has `{commit}`, which has no value here");
    check_error(
        "echo ${HOME}",
        "`echo ${HOME}` has `{HOME}`, which stands for nothing; there are {project} {env_name} {env_type} {env_dir} \
         {conf_dir} {build_dir} {build_cache_dir} {commit} {wheel_file} {python} {build.CFLAGS}",
    );
    check_error("a\0b", "a command line has a zero byte");
}

#[test]
fn exit_codes_are_accepted_as_the_line_says() {
    let accepts = |text: &str, code: i32| parse_line(text, &values()).unwrap().accepted_codes.accepts(code);
    assert!(accepts("x", 0) && !accepts("x", 1));
    assert!(accepts("return-code=1,2 x", 2) && !accepts("return-code=1,2 x", 0));
    assert!(accepts("return-code=any x", 77));
}
