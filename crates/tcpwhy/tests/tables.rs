//! `--parquet` and `--arrow`: which rows are there, which files, and what running again does.
#![cfg(feature = "tables")]
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so")]

#[allow(dead_code, reason = "other captures are for other tests")]
mod support;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;
use support::{file, many, one, tcpwhy};
use tcpwhy_table::arrow_array::RecordBatch;
use tcpwhy_table::arrow_array::cast::AsArray as _;
use tcpwhy_table::arrow_array::types::{Float64Type, Int64Type};
use tcpwhy_table::arrow_ipc::reader::StreamReader;
use tcpwhy_table::{TableKind, parquet};

struct Run {
    out: Vec<u8>,
    errors: String,
    status: i32,
}

fn run(args: &[&str], paths: &[&Path]) -> Run {
    let mut command = tcpwhy();
    let output = command.args(args).args(paths).timeout(Duration::from_secs(120)).output().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    Run { out: output.stdout, errors, status: output.status.code().unwrap() }
}

/// A new folder for the test `name` with two captures.
fn folder(name: &str) -> PathBuf {
    let root = file(name);
    let _ = fs::remove_dir_all(&root);
    fs::create_dir_all(root.join("in")).unwrap();
    fs::write(root.join("in/a.pcapng"), one().pcapng()).unwrap();
    fs::write(root.join("in/b.pcapng"), many().pcapng()).unwrap();
    root
}

/// One table of captures, as one batch a stream.
fn arrow(args: &[&str], input: &Path) -> (Vec<RecordBatch>, Run) {
    let run = run(&[&["--arrow"], args].concat(), &[input]);
    let batches = StreamReader::try_new(run.out.as_slice(), None).unwrap().map(Result::unwrap).collect();
    (batches, run)
}

fn texts(batches: &[RecordBatch], column: &str) -> Vec<Option<String>> {
    let of = |batch: &RecordBatch| {
        let column = batch.column_by_name(column).unwrap().as_string::<i32>().clone();
        column.iter().map(|text| text.map(str::to_owned)).collect::<Vec<_>>()
    };
    batches.iter().flat_map(of).collect()
}

/// The names of the files of each table.
fn files(tables: &Path) -> BTreeMap<String, Vec<String>> {
    let names = |folder: &Path| {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    };
    names(tables).into_iter().map(|table| (table.clone(), names(&tables.join(table)))).collect()
}

/// Rows of `captures`: each file alone.
fn rows(tables: &Path) -> usize {
    let count = |name: &String| {
        let alone = tempfile::tempdir().unwrap();
        fs::create_dir(alone.path().join("captures")).unwrap();
        fs::copy(tables.join("captures").join(name), alone.path().join("captures").join(name)).unwrap();
        parquet::known_captures(alone.path(), None).unwrap().len()
    };
    files(tables)["captures"].iter().map(count).sum()
}

fn captures(tables: &Path) -> Vec<String> {
    let known = parquet::known_captures(tables, None).unwrap();
    known.keys().map(|name| Path::new(name).file_name().unwrap().to_str().unwrap().to_owned()).collect()
}

#[test]
fn each_table_has_a_file_and_running_again_replaces_it() {
    let root = folder("tables-again");
    let tables = root.join("tables");
    let args = ["--quiet", "--parquet", tables.to_str().unwrap()];
    let first = run(&args, &[&root.join("in")]);
    assert_eq!((first.status, first.errors.as_str(), first.out.as_slice()), (0, "", &b""[..]));
    let written = files(&tables);
    let kinds = TableKind::ALL.into_iter().filter(|&kind| kind != TableKind::Intervals);
    assert_eq!(written.keys().cloned().collect::<Vec<_>>(), {
        let mut names: Vec<_> = kinds.map(|kind| kind.name().to_owned()).collect();
        names.sort();
        names
    });
    assert!(written.values().all(|names| names.len() == 1 && names[0].ends_with("-0000.parquet")), "{written:?}");
    let before = fs::read(tables.join("limits").join(&written["limits"][0])).unwrap();
    assert_eq!(run(&args, &[&root.join("in")]).status, 0);
    assert_eq!(files(&tables), written);
    assert_eq!(fs::read(tables.join("limits").join(&written["limits"][0])).unwrap(), before);
    // So does the same folder in other words, as a shell completes it.
    let same = format!("{}/in/", root.display());
    assert_eq!(run(&args, &[Path::new(&same)]).status, 0);
    assert_eq!(files(&tables), written);
    // Other captures are another part of the same tables. That a capture is in both is said.
    let again = run(&args[1..], &[&root.join("in/a.pcapng")]);
    assert!(again.errors.contains("1 capture has rows in other files of"), "{}", again.errors);
    assert!(files(&tables).values().all(|names| names.len() == 2));
}

