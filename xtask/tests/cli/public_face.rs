//! The face of the generator: what other packages can see of it.

use std::fs;

use syn::visit::{self, Visit};
use syn::{Attribute, ImplItemFn, Item, ItemMod, Signature, Visibility};
use walkdir::WalkDir;

use crate::workspace::repository;

/// The most items. Methods do not count, and neither do modules: they are ways to the items.
const MOST: usize = 68;

/// The public items and methods of a file. The lint `unreachable_pub` refuses those that no other package can name.
#[derive(Default)]
struct Public {
    items: Vec<String>,
    methods: Vec<String>,
}

impl<'ast> Visit<'ast> for Public {
    fn visit_item(&mut self, item: &'ast Item) {
        let found = match item {
            Item::Const(item) => Some((&item.vis, &item.ident)),
            Item::Enum(item) => Some((&item.vis, &item.ident)),
            Item::Fn(item) => Some((&item.vis, &item.sig.ident)),
            Item::Static(item) => Some((&item.vis, &item.ident)),
            Item::Struct(item) => Some((&item.vis, &item.ident)),
            Item::Trait(item) => Some((&item.vis, &item.ident)),
            Item::Type(item) => Some((&item.vis, &item.ident)),
            _ => None,
        };
        let public = found.filter(|(visibility, _)| matches!(visibility, Visibility::Public(_)));
        self.items.extend(public.map(|(_, name)| name.to_string()));
        visit::visit_item(self, item);
    }

    fn visit_item_mod(&mut self, module: &'ast ItemMod) {
        if !module.attrs.iter().any(is_test) {
            visit::visit_item_mod(self, module);
        }
    }

    fn visit_impl_item_fn(&mut self, method: &'ast ImplItemFn) {
        let ImplItemFn { vis, sig: Signature { ident, .. }, .. } = method;
        let is_public = matches!(vis, Visibility::Public(_));
        self.methods.extend(is_public.then(|| ident.to_string()));
    }
}

fn is_test(attribute: &Attribute) -> bool {
    attribute.path().is_ident("cfg")
}

#[test]
fn the_generator_has_a_small_face() {
    let mut public = Public::default();
    for entry in WalkDir::new(repository().join("codegen/src")) {
        let path = entry.unwrap().into_path();
        if path.extension().is_some_and(|extension| extension == "rs") {
            public.visit_file(&syn::parse_file(&fs::read_to_string(path).unwrap()).unwrap());
        }
    }
    let Public { items, methods } = public;
    let count = items.len();
    // Not far below either, so that a smaller face lowers the number.
    assert!((MOST - 2..=MOST).contains(&count), "{count} public items: {items:?}, {methods:?}");
}
