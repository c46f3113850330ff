//! `tcpwhy buffers` as it is called.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so")]

#[allow(dead_code, reason = "captures are for other tests")]
mod support;

use std::fs;

use expect_test::expect_file;
use serde_json::Value;
use support::{file, tcpwhy};

struct Run {
    code: i32,
    out: String,
    err: String,
}

/// With a kernel and its defaults, so that the machine does not matter.
fn buffers(args: &[&str]) -> Run {
    let output = tcpwhy().arg("buffers").args(args).output().unwrap();
    Run {
        code: output.status.code().unwrap(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

fn json(args: &[&str]) -> Value {
    let run = buffers(&[args, &["--json"]].concat());
    assert_eq!(run.code, 0, "{}", run.err);
    let document: Value = serde_json::from_str(&run.out).unwrap();
    let schema = tcpwhy().args(["schema", "buffers"]).output().unwrap().stdout;
    let validator = jsonschema::validator_for(&serde_json::from_slice(&schema).unwrap()).unwrap();
    let errors: Vec<_> = validator.iter_errors(&document).map(|e| format!("{}: {e}", e.instance_path())).collect();
    assert!(errors.is_empty(), "{errors:#?}");
    document
}

const SEND: [&str; 10] = [
    "--kernel",
    "6.12",
    "--sndbuf",
    "256KiB",
    "--sysctl",
    "net.core.wmem_max=130000",
    "--rtt",
    "20ms",
    "--bandwidth",
    "100mbit",
];
const RECEIVE: [&str; 10] =
    ["--kernel", "5.15", "--rcvbuf", "4MiB", "--when", "after-connect", "--rtt", "26ms", "--bandwidth", "1gbit"];

#[test]
fn reads_well() {
    expect_file!["golden/buffers-send.txt"].assert_eq(&buffers(&SEND).out);
    expect_file!["golden/buffers-receive-why.txt"]
        .assert_eq(&buffers(&[&RECEIVE[..], &["--why", "--width", "100"]].concat()).out);
    expect_file!["golden/buffers-zh.txt"].assert_eq(&buffers(&[&RECEIVE[..], &["--lang", "zh-CN"]].concat()).out);
    expect_file!["golden/buffers-auto.txt"].assert_eq(&buffers(&["--kernel", "6.18"]).out);
    expect_file!["golden/buffers-macos.txt"].assert_eq(&buffers(&["--kernel", "macos", "--sndbuf", "64KiB"]).out);
    expect_file!["golden/help-buffers.txt"].assert_eq(&buffers(&["--help"]).out);
}

#[test]
fn the_answer_is_in_the_first_three_lines() {
    for args in [&SEND, &RECEIVE] {
        for width in ["80", "140"] {
            let run = buffers(&[&args[..], &["-q", "--width", width]].concat());
            let lines: Vec<_> = run.out.lines().collect();
            assert!(lines.len() <= 4, "{}", run.out);
            assert!(lines[0].starts_with("SO_"), "{}", run.out);
        }
    }
}

/// A request with `--force` is cut where doubling it ends, which no sysctl decides.
#[test]
fn a_forced_request_is_cut_by_no_setting() {
    for (lang, named) in [("en", "most that can be doubled"), ("zh-CN", "加倍所容的最大值")] {
        let run = buffers(&["--kernel", "6.18", "--sndbuf", "max", "--force", "--lang", lang, "--width", "200"]);
        assert!(run.out.contains("1,073,741,823") && run.out.contains(named), "{}", run.out);
        assert!(!run.out.contains('$') && !run.out.contains("wmem_max"), "{}", run.out);
    }
}

#[test]
fn what_is_missing_is_asked_for_and_no_more() {
    let of = |args: &[&str]| buffers(&[&["--kernel", "6.18", "-q"], args].concat()).out;
    assert!(of(&[]).ends_with("Add --rtt and --bandwidth to see whether that fills a path.\n"));
    assert!(of(&["--rtt", "20ms"]).ends_with("Add --bandwidth to see whether that fills a path.\n"));
    let clamped = of(&["--rtt", "20ms", "--bandwidth", "1gbit", "--window-clamp", "64k"]);
    assert!(clamped.ends_with("To fill the path: do not set TCP_WINDOW_CLAMP.\n"), "{clamped}");
}

#[test]
fn the_contract_of_the_json_is_kept() {
    let schema = tcpwhy().args(["schema", "buffers"]).output().unwrap().stdout;
    expect_file!["golden/schema-buffers.json"].assert_eq(&String::from_utf8(schema).unwrap());
}

#[test]
fn no_line_is_too_wide() {
    for width in [60, 80, 100] {
        for lang in ["en", "zh-CN"] {
            let run = buffers(&[&RECEIVE[..], &["--why", "--lang", lang, "--width", &width.to_string()]].concat());
            for line in run.out.lines() {
                // Lines of code are for copying and stay as they are; a word longer than the line may stick out.
                let is_code = line.starts_with("      ");
                let columns: usize = line.chars().map(|c| if c >= '\u{2e80}' { 2 } else { 1 }).sum();
                assert!(is_code || columns <= width, "{width} {lang}: {line}");
            }
        }
    }
}

#[test]
fn json_follows_the_schema_and_says_what_the_text_says() {
    let document = json(&SEND);
    assert_eq!(document["bandwidth_delay_bytes"], 250_000);
    let send = &document["buffers"][0];
    assert_eq!(send["request"]["cap_sysctl"], "net.core.wmem_max");
    assert_eq!(send["request"]["clamped_bytes"], 130_000);
    assert_eq!(send["getsockopt_bytes"]["value"], 260_000);
    assert_eq!(send["autotuned"]["largest_buffer_bytes"]["value"], 4_194_304);
    assert!(send["steps"].as_array().unwrap().iter().any(|step| step["rule"] == "doubled"));
    let receive = &json(&RECEIVE)["buffers"][0];
    assert_eq!(receive["windows"]["largest_window_bytes"]["value"], 64_088);
    assert_eq!(receive["coverage"], "too-small");
    assert_eq!(receive["remedies"][0]["changes"][0], "unset-rcvbuf");
    assert!(receive["notes"].as_array().unwrap().iter().any(|note| note["note"] == "frozen"));
    let both = json(&["--kernel", "6.18"]);
    assert_eq!(both["buffers"].as_array().unwrap().len(), 2);
    assert_eq!(both["rtt_us"], Value::Null);
    assert_eq!(both["buffers"][0]["coverage"], Value::Null);
    assert_eq!(both["buffers"][0]["request"], Value::Null);
}

#[test]
fn what_is_not_known_of_other_systems_is_null() {
    let document = json(&["--kernel", "windows-server-2012", "--sndbuf", "64KiB", "--rtt", "20ms"]);
    let send = &document["buffers"][0];
    assert_eq!(send["ends_autotuning"], true);
    for key in ["getsockopt_bytes", "flight_bytes", "rate_bits_per_s", "windows"] {
        assert_eq!(send[key], Value::Null, "{key}");
    }
    let run =
        buffers(&["--kernel", "windows-server-2012", "--sndbuf", "64KiB", "--svg", file("w.svg").to_str().unwrap()]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("unknown"), "{}", run.out);
    assert!(run.out.starts_with("What Windows Server 2012 does with SO_SNDBUF"), "{}", run.out);
}

#[test]
fn a_kernel_newer_than_what_was_measured_is_told_as_that() {
    let of = |kernel: &str| buffers(&["--kernel", kernel, "--rcvbuf", "64k"]).out;
    assert!(of("8.0").contains("Linux 8.0 by the rules of 7.3, the newest that was measured"), "{}", of("8.0"));
    assert!(!of("7.3").contains("by the rules of"), "{}", of("7.3"));
}

#[test]
fn a_saved_host_brings_its_kernel_and_settings() {
    let path = file("saved-sysctl.txt");
    fs::write(
        &path,
        "kernel.osrelease = 6.1.0-18-amd64\nnet.core.rmem_max = 212992\nnet.ipv4.tcp_rmem = 4096\t4096\t4096\nnet.core.wmem_max = lots\n",
    )
    .unwrap();
    let run = buffers(&["--sysctl-file", path.to_str().unwrap(), "--rtt", "100ms"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.err.contains("net.core.wmem_max is \"lots\" instead of a number"), "{}", run.err);
    assert!(run.out.contains("Linux 6.1.0"), "{}", run.out);
    // A window of 2,048 bytes: 2048 × 8 / 0.1 s.
    assert!(run.out.contains("164 kbit/s"), "{}", run.out);
}

#[test]
fn this_host_is_asked_by_default() {
    let run = buffers(&["--rcvbuf", "64KiB"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("131,072 B"), "{}", run.out);
    assert!(run.out.contains("this host's settings"), "{}", run.out);
}

#[test]
fn the_picture_is_xml_with_a_curve_a_legend() {
    let path = file("rate.svg");
    let run = buffers(&[&SEND[..], &["--svg", path.to_str().unwrap(), "-q"]].concat());
    assert_eq!(run.code, 0, "{}", run.err);
    let svg = fs::read_to_string(path).unwrap();
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    for class in ["set", "auto", "path", "here"] {
        assert!(svg.matches(&format!("class=\"{class}\"")).count() >= 2, "{class}");
    }
    assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    assert!(svg.contains("Highest rate by round-trip time: Send buffer"));
}

/// The commands of the page on socket buffers run, and both languages show the same.
#[test]
fn the_experiments_of_the_page_run() {
    let read = |name: &str| fs::read_to_string(format!("{}/../../docs/{name}", env!("CARGO_MANIFEST_DIR")));
    let (Ok(english), Ok(chinese)) = (read("socket-buffers.md"), read("socket-buffers.zh-CN.md")) else {
        return; // A packaged crate stands alone.
    };
    let commands = |page: &str| -> Vec<String> {
        let lines = page.lines().filter(|line| line.starts_with("tcpwhy buffers"));
        lines.map(|line| line.split('#').next().unwrap_or_default().trim().to_owned()).collect()
    };
    assert_eq!(commands(&english), commands(&chinese));
    assert!(commands(&english).len() > 8);
    for command in commands(&english) {
        let args: Vec<_> = command.split_whitespace().skip(2).collect();
        let run = buffers(&args);
        assert_eq!(run.code, 0, "{command}: {}", run.err);
    }
    let links = |page: &str| page.matches("](#").count();
    let sections = |page: &str| page.lines().filter(|line| line.starts_with("## ")).count();
    for page in [&english, &chinese] {
        assert_eq!(links(page), sections(page));
    }
}

#[test]
fn wrong_input_is_one_clear_line() {
    for (args, said) in [
        (&["--sndbuf", "16x"][..], "unknown unit"),
        (&["--sndbuf", "4g"], "takes an int"),
        (&["--rtt", "20"], "20ms"),
        (&["--rtt", "20ms", "--bandwidth", "100mbps"], "100mbit"),
        (&["--kernel", "solaris"], "solaris"),
        (&["--kernel", "6.18", "--sysctl", "net.core.rmen_max=1"], "rmen_max"),
        (&["--kernel", "6.18", "--sysctl", "net.ipv4.tcp_rmem=1"], "three numbers"),
        (&["--sysctl-file", "/nonexistent"], "/nonexistent"),
        (&["--mtu", "10"], "10"),
        (&["--sndbuf", "64k", "--write-size", "0"], "at least 1 byte"),
        (&["--sndbuf", "64k", "--write-size", "-1"], ""),
    ] {
        let run = buffers(args);
        assert_eq!(run.code, 2, "{args:?}");
        assert!(run.err.contains(said), "{args:?}: {}", run.err);
        assert_eq!(run.out, "");
    }
}

#[test]
fn ascii_where_the_locale_is() {
    let output = tcpwhy().env("LANG", "C").arg("buffers").args(SEND).arg("--why").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.is_ascii(), "{:?}", text.chars().filter(|c| !c.is_ascii()).collect::<String>());
}