#[test]
fn resuming_reads_only_what_has_no_rows() {
    let root = folder("tables-resume");
    let tables = root.join("tables");
    let args = ["--parquet", tables.to_str().unwrap(), "--part", "x"];
    let resume = [&args[..], &["--resume"]].concat();
    run(&args, &[&root.join("in")]);
    fs::write(root.join("in/c.pcapng"), one().pcapng()).unwrap();
    fs::write(root.join("in/b.pcapng"), one().pcapng()).unwrap();
    let again = run(&resume, &[&root.join("in")]);
    assert_eq!(again.status, 0, "{}", again.errors);
    assert!(again.errors.contains("b.pcapng was left out, but has changed since its rows were written"));
    assert!(again.errors.contains("left out 2 captures that have their rows already"), "{}", again.errors);
    assert_eq!(captures(&tables), ["a.pcapng", "b.pcapng", "c.pcapng"]);
    assert_eq!(files(&tables)["captures"], ["x-0000.parquet", "x-0001.parquet"]);
    // Nothing is left to do.
    let third = run(&resume, &[&root.join("in")]);
    assert_eq!((third.status, files(&tables)["captures"].len()), (0, 2), "{}", third.errors);
    // Without --resume all is one part again, and the second one is stale.
    run(&args, &[&root.join("in")]);
    assert!(files(&tables).values().all(|names| names == &["x-0000.parquet"]), "{:?}", files(&tables));
}

/// Spellings of a path are one name, so nothing is written twice.
#[test]
fn another_spelling_of_a_folder_adds_no_rows() {
    let root = folder("tables-spelling");
    let tables = root.join("tables");
    let in_root = |args: &[&str]| {
        let output = tcpwhy().current_dir(&root).args(args).timeout(Duration::from_secs(120)).output().unwrap();
        (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    assert_eq!(in_root(&["-r", "in", "--parquet", "tables"]).0, 0);
    let names = || parquet::known_captures(&tables, None).unwrap().into_keys().collect::<Vec<_>>();
    assert_eq!(names(), ["in/a.pcapng", "in/b.pcapng"]);
    for other in ["./in", "in/", ".//in/.", "./in/*", "././in"] {
        let (status, errors) = in_root(&["-r", other, "--parquet", "tables", "--resume"]);
        assert_eq!(status, 0, "{other}: {errors}");
        assert!(errors.contains("left out 2 captures"), "{other}: {errors}");
        assert_eq!(names(), ["in/a.pcapng", "in/b.pcapng"], "{other}");
    }
    let (_, errors) = in_root(&["./in/a.pcapng", "--parquet", "tables", "--part", "y"]);
    assert!(errors.contains("1 capture has rows in other files of"), "{errors}");
}

/// A relative path and the absolute one are one capture, in whichever way the rows were written.
#[test]
fn an_absolute_path_adds_no_rows() {
    let root = folder("tables-absolute");
    let absolute = fs::canonicalize(&root).unwrap().join("in");
    let absolute = absolute.to_str().unwrap();
    for (number, (first, second)) in [("in", absolute), (absolute, "in")].into_iter().enumerate() {
        let tables = format!("tables-{number}");
        let run = |input: &str| {
            let args = ["-r", input, "--parquet", &tables, "--resume"];
            let output = tcpwhy().current_dir(&root).args(args).timeout(Duration::from_secs(120)).output().unwrap();
            (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
        };
        assert_eq!(run(first).0, 0);
        let (status, errors) = run(second);
        assert_eq!(status, 0, "{errors}");
        assert!(errors.contains("left out 2 captures"), "{first}, then {second}: {errors}");
        assert_eq!(rows(&root.join(&tables)), 2, "{first}, then {second}");
    }
}

/// The column `content_sha256` of `captures`, by the last part of the name.
fn contents(args: &[&str]) -> BTreeMap<String, Option<String>> {
    let output = tcpwhy().args(["--arrow", "--table", "captures", "-q"]).args(args).output().unwrap();
    let reader = StreamReader::try_new(&output.stdout[..], None).unwrap();
    let batches: Vec<_> = reader.map(Result::unwrap).collect();
    let names = texts(&batches, "capture").into_iter().map(Option::unwrap);
    let last = |name: String| name.rsplit(['/', '!']).next().unwrap().to_owned();
    names.map(last).zip(texts(&batches, "content_sha256")).collect()
}

/// One file under three names, also as a member of an archive, has one hash: `sha256sum` shows it.
#[test]
fn one_content_has_one_hash() {
    let root = folder("tables-content");
    let input = root.join("in");
    fs::copy(input.join("a.pcapng"), input.join("copy.pcapng")).unwrap();
    fs::hard_link(input.join("a.pcapng"), input.join("link.pcapng")).unwrap();
    let packed =
        std::process::Command::new("tar").current_dir(&input).args(["-czf", "../member.tgz", "a.pcapng"]).status();
    let found = contents(&["-r", input.to_str().unwrap()]);
    let one = found["a.pcapng"].clone();
    assert!(one.as_ref().is_some_and(|hash| hash.len() == 64), "{found:?}");
    for name in ["copy.pcapng", "link.pcapng"] {
        assert_eq!(found[name], one, "{name}");
    }
    assert_ne!(found["b.pcapng"], one);
    if packed.is_ok_and(|status| status.success()) {
        assert_eq!(contents(&[root.join("member.tgz").to_str().unwrap()])["a.pcapng"], one);
    }
    // It would show who has the file which one it was.
    let hidden = contents(&["--anonymize", input.join("a.pcapng").to_str().unwrap()]);
    assert_eq!(hidden.into_values().collect::<Vec<_>>(), [None]);
}

#[test]
fn a_url_or_standard_output_is_no_folder_of_tables() {
    let root = folder("tables-url");
    for (typed, instead) in [("s3://bucket/x", "copy"), ("gs://b", "copy"), ("-", "--arrow")] {
        let output = tcpwhy().current_dir(&root).args(["-r", "in", "--parquet", typed]).output().unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), errors.lines().count()), (Some(2), 1), "{typed}: {errors}");
        assert!(errors.contains(instead), "{typed}: {errors}");
        let there: Vec<_> = fs::read_dir(&root).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(there, ["in"], "{typed}");
    }
}

