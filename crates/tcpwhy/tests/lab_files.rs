//! Scenario files: their schema, their reference, and a new file. Nothing is run.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs, reason = "a test that fails says so")]

#[allow(dead_code, reason = "captures are for other tests")]
mod support;

use std::fs;
use std::path::PathBuf;

use expect_test::expect_file;
use serde_json::Value;
use support::{file, tcpwhy};

fn lab(args: &[&str]) -> (Option<i32>, String, String) {
    let output = tcpwhy().arg("lab").args(args).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// The page in the documentation must match the code: `UPDATE_EXPECT=1` writes it.
#[test]
fn the_reference_is_made_from_the_code() {
    let (code, out, err) = lab(&["schema", "--reference"]);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    expect_file!["../../../docs/scenarios.md"].assert_eq(&out);
    let (code, out, err) = lab(&["schema", "--reference", "--lang", "zh-CN"]);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    expect_file!["../../../docs/scenarios.zh-CN.md"].assert_eq(&out);
}

/// The schema must accept the bundled files and reject unknown keys.
#[test]
fn the_schema_takes_what_is_a_scenario() {
    let (_, out, _) = lab(&["schema"]);
    let validator = jsonschema::validator_for(&serde_json::from_str(&out).unwrap()).unwrap();
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tcpwhy-scenario/scenarios");
    let mut count = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let document: Value = toml::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        let errors: Vec<_> = validator.iter_errors(&document).map(|e| format!("{}: {e}", e.instance_path())).collect();
        assert!(errors.is_empty(), "{}: {errors:#?}", path.display());
        count += 1;
    }
    assert!(count > 50);
    for wrong in [
        "work = { stream = { phases = [{ bytes = \"1 apple\" }] } }",
        "work = { stream = { phases = [{ bytes = \"1MB\" }] } }\nlink = { rtt = 20 }",
        "work = { stream = { phases = [{ bytes = \"1MB\" }] } }\nlink = { rate = \"100mbps\" }",
        "work = { stream = { phases = [{ bytes = \"1MB\" }] } }\nlink = { rtz = \"20ms\" }",
    ] {
        let document: Value = toml::from_str(wrong).unwrap();
        assert!(!validator.is_valid(&document), "{wrong}");
    }
}

#[test]
fn a_new_scenario_is_shown_and_never_over_another_file() {
    let path = file("lab-new.toml");
    let _ = fs::remove_file(&path);
    let name = path.to_str().unwrap();
    assert_eq!(lab(&["new", name]).0, Some(0));
    let (code, out, err) = lab(&["show", name]);
    assert_eq!(code, Some(0), "{err}");
    assert!(out.contains("100mbit"), "{out}");
    let (code, _, err) = lab(&["new", name]);
    assert!(code == Some(2) && err.contains("exists already") && err.lines().count() == 1, "{err}");
    fs::remove_file(&path).unwrap();
    assert_eq!(lab(&["new", name, "--like", "sndbuf-16k"]).0, Some(0));
    assert!(fs::read_to_string(&path).unwrap().contains("sndbuf"));
    let (code, _, err) = lab(&["new", "mine.txt"]);
    assert!(code == Some(2) && err.contains(".toml"), "{err}");
}

#[test]
fn impossible_values_are_named_with_key_and_line() {
    let path = file("lab-impossible.toml");
    fs::write(&path, "[link]\nrate = \"900tbit\"\n[work.stream]\nphases = [{ bytes = \"1MB\" }]\n").unwrap();
    let (code, _, err) = lab(&["run", path.to_str().unwrap()]);
    assert!(code == Some(2) && err.contains(".toml: line 2: link.rate: expected a rate from 8kbit"), "{err}");
}
