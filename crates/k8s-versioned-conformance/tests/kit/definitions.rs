//! The kinds of a package that has definitions, and no documents: what servers publish follows from the definitions.

use k8s_versioned_conformance::{Documents, Recordings, Suite};

use crate::folder::{WIDGETS, edited, with};
use crate::widget::KINDS;

const DEFINITION: &str = "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Cluster
  names: {kind: Widget, plural: widgets}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        required: [spec]
        properties:
          spec:
            type: object
            required: [size]
            properties:
              size: {type: integer}
              note: {type: string}
              madeAt: {type: string, format: date-time, nullable: true}
";

#[test]
fn definitions_give_the_operations_and_the_schemas() {
    let text = DEFINITION.as_bytes();
    let recordings = Recordings::load(WIDGETS).unwrap();
    let of = |files: &[(&str, &[u8])], recordings: &Recordings| {
        let folder = with(files);
        let documents = Documents::load(folder.path()).unwrap();
        let report = Suite::general(&KINDS, &documents).run(recordings);
        ["response", "schema"]
            .map(|check| report.total(check))
            .map(|sums| (sums.passed, sums.failed))
    };
    let list = format!("kind: List\nitems:\n- {}", DEFINITION.replace('\n', "\n  "));
    for name in ["definitions/widgets.yaml", "widgets.yml", "v1.36/widgets.yaml"] {
        assert_eq!(of(&[(name, text)], &recordings), [(5, 0), (4, 0)], "{name}");
        assert_eq!(of(&[(name, list.as_bytes())], &recordings), [(5, 0), (4, 0)], "{name}");
    }
    // Of another release; beside documents; another kind of object.
    assert_eq!(of(&[("v1.35/widgets.yaml", text)], &recordings), [(0, 0); 2]);
    let other = ("v1.35/apis__example.com__v1_openapi.json", b"{}".as_slice());
    assert_eq!(of(&[("definitions/widgets.yaml", text), other], &recordings), [(0, 0); 2]);
    let other = DEFINITION.replace("CustomResourceDefinition", "ConfigMap");
    assert_eq!(of(&[("widgets.yaml", other.as_bytes())], &recordings), [(0, 0); 2]);
    // A status that servers do not publish for the operation, and a value that the schema does not allow.
    let definition = ("definitions/widgets.yaml", text);
    for (from, to, found) in [
        (r#""status": 200"#, r#""status": 202"#, [(4, 1), (4, 0)]),
        (r#""size": 2,"#, r#""size": 2, "note": 1,"#, [(5, 0), (3, 1)]),
    ] {
        let folder = edited("002-get.json", from, to);
        assert_eq!(of(&[definition], &Recordings::load(folder.path()).unwrap()), found, "{to}");
    }
}
