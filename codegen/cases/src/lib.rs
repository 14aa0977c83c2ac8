//! The small documents of the generator's tests, and what it makes of them, compiled.
