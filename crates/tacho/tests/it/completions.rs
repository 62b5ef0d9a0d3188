//! `tacho completions`.

use crate::env::TestEnv;

#[test]
fn every_shell_gets_a_script_that_knows_the_commands() {
    let env = TestEnv::new();
    for shell in ["bash", "zsh", "fish"] {
        let script = env.tacho(&["completions", shell]).with_code(0);
        for word in ["init", "run", "show", "check", "set-commit-hash"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
}
