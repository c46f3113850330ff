//! Runs `explain` with `--html` and `--svg`.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so")]
#![allow(dead_code, reason = "every test binary uses its own part of the support")]

mod support;

use std::fs;
use std::path::{Path, PathBuf};

use expect_test::expect_file;
use serde_json::Value;
use support::{capture, data, file, many, one, tcpwhy};

fn sample(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../samples/{name}.pcap.gz"));
    path.to_str().unwrap().to_owned()
}

#[test]
fn a_page_tells_what_the_terminal_tells() {
    let path = capture("page.pcapng", &one());
    let html = file("page.html");
    let run = tcpwhy().arg(&path).args(["--overwrite", "--quiet", "--html"]).arg(&html).output().unwrap();
    assert!(run.status.success() && run.stdout.is_empty() && run.stderr.is_empty(), "{run:?}");
    let page = data(&fs::read_to_string(&html).unwrap());
    let json = tcpwhy().arg("--json").arg(&path).output().unwrap();
    let json: Value = serde_json::from_slice(&json.stdout).unwrap();
    let (told, shown) = (&json["connections"][0], &page["documents"]["en"]["connections"][0]);
    for key in ["id", "endpoints", "duration_s", "packets", "ending"] {
        assert_eq!(told[key], shown[key], "{key}");
    }
    assert_eq!(told["halves"][0]["limits"], shown["halves"][0]["limits"]);
    assert_eq!(told["halves"][0]["verdict"], shown["halves"][0]["verdict"]);
    assert_eq!(page["charts"][0]["packet_count"], 306);
    assert_eq!(page["language"], "en");
}

#[test]
fn a_page_goes_to_standard_output_and_comes_from_standard_input() {
    let bytes = one().pcapng();
    let run = tcpwhy().args(["-", "--html", "-", "--lang", "zh-CN"]).write_stdin(bytes).output().unwrap();
    assert!(run.status.success(), "{run:?}");
    let page = String::from_utf8(run.stdout).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.contains("<html lang=\"zh-CN\">"));
    let data = data(&page);
    assert_eq!((&data["documents"]["en"]["captures"][0]["path"], &data["language"]), (&"-".into(), &"zh-CN".into()));
    assert_eq!(data["charts"].as_array().unwrap().len(), 1, "what came from a pipe was read a second time");
}

#[test]
fn a_page_of_several_captures_and_of_one_connection() {
    let (a, b) = (capture("several-a.pcapng", &one()), capture("several-b.pcapng", &many()));
    let run = tcpwhy().arg(&a).arg(&b).args(["--html", "-"]).output().unwrap();
    let page = data(&String::from_utf8(run.stdout).unwrap());
    assert_eq!(page["overview"]["connections"], 14);
    let charts = page["charts"].as_array().unwrap();
    let has_data = |chart: &&Value| !chart["halves"].as_array().unwrap().is_empty();
    let ids: Vec<_> = charts.iter().filter(has_data).map(|c| c["connection"].as_u64().unwrap()).collect();
    assert_eq!((ids.len(), ids.contains(&0)), (4, true), "those with data, from both: {ids:?}");
    let without: Vec<_> = charts.iter().filter(|chart| !has_data(chart)).collect();
    assert!(
        without.len() == 10 && without.iter().all(|chart| chart["packets"]["rows"].as_u64() > Some(0)),
        "packets of all others"
    );
    let run = tcpwhy().arg(&b).args(["--html", "-", "--connection", "1"]).output().unwrap();
    let page = data(&String::from_utf8(run.stdout).unwrap());
    assert_eq!((&page["overview"]["connections"], &page["charts"][0]["connection"]), (&1.into(), &1.into()));
}

