//! The objects of a document.

use std::mem;

use serde_json::Value as Json;

use crate::content::Content;
use crate::list_kind::kind_of_items;
use crate::tree::{NodeId, Tree, TreeValue, ValueKind};

/// An object of a document: the document itself, or an item of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentObject {
    /// The object.
    pub node: NodeId,
    /// The indexes of the items that lead to it, of the outermost list first; empty for the document itself.
    pub items: Vec<usize>,
    pointer: String,
}

impl DocumentObject {
    /// The JSON pointer to the object in its document.
    pub fn pointer(&self) -> &str {
        &self.pointer
    }

    /// An item of the list that this is, whose items are at a pointer inside it.
    fn item(&self, inside: &str, index: usize, node: NodeId) -> Self {
        let items = self.items.iter().copied().chain([index]).collect();
        Self { node, items, pointer: format!("{}{inside}/{index}", self.pointer) }
    }
}

/// A list among the objects of a document.
struct List<I> {
    items: I,
    /// The pointer to the items.
    inside: &'static str,
    /// The `apiVersion` and the `kind` of items that do not say what they are.
    stated: Option<[String; 2]>,
}

impl<I> List<I> {
    /// An array of objects, such as `jq .items` prints.
    fn array(items: I) -> Self {
        Self { items, inside: "", stated: None }
    }

    /// A list of this type; a `List` is of no kind.
    fn of_type(items: I, [api_version, kind]: [&str; 2]) -> Self {
        let is_typed = !kind.is_empty() && !api_version.is_empty();
        let stated = is_typed.then(|| [api_version.to_owned(), kind.to_owned()]);
        Self { items, inside: "/items", stated }
    }
}

impl Tree<'_> {
    /// The objects of the document: the items of an array; the items of a list, such as `kubectl get --output yaml` prints or a
    /// server sends; the items of lists in an array or a `List`; else the document itself. An item of a `WidgetList` that does not say what
    /// it is becomes a `Widget` of the list's `apiVersion`.
    pub fn objects(&mut self) -> Vec<DocumentObject> {
        let mut all = Vec::new();
        let root =
            DocumentObject { node: self.root().id(), items: Vec::new(), pointer: String::new() };
        self.add_objects(root, &mut all);
        all
    }

    fn add_objects(&mut self, object: DocumentObject, all: &mut Vec<DocumentObject>) {
        let Some(List { items, inside, stated }) = self.list_at(&object) else {
            return all.push(object);
        };
        for (index, node) in items.into_iter().enumerate() {
            let item = object.item(inside, index, node);
            match &stated {
                Some([api_version, kind]) => {
                    self.add_missing(node, "apiVersion", api_version);
                    self.add_missing(node, "kind", kind);
                    all.push(item);
                }
                None => self.add_objects(item, all),
            }
        }
    }

    fn list_at(&self, object: &DocumentObject) -> Option<List<Vec<NodeId>>> {
        let value = self.value(object.node);
        let nodes = |of: TreeValue<'_>| {
            self.members_of(of.id()).iter().map(|members_of| members_of.node).collect()
        };
        if value.kind() == ValueKind::Array && object.items.is_empty() {
            return Some(List::array(nodes(value)));
        }
        let (kind, items) = value.list()?;
        let api_version = value.get("apiVersion").and_then(TreeValue::string).unwrap_or_default();
        Some(List::of_type(nodes(items), [api_version, kind]))
    }

    fn add_missing(&mut self, object: NodeId, key: &'static str, text: &str) {
        let value = self.value(object);
        if value.kind() == ValueKind::Object && value.get(key).is_none() {
            let start = value.span().start;
            let node = self.add_string(&(start..start), text.to_owned());
            self.set_member(object, key, node);
        }
    }
}

impl Content<'_> {
    /// The objects of the document as [`Tree::objects`] has them, without their places; each with the indexes of the items that lead
    /// to it, of a piece in the items of the piece.
    pub fn take_objects(&mut self) -> Vec<(Vec<usize>, Json)> {
        let mut all = Vec::new();
        add_objects(self.take_json(), &[], &mut all);
        all
    }
}