#[test]
fn what_cannot_be_read_is_a_row() {
    let root = folder("tables-failed");
    fs::write(root.join("in/c.pcap"), b"\xd4\xc3\xb2\xa1\x02\0").unwrap();
    fs::write(root.join("in/empty.pcap"), b"").unwrap();
    fs::write(root.join("in/words.pcap"), b"not a capture, whatever its name says\n").unwrap();
    let whole = one().pcapng();
    fs::write(root.join("in/z-cut.pcapng"), &whole[..whole.len() - 20]).unwrap();
    let (batches, all) = arrow(&["--table", "captures"], &root.join("in"));
    assert_eq!(all.status, 2);
    assert!(all.errors.contains("3 of 6 captures could not be read"), "{}", all.errors);
    let status = texts(&batches, "status").into_iter().flatten().collect::<Vec<_>>();
    assert_eq!(status, ["ok", "ok", "failed", "failed", "failed", "damaged"]);
    let errors = texts(&batches, "error");
    let has = |index: usize, part: &str| errors[index].as_ref().is_some_and(|error| error.contains(part));
    assert!(
        errors[0].is_none() && has(2, "ends within its file header") && has(4, "looks like plain text"),
        "{errors:?}"
    );
    assert!(has(5, "in the middle of packet"), "{errors:?}");
    // So it is if there is no other.
    let (batches, only) = arrow(&["--table", "captures"], &root.join("in/c.pcap"));
    assert_eq!((only.status, texts(&batches, "status")), (2, vec![Some("failed".to_owned())]));
    // A name that leads nowhere is a mistake, and no capture.
    let tables = root.join("tables");
    let gone = run(&["--parquet", tables.to_str().unwrap()], &[&root.join("in/gone.pcap")]);
    assert!(gone.status == 2 && captures(&tables).is_empty(), "{}", gone.errors);
}

#[test]
fn a_table_says_what_json_says() {
    let root = folder("tables-json");
    let input = root.join("in/b.pcapng");
    let (batches, _) = arrow(&["--table", "limits"], &input);
    let json: Value = serde_json::from_slice(&run(&["--json"], &[&input]).out).unwrap();
    let mut expected = BTreeMap::<(i64, String), f64>::new();
    for connection in json["connections"].as_array().unwrap() {
        for half in connection["halves"].as_array().unwrap() {
            for limit in half["limits"].as_array().unwrap() {
                let key = (connection["first_packet"].as_i64().unwrap(), limit["limit"].as_str().unwrap().to_owned());
                *expected.entry(key).or_default() += limit["seconds"].as_f64().unwrap();
            }
        }
    }
    let mut found = BTreeMap::<(i64, String), f64>::new();
    for batch in &batches {
        let packets = batch.column_by_name("first_packet").unwrap().as_primitive::<Int64Type>();
        let seconds = batch.column_by_name("seconds").unwrap().as_primitive::<Float64Type>();
        let limits = batch.column_by_name("limit").unwrap().as_string::<i32>();
        for row in 0..batch.num_rows() {
            *found.entry((packets.value(row), limits.value(row).to_owned())).or_default() += seconds.value(row);
        }
    }
    assert!(!expected.is_empty());
    assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
    assert!(found.iter().all(|(key, seconds)| (seconds - expected[key]).abs() < 1e-9));
}

