//! Adding recordings to the folders of sets.

use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use super::Exchange;
use super::text::{ReadError, SIZE_LIMIT};

/// Returns `true` if a name can be the name of a case and part of a file name.
pub fn is_case_name(name: &str) -> bool {
    let known = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    !name.is_empty() && name.len() <= 100 && name.bytes().all(known)
}

/// Adds recordings to the folders of sets. A folder is listed once, and again only after another program has changed it, so that a
/// recording costs the same however many the set has.
#[derive(Debug, Default)]
pub struct Sets(Mutex<BTreeMap<PathBuf, Set>>);

/// What is known of the folder of a set.
#[derive(Debug, Default)]
struct Set {
    /// When the folder changed last, for what is known.
    changed: Option<SystemTime>,
    /// The number of entries.
    count: usize,
    /// The files by the names of their cases.
    files: HashMap<String, PathBuf>,
}

impl Sets {
    /// Returns `true` if the folder of a set has a recording of this name: the set and the name identify a case.
    pub fn has(&self, folder: &Path, name: &str) -> bool {
        let mut sets = self.lock();
        // The file may have been removed in the moment in which it was written.
        let set = Set::now(&mut sets, folder);
        set.is_ok_and(|set| set.files.get(name).is_some_and(|file| file.exists()))
    }

    /// Writes a recording with the next number of a set's folder, and returns its path.
    ///
    /// # Errors
    ///
    /// [`is_case_name`] refuses the name, the text is larger than [`SIZE_LIMIT`], or the operating system refuses.
    pub fn write(&self, folder: &Path, name: &str, exchange: &Exchange) -> io::Result<PathBuf> {
        if !is_case_name(name) {
            let message = "the name of a case has lower-case letters, digits and `-` only";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        let text = exchange.to_text(name)?;
        if text.len() as u64 > SIZE_LIMIT {
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, ReadError::TooLarge));
        }
        fs::create_dir_all(folder)?;
        let mut sets = self.lock();
        Set::now(&mut sets, folder)?.write(folder, name, &text)
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<PathBuf, Set>> {
        // A set is as its folder is, whatever panicked: otherwise it is listed again.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Set {
    /// The set as its folder is now.
    fn now<'s>(sets: &'s mut BTreeMap<PathBuf, Self>, folder: &Path) -> io::Result<&'s mut Self> {
        let changed = Some(fs::metadata(folder)?.modified()?);
        let set = sets.entry(folder.to_owned()).or_default();
        if set.changed != changed {
            *set = Self { changed, ..Self::default() };
            for entry in fs::read_dir(folder)? {
                set.add(entry?.path());
            }
        }
        Ok(set)
    }

    /// Adds the file of a recording; of another file only the number counts.
    fn add(&mut self, file: PathBuf) {
        self.count += 1;
        let stem = file.file_name().and_then(|name| name.to_str()?.strip_suffix(".json"));
        if let Some((_, name)) = stem.and_then(|stem| stem.split_once('-')) {
            self.files.insert(name.to_owned(), file);
        }
    }

    fn write(&mut self, folder: &Path, name: &str, text: &str) -> io::Result<PathBuf> {
        // A disk that is full leaves no half of a recording.
        let file = Unnamed::write(folder, text)?;
        let mut number = self.count;
        let path = loop {
            number += 1;
            let path = folder.join(format!("{number:03}-{name}.json"));
            // Another program may have written it at the same time.
            match fs::hard_link(&file.0, &path) {
                Ok(()) => break path,
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        };
        drop(file);
        self.add(path.clone());
        self.changed = Some(fs::metadata(folder)?.modified()?);
        Ok(path)
    }
}

/// A file without its final name, which readers of the folder skip. The name is removed in the end.
struct Unnamed(PathBuf);

impl Unnamed {
    fn write(folder: &Path, text: &str) -> io::Result<Self> {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        loop {
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let path = folder.join(format!(".{}-{number}.tmp", process::id()));
            // What has the name already, such as a link, is not written to.
            match File::create_new(&path) {
                Ok(mut file) => {
                    let unnamed = Self(path);
                    file.write_all(text.as_bytes())?;
                    return Ok(unnamed);
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }
}

impl Drop for Unnamed {
    fn drop(&mut self) {
        // It stays if the folder has been removed.
        let _ = fs::remove_file(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::time::{Duration, SystemTime};

    use super::{Sets, is_case_name};
    use crate::recordings::{Exchange, RecordedRequest, RecordedResponse};

    #[test]
    fn names_of_cases_stay_in_the_folder() {
        assert!(is_case_name("get-1"));
        for name in ["", "../a", "A", "a.b", "a b"] {
            assert!(!is_case_name(name), "{name:?}");
        }
    }

    #[test]
    fn what_others_do_in_a_folder_is_seen() {
        let parent = tempfile::tempdir().unwrap();
        let folder = parent.path().join("set");
        let (sets, exchange) = (
            Sets::default(),
            Exchange::new(RecordedRequest::new("GET", "/"), RecordedResponse::new(200)),
        );
        assert!(!sets.has(&folder, "a"));
        let first = sets.write(&folder, "a", &exchange).unwrap();
        assert!(sets.has(&folder, "a") && !sets.has(&folder, "b"));
        fs::write(folder.join("007-my-b.json"), "").unwrap();
        let later = SystemTime::now() + Duration::from_secs(1);
        fs::File::open(&folder).unwrap().set_modified(later).unwrap();
        assert!(sets.has(&folder, "my-b") && !sets.has(&folder, "b"));
        let third = sets.write(&folder, "b", &exchange).unwrap();
        assert_eq!(third, folder.join("003-b.json"));
        fs::remove_file(first).unwrap();
        assert!(!sets.has(&folder, "a"));
    }
}
