//! Tests of files that another process writes. They form a program without the usual harness, because only a
//! process with one thread may fork.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, reason = "a test that fails says so")]

#[cfg(target_os = "linux")]
fn main() {
    linux::files();
    linux::folders();
    linux::private_folders();
    linux::only_what_was_agreed_on();
    println!("4 passed, 0 failed");
}

#[cfg(not(target_os = "linux"))]
fn main() {}

#[cfg(target_os = "linux")]
mod linux {
    use std::fs;
    use std::io::{self, Write as _};
    use std::thread::sleep;
    use std::time::{Duration, Instant};

    use tcpwhy_files::{Folder, Names, Policy, PrivateFolder, Replace, Target, WriteError};

    fn policy(replace: Replace) -> Policy {
        Policy { inputs: Vec::new(), replace }
    }

    pub(super) fn files() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("report");
        let marked = policy(Replace::Marked(vec![b"mark".to_vec()]));
        let target = Target::prepare(&path, &marked).unwrap().hand_over().unwrap();
        for text in ["mark 1", "mark two"] {
            let written = target.replace(|out| out.write_all(text.as_bytes())).unwrap();
            assert_eq!((fs::read_to_string(&path).unwrap().as_str(), written.bytes), (text, text.len() as u64));
        }
        // A file that fails leaves the old one in place, and the next one is written.
        target.replace(|_| Err(io::ErrorKind::StorageFull.into())).unwrap_err();
        assert_eq!(fs::read_to_string(&path).unwrap(), "mark two");
        target.replace(|out| out.write_all(b"mark 3")).unwrap();
        // The policy is checked again.
        fs::write(&path, "precious").unwrap();
        let error = target.replace(|out| out.write_all(b"mark 4")).unwrap_err();
        assert!(matches!(error, WriteError::NotOurs { .. }), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "precious");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    pub(super) fn folders() {
        let above = tempfile::tempdir().unwrap();
        let names = Names::Between { first: "r-".to_owned(), last: ".pcapng".to_owned() };
        let folder = Folder::open(above.path()).unwrap().hand_over(&names, &policy(Replace::Nothing)).unwrap();
        let mut file = folder.begin("r-1.pcapng").unwrap();
        file.write_all(b"x").unwrap();
        assert_eq!(fs::read_to_string(above.path().join("r-1.pcapng")).unwrap(), "x");
        assert_eq!(folder.begin("r-1.pcapng").unwrap_err().io_error().unwrap().kind(), io::ErrorKind::AlreadyExists);
        folder.remove("r-1.pcapng").unwrap();
        folder.remove("r-1.pcapng").unwrap();
        assert_eq!(fs::read_dir(above.path()).unwrap().count(), 0);
    }

    pub(super) fn only_what_was_agreed_on() {
        let above = tempfile::tempdir().unwrap();
        fs::write(above.path().join(".profile"), "precious").unwrap();
        let names = Names::Between { first: "r-".to_owned(), last: String::new() };
        let folder = Folder::open(above.path()).unwrap().hand_over(&names, &policy(Replace::Anything)).unwrap();
        for name in [".profile", "../x", "r-/../x", ".."] {
            assert!(folder.begin(name).is_err() && folder.remove(name).is_err(), "{name}");
        }
        assert_eq!(fs::read_to_string(above.path().join(".profile")).unwrap(), "precious");
    }

    pub(super) fn private_folders() {
        let above = tempfile::tempdir().unwrap();
        let path = above.path().join("a/b");
        let mut folder = PrivateFolder::create(&path).unwrap().hand_over().unwrap();
        folder.add("ss", b"text").unwrap();
        drop(folder);
        // The other process removes the folder when the connection is closed.
        let end = Instant::now() + Duration::from_secs(10);
        while above.path().join("a").exists() {
            assert!(Instant::now() < end, "what is not kept stays");
            sleep(Duration::from_millis(5));
        }
        let mut folder = PrivateFolder::create(&path).unwrap().hand_over().unwrap();
        folder.add("ss", b"text").unwrap();
        folder.keep().unwrap();
        assert_eq!(fs::read_to_string(path.join("ss")).unwrap(), "text");
    }
}
