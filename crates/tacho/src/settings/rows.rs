//! Settings as rows: what `tacho config show` prints.

use serde_json::{Value, json};

use super::{Origin, Settings, SuitePath};

impl Settings {
    /// Returns each setting as (name, value, origin), in the order of the documentation.
    pub(crate) fn rows(&self) -> Vec<(String, Value, &Origin)> {
        let mut rows = named(self.project_rows());
        rows.extend(named(vec![
            ("environment.tool", json!(self.environment.tool.value), &self.environment.tool.origin),
            ("environment.program", json!(self.environment.program.value), &self.environment.program.origin),
            ("environment.python", json!(self.python.value), &self.python.origin),
            ("environment.variables", json!(self.variables.value), &self.variables.origin),
        ]));
        rows.extend(self.environment.rows());
        rows.extend(self.environment.axis_rows());
        rows.extend(named(self.run_rows()));
        rows
    }

    fn project_rows(&self) -> Vec<(&'static str, Value, &Origin)> {
        let suite = match self.suite.value {
            SuitePath::Package(_) => "suite.dir",
            SuitePath::File(_) => "suite.file",
        };
        vec![
            ("project.name", json!(self.project.value), &self.project.origin),
            ("project.repo", json!(self.repo.value), &self.repo.origin),
            ("project.branches", json!(self.branches.value), &self.branches.origin),
            ("project.subdir", json!(self.subdir.value), &self.subdir.origin),
            ("project.history", json!(self.history.value), &self.history.origin),
            ("project.package", json!(self.package.value), &self.package.origin),
            ("project.versions", json!(self.versions.value), &self.versions.origin),
            ("project.version_command", json!(self.version_command.value), &self.version_command.origin),
            (suite, json!(self.suite.value.path().display().to_string()), &self.suite.origin),
            ("suite.method", json!(self.method.value), &self.method.origin),
        ]
    }

    fn run_rows(&self) -> Vec<(&'static str, Value, &Origin)> {
        let asv_results = self.asv_results.value.as_ref().map(|folder| folder.display().to_string());
        vec![
            ("run.timeout_s", json!(self.timeout_s.value), &self.timeout_s.origin),
            ("run.launch_method", json!(self.launch_method.value), &self.launch_method.origin),
            ("run.cpu_affinity", json!(self.cpu_affinity.value), &self.cpu_affinity.origin),
            ("run.threads", json!(self.threads.value), &self.threads.origin),
            ("run.numa_node", json!(self.numa_node.value), &self.numa_node.origin),
            ("run.machine", json!(self.machine.value), &self.machine.origin),
            ("store.dir", json!(self.store.value.display().to_string()), &self.store.origin),
            ("store.asv_results", json!(asv_results), &self.asv_results.origin),
            ("store.cache_limit_gb", json!(self.cache_limit_gb.value), &self.cache_limit_gb.origin),
            ("judge.band_percent", json!(self.band_percent.value), &self.band_percent.origin),
        ]
    }
}

fn named<'a>(rows: Vec<(&str, Value, &'a Origin)>) -> Vec<(String, Value, &'a Origin)> {
    rows.into_iter().map(|(name, value, origin)| (name.to_owned(), value, origin)).collect()
}