fn add_objects(mut value: Json, position: &[usize], all: &mut Vec<(Vec<usize>, Json)>) {
    let Some(List { items, stated, .. }) = take_list(&mut value, position.is_empty()) else {
        return all.push((position.to_vec(), value));
    };
    for (index, mut item) in items.into_iter().enumerate() {
        let position: Vec<usize> = position.iter().copied().chain([index]).collect();
        let Some(stated) = &stated else {
            add_objects(item, &position, all);
            continue;
        };
        if let Some(members) = item.as_object_mut() {
            for (name, text) in ["apiVersion", "kind"].into_iter().zip(stated) {
                members.entry(name).or_insert_with(|| text.as_str().into());
            }
        }
        all.push((position, item));
    }
}

fn take_list(value: &mut Json, is_document: bool) -> Option<List<Vec<Json>>> {
    if let (Json::Array(items), true) = (&mut *value, is_document) {
        return Some(List::array(mem::take(items)));
    }
    let text = |name| value.get(name).and_then(Json::as_str).unwrap_or_default().to_owned();
    let is_named = value.pointer("/metadata/name").is_some_and(Json::is_string);
    let (api_version, kind) = (text("apiVersion"), text("kind"));
    let kind = kind_of_items(&kind, is_named)?;
    let items = match value.get_mut("items")? {
        Json::Array(items) => mem::take(items),
        Json::Null => Vec::new(),
        _ => return None,
    };
    Some(List::of_type(items, [&api_version, kind]))
}

#[cfg(test)]
mod tests {
    use crate::{Content, DocumentObject, ReadLimits, documents};

    #[test]
    fn a_list_is_its_items() {
        let table: [(&str, &[&str]); 13] = [
            ("kind: Widget", &[""]),
            ("kind: List\nitems: [{kind: A}, {kind: B}]", &["/items/0", "/items/1"]),
            ("kind: WidgetList\napiVersion: v1\nitems: [{}]", &["/items/0"]),
            ("kind: WidgetList\napiVersion: v1\nitems: [{kind: B}, 1]", &["/items/0", "/items/1"]),
            ("kind: WidgetList\nmetadata: {name: a}\nitems: [{}]", &[""]),
            ("kind: List\nmetadata: {name: a}\nitems: [{}]", &["/items/0"]),
            ("kind: List\nitems:", &[]),
            ("[]", &[]),
            ("[{kind: A}, 1, [{}]]", &["/0", "/1", "/2"]),
            ("- kind: A\n- kind: List\n  items: [{}, []]", &["/0", "/1/items/0", "/1/items/1"]),
            (
                "kind: List\nitems: [{kind: List, items: [{}]}, {}]",
                &["/items/0/items/0", "/items/1"],
            ),
            ("kind: List\nitems: [{kind: AList, items: [1]}]", &["/items/0/items/0"]),
            ("kind: AList\napiVersion: v1\nitems: [{kind: List, items: [{}]}]", &["/items/0"]),
        ];
        for (text, expected) in table {
            let mut tree = documents("a.yaml", text.as_bytes(), &ReadLimits::MANIFESTS);
            let mut tree = tree.next().unwrap().unwrap();
            let values = Content::from(tree.clone()).take_objects();
            let objects = tree.objects();
            let pointers: Vec<&str> = objects.iter().map(DocumentObject::pointer).collect();
            assert_eq!(pointers, expected, "{text}");
            let same = objects
                .iter()
                .map(|object| (object.items.clone(), tree.value(object.node).to_json()));
            assert_eq!(values, same.collect::<Vec<_>>());
        }
        let text = "{kind: WidgetList, apiVersion: v1, items: [{}, {kind: B}, 1]}";
        let mut tree =
            documents("a.yaml", text.as_bytes(), &ReadLimits::MANIFESTS).next().unwrap().unwrap();
        let objects = tree.objects();
        let found = objects.iter().map(|object| tree.value(object.node).to_json().to_string());
        let expected =
            [r#"{"apiVersion":"v1","kind":"Widget"}"#, r#"{"apiVersion":"v1","kind":"B"}"#, "1"];
        assert_eq!(found.collect::<Vec<_>>(), expected);
    }
}