#[test]
fn addresses_are_replaced_everywhere() {
    let path = capture("10.1.2.3-anonymous.pcapng", &many());
    let folder = file("anonymous");
    let run = tcpwhy().arg(&path).args(["--html", "-", "--anonymize-key", "k", "--svg"]).arg(&folder).output().unwrap();
    let page = String::from_utf8(run.stdout).unwrap();
    let pictures = fs::read_dir(&folder).unwrap().map(|f| fs::read_to_string(f.unwrap().path()).unwrap());
    for content in std::iter::once(page).chain(pictures) {
        for address in ["10.1.2.", "10.9.8.7", "192.0.2.80", "203.0.113.94"] {
            assert!(!content.contains(address), "{address}");
        }
    }
}

/// A page replaces an older page anyway, but `--force`, the older name of `--overwrite`, is accepted.
#[test]
fn a_page_may_be_forced() {
    let folder = tempfile::tempdir().unwrap();
    let (page, path) = (folder.path().join("report.html"), capture("forced.pcapng", &one()));
    for extra in [&[][..], &["--force"]] {
        let run = tcpwhy().arg(&path).arg("--html").arg(&page).args(extra).output().unwrap();
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    }
    let nothing_written = tcpwhy().arg(&path).arg("--force").output().unwrap();
    assert_eq!(nothing_written.status.code(), Some(2));
}

#[test]
fn nothing_to_show_is_said() {
    let path = capture("nothing.pcapng", &one());
    let run = tcpwhy().arg(&path).args(["--html", "-", "--connection", "9"]).output().unwrap();
    let error = String::from_utf8(run.stderr).unwrap();
    assert_eq!((run.status.code(), run.stdout.len()), (Some(2), 0));
    assert_eq!(error, "tcpwhy: there is no connection 9: the only one is number 0\n");
    let run = tcpwhy().arg(&path).args(["--html", "-", "--port", "9"]).output().unwrap();
    let error = String::from_utf8(run.stderr).unwrap();
    assert!(run.status.success() && error.contains("does not match the filter"), "{error}");
    let page = data(&String::from_utf8(run.stdout).unwrap());
    assert_eq!((&page["overview"]["connections"], page["charts"].as_array().unwrap().len()), (&0.into(), 0));
}

#[test]
fn what_cannot_be_written_is_said() {
    let path = capture("unwritable.pcapng", &one());
    for option in ["--html", "--svg"] {
        let run = tcpwhy().arg(&path).args([option, "/proc/no/such/place"]).output().unwrap();
        assert_eq!(run.status.code(), Some(2));
        let error = String::from_utf8(run.stderr).unwrap();
        assert!(error.starts_with("tcpwhy: cannot write /proc/no") && error.lines().count() == 1, "{error}");
    }
    let run = tcpwhy().args(["/no/such/file.pcap", "--html", "-"]).output().unwrap();
    assert_eq!((run.status.code(), run.stdout.len()), (Some(2), 0));
}

#[test]
fn pictures_of_another_capture_stay() {
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = (capture("svg-first.pcapng", &one()), capture("svg-second.pcapng", &many()));
    let draw = |capture: &Path, arguments: &[&str]| {
        let run = tcpwhy().arg(capture).args(["--quiet", "--svg"]).arg(folder.path()).args(arguments).output().unwrap();
        (run.status.code().unwrap(), String::from_utf8(run.stderr).unwrap())
    };
    let picture = || fs::read_to_string(folder.path().join("c0-server-sequence.svg")).unwrap();
    assert_eq!(draw(&first, &[]), (0, String::new()));
    let of_first = picture();
    // The same capture may be drawn again, but another one must not replace its pictures.
    assert_eq!(draw(&first, &["--svg-theme", "dark"]), (0, String::new()));
    assert_ne!(picture(), of_first);
    assert_eq!(draw(&first, &[]), (0, String::new()));
    let count = || fs::read_dir(folder.path()).unwrap().count();
    let before = count();
    let (code, error) = draw(&second, &[]);
    assert!(code == 2 && error.contains("c0-server-") && error.contains("--overwrite"), "{error}");
    assert_eq!(error.lines().count(), 1);
    assert_eq!((picture(), count()), (of_first.clone(), before), "nothing was written");
    assert_eq!(draw(&second, &["--force"]), (0, String::new()));
    assert_ne!(picture(), of_first);
    // A picture of another program is not replaced either.
    fs::write(folder.path().join("c0-server-sequence.svg"), "<svg/>").unwrap();
    assert_eq!(draw(&second, &[]).0, 2);
}

