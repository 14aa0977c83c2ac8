//! Drafts of the rules for definitions that have none.

use k8s_versioned_codegen::draft::{draft, unconverted};
use k8s_versioned_codegen::{Files, Plans};

/// A kind of two versions, in which each field of `v1beta1` has another form in `v1`.
const DEFINITION: &str = r"
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.ops.example.org}
spec:
  group: ops.example.org
  names: {kind: Widget, plural: widgets}
  scope: Namespaced
  versions:
  - name: v1beta1
    served: true
    storage: false
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              volume: {type: string}
              resourcegroup: {type: string}
              mode: {type: string, enum: [readOnly, readWrite]}
              size: {type: integer, format: int32}
              port: {type: string}
              secret: {type: string}
              schedule: {type: string}
              retention: {type: integer, format: int32}
              logging: {type: array, items: {type: object, properties: {level: {type: string}}}}
              left: {type: boolean}
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              volumeName: {type: string}
              resourceGroup: {type: string}
              mode: {type: string, enum: [ReadOnly, ReadWrite]}
              size: {type: integer, format: int64}
              port: {type: integer, format: int32}
              secretRef: {type: object, required: [name], properties: {name: {type: string}, namespace: {type: string}}}
              backup:
                type: object
                properties:
                  schedule: {type: string}
                  retention: {type: integer, format: int32}
                  paused: {type: boolean}
              logging: {type: object, properties: {level: {type: string}}}
              right: {type: boolean}
              above: {type: boolean}
";

#[test]
fn guesses_as_a_person_would() {
    let specs = |rules: &str| {
        let files = [("widgets.yaml", DEFINITION), ("conversions.toml", rules)];
        files.into_iter().map(|(path, text)| (path.to_owned(), text.into())).collect::<Files>()
    };
    let plans = Plans::read(&specs("")).unwrap();
    let kinds = unconverted(&plans.items, &plans.rules);
    let text = |explain| draft(&kinds[0], &plans.items, &plans.rules, explain).unwrap();
    insta::assert_snapshot!(text(true));
    // Each comment says more, and nothing else.
    let without = |text: &str| {
        text.lines().filter(|it| !it.starts_with('#')).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(without(&text(true)), without(&text(false)));
    Plans::read(&specs(&text(false))).unwrap();
}
