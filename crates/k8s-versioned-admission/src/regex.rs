//! Regular expressions as Go reads them.
