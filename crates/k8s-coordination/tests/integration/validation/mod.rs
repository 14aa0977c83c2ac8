//! Validation: tables of its rules, and properties.

mod conversions;
mod judge;
mod large;
mod metadata;
mod objects;
mod random;
mod tables;
