//! Objects as protobuf: upstream's vectors of the group and of meta, what bytes mean, requests and answers.

mod reading;
mod requests;
mod vectors;
