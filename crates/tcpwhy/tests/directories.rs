//! Captures in folders and archives: selection, order and failures.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so")]

#[allow(dead_code, reason = "other captures are for other tests")]
mod support;

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;
use support::{file, large, many, one, tcpwhy};

/// What a run printed, and its exit status.
struct Run {
    out: String,
    errors: String,
    status: i32,
}

fn run(args: &[&str], inputs: &[&Path]) -> Run {
    let mut command = tcpwhy();
    let output = command.args(args).args(inputs).timeout(Duration::from_secs(120)).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Run { out: text(output.stdout), errors: text(output.stderr), status: output.status.code().unwrap() }
}

impl Run {
    #[track_caller]
    fn succeeds(self) -> String {
        assert_eq!((self.status, self.errors.as_str()), (0, ""), "{}", self.out);
        self.out
    }

    /// The captures of a document: name in the folder of the test, status, connections.
    fn captures(&self, root: &Path) -> Vec<(String, String, usize)> {
        let document: Value = serde_json::from_str(&self.out).unwrap();
        let connections = document["connections"].as_array().unwrap();
        let of_capture = |index: usize| connections.iter().filter(|c| c["capture"] == index).count();
        let captures = document["captures"].as_array().unwrap().iter().enumerate();
        let prefix = format!("{}/", root.display());
        captures
            .map(|(index, capture)| {
                let name = capture["path"].as_str().unwrap();
                let name = name.strip_prefix(&prefix).unwrap_or(name).to_owned();
                (name, capture["status"].as_str().unwrap().to_owned(), of_capture(index))
            })
            .collect()
    }
}

/// A new folder for the test `name`, with captures on two levels and other files.
fn folder(name: &str) -> PathBuf {
    let root = file(name);
    let _ = fs::remove_dir_all(&root);
    for (name, content) in [
        ("a.pcapng", one().pcapng()),
        ("b.pcapng.gz", gzip(&many().pcapng())),
        ("README", b"Words about captures.\n".to_vec()),
        ("labels.csv", b"a,b\n1,2\n".to_vec()),
        ("deep/c.pcapng.zst", zstd(&one().pcapng())),
        ("deep/deeper/d.pcapng", many().pcapng()),
    ] {
        let path = root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    root
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 1).unwrap()
}

fn tar(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (name, content) in members {
        let mut header = tar::Header::new_gnu();
        header.set_size(content.len() as u64);
        // Set directly, because the library refuses to write such names.
        header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
        header.set_cksum();
        builder.append(&header, *content).unwrap();
    }
    builder.into_inner().unwrap()
}

/// A zip archive as Info-ZIP stores it, without compression.
fn zip(members: &[(&str, &[u8])]) -> Vec<u8> {
    let (mut file, mut directory) = (Vec::new(), Vec::new());
    for (name, content) in members {
        let mut crc = flate2::Crc::new();
        crc.update(content);
        let len = (content.len() as u32).to_le_bytes();
        let name_len = (name.len() as u16).to_le_bytes();
        let common = [&[20, 0, 0, 0, 0, 0, 0, 0, 0, 0], &crc.sum().to_le_bytes()[..], &len, &len, &name_len, &[0; 2]];
        let common = common.concat();
        directory.extend([&b"PK\x01\x02\x14\x03"[..], &common, &[0; 10]].concat());
        directory.extend((file.len() as u32).to_le_bytes());
        directory.extend(name.as_bytes());
        file.extend([&b"PK\x03\x04"[..], &common, name.as_bytes(), content].concat());
    }
    let (start, count) = (file.len() as u32, members.len() as u16);
    file.extend(&directory);
    file.extend(b"PK\x05\x06\0\0\0\0");
    file.extend([count, count].map(u16::to_le_bytes).concat());
    file.extend([directory.len() as u32, start].map(u32::to_le_bytes).concat());
    file.extend([0; 2]);
    file
}

