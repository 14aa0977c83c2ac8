//! Messages of refused conversions.

use crate::support::*;

#[test]
fn strict_lists_all_reasons() {
    let mut source = x(&[""], None);
    source.spec.lease_name = String::new();
    source.metadata.annotations.insert(K.to_owned(), "old".to_owned());
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
