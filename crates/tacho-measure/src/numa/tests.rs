//! Tests of nodes: two sockets, memory without processors, processors without memory, and a system that tells nothing.

use super::*;

/// Returns a tree with these nodes: number, processors, kibibytes of memory.
fn tree(nodes: &[(u32, &str, u64)]) -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join(NODES);
    std::fs::create_dir_all(&folder).unwrap();
    let online: Vec<String> = nodes.iter().map(|(number, ..)| number.to_string()).collect();
    std::fs::write(folder.join("online"), online.join(",") + "\n").unwrap();
    for (number, processors, kibibytes) in nodes {
        let node = folder.join(format!("node{number}"));
        std::fs::create_dir(&node).unwrap();
        std::fs::write(node.join("cpulist"), format!("{processors}\n")).unwrap();
        let meminfo = format!("\nNode {number} MemTotal:       {kibibytes} kB\nNode {number} MemFree:        1 kB\n");
        std::fs::write(node.join("meminfo"), meminfo).unwrap();
    }
    root
}

fn two_sockets() -> Vec<Node> {
    nodes_below(tree(&[(0, "0-1,4-5", 1000), (1, "2-3,6-7", 2000), (2, "", 4000), (3, "8", 0)]).path())
}

#[test]
fn nodes_have_processors_and_memory() {
    let nodes = two_sockets();
    assert_eq!(nodes.iter().map(|node| node.number).collect::<Vec<_>>(), [0, 1, 2, 3]);
    assert_eq!(nodes[1], Node { number: 1, processors: vec![2, 3, 6, 7], memory_bytes: 2_048_000 });
    assert_eq!(nodes_below(Path::new("/no-such-folder")), []);
}

fn check_processors(node: u32, expected: Result<&[u32], &str>) {
    let found = processors_among(&two_sockets(), node).map_err(|error| error.to_string());
    assert_eq!(found, expected.map(<[u32]>::to_vec).map_err(str::to_owned), "{node}");
}

#[test]
fn a_node_has_the_processors_near_it() {
    check_processors(0, Ok(&[0, 1, 4, 5]));
    check_processors(2, Err("NUMA node 2 has no processors of its own"));
    check_processors(9, Err("no NUMA node 9: there are nodes 0, 1, 2, 3"));
    assert_eq!(processors_among(&[], 0), Err(NumaError::Unknown));
}

fn check_prefix(nodes: &[Node], node: u32, expected: Result<&[&str], &str>) {
    let works = |_: &[String]| Ok(());
    let found = prefix_among(nodes, node, &works).map_err(|error| error.to_string());
    let expected = expected.map(|words| words.iter().map(ToString::to_string).collect::<Vec<String>>());
    assert_eq!(found, expected.map_err(str::to_owned), "{node}");
}

#[test]
fn memory_is_bound_by_numactl_where_there_is_other_memory() {
    check_prefix(&two_sockets(), 1, Ok(&["numactl", "--membind=1", "--"]));
    check_prefix(&two_sockets(), 2, Ok(&["numactl", "--membind=2", "--"]));
    check_prefix(&two_sockets(), 3, Err("NUMA node 3 has no memory of its own"));
    check_prefix(&two_sockets()[..1], 0, Ok(&[]));
    check_prefix(&two_sockets()[..1], 1, Err("no NUMA node 1: there is only node 0"));
}

#[test]
fn what_binds_is_tried_out_first() {
    // The word that is added, `true`, becomes an argument of the script.
    let tried_out = |script: &str| tried(&["sh".to_owned(), "-c".to_owned(), script.to_owned()]);
    assert_eq!(tried_out("test \"$0\" = true"), Ok(()));
    let error = tried_out("echo >&2; echo 'set_mempolicy: Operation not permitted' >&2; exit 1").unwrap_err();
    assert!(error.to_string().ends_with("` does not work here: set_mempolicy: Operation not permitted"), "{error}");
    assert!(error.hint().contains("SYS_NICE"));
    assert!(tried_out("exit 3").unwrap_err().to_string().ends_with("does not work here: exit status: 3"));
    assert_eq!(tried(&["/no-such-folder/numactl".to_owned()]), Err(NumaError::NoProgram));
    assert!(NumaError::NoProgram.hint().starts_with("install it"));
}
