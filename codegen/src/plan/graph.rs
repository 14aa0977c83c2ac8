//! The structs as a graph of numbered nodes, each with the nodes to which it leads. All functions take time linear in the edges.

use std::collections::BTreeMap;

use super::rust_items::{Field, ItemPath, Struct};

/// The nodes to which each node leads.
pub(super) type Edges = Vec<Vec<usize>>;

/// The number of each struct.
pub(super) fn numbers(structs: &[Struct]) -> BTreeMap<ItemPath, usize> {
    structs.iter().enumerate().map(|(number, planned)| (planned.path.clone(), number)).collect()
}

/// The numbers of the structs in the fields of each struct.
pub(super) fn edges(
    structs: &[Struct],
    numbers: &BTreeMap<ItemPath, usize>,
    of: impl Fn(&Field) -> Option<&ItemPath>,
) -> Edges {
    let of_struct = |planned: &Struct| {
        let paths = planned.fields.iter().filter_map(&of);
        paths.filter_map(|path| numbers.get(path).copied()).collect()
    };
    structs.iter().map(of_struct).collect()
}

/// The number of the component of each node: nodes that lead to each other have the same number. The algorithm is Kosaraju's.
pub(super) fn components(edges: &Edges) -> Vec<usize> {
    let back = reversed(edges);
    let mut component = vec![None; edges.len()];
    for (number, root) in finished(edges).into_iter().rev().enumerate() {
        let mut open = vec![root];
        while let Some(node) = open.pop() {
            if let Some(of_node @ None) = component.get_mut(node) {
                *of_node = Some(number);
                open.extend(back.get(node).into_iter().flatten());
            }
        }
    }
    component.into_iter().map(Option::unwrap_or_default).collect()
}

/// Whether a node is one of `starts` or leads to one, for each node.
pub(super) fn leads_to(starts: impl IntoIterator<Item = usize>, edges: &Edges) -> Vec<bool> {
    let back = reversed(edges);
    let mut seen = vec![false; edges.len()];
    let mut open: Vec<usize> = starts.into_iter().collect();
    while let Some(node) = open.pop() {
        if is_first(node, &mut seen) {
            open.extend(back.get(node).into_iter().flatten());
        }
    }
    seen
}

/// The nodes in an order in which each follows the nodes to which it leads, unless they lead back.
fn finished(edges: &Edges) -> Vec<usize> {
    let (mut seen, mut finished) = (vec![false; edges.len()], Vec::with_capacity(edges.len()));
    for root in 0..edges.len() {
        let mut open = Vec::new();
        let mut next = is_first(root, &mut seen).then_some(root);
        loop {
            if let Some(node) = next.take() {
                open.push((node, edges.get(node).into_iter().flatten()));
            }
            let Some((node, others)) = open.last_mut() else { break };
            if let Some(other) = others.next() {
                next = is_first(*other, &mut seen).then_some(*other);
            } else {
                finished.push(*node);
                open.pop();
            }
        }
    }
    finished
}

/// Returns `true` at the first call with a node.
fn is_first(node: usize, seen: &mut [bool]) -> bool {
    seen.get_mut(node).is_some_and(|seen| !std::mem::replace(seen, true))
}

/// The edges in the other direction.
fn reversed(edges: &Edges) -> Edges {
    let mut back = vec![Vec::new(); edges.len()];
    for (from, all) in edges.iter().enumerate() {
        for to in all {
            if let Some(back) = back.get_mut(*to) {
                back.push(from);
            }
        }
    }
    back
}

#[cfg(test)]
mod tests {
    use super::{components, leads_to};

    #[test]
    fn nodes_that_lead_to_each_other() {
        // 0 -> 1 -> 2 -> 0, 2 -> 3 -> 4 -> 3, 5 -> 5.
        let edges = vec![vec![1], vec![2], vec![0, 3], vec![4], vec![3], vec![5]];
        let found = components(&edges);
        for (one, other, expected) in
            [(0, 1, true), (0, 2, true), (2, 3, false), (3, 4, true), (4, 5, false), (0, 5, false)]
        {
            assert_eq!(found[one] == found[other], expected, "{one} {other}");
        }
        assert_eq!(leads_to([3], &edges), [true, true, true, true, true, false]);
        assert_eq!(leads_to([0], &edges), [true, true, true, false, false, false]);
        assert_eq!(leads_to([], &edges), [false; 6]);
    }

    #[test]
    fn a_long_chain() {
        let edges = (1..100_000).map(|next| vec![next]).chain([Vec::new()]).collect();
        let mut found = components(&edges);
        found.sort_unstable();
        found.dedup();
        assert_eq!(found.len(), 100_000);
    }
}
