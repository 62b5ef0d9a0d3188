//! Nodes of memory (NUMA): which there are, which processors are near which memory, and how a command's memory is bound.
//!
//! Read from `/sys` below a root folder, so that tests give trees of their own. Binding is left to `numactl(8)`, which stands
//! before a command and gives way to it: the policy is inherited, and setting it takes a system call that has no safe wrapper.

use std::path::Path;
use std::process::Command;

use crate::cpu_list::numbers;
use crate::machine::text;

const NODES: &str = "sys/devices/system/node";

/// A part of the machine's memory, and the processors that are near it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// Its number.
    pub number: u32,
    /// The processors near it, ascending; a node may have none.
    pub processors: Vec<u32>,
    /// How much memory it has; a node may have none.
    pub memory_bytes: u64,
}

/// Why a run cannot be placed on a node.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum NumaError {
    /// The system tells of no nodes.
    #[error("this system does not tell which memory is near which processors")]
    Unknown,
    /// There is no such node.
    #[error("no NUMA node {node}: {there}")]
    NoNode {
        /// The node asked for.
        node: u32,
        /// What there is, in words.
        there: String,
    },
    /// The node has memory and nothing else.
    #[error("NUMA node {node} has no processors of its own")]
    NoProcessors {
        /// The node asked for.
        node: u32,
    },
    /// The node has processors and nothing else.
    #[error("NUMA node {node} has no memory of its own")]
    NoMemory {
        /// The node asked for.
        node: u32,
    },
    /// There is no `numactl`.
    #[error("there is no `numactl` program on the PATH to bind memory with")]
    NoProgram,
    /// `numactl` is there and cannot bind memory.
    #[error("`{command}` does not work here: {reason}")]
    Refused {
        /// The command that was tried.
        command: String,
        /// What it said.
        reason: String,
    },
}

impl NumaError {
    /// Returns what to do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            NumaError::Unknown | NumaError::NoNode { .. } => "leave `numa_node` out, and pin with `cpu_affinity`",
            NumaError::NoProcessors { .. } | NumaError::NoMemory { .. } => {
                "name a node that has both; `lscpu` and `numactl --hardware` list them"
            }
            NumaError::NoProgram => "install it (the package is called `numactl`), or pin with `cpu_affinity` alone",
            NumaError::Refused { .. } => {
                "containers need the right to it (`docker run --cap-add SYS_NICE`); or pin with `cpu_affinity` alone"
            }
        }
    }
}

/// Returns this machine's nodes, ascending; none where the system does not tell.
pub fn nodes() -> Vec<Node> {
    nodes_below(Path::new("/"))
}

/// Returns the processors near a node's memory, ascending.
///
/// # Errors
/// There is no such node, or it has no processors.
pub fn processors_of(node: u32) -> Result<Vec<u32>, NumaError> {
    processors_among(&nodes(), node)
}

/// Returns the words that, before a command, bind its memory to a node's: `numactl --membind=1 --`. None are needed where
/// no other node has memory.
///
/// # Errors
/// There is no such node, or it has no memory; there is no `numactl`, or it is not allowed to bind.
pub fn prefix(node: u32) -> Result<Vec<String>, NumaError> {
    prefix_among(&nodes(), node, &tried)
}

fn nodes_below(root: &Path) -> Vec<Node> {
    let online = text(root, &format!("{NODES}/online")).unwrap_or_default();
    let node = |number: u32| {
        let told = |file: &str| text(root, &format!("{NODES}/node{number}/{file}")).unwrap_or_default();
        Node { number, processors: numbers(&told("cpulist")), memory_bytes: memory_bytes(&told("meminfo")) }
    };
    numbers(&online).into_iter().map(node).collect()
}

/// Reads the line `Node 0 MemTotal: 24340700 kB`.
fn memory_bytes(meminfo: &str) -> u64 {
    let total = meminfo.lines().find_map(|line| line.split_once("MemTotal:")).map(|(_, amount)| amount);
    let kibibytes = total.and_then(|amount| amount.trim().strip_suffix("kB")?.trim().parse::<u64>().ok());
    kibibytes.map_or(0, |kibibytes| kibibytes.saturating_mul(1024))
}

fn find(nodes: &[Node], node: u32) -> Result<&Node, NumaError> {
    let numbers: Vec<String> = nodes.iter().map(|node| node.number.to_string()).collect();
    let there = match &numbers[..] {
        [] => return Err(NumaError::Unknown),
        [one] => format!("there is only node {one}"),
        several => format!("there are nodes {}", several.join(", ")),
    };
    nodes.iter().find(|found| found.number == node).ok_or(NumaError::NoNode { node, there })
}

fn processors_among(nodes: &[Node], node: u32) -> Result<Vec<u32>, NumaError> {
    let processors = find(nodes, node)?.processors.clone();
    if processors.is_empty() { Err(NumaError::NoProcessors { node }) } else { Ok(processors) }
}

/// Tries a command line out.
type Try<'a> = &'a dyn Fn(&[String]) -> Result<(), NumaError>;

fn prefix_among(nodes: &[Node], node: u32, try_out: Try<'_>) -> Result<Vec<String>, NumaError> {
    if find(nodes, node)?.memory_bytes == 0 {
        return Err(NumaError::NoMemory { node });
    }
    if nodes.iter().filter(|node| node.memory_bytes > 0).count() == 1 {
        return Ok(Vec::new());
    }
    let words = ["numactl".to_owned(), format!("--membind={node}"), "--".to_owned()];
    try_out(&words)?;
    Ok(words.to_vec())
}

/// Starts a program that does nothing in the way a run would be started.
fn tried(words: &[String]) -> Result<(), NumaError> {
    let refused = |reason: String| NumaError::Refused { command: words.join(" "), reason };
    let Some((program, arguments)) = words.split_first() else { return Ok(()) };
    let output = Command::new(program).args(arguments).arg("true").env("LC_ALL", "C").output();
    let output = output.map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => NumaError::NoProgram,
        _ => refused(error.to_string()),
    })?;
    if output.status.success() {
        return Ok(());
    }
    let stderr = String::from_utf8_lossy(&output.stderr);
    let first = stderr.lines().map(str::trim).find(|line| !line.is_empty());
    Err(refused(first.map_or_else(|| output.status.to_string(), str::to_owned)))
}

#[cfg(test)]
mod tests;