#[test]
fn a_stretch_outside_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let (one, many) = (capture("svg-outside-1.pcapng", &one()), capture("svg-outside-many.pcapng", &many()));
    let draw = |capture: &Path, stretch: &str| {
        let run = tcpwhy()
            .arg(capture)
            .args(["--overwrite", "--svg-time", stretch, "--svg"])
            .arg(folder.path())
            .output()
            .unwrap();
        (run.status.code().unwrap(), String::from_utf8(run.stderr).unwrap())
    };
    let (code, error) = draw(&one, "9-10");
    assert!(code == 2 && error.starts_with("tcpwhy: --svg-time 9 s to 10 s is outside the connection"), "{error}");
    let (code, error) = draw(&many, "90-100");
    assert!(code == 2 && error.contains("outside every connection"), "{error}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    let (code, said) = draw(&one, "1-100");
    assert!(code == 0 && said.starts_with("tcpwhy: wrote 5 files to ") && said.lines().count() == 1, "{said}");
    // One of three transfers takes longer than 2 s.
    let (code, error) = draw(&many, "2-2.5");
    assert!(code == 0 && error.contains("outside 2 connections: they have no pictures"), "{error}");
}

#[test]
fn a_picture_of_a_silence_says_what_is_not_there() {
    let folder = file("silence");
    let options = ["--svg-time", "0.1-0.101", "--svg-theme", "light", "--lang", "en", "--svg"];
    let run = tcpwhy().arg(sample("request-response")).args(options).arg(&folder).output().unwrap();
    assert!(run.status.success(), "{run:?}");
    let picture = |chart: &str| fs::read_to_string(folder.join(format!("c0-server-{chart}.svg"))).unwrap();
    assert!(picture("sequence").contains("No data was sent in this stretch."));
    assert!(picture("rtt").contains("No round trip was measured in this stretch."));
    assert!(picture("throughput").contains("Nothing was sent or acknowledged in this stretch."));
    assert!(picture("window").contains("in this stretch."));
}

/// The pictures of the documentation, written by `scripts/pictures` or by this test with `UPDATE_EXPECT=1`.
#[test]
fn pictures_of_the_samples() {
    for (name, sample_name, chart, arguments) in [
        ("send-buffer", "send-buffer", "server-all", &[][..]),
        ("send-buffer-zoom", "send-buffer", "server-sequence", &["--svg-time", "1.2-1.3"]),
        ("receive-window-zoom", "receive-window-4k", "client-sequence", &["--svg-time", "1.2-1.4"]),
        ("zero-window", "zero-window", "server-sequence", &[]),
        ("loss", "loss", "server-all", &[]),
        ("loss-zoom.zh-CN", "loss", "server-sequence", &["--svg-time", "1.8-2.3", "--lang", "zh-CN"]),
    ] {
        let folder = file(&format!("svg-{name}"));
        let run = tcpwhy()
            .arg(sample(sample_name))
            .args(["--overwrite", "--quiet", "--svg"])
            .arg(&folder)
            .args(arguments)
            .output()
            .unwrap();
        assert!(run.status.success(), "{run:?}");
        let picture = fs::read_to_string(folder.join(format!("c0-{chart}.svg"))).unwrap();
        assert!(picture.len() < 200_000, "{name}: {}", picture.len());
        let golden = format!("{}/../../docs/charts/{name}.svg", env!("CARGO_MANIFEST_DIR"));
        expect_file![PathBuf::from(golden)].assert_eq(&picture);
    }
}
