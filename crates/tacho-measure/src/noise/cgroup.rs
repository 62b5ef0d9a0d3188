//! The limit on processor time that control groups set, in either version of them.

use std::path::{Path, PathBuf};

use crate::machine::text;

/// A limit on processor time.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Quota {
    /// As many processors as may be used on average.
    pub(super) processors: f64,
    /// The group that sets it, for example `/system.slice/ci.service`.
    pub(super) group: String,
}

/// Returns the lowest limit of the groups that this process is in; `None` where there is none.
pub(super) fn quota(root: &Path) -> Option<Quota> {
    let quotas = groups(root).into_iter().filter_map(|(folder, group)| {
        let processors = version_2(&folder).or_else(|| version_1(&folder))?;
        Some(Quota { processors, group })
    });
    quotas.min_by(|a, b| a.processors.total_cmp(&b.processors))
}

/// Returns how often the limit has stopped the groups that this process is in.
pub(super) fn n_throttled(root: &Path) -> Option<u64> {
    let count = |(folder, _): (PathBuf, String)| {
        let stat = text(&folder, "cpu.stat")?;
        stat.lines().find_map(|line| line.strip_prefix("nr_throttled ")?.trim().parse::<u64>().ok())
    };
    groups(root).into_iter().filter_map(count).fold(None, |sum, count| Some(sum.unwrap_or(0) + count))
}

fn version_2(folder: &Path) -> Option<f64> {
    let max = text(folder, "cpu.max")?;
    let (quota, period) = max.split_once(' ')?;
    Some(quota.parse::<f64>().ok()? / period.trim().parse::<f64>().ok().filter(|period| *period > 0.0)?)
}

fn version_1(folder: &Path) -> Option<f64> {
    let number = |name: &str| text(folder, name)?.parse::<f64>().ok().filter(|number| *number > 0.0);
    // -1 is no limit.
    Some(number("cpu.cfs_quota_us")? / number("cpu.cfs_period_us")?)
}

/// Returns the folders of the groups that may limit this process, each with its group's name: its own and all above.
///
/// In a container the names are the host's while the folders are the container's own, so folders that are not there
/// are passed over.
fn groups(root: &Path) -> Vec<(PathBuf, String)> {
    let own = text(root, "proc/self/cgroup").unwrap_or_default();
    let mut groups = Vec::new();
    for line in own.lines() {
        let mut parts = line.splitn(3, ':');
        let (Some(_), Some(controllers), Some(path)) = (parts.next(), parts.next(), parts.next()) else { continue };
        let has_cpu = controllers.split(',').any(|controller| controller == "cpu");
        if !controllers.is_empty() && !has_cpu {
            continue;
        }
        let mounts = if controllers.is_empty() { ["unified", ""] } else { [controllers, "cpu"] };
        let mounts = mounts.map(|mount| root.join("sys/fs/cgroup").join(mount));
        let Some(mount) = mounts.into_iter().find(|mount| mount.is_dir()) else { continue };
        for group in Path::new(path).ancestors() {
            let folder = mount.join(group.strip_prefix("/").unwrap_or(group));
            if folder.is_dir() {
                groups.push((folder, group.display().to_string()));
            }
        }
    }
    groups
}