fn names(captures: &[(String, String, usize)]) -> Vec<&str> {
    captures.iter().map(|(name, _, _)| name.as_str()).collect()
}

#[test]
fn a_folder_is_read_one_level_deep_unless_asked_for_more() {
    let root = folder("dirs-levels");
    let here = run(&["--json"], &[&root]);
    assert_eq!(here.captures(&root), [("a.pcapng".into(), "ok".into(), 1), ("b.pcapng.gz".into(), "ok".into(), 13)]);
    assert_eq!((here.status, here.errors.as_str()), (0, ""));
    let all = run(&["-r", "--json"], &[&root]).captures(&root);
    assert_eq!(names(&all), ["a.pcapng", "b.pcapng.gz", "deep/c.pcapng.zst", "deep/deeper/d.pcapng"]);
    let text = run(&[], &[&root]).succeeds();
    let headings: Vec<_> = text.lines().filter(|line| line.starts_with("==")).collect();
    let heading = |name: &str| format!("== {}", root.join(name).display());
    assert_eq!(headings, [heading("a.pcapng"), heading("b.pcapng.gz"), "== 2 captures".to_owned()]);
    assert!(text.contains("2 files were passed over") && text.contains("1 folder was passed over; -r"), "{text}");
    assert!(text.contains("Time connections spent under each limit") && text.contains("receive window"), "{text}");
    let csv = root.join("labels.csv");
    let named = run(&[], &[&csv]);
    assert!(named.status == 2 && named.errors.contains("plain text"), "{}", named.errors);
}

#[test]
fn a_folder_of_one_capture_is_reported_in_full() {
    let root = folder("dirs-single");
    fs::remove_file(root.join("b.pcapng.gz")).unwrap();
    let whole = run(&[], &[&root]).succeeds();
    let alone = run(&[], &[&root.join("a.pcapng")]).succeeds();
    assert_eq!(whole, format!("== {}\n{alone}", root.join("a.pcapng").display()));
    // A folder without captures.
    fs::remove_file(root.join("a.pcapng")).unwrap();
    let nothing = run(&["--json"], &[&root]);
    assert!(nothing.status == 2 && nothing.out.is_empty(), "{}", nothing.out);
    assert!(nothing.errors.contains("found no captures; 2 files were passed over. -r reads"), "{}", nothing.errors);
}

#[test]
fn quoted_patterns_are_files() {
    let root = folder("dirs-patterns");
    let all = run(&["--json"], &[&root.join("**/*.pcapng")]).captures(&root);
    assert_eq!(names(&all), ["a.pcapng", "deep/deeper/d.pcapng"]);
    let none = run(&[], &[&root.join("*.cap")]);
    assert!(none.status == 2 && none.errors.contains("matches no file"), "{}", none.errors);
}

