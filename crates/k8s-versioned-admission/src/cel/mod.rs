//! Rules in the Common Expression Language, as API servers evaluate them.
