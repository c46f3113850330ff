//! Runs `tcpwhy buffers`.
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

/// Runs with a kernel's defaults, so that the result does not depend on the machine.
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
    expect_file!["golden/buffers-3-10.txt"].assert_eq(&buffers(&["--kernel", "3.10"]).out);
    expect_file!["golden/buffers-windows.txt"].assert_eq(
        &buffers(&["--os", "windows-10", "--sndbuf", "64KiB", "--rtt", "20ms", "--bandwidth", "100mbit"]).out,
    );
    expect_file!["golden/buffers-window-zh.txt"].assert_eq(
        &buffers(&["--kernel", "5.15", "--window", "2MiB", "--rtt", "20ms", "--bytes", "22MB", "--lang", "zh-CN"]).out,
    );
    expect_file!["golden/buffers-macos.txt"].assert_eq(&buffers(&["--kernel", "macos", "--sndbuf", "64KiB"]).out);
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

/// A request with `--force` is limited by the largest value that can be doubled, not by a sysctl.
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
                // Code is for copying and is not wrapped; a word longer than the line may exceed it.
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
    let document = json(&["--kernel", "macos", "--sndbuf", "64KiB", "--rtt", "20ms"]);
    let send = &document["buffers"][0];
    assert_eq!(send["ends_autotuning"], true);
    for key in ["flight_bytes", "rate_bits_per_s", "windows"] {
        assert_eq!(send[key], Value::Null, "{key}");
    }
    let run = buffers(&["--kernel", "macos", "--sndbuf", "64KiB", "--svg", file("w.svg").to_str().unwrap()]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("unknown"), "{}", run.out);
    assert!(run.out.starts_with("The rules of macOS for SO_SNDBUF"), "{}", run.out);
}

/// Defaults are 8 KiB up to Windows 7 and 64 KiB since Windows 8. Levels are window scales, and a set buffer
/// is used unchanged.
#[test]
fn windows_as_microsoft_documents_it() {
    let seven = json(&["--os", "windows-7", "--rtt", "20ms"]);
    assert_eq!(seven["system"], "windows-7");
    let [send, receive] = [&seven["buffers"][0], &seven["buffers"][1]];
    assert_eq!(send["getsockopt_bytes"]["value"], 8192);
    assert_eq!(send["flight_bytes"]["high"], Value::Null, "the path's ideal send backlog");
    assert_eq!(receive["windows"]["largest_window_bytes"]["value"], 16_776_960);
    assert_eq!(receive["windows"]["largest_window_bytes"]["ground"], "documented");
    for (level, window) in [("disabled", 65_535), ("highlyrestricted", 262_140), ("experimental", 1_073_725_440)] {
        let document = json(&["--os", "windows", "--autotuning-level", level]);
        assert_eq!(document["buffers"][1]["windows"]["largest_window_bytes"]["value"], window, "{level}");
    }
    let set = json(&["--os", "windows-10", "--sndbuf", "8KiB", "--rtt", "20ms", "--write-size", "8KiB"]);
    assert_eq!(set["buffers"][0]["rate_bits_per_s"]["value"], 3_276_800.0, "8,192 bytes a round trip");
    let table = &set["windows_rates"];
    assert_eq!(table["write_bytes"], 8192);
    let rate = |row: usize| table["buffers"][row]["rate_by_rtt"][2]["rate_bits_per_s"].as_f64().unwrap();
    // 8 KiB and 64 KiB at 20 ms.
    assert!((rate(3) / rate(0) - 8.0).abs() < 1e-6);
    let run = buffers(&["--os", "windows-7", "--sndbuf", "8KiB", "--rtt", "20ms", "--width", "80"]);
    assert!(run.out.contains("SO_SNDBUF      1.00 ms"), "{}", run.out);
}

/// The first lines of the answer.
fn first_lines(args: &[&str]) -> String {
    let run = buffers(&[args, &["-q", "--width", "200"]].concat());
    assert_eq!(run.code, 0, "{args:?}: {}", run.err);
    run.out
}

