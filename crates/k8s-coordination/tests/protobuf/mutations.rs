//! Bodies that are changed in every way: no panic, and no more memory than the body can hold.

use std::fs;
use std::path::PathBuf;

use allocation_counter::measure;
use k8s_coordination::{Kinds, List, Registry, v1, v1beta1};
use k8s_versioned::protobuf::{Envelope, WatchEvent, decode, encode};

/// The number of changed bodies. `--release` takes all of them.
const COUNT: u64 = if cfg!(debug_assertions) { 20_000 } else { 1_000_000 };

/// Upstream's vectors, and a list.
fn bodies() -> Vec<Vec<u8>> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/protobuf/vectors");
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let bodies = files.filter(|path| path.extension().is_some_and(|it| it == "pb"));
    let mut bodies: Vec<Vec<u8>> = bodies.map(|path| fs::read(path).unwrap()).collect();
    bodies.sort();
    let items: Vec<v1::Lease> = bodies.iter().filter_map(|body| decode(body).ok()).collect();
    bodies.push(encode(&List::new(items.into_iter().cycle().take(5))));
    bodies
}

/// A small generator of numbers, so that a failure can be repeated.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end.max(1)
    }
}

/// Changes a body in one to four places.
fn change(body: &mut Vec<u8>, others: &[Vec<u8>], random: &mut Random) {
    for _ in 0..=random.below(4) {
        let at = random.below(body.len());
        match random.below(6) {
            0 => body.truncate(at),
            1 => body.insert(at, random.below(256) as u8),
            2 => {
                let other = &others[random.below(others.len())];
                let from = random.below(other.len());
                let piece = other[from..].iter().take(random.below(60)).copied();
                body.splice(at..at, piece.collect::<Vec<u8>>());
            }
            3 => drop(body.drain(at..(at + random.below(20)).min(body.len()))),
            _ if body.is_empty() => {}
            4 => body[at] ^= 1 << random.below(8),
            _ => body[at] = [0, 0x7f, 0x80, 0xff][random.below(4)],
        }
    }
}

#[test]
fn changed_bodies_neither_panic_nor_ask_for_memory() {
    let (bodies, mut random, mut read) = (bodies(), Random(7), 0);
    for round in 0..COUNT {
        let mut body = bodies[random.below(bodies.len())].clone();
        change(&mut body, &bodies, &mut random);
        let counted = measure(|| {
            for codec in Kinds.codecs() {
                read += u64::from(codec.decode(&body).is_ok());
            }
            let _ = (Envelope::read(&body).is_ok(), WatchEvent::read(&body).is_ok());
        });
        // An empty item of a list has two bytes in the body; the error, the box of the object and a node of a map are small.
        let limit = body.len() as u64 * (size_of::<v1beta1::LeaseCandidate>() as u64 / 2) + 8_192;
        assert!(counted.bytes_max <= limit, "round {round}: {counted:?}, {} bytes", body.len());
    }
    assert!(read > COUNT / 10, "only {read} are read");
}

/// Groups in groups need no stack, and messages in messages have a limit.
#[test]
fn depth_is_bounded() {
    let wrap = |object: Vec<u8>| {
        let mut body = b"k8s\0\x12".to_vec();
        let mut length = object.len();
        while length > 0x7f {
            body.push(length as u8 | 0x80);
            length >>= 7;
        }
        body.push(length as u8);
        [body, object].concat()
    };
    let groups = wrap([vec![0x7b; 1_000_000], vec![0x7c; 1_000_000]].concat());
    assert!(decode::<v1::Lease>(&groups).is_ok());
    let open = wrap(vec![0x7b; 1_000_000]);
    assert!(decode::<v1::Lease>(&open).is_err());
}
