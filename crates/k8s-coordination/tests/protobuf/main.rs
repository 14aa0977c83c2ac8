//! Objects as protobuf: upstream's vectors of the group and of meta, and bodies that are changed in every way.

mod vectors;