#[test]
fn sentences_come_when_asked_for() {
    let root = folder("tables-words");
    let input = root.join("in/a.pcapng");
    let sentences = |args: &[&str]| texts(&arrow(&[args, &["--table", "halves"]].concat(), &input).0, "sentence");
    assert!(sentences(&[]).iter().all(Option::is_none));
    assert!(sentences(&["--words", "all"]).iter().all(Option::is_some));
}

#[test]
fn what_makes_no_sense_is_one_line() {
    let root = folder("tables-wrong");
    let input = root.join("in/a.pcapng");
    let tables = root.join("tables");
    for (args, part) in [
        (&["--arrow", "--table", "nothing"][..], "no table is called \"nothing\"; the tables are connections, halves"),
        (&["--arrow", "--table", "intervals"], "the table intervals needs --timeline"),
        (&["--parquet", tables.to_str().unwrap(), "--part", "a/b"], "expected a name of letters"),
        (&["--parquet", tables.to_str().unwrap(), "--json"], "--json"),
        (&["--table", "limits"], "--arrow"),
    ] {
        let run = run(args, &[&input]);
        assert_eq!((run.status, run.out.len()), (2, 0), "{args:?}");
        assert!(run.errors.contains(part), "{}", run.errors);
    }
    assert!(!tables.exists());
}

/// Two spellings of a capture, and one in two places.
#[test]
fn a_capture_has_its_rows_once() {
    let root = folder("tables-once");
    let tables = root.join("tables");
    let args = ["--parquet", tables.to_str().unwrap(), "--part", "x"];
    let typed = [root.join("in"), root.join("in/a.pcapng"), root.join("in/b.pcapng")];
    let twice = run(&["--arrow", "--table", "captures"], &[&typed[0], &typed[1], &typed[2]]);
    assert!(twice.errors.contains("left out 2 captures"), "{}", twice.errors);
    let batches = StreamReader::try_new(twice.out.as_slice(), None).unwrap();
    assert_eq!(batches.map(|batch| batch.unwrap().num_rows()).sum::<usize>(), 2);
    let without_key = run(&[&args[..], &["--resume", "--anonymize"]].concat(), &[&root.join("in")]);
    assert!(without_key.status == 2 && without_key.errors.contains("--anonymize-key-file"), "{}", without_key.errors);
}

/// A run that was killed: its part has no captures yet, or later parts of a former run are there.
#[test]
fn what_a_killed_run_left_is_written_anew() {
    let root = folder("tables-killed");
    let tables = root.join("tables");
    let args = ["--parquet", tables.to_str().unwrap(), "--part", "x"];
    let resume = [&args[..], &["--resume"]].concat();
    run(&args, &[&root.join("in/a.pcapng")]);
    run(&resume, &[&root.join("in/b.pcapng")]);
    fs::remove_file(tables.join("captures/x-0001.parquet")).unwrap();
    run(&resume, &[&root.join("in")]);
    assert_eq!((rows(&tables), captures(&tables).len()), (2, 2));
    assert!(files(&tables).values().all(|names| names == &files(&tables)["captures"]), "{:?}", files(&tables));
    // A table that is not written any more goes.
    run(&[&args[..], &["--timeline"]].concat(), &[&root.join("in")]);
    assert_eq!(files(&tables)["intervals"], ["x-0000.parquet"]);
    run(&args, &[&root.join("in")]);
    assert!(files(&tables)["intervals"].is_empty());
}

/// A file that no run has made is never replaced.
#[test]
fn other_files_stay() {
    let root = folder("tables-others");
    let tables = root.join("tables");
    let other = tables.join("limits/x-0000.parquet");
    fs::create_dir_all(other.parent().unwrap()).unwrap();
    fs::write(&other, b"somebody's").unwrap();
    let run = run(&["--parquet", tables.to_str().unwrap(), "--part", "x"], &[&root.join("in")]);
    assert_eq!(run.status, 2);
    assert!(run.errors.contains("x-0000.parquet"), "{}", run.errors);
    assert_eq!(fs::read(&other).unwrap(), b"somebody's");
    // No capture claims to have its rows.
    assert!(captures(&tables).is_empty());
}
