#![doc = include_str!("../README.md")]

pub mod cel;
pub mod formats;
pub mod regex;
