//! What is refused, and what reports say.

use crate::support::*;

#[test]
fn a_policy_can_refuse() {
    let options = Options::new(Policies::default().with_binary_version(Absent::Refuse));
    let refused: Result<(Z, ConversionReport), _> = x(&[A, B], None).convert_with(&options);
    let refused = refused.unwrap_err();
    assert_eq!(findings(refused.reasons()), ["spec.binaryVersion refused"]);
    assert_eq!(
        refused.to_string(),
        "not converted:\nspec.binaryVersion: has no value, but the caller requires one"
    );
    // Whatever else is wrong does not matter to it.
    let (_, report): (Z, _) = x(&[], Some("1.31.0")).convert_with(&options).unwrap();
    assert_eq!(findings(&report), ["spec.strategy invalidInTarget"]);
}

#[test]
fn strict_lists_all_reasons() {
    let mut source = x(&[""], None);
    source.spec.lease_name = String::new();
    source
        .metadata
        .annotations
        .insert(K.to_owned(), "old".to_owned());
    let refused: Result<(Z, ConversionReport), _> = source.convert_strict();
    assert_eq!(
        refused.unwrap_err().to_string(),
        "not converted:\n\
         metadata.annotations[conversion.k8s-coordination.internal/lease-candidate]: discarded, as it \
         cannot be read (expected value at line 1 column 1): old\n\
         spec.leaseName: empty, but servers of the target version require it\n\
         spec.binaryVersion: empty, but servers of the target version require it\n\
         spec.strategy: empty, but servers of the target version require it"
    );
}