/// 16 KiB at 20 ms. `tests/writers.rs` of the kernel crate measured 7 Mbit/s and, under Nagle's algorithm,
/// the full rate of the path. A known write size and `TCP_NODELAY` narrow the range.
#[test]
fn a_send_buffer_is_a_range_over_writers() {
    let path = ["--kernel", "6.18", "--sndbuf", "16KiB", "--rtt", "20ms", "--bandwidth", "100mbit"];
    let any = first_lines(&path);
    assert!(any.lines().next().unwrap().contains("5.40 Mbit/s or more"), "{any}");
    assert!(
        any.lines()
            .next()
            .unwrap()
            .contains("With TCP_NODELAY and writes of a segment to 64 KiB: 5.40 Mbit/s to 35.0 Mbit/s"),
        "{any}"
    );
    let nodelay = first_lines(&[&path[..], &["--nodelay"]].concat());
    assert!(nodelay.lines().next().unwrap().contains("5.40 Mbit/s to 35.0 Mbit/s"), "{nodelay}");
    let document = json(&path);
    assert_eq!(document["is_write_given"], false);
    let writers = document["buffers"][0]["writers"].as_array().unwrap();
    let sizes: Vec<_> = writers.iter().map(|row| row["write_bytes"].as_u64().unwrap()).collect();
    assert_eq!(sizes, [1448, 8192, 16_384, 65_536]);
    // Bytes per 20 ms of blocking writers with TCP_NODELAY, over 100 Mbit/s.
    for (row, measured) in writers.iter().zip([17_591.0, 30_466.0, 30_034.0, 84_277.0]) {
        let rate = &row["rate_bits_per_s"];
        let [low, high] = ["low", "high"].map(|end| rate[end].as_f64().unwrap());
        assert!((low..=high).contains(&(measured * 8.0 / 20e-3)), "{row}");
        assert!((5.39e6..35.1e6).contains(&low) && (5.39e6..35.1e6).contains(&high), "{row}");
    }
    let given = first_lines(&[&path[..], &["--write-size", "8KiB", "--nodelay"]].concat());
    assert!(given.lines().nth(1).unwrap().starts_with("13.1 Mbit/s at an RTT of 20.0 ms"), "{given}");
    let given = json(&[&path[..], &["--write-size", "8KiB"]].concat());
    assert_eq!((&given["is_write_given"], given["buffers"][0]["writers"].as_array().unwrap().len()), (&true.into(), 0));
}

