//! A server in this process for real clients, and programs that talk to it.

pub mod http;
pub mod process;
pub mod recorded;
pub mod replay;
mod service;

pub use service::Cluster;
