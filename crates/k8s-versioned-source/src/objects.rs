//! The objects of a document.

use std::mem;

use serde_json::Value as Json;

use crate::content::Content;
use crate::tree::{Kind, NodeId, Tree, Value};

/// An object of a document: the document itself, or an item of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Object {
    /// The object.
    pub node: NodeId,
    /// Its index in the list.
    pub item: Option<usize>,
}

impl Object {
    /// The JSON pointer to the object in its document.
    pub fn pointer(&self) -> String {
        self.item.map_or_else(String::new, |index| format!("/items/{index}"))
    }
}

impl Tree<'_> {
    /// The objects of the document: the items of a list, such as `kubectl get --output yaml` prints or a server sends; else the
    /// document itself. An item of a `WidgetList` that does not say what it is becomes a `Widget` of the list's `apiVersion`.
    pub fn objects(&mut self) -> Vec<Object> {
        let root = self.root();
        let Some((kind, items)) = self.list() else {
            return vec![Object { node: root.id(), item: None }];
        };
        let (kind, api_version) = (kind.to_owned(), root.get("apiVersion").and_then(Value::string));
        let api_version = api_version.unwrap_or_default().to_owned();
        let items: Vec<NodeId> = self.members_of(items.id()).iter().map(|it| it.node).collect();
        // A server leaves out what the list says. A `List` is of no kind.
        if !kind.is_empty() && !api_version.is_empty() {
            for item in &items {
                self.add_missing(*item, "apiVersion", &api_version);
                self.add_missing(*item, "kind", &kind);
            }
        }
        let objects = items.into_iter().enumerate();
        objects.map(|(index, node)| Object { node, item: Some(index) }).collect()
    }

    /// The kind of the items and the items, if the document is a list. A list has no name: an object with one is of a kind with such
    /// a name.
    pub(crate) fn list(&self) -> Option<(&str, Value<'_>)> {
        let root = self.root();
        let kind = root.get("kind").and_then(Value::string)?.strip_suffix("List")?;
        let items = root.get("items").filter(|items| items.kind() == Kind::Array)?;
        let name = root.at(&["metadata", "name"]).and_then(Value::string);
        name.is_none().then_some((kind, items))
    }

    fn add_missing(&mut self, object: NodeId, key: &'static str, text: &str) {
        let value = self.value(object);
        if value.kind() == Kind::Object && value.get(key).is_none() {
            let start = value.span().start;
            let node = self.add_string(&(start..start), text.to_owned());
            self.set_member(object, key, node);
        }
    }
}

impl Content<'_> {
    /// The objects of the document as [`Tree::objects`] has them, without their places; each with its index in the items, of a piece
    /// in the items of the piece.
    pub fn take_objects(&mut self) -> Vec<(Option<usize>, Json)> {
        let mut root = self.take_json();
        let text = |name| root.get(name).and_then(Json::as_str).unwrap_or_default().to_owned();
        let (api_version, kind) = (text("apiVersion"), text("kind"));
        let is_named = root.pointer("/metadata/name").is_some_and(Json::is_string);
        let kind = kind.strip_suffix("List").filter(|_| !is_named);
        let (Some(kind), Some(Json::Array(items))) = (kind, root.get_mut("items")) else {
            return vec![(None, root)];
        };
        let mut items = mem::take(items);
        if !kind.is_empty() && !api_version.is_empty() {
            for members in items.iter_mut().filter_map(Json::as_object_mut) {
                for (name, text) in [("apiVersion", api_version.as_str()), ("kind", kind)] {
                    members.entry(name).or_insert_with(|| text.into());
                }
            }
        }
        items.into_iter().enumerate().map(|(index, item)| (Some(index), item)).collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::{Content, Limits, documents};

    #[test]
    fn a_list_is_its_items() {
        let table = [
            ("kind: Widget", 1, ""),
            ("kind: List\nitems: [{kind: A}, {kind: B}]", 2, "/items/0"),
            ("kind: WidgetList\napiVersion: v1\nitems: [{}]", 1, "/items/0"),
            ("kind: WidgetList\napiVersion: v1\nitems: [{kind: B}, 1]", 2, "/items/0"),
            ("kind: WidgetList\nmetadata: {name: a}\nitems: [{}]", 1, ""),
        ];
        for (text, count, pointer) in table {
            let mut tree = documents("a.yaml", text.as_bytes(), &Limits::MANIFESTS);
            let mut tree = tree.next().unwrap().unwrap();
            let values = Content::from(tree.clone()).take_objects();
            let objects = tree.objects();
            assert_eq!((objects.len(), objects[0].pointer().as_str()), (count, pointer), "{text}");
            let same = objects.iter().map(|it| (it.item, tree.value(it.node).to_json()));
            assert_eq!(values, same.collect::<Vec<_>>());
        }
        let text = "{kind: WidgetList, apiVersion: v1, items: [{}, {kind: B}, 1]}";
        let mut tree =
            documents("a.yaml", text.as_bytes(), &Limits::MANIFESTS).next().unwrap().unwrap();
        let objects = tree.objects();
        let found = objects.iter().map(|object| tree.value(object.node).to_json().to_string());
        let expected =
            [r#"{"apiVersion":"v1","kind":"Widget"}"#, r#"{"apiVersion":"v1","kind":"B"}"#, "1"];
        assert_eq!(found.collect::<Vec<_>>(), expected);
    }
}
