//! The name a machine gets when nobody gave it one.

use std::collections::BTreeMap;

use tacho_model::{CPU_FACT, UNKNOWN_CPU};

/// Returns the host name, or `PROVIDER-OS-ARCH-CPU` on hosted CI, where host names are drawn anew each time.
///
/// `variable` looks up the environment; `facts` are those of [`super::facts`].
pub fn default_name(variable: impl Fn(&str) -> Option<String>, facts: &BTreeMap<String, String>) -> String {
    let host = rustix::system::uname().nodename().to_string_lossy().into_owned();
    named(&variable, facts, &host, std::env::consts::OS)
}

fn named(variable: &dyn Fn(&str) -> Option<String>, facts: &BTreeMap<String, String>, host: &str, os: &str) -> String {
    let Some(provider) = hosted_provider(variable) else {
        // A name becomes a folder's name.
        let name: String = host.chars().map(|c| if matches!(c, '/' | '\\' | '\0') { '-' } else { c }).collect();
        return if name.is_empty() { "localhost".into() } else { name };
    };
    // GitHub's images change with the system's major version and say so; elsewhere the system's name is all.
    let system = variable("ImageOS").filter(|image| !image.is_empty()).unwrap_or_else(|| os.to_owned());
    let fact = |name: &str| facts.get(name).map(String::as_str).unwrap_or_default();
    let parts = [provider, &slug(&system), &slug(fact("arch")), &cpu_slug(fact(CPU_FACT))];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-")
}

fn hosted_provider(variable: &dyn Fn(&str) -> Option<String>) -> Option<&'static str> {
    let is = |name: &str, value: &str| variable(name).is_some_and(|found| found == value);
    let contains = |name: &str, part: &str| variable(name).is_some_and(|found| found.contains(part));
    if is("GITHUB_ACTIONS", "true") && is("RUNNER_ENVIRONMENT", "github-hosted") {
        return Some("github");
    }
    // A project's own GitLab runner keeps its host name.
    let hosted = contains("CI_RUNNER_DESCRIPTION", "runners-manager.gitlab.com") || contains("CI_RUNNER_TAGS", "saas-");
    (is("GITLAB_CI", "true") && hosted).then_some("gitlab")
}

fn cpu_slug(cpu: &str) -> String {
    if cpu.starts_with(UNKNOWN_CPU) {
        return String::new();
    }
    let name = cpu.replace("(R)", " ").replace("(TM)", " ").replace("(r)", " ").replace("(tm)", " ");
    let name = name.split('@').next().unwrap_or_default();
    let is_noise = |word: &str| matches!(word, "CPU" | "Processor") || word.ends_with("-Core");
    slug(&name.split_whitespace().filter(|word| !is_noise(word)).collect::<Vec<_>>().join(" "))
}

fn slug(text: &str) -> String {
    let keep = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.');
    let spaced: String = text.to_lowercase().chars().map(|c| if keep(c) { c } else { ' ' }).collect();
    spaced.split_whitespace().collect::<Vec<_>>().join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(variables: &[(&str, &str)], expected: &str) {
        let facts = [("arch", "x86_64"), ("cpu", "AMD EPYC 7763 64-Core Processor")];
        let facts = facts.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        let lookup =
            |wanted: &str| variables.iter().find(|(name, _)| *name == wanted).map(|(_, value)| (*value).to_owned());
        assert_eq!(named(&lookup, &facts, "runner-1", "linux"), expected, "{variables:?}");
    }

    #[test]
    fn a_machine_of_ones_own_is_called_as_its_host() {
        check(&[], "runner-1");
        check(&[("GITHUB_ACTIONS", "true"), ("RUNNER_ENVIRONMENT", "self-hosted")], "runner-1");
        check(&[("GITLAB_CI", "true"), ("CI_RUNNER_DESCRIPTION", "our big box")], "runner-1");
    }

    #[test]
    fn hosted_runners_are_called_by_what_they_are() {
        let github = [("GITHUB_ACTIONS", "true"), ("RUNNER_ENVIRONMENT", "github-hosted"), ("ImageOS", "ubuntu24")];
        check(&github, "github-ubuntu24-x86_64-amd-epyc-7763");
        let gitlab = "3-green.saas-linux-small-amd64.runners-manager.gitlab.com/default";
        check(&[("GITLAB_CI", "true"), ("CI_RUNNER_DESCRIPTION", gitlab)], "gitlab-linux-x86_64-amd-epyc-7763");
    }

    #[test]
    fn a_processor_is_named_without_marks_and_clock() {
        assert_eq!(cpu_slug("Intel(R) Xeon(R) Platinum 8370C CPU @ 2.80GHz"), "intel-xeon-platinum-8370c");
        assert_eq!(cpu_slug("Neoverse-N1"), "neoverse-n1");
        assert_eq!(cpu_slug("unknown CPU (Arm implementer 0x99 part 0x123)"), "");
    }

    #[test]
    fn a_host_name_never_leaves_its_folder() {
        assert_eq!(named(&|_| None, &BTreeMap::new(), "../x", "linux"), "..-x");
        assert_eq!(named(&|_| None, &BTreeMap::new(), "", "linux"), "localhost");
    }
}
