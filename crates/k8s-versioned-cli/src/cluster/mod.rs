//! API servers, reached by the client of `kube`: it reads kubeconfigs, runs their plugins, and speaks TLS, also through proxies.

mod distrust;
mod server;

pub(crate) use distrust::Distrust;
pub(crate) use server::{Answer, Failure, Server, ServerError, is_alert, names_https};