/// Published numbers of articles and captures, with the options to compute them: (description, options, place
/// in JSON, low, high). The published number must be within 10 % of the answer, or within its range, which is
/// at most twofold.
#[test]
fn published_numbers_come_out() {
    const SMALL: [&str; 8] = ["--sndbuf", "16KiB", "--rtt", "20ms", "--bandwidth", "100mbit", "--bytes", "22MB"];
    let long = |options: &[&'static str]| -> Vec<&'static str> { options.to_vec() };
    let cases: Vec<(&str, Vec<&str>, &str, f64)> = vec![
        (
            "22 MB from 16 KiB in 25 s",
            [&["--kernel", "3.10", "--write-size", "1448"], &SMALL[..]].concat(),
            "/buffers/0/transfer_s",
            25.0,
        ),
        (
            "22 MB from 256 KiB, cut to 130 KiB, in 4 s",
            long(&[
                "--kernel",
                "3.10",
                "--write-size",
                "1448",
                "--sndbuf",
                "256KiB",
                "--sysctl",
                "net.core.wmem_max=133120",
                "--rtt",
                "20ms",
                "--bandwidth",
                "100mbit",
                "--bytes",
                "22MB",
            ]),
            "/buffers/0/transfer_s",
            4.0,
        ),
        (
            "100 KB at 10 ms",
            long(&["--window", "100KiB", "--rtt", "10ms", "--bandwidth", "500mbit"]),
            "/window/rate_bits_per_s",
            78e6,
        ),
        (
            "200 KB at 10 ms",
            long(&["--window", "200KiB", "--rtt", "10ms", "--bandwidth", "500mbit"]),
            "/window/rate_bits_per_s",
            176e6,
        ),
        (
            "512 MB with 100 KB",
            long(&["--window", "100KiB", "--rtt", "10ms", "--bandwidth", "500mbit", "--bytes", "512MiB"]),
            "/window/transfer_s",
            56.0,
        ),
        (
            "512 MB with 200 KB",
            long(&["--window", "200KiB", "--rtt", "10ms", "--bandwidth", "500mbit", "--bytes", "512MiB"]),
            "/window/transfer_s",
            24.8,
        ),
        (
            "512 MB with 700 KB",
            long(&["--window", "700KiB", "--rtt", "10ms", "--bandwidth", "500mbit", "--bytes", "512MiB"]),
            "/window/transfer_s",
            8.6,
        ),
        (
            "13 MB from 16 KiB at 5 ms",
            long(&["--kernel", "3.10", "--sndbuf", "16KiB", "--write-size", "1448", "--rtt", "5ms", "--bytes", "13MB"]),
            "/buffers/0/transfer_s",
            3.1,
        ),
        (
            "tcp_rmem of one page at 100 ms",
            long(&["--kernel", "4.14", "--sysctl", "net.ipv4.tcp_rmem=4096 4096 4096", "--rtt", "100ms"]),
            "/buffers/1/rate_bits_per_s",
            164e3,
        ),
        (
            "tcp_wmem of one page at 100 ms",
            long(&["--kernel", "5.15", "--sysctl", "net.ipv4.tcp_wmem=4096 4096 4096", "--rtt", "100ms"]),
            "/buffers/0/rate_bits_per_s",
            3e6,
        ),
        (
            "rb of CentOS 7",
            long(&["--kernel", "3.10.0-1160.el7.x86_64"]),
            "/buffers/1/getsockopt_bytes/value",
            369_280.0,
        ),
        ("tb of CentOS 7", long(&["--kernel", "3.10"]), "/buffers/0/getsockopt_bytes/value", 87_040.0),
        ("SYN of CentOS 7", long(&["--kernel", "3.10"]), "/buffers/1/windows/syn_window_bytes/value", 29_200.0),
        ("SYN-ACK of CentOS 7", long(&["--kernel", "3.10"]), "/buffers/1/windows/syn_ack_window_bytes/value", 28_960.0),
        (
            "a late SetReadBuffer",
            long(&["--kernel", "3.10", "--rcvbuf", "4MiB", "--when", "after-connect"]),
            "/buffers/0/windows/largest_window_bytes/value",
            182e3,
        ),
        (
            "a window of 8 MiB",
            long(&["--kernel", "4.14", "--sysctl", "net.ipv4.tcp_rmem=4096 87380 16777216"]),
            "/buffers/1/windows/largest_window_bytes/value",
            8_388_608.0,
        ),
        (
            "376 KB through a window of 3,456 bytes at 40 ms",
            long(&["--window", "3456", "--rtt", "40ms", "--bytes", "376KB"]),
            "/window/transfer_s",
            5.5,
        ),
        (
            "an unscaled window at 150 ms",
            long(&["--window", "65535", "--rtt", "150ms"]),
            "/window/rate_bits_per_s",
            426e3 * 8.0,
        ),
    ];
    for (what, options, pointer, published) in cases {
        let options =
            if options.contains(&"--kernel") { options } else { [&options[..], &["--kernel", "3.10"]].concat() };
        let document = json(&options);
        let found = document.pointer(pointer).unwrap_or_else(|| panic!("{what}: no {pointer}"));
        let number = |key: &str| found[key].as_f64();
        let (low, high) = match found.as_f64() {
            Some(value) => (value, value),
            None => (number("low").unwrap(), number("high").unwrap()),
        };
        assert!(high <= 2.0 * low, "{what}: a range of {low} to {high}");
        assert!(published >= low / 1.1 && published <= high * 1.1, "{what}: {low} to {high}, published {published}");
    }
}

/// Kernels still in use are supported; older ones are refused.
#[test]
fn kernels_before_4_20_say_that_their_rules_were_read() {
    for kernel in ["3.10", "4.4", "4.18.0-513.el8", "4.19"] {
        let run = buffers(&["--kernel", kernel]);
        assert!(run.out.contains("by rules read in its source (no such kernel was measured)"), "{}", run.out);
        assert!(run.out.contains("read in the source"), "{}", run.out);
    }
    let notes = |kernel: &str| -> Vec<String> {
        let document = json(&["--kernel", kernel]);
        let notes = document["buffers"][1]["notes"].as_array().unwrap().clone();
        notes.iter().map(|note| note["note"].as_str().unwrap().to_owned()).collect()
    };
    assert!(notes("3.10").contains(&"rhel-7".to_owned()));
    assert!(notes("4.14").contains(&"first-segments".to_owned()));
    assert!(notes("4.19").contains(&"release-decides".to_owned()));
    assert!(!notes("4.19.316").contains(&"release-decides".to_owned()));
    assert!(!notes("5.15").contains(&"first-segments".to_owned()));
    assert_eq!(buffers(&["--kernel", "3.2"]).code, 2);
}

#[test]
fn a_window_is_no_buffer() {
    let run = buffers(&["--window", "2MiB", "--sndbuf", "16KiB"]);
    assert_eq!(run.code, 2, "{}", run.err);
    let document =
        json(&["--kernel", "5.15", "--window", "2MiB", "--rtt", "20ms", "--bandwidth", "1gbit", "--bytes", "22MB"]);
    let window = &document["window"];
    assert_eq!((&window["window_shift"], &window["coverage"]), (&6.into(), &"too-small".into()));
    assert_eq!(document["buffers"].as_array().unwrap().len(), 0);
    // Ten segments doubled seven times are 1.8 MB; the rest at 2,096,704 bytes per round trip.
    assert!((0.3..0.4).contains(&window["transfer_s"].as_f64().unwrap()), "{window}");
    assert_eq!(buffers(&["--bytes", "22MB"]).code, 2, "seconds need a round-trip time");
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
    assert!(run.err.contains("expected a number for net.core.wmem_max, not \"lots\""), "{}", run.err);
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

/// The charts of a picture without their legends: the content from one title to the next.
fn charts(svg: &str) -> Vec<String> {
    let mut rest = svg;
    let mut drawn = String::new();
    while let Some((before, legend)) = rest.split_once("<g class=\"legend\">") {
        drawn.push_str(before);
        rest = legend.split_once("</g>").map_or("", |(_, after)| after);
    }
    drawn.push_str(rest);
    drawn.split("class=\"title\"").skip(1).map(str::to_owned).collect()
}

/// Number of curves and dots, without grid and labels.
fn marks(chart: &str) -> usize {
    let paths = chart.split(" d=\"").skip(1).filter_map(|rest| rest.split_once('"'));
    paths.filter(|(d, _)| d.contains('L')).count() + chart.matches("<circle").count()
}

/// For every question and system, a picture is written only if it contains the requested data.
#[test]
fn no_mode_writes_an_empty_picture() {
    const ASKED: [&[&str]; 7] = [
        &[],
        &["--sndbuf", "64KiB"],
        &["--rcvbuf", "64KiB"],
        &["--sndbuf", "64KiB", "--rcvbuf", "64KiB"],
        &["--rcvbuf", "1", "--window-clamp", "1"],
        &["--window", "2MiB"],
        &["--window", "1"],
    ];
    const PATHS: [&[&str]; 4] = [
        &[],
        &["--rtt", "20ms"],
        &["--rtt", "20ms", "--bandwidth", "1gbit"],
        &["--rtt", "20ms", "--bandwidth", "1gbit", "--bytes", "100MiB"],
    ];
    let path = file("modes.svg");
    let mut pictures = 0;
    for system in ["3.10", "6.12", "windows-7", "windows", "macos", "freebsd"] {
        for (asked, road) in ASKED.iter().flat_map(|asked| PATHS.map(|road| (asked, road))) {
            for language in ["en", "zh-CN"] {
                let output = ["--kernel", system, "--svg", path.to_str().unwrap(), "-q", "--lang", language];
                let run = buffers(&[&output[..], asked, road].concat());
                let of = format!("{system} {asked:?} {road:?} {language}");
                assert_eq!(run.code, 0, "{of}: {}", run.err);
                let svg = fs::read_to_string(&path).unwrap();
                let charts = charts(&svg);
                assert!(!charts.is_empty(), "{of}: no chart");
                assert!(charts.iter().any(|chart| marks(chart) > 0), "{of}: nothing is drawn");
                let is_known = !["macos", "freebsd"].contains(&system) || asked.contains(&"--window");
                assert!(!is_known || charts.iter().all(|chart| marks(chart) > 0), "{of}: a chart is empty");
                assert!(!svg.contains("NaN") && !svg.contains("inf") && !svg.contains('⟨'), "{of}");
                assert!(!svg.contains(r#"<text x="" "#), "{of}");
                pictures += 1;
            }
        }
    }
    assert_eq!(pictures, 6 * ASKED.len() * PATHS.len() * 2);
}

/// A window's picture contains each of its settings with the printed number, the kernel's limits and the
/// rate.
#[test]
fn the_picture_of_a_window_shows_its_settings_and_its_rate() {
    let path = file("window.svg");
    let kernel = ["--kernel", "6.12", "--sysctl", "net.core.rmem_max=212992"];
    let question = ["--window", "2MiB", "--rtt", "20ms", "--bandwidth", "1gbit"];
    let run = buffers(&[&kernel[..], &question, &["--svg", path.to_str().unwrap(), "--width", "200"]].concat());
    assert_eq!(run.code, 0, "{}", run.err);
    let svg = fs::read_to_string(path).unwrap();
    let [settings, rate] = <[String; 2]>::try_from(charts(&svg)).unwrap();
    let rows = run.out.lines().filter_map(|line| line.strip_suffix(" B")?.trim().rsplit_once("  "));
    let rows: Vec<_> = rows.map(|(label, bytes)| (label.trim(), format!("{bytes} B"))).collect();
    assert_eq!(rows.len(), 6, "{}", run.out);
    for (label, bytes) in rows {
        assert!(
            settings.contains(&format!(">{label}</text>")) && settings.contains(&format!(">{bytes}</text>")),
            "{label}"
        );
    }
    assert_eq!(marks(&settings), 6);
    let limits = |class: &str| settings.matches(&format!("class=\"{class}\"")).count();
    assert_eq!(
        (limits("allowed"), limits("short")),
        (2, 2),
        "rmem_max and wmem_max are too small, tcp_rmem and tcp_wmem not"
    );
    assert!(settings.contains(">213 kB</text>"), "what rmem_max allows");
    assert!(marks(&rate) == 1 && rate.contains("class=\"path\"") && rate.contains("class=\"here\""));
    assert!(svg.contains(">A window of 2,097,152 B (window scale 6 or more).</text>"));
}

/// The commands of the page on socket buffers work, and both languages have the same ones.
#[test]
fn the_experiments_of_the_page_run() {
    let read = |name: &str| fs::read_to_string(format!("{}/../../docs/{name}", env!("CARGO_MANIFEST_DIR")));
    let (Ok(english), Ok(chinese)) = (read("socket-buffers.md"), read("socket-buffers.zh-CN.md")) else {
        return; // A packaged crate lacks the documents.
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
