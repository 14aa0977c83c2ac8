//! Operations: requests that are built, and responses that are decoded.

mod apply;
mod building;
mod errors;
mod lists;
mod pages;
mod refusals;
mod watches;