#[test]
fn archives_are_read_without_unpacking() {
    let root = folder("dirs-archives");
    let (a, b) = (one().pcapng(), gzip(&many().pcapng()));
    let members: &[(&str, &[u8])] = &[("run/a.pcapng", &a), ("run/README", b"Words.\n"), ("run/b.pcapng.gz", &b)];
    let plain = tar(members);
    for (name, bytes) in
        [("x.tar", plain.clone()), ("x.tgz", gzip(&plain)), ("x.tar.zst", zstd(&plain)), ("x.zip", zip(members))]
    {
        let path = root.join(name);
        fs::write(&path, bytes).unwrap();
        let of_archive = run(&["--json"], &[&path]);
        let expected =
            [(format!("{name}!run/a.pcapng"), "ok".into(), 1), (format!("{name}!run/b.pcapng.gz"), "ok".into(), 13)];
        assert_eq!(of_archive.captures(&root), expected);
        let member = PathBuf::from(format!("{}!run/a.pcapng", path.display()));
        let alone = run(&[], &[&member]).succeeds();
        // The last lines name the file.
        let whole = run(&[], &[&root.join("a.pcapng")]).succeeds();
        let analysis = |text: &str| text.split_once("\nCaptures\n").unwrap().0.to_owned();
        assert_eq!(analysis(&alone), analysis(&whole));
        let page = run(&["--html", "-"], &[&path]);
        assert!(page.status == 2 && page.errors.contains("unpack it first"), "{}", page.errors);
    }
    let all = run(&["--json"], &[&root]);
    assert_eq!((all.captures(&root).len(), all.status), (2 + 4 * 2, 0));
    // Standard input is a stream: its archives are read from front to end.
    let stdin = |bytes: Vec<u8>| {
        let output = tcpwhy().args(["--json", "-"]).write_stdin(bytes).output().unwrap();
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    let (document, _) = stdin(gzip(&plain));
    assert!(document.contains("\"-!run/b.pcapng.gz\""), "{document}");
    let (document, error) = stdin(zip(members));
    assert!(document.is_empty() && error.contains("save it as a file first"), "{error}");
}

/// Two members of the same name, and one whose name contains cursor movements and a direction override.
#[test]
fn members_have_names_of_their_own() {
    let root = folder("dirs-names");
    let capture = one().pcapng();
    let path = root.join("x.tar");
    fs::write(&path, tar(&[("a", &capture), ("a", &capture), ("b\u{1b}[2J\u{202e}", &capture)])).unwrap();
    let rows = run(&["--json"], &[&path]).captures(&root);
    let names: Vec<_> = rows.into_iter().map(|(name, _, _)| name).collect();
    assert_eq!(names, ["x.tar!a", "x.tar!a#2", r"x.tar!b\x1b[2J\u{202e}"]);
}

/// Records with twelve extra bytes, so that the second one cannot be found.
#[test]
fn records_that_fit_no_format_fail() {
    let root = folder("dirs-records");
    let path = root.join("foreign.pcap");
    let mut file = [0xa1b2_c3d4, 0x0004_0002, 0, 0, 65_535, 1_u32].map(u32::to_le_bytes).concat();
    for n in 0..20 {
        file.extend([1_700_000_000 + n, 250_000, 60, 60, 7, 7, 7].map(u32::to_le_bytes).concat());
        file.extend([0x80; 60]);
    }
    fs::write(&path, file).unwrap();
    let text = run(&[], &[&path]);
    assert!(text.status == 2 && text.errors.contains("do not fit the pcap format from packet 2"), "{}", text.errors);
}

/// Frames with the type of IPv4 whose first byte has another version.
#[test]
fn a_capture_of_contradictory_packets_alone_fails() {
    let root = folder("dirs-contradictory");
    let path = root.join("foreign.pcap");
    let mut file = [0xa1b2_c3d4, 0x0004_0002, 0, 0, 65_535, 1_u32].map(u32::to_le_bytes).concat();
    for n in 0..20 {
        file.extend([1_700_000_000 + n, 250_000, 60, 60_u32].map(u32::to_le_bytes).concat());
        file.extend([&[0; 12][..], &[8, 0], &[0; 46]].concat());
    }
    fs::write(&path, file).unwrap();
    let text = run(&[], &[&path]);
    assert!(text.status == 2 && text.errors.contains("20 packets have contradictory headers"), "{}", text.errors);
}

#[test]
fn what_cannot_be_read_is_a_row_and_stops_nothing() {
    let root = folder("dirs-broken");
    let whole = one().pcapng();
    fs::write(root.join("aa-empty.pcap"), b"").unwrap();
    fs::write(root.join("ab-cut.pcapng"), &whole[..whole.len() / 2]).unwrap();
    fs::write(root.join("ac-begin.pcap"), b"\xd4\xc3\xb2\xa1\x02\0").unwrap();
    fs::write(root.join("ad-cut.tgz"), &gzip(&tar(&[("one.pcapng", &whole), ("two.pcapng", &whole)]))[..1200]).unwrap();
    let json = run(&["--json"], &[&root]);
    let captures = json.captures(&root);
    let status: Vec<_> = captures.iter().map(|(name, status, _)| format!("{name} {status}")).collect();
    assert_eq!(status[0], "a.pcapng ok");
    assert_eq!(status[1..4], ["aa-empty.pcap failed", "ab-cut.pcapng damaged", "ac-begin.pcap failed"]);
    assert!(status[4].starts_with("ad-cut.tgz") && status[4].ends_with("failed"), "{status:?}");
    assert_eq!(status.last().unwrap(), "b.pcapng.gz ok");
    let document: Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!(document["captures"][1]["error"]["kind"], "capture-empty");
    assert!(document["captures"][0]["error"].is_null());
    let count = status.len();
    assert_eq!(json.status, 2);
    let last = json.errors.lines().last().unwrap();
    assert_eq!(last, format!("tcpwhy: 3 of {count} captures could not be read"));
    let schema = tcpwhy().args(["schema"]).output().unwrap().stdout;
    let validator = jsonschema::validator_for(&serde_json::from_slice(&schema).unwrap()).unwrap();
    assert!(validator.is_valid(&document));
    // Lines have the same rows, in the same order.
    let lines = run(&["--jsonl", "--words", "none"], &[&root]);
    let rows: Vec<Value> = lines.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let rows: Vec<_> =
        rows.iter().filter(|row| row["type"] == "capture").map(|row| row["data"]["path"].clone()).collect();
    let paths: Vec<_> = document["captures"].as_array().unwrap().iter().map(|c| c["path"].clone()).collect();
    assert_eq!(rows, paths);
    assert!(run(&[], &[&root]).out.contains("3 could not be read."));
}

#[test]
fn the_output_is_the_same_whatever_the_number_of_jobs() {
    let root = folder("dirs-jobs");
    for n in 0..30 {
        fs::write(root.join(format!("m{n:02}.pcapng")), one().pcapng()).unwrap();
    }
    // A capture in the middle that is too large for the pool.
    fs::write(root.join("m15-large.pcapng"), large().pcapng()).unwrap();
    fs::write(root.join("m16-bad.pcap"), b"").unwrap();
    let (a, b) = (one().pcapng(), large().pcapng());
    fs::write(root.join("m20.tgz"), gzip(&tar(&[("a.pcapng", &a), ("b.pcapng", &b), ("c.pcapng", &a)]))).unwrap();
    for form in [&["--json"][..], &["--jsonl"], &[], &["-q"], &["--connection", "20"], &["--why", "1s"]] {
        // Simulated predictions take most of the time: one form has them.
        let plain: &[&str] = if form == ["--json"] { &[] } else { &["--no-sim"] };
        let with = |jobs| {
            let Run { out, errors, status } = run(&[form, plain, &["-r", "--jobs", jobs]].concat(), &[&root]);
            (out, errors, status)
        };
        let expected = with("1");
        assert!(expected.0.len() > 100, "{}", expected.1);
        assert!(with("4") == expected, "{form:?}");
    }
}

#[test]
fn shards_add_up_and_do_not_overlap() {
    let root = folder("dirs-shards");
    fs::write(root.join("x.tgz"), gzip(&tar(&[("e.pcapng", &one().pcapng()), ("f.pcapng", &one().pcapng())]))).unwrap();
    let part = |args: &[&str]| {
        let run = run(&[&["-r", "--json"], args].concat(), &[&root]);
        assert_eq!(run.status, 0, "{}", run.errors);
        run.captures(&root)
    };
    let mut whole = part(&[]);
    let mut parts: Vec<_> = ["1/3", "2/3", "3/3"].iter().flat_map(|shard| part(&["--shard", shard])).collect();
    whole.sort();
    parts.sort();
    assert_eq!(parts, whole);
    for (args, error) in [(["--shard", "4/3"], "such as 3/16"), (["--shard", "0/3"], "such as 3/16")] {
        let wrong = run(&args, &[&root]);
        assert!(wrong.status == 2 && wrong.errors.contains(error), "{}", wrong.errors);
    }
    let stdin = run(&["--shard", "1/2"], &[Path::new("-")]);
    assert!(stdin.status == 2 && stdin.errors.contains("standard input has no name"), "{}", stdin.errors);
}

#[test]
fn readers_that_read_twice_get_the_files_of_folders() {
    let root = folder("dirs-twice");
    let page = run(&["-r", "--html", "-"], &[&root]);
    assert_eq!((page.status, page.errors.as_str()), (0, ""));
    assert!(["a.pcapng", "b.pcapng.gz", "c.pcapng.zst", "d.pcapng"].iter().all(|name| page.out.contains(name)));
    let merged = run(&["-r", "--merge", "--json"], &[&root]);
    assert_eq!((merged.status, merged.captures(&root).len()), (0, 4), "{}", merged.errors);
    let later = run(&["-r", "--json", "--from", "0s"], &[&root]);
    assert_eq!((later.status, later.captures(&root).len()), (0, 4), "{}", later.errors);
    let copy = run(&["--annotate", "-"], &[&root]);
    assert!(copy.status == 2 && copy.errors.contains("one capture"), "{}", copy.errors);
    // A capture found in the folder is an input like a named one.
    let target = root.join("a.pcapng");
    let replaced = run(&["--overwrite", "--html", target.to_str().unwrap()], &[&root]);
    assert!(replaced.status == 2 && fs::read(&target).unwrap() == one().pcapng(), "{}", replaced.errors);
    // Anonymization also applies to names of folders.
    let hidden = run(&["-r", "--json", "--anonymize"], &[&root]);
    assert!(hidden.status == 0 && !hidden.out.contains("dirs-twice") && !hidden.out.contains("deeper"));
}

#[test]
fn foreign_names_are_shown_with_escapes() {
    let root = folder("dirs-names");
    let archive = tar(&[
        ("../../up.pcapng", &one().pcapng()),
        ("/etc/root.pcapng", &one().pcapng()),
        ("red\u{1b}[31m\n.pcapng", &one().pcapng()),
        ("bad\u{202e}\r.pcap", b""),
    ]);
    let path = root.join("names.tar");
    fs::write(&path, archive).unwrap();
    let text = run(&[], &[&path]);
    assert_eq!(text.status, 2);
    assert!(text.out.contains("names.tar!../../up.pcapng") && text.out.contains("names.tar!/etc/root.pcapng"));
    assert!(text.out.contains("red\\x1b[31m\\n.pcapng"), "{}", text.out);
    assert!(text.errors.contains("bad\\u{202e}\\r.pcap is empty"), "{}", text.errors);
    assert!(!format!("{}{}", text.out, text.errors).contains(['\u{1b}', '\r', '\u{202e}']));
    // Nothing was unpacked.
    assert!(!root.join("../../up.pcapng").exists() && !root.join("up.pcapng").exists());
}

#[cfg(target_os = "linux")]
#[test]
fn links_and_fifos_in_folders_are_not_read() {
    use rustix::fs::{CWD, FileType, mknodat};
    let root = folder("dirs-links");
    let outside = file("dirs-outside.pcapng");
    fs::write(&outside, one().pcapng()).unwrap();
    std::os::unix::fs::symlink(&outside, root.join("link.pcapng")).unwrap();
    std::os::unix::fs::symlink(&root, root.join("deep/loop")).unwrap();
    mknodat(CWD, root.join("fifo.pcapng"), FileType::Fifo, 0o600.into(), 0).unwrap();
    for form in [&["-r", "--json"][..], &["-r", "--json", "--from", "0s"]] {
        let all = run(form, &[&root]);
        assert_eq!(all.status, 0, "{}", all.errors);
        assert_eq!(
            names(&all.captures(&root)),
            ["a.pcapng", "b.pcapng.gz", "deep/c.pcapng.zst", "deep/deeper/d.pcapng"]
        );
    }
    // A link named on the command line is followed.
    assert_eq!(run(&["--json"], &[&root.join("link.pcapng")]).captures(&root).len(), 1);
}
