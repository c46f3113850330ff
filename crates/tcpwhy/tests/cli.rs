//! Runs the program.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so")]

mod support;

use std::collections::BTreeSet;
use std::fs;
use std::io::Read as _;
use std::process::{Command, Stdio};

use expect_test::expect_file;
use serde_json::Value;
use support::{Trace, capture, file, large, many, one, program, tcpwhy};

struct Run {
    code: i32,
    out: String,
    err: String,
}

fn run(args: &[&str]) -> Run {
    finish(tcpwhy().args(args))
}

fn finish(command: &mut assert_cmd::Command) -> Run {
    let output = command.output().unwrap();
    Run {
        code: output.status.code().unwrap(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

fn json(args: &[&str]) -> Value {
    let run = run(args);
    assert_eq!(run.code, 0, "{}", run.err);
    serde_json::from_str(&run.out).unwrap()
}

fn path_of(name: &str, trace: &Trace) -> String {
    capture(name, trace).to_str().unwrap().to_owned()
}

/// `text` without its line breaks and indents.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn help_reads_well() {
    let asked: [&[&str]; 8] = [
        &["-h"],
        &["--help"],
        &["audit", "--help"],
        &["buffers", "--help"],
        &["compare", "--help"],
        &["rules", "--help"],
        &["-h", "--lang", "zh-CN"],
        &["--help", "--lang", "zh-CN"],
    ];
    let page = |args: &[&str]| format!("==== tcpwhy {}\n\n{}\n", args.join(" "), run(args).out);
    // One file for all help texts, so that a change of an option changes no other file.
    expect_file!["golden/help.txt"].assert_eq(&asked.map(page).concat());
    let by_locale = finish(tcpwhy().env("LANG", "zh_CN.UTF-8").arg("-h"));
    assert_eq!(by_locale.out, run(&["-h", "--lang", "zh-CN"]).out);
}

/// Errors are in the user's language, set by `--lang` or by the locale.
#[test]
fn errors_are_chinese_too() {
    let said = |args: &[&str]| {
        let by_locale = finish(tcpwhy().env("LANG", "zh_CN.UTF-8").args(args));
        assert_eq!((by_locale.code, by_locale.out.as_str()), (2, ""), "{args:?}");
        by_locale.err
    };
    assert_eq!(
        said(&["--sort", "x", "a.pcap"]),
        "错误：'--sort <BY>' 的值 'x' 无效\n  [可选值：saving、bytes、time、retransmissions]\n\n更多信息见 '--help'。\n"
    );
    for (args, words) in [
        (&["--bogus", "a.pcap"][..], "不认识的参数 '--bogus'"),
        (&["--colour", "a.pcap"], "有相近的参数 '--color'"),
        (&["--width", "3", "a.pcap"], "应为 40 到 65535 之间的整数，而不是 3"),
        (&["--min-bytes", "3x", "a.pcap"], "不认识的单位 \"x\""),
        (&["--from", "noon", "a.pcap"], "应为从抓包第一个包算起的时间"),
        (&["--json", "--group", "host", "a.pcap"], "'--group <BY>' 不能与 '--json'"),
        (&["compare", "a.pcap"], "缺少必需的参数：\n  <B>"),
        (&["buffers", "--bandwidth", "1gbit"], "用法：tcpwhy buffers"),
    ] {
        let said = said(args);
        assert!(said.starts_with("错误：") && said.contains(words), "{said}");
        assert!(!said.contains("error:") && !said.contains("Usage:"), "{said}");
    }
    assert_eq!(said(&["nowhere.pcap"]), "tcpwhy: 无法打开 nowhere.pcap：没有那个文件或目录（os error 2）\n");
    let by_option = run(&["--lang=zh-CN", "--bogus", "a.pcap"]).err;
    assert!(by_option.starts_with("错误：不认识的参数"), "{by_option}");
}

#[test]
fn without_arguments_it_shows_help() {
    let run = run(&[]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("Usage:"), "{}", run.err);
}

#[test]
fn explain_is_the_default() {
    let path = path_of("default.pcapng", &one());
    assert_eq!(run(&[&path]).out, run(&["explain", &path]).out);
}

#[test]
fn the_answer_comes_first() {
    let path = path_of("answer.pcapng", &one());
    let run = run(&["--width", "300", &path]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let lines: Vec<&str> = run.out.lines().collect();
    assert!(lines[0].starts_with("10.9.8.7:3306 → 10.1.2.3:40000   290 kB in "), "{}", lines[0]);
    assert!(lines[1].starts_with("WHY  The receive buffer was too small for "), "{}", lines[1]);
    // Text is at most 100 columns wide, and the three lines are not wrapped.
    assert!(lines.iter().take_while(|line| !line.is_empty()).all(|line| line.chars().count() <= 100));
    assert_eq!(lines.iter().take_while(|line| !line.is_empty()).count(), 3);
    let quiet = finish(tcpwhy().args(["-q", "--width", "300", &path]));
    assert_eq!(quiet.out.lines().count(), 3);
    assert!(words(&run.out).starts_with(&words(&quiet.out)), "{}", quiet.out);
}

#[test]
fn speaks_the_language_of_the_locale() {
    let path = path_of("language.pcapng", &one());
    let chinese = finish(tcpwhy().env("LANG", "zh_CN.UTF-8").arg(&path));
    assert!(chinese.out.contains("接收窗口"), "{}", chinese.out);
    assert_eq!(chinese.out, run(&["--lang", "zh-CN", &path]).out);
    let english = finish(tcpwhy().env("LANG", "zh_CN.UTF-8").env("LC_ALL", "en_US.UTF-8").arg(&path));
    assert!(english.out.contains("receive window"));
}

#[test]
fn plain_locales_get_plain_signs() {
    let path = path_of("ascii.pcapng", &one());
    let run = finish(tcpwhy().env("LC_ALL", "C").arg(&path));
    assert!(run.out.is_ascii(), "{}", run.out);
}

#[test]
fn colours_when_asked_for() {
    let path = path_of("colour.pcapng", &one());
    let has_escapes = |command: &mut assert_cmd::Command| finish(command.arg(&path)).out.contains('\u{1b}');
    assert!(!has_escapes(&mut tcpwhy()));
    assert!(has_escapes(tcpwhy().arg("--color=always")));
    assert!(has_escapes(tcpwhy().env("CLICOLOR_FORCE", "1")));
    assert!(!has_escapes(tcpwhy().env("CLICOLOR_FORCE", "1").env("NO_COLOR", "1")));
    assert!(!has_escapes(tcpwhy().env("CLICOLOR_FORCE", "1").arg("--color=never")));
}

#[test]
fn json_validates_against_the_schema_it_prints() {
    let schema = json(&["schema"]);
    let validator = jsonschema::validator_for(&schema).unwrap();
    let path = path_of("valid.pcapng", &many());
    let document = json(&["--json", "--timeline", &path]);
    let errors: Vec<String> = validator.iter_errors(&document).map(|e| e.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?}");
    assert_eq!(document["connections"].as_array().unwrap().len(), 13);
    assert!(document["connections"][0]["halves"][0]["timeline"].is_array());
}

#[test]
fn lines_of_json_are_the_same_connections() {
    let path = path_of("lines.pcapng", &many());
    let document = json(&["--json", &path]);
    let run = run(&["--jsonl", &path]);
    let mut connections = Vec::new();
    let mut captures = Vec::new();
    let (mut services, mut problems) = (Vec::new(), Vec::new());
    for line in run.out.lines() {
        let mut record: Value = serde_json::from_str(line).unwrap();
        match record["type"].as_str() {
            Some("connection") => connections.push(record["data"].take()),
            Some("capture") => captures.push(record["data"].take()),
            Some("service") => services.push(record["data"].take()),
            Some("problem") => problems.push(record["data"].take()),
            Some("answer") => assert_eq!(record["data"], document["answer"]),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(Value::from(services), document["services"]);
    assert_eq!(Value::from(problems), document["problems"]);
    connections.sort_by_key(|c| c["id"].as_u64());
    assert_eq!(Value::from(connections), document["connections"]);
    assert_eq!(Value::from(captures), document["captures"]);
}

#[test]
fn the_work_of_two_is_that_of_one() {
    let path = path_of("workers.pcapng", &large());
    assert!(fs::metadata(&path).unwrap().len() > 4 << 20);
    // Among many connections, lines have simulated predictions for the first ones, and documents for the
    // slowest.
    let two = json(&["--json", "--no-sim", &path]);
    // Standard output line by line has one worker.
    let lines = run(&["--jsonl", "--no-sim", &path]);
    let mut one: Vec<Value> = lines
        .out
        .lines()
        .map(|l| serde_json::from_str::<Value>(l).unwrap())
        .filter(|r| r["type"] == "connection")
        .map(|mut r| r["data"].take())
        .collect();
    one.sort_by_key(|c| c["id"].as_u64());
    assert_eq!(one.len(), 350);
    assert_eq!(Value::from(one), two["connections"]);
    // A number in the table is the number of the detail.
    let table = run(&["--top", "1", &path]).out;
    let row = table.lines().skip_while(|l| !l.starts_with("  #") && !l.starts_with('#')).nth(1).unwrap();
    let mut words = row.split_whitespace();
    let (number, from, to) = (words.next().unwrap(), words.next().unwrap(), words.nth(1).unwrap());
    let detail = run(&["--connection", number, &path]).out;
    assert!(detail.starts_with(&format!("{from} → {to}   ")), "{row}\n{detail}");
}

#[test]
fn many_connections_are_a_table() {
    let path = path_of("table.pcapng", &many());
    let run = run(&[&path]);
    assert!(run.out.contains("203.0.113.94:80 never answered 9 of 9 connections."), "{}", run.out);
    assert!(run.out.contains("10.9.8.7:81 refused the connection attempt."), "{}", run.out);
    let rows: Vec<&str> = run.out.lines().filter(|l| l.contains(" → 10.")).collect();
    // Tests of the report check the format; here all rows must be present, the longest first.
    assert!(rows.len() == 3 && rows[0].starts_with("1  10.9.8.7:3306 → 10.1.2.4:40001"), "{rows:#?}");
}

#[test]
fn selections() {
    let path = path_of("selections.pcapng", &many());
    let ids = |args: &[&str]| -> Vec<u64> {
        let document = json(&[&["--json", &path], args].concat());
        document["connections"].as_array().unwrap().iter().map(|c| c["id"].as_u64().unwrap()).collect()
    };
    assert_eq!(ids(&[]).len(), 13);
    assert_eq!(ids(&["--port", "3306"]), [0, 1]);
    assert_eq!(ids(&["--port", "3306", "--port", "81"]), [0, 1, 12]);
    assert_eq!(ids(&["--host", "192.0.2.0/24"]), [2]);
    assert_eq!(ids(&["--host", "10.1.2.4"]), [1]);
    assert_eq!(ids(&["--min-bytes", "100k"]), [1]);
    assert_eq!(ids(&["--connection", "2"]), [2]);
}

/// The standard library's own words for a wrong number or address do not show the form.
#[test]
fn wrong_numbers_and_addresses_show_the_form() {
    for (args, words) in [
        (&["--top", "x", "a.pcap"][..], "'x' for '--top <N>': expected a whole number such as 20\n"),
        (&["--top", "99999999999999999999", "a.pcap"], "for '--top <N>': this number is too large\n"),
        (&["export", "--listen", "8080"], "expected an address and a port such as 127.0.0.1:8080\n"),
    ] {
        let run = run(args);
        assert!(run.code == 2 && run.err.contains(words), "{args:?}: {}", run.err);
    }
}

#[test]
fn filters_as_tcpdump_takes_them() {
    let path = path_of("expressions.pcapng", &many());
    let ids = |filter: &str| -> Vec<u64> {
        let document = json(&["--json", &path, "--filter", filter]);
        document["connections"].as_array().unwrap().iter().map(|c| c["id"].as_u64().unwrap()).collect()
    };
    assert_eq!(ids("port 3306"), [0, 1]);
    assert_eq!(ids("host 10.9.8.7 and not port 81"), [0, 1]);
    assert_eq!(ids("net 192.0.2.0/24 or port 81"), [2, 12]);
    assert_eq!(ids("(port 3306 or 80) and not net 203.0.113"), [0, 1, 2]);
    assert_eq!(ids("ip6"), Vec::<u64>::new());
    let bad = run(&["--filter", "src host 10.9.8.7", &path]);
    assert!(
        bad.code == 2 && bad.err.contains("it selects packets of one direction, and a connection has both"),
        "{}",
        bad.err
    );
}

#[test]
fn filters_by_answer() {
    let path = path_of("answers.pcapng", &many());
    let ids = |args: &[&str]| -> Vec<u64> {
        let document = json(&[&["--json", &path], args].concat());
        document["connections"].as_array().unwrap().iter().map(|c| c["id"].as_u64().unwrap()).collect()
    };
    let document = json(&["--json", &path]);
    let held = |c: &&Value| c["halves"][0]["verdict"]["limit"] == "receive_window";
    let connections = document["connections"].as_array().unwrap();
    let expected: Vec<u64> = connections.iter().filter(held).map(|c| c["id"].as_u64().unwrap()).collect();
    assert!(!expected.is_empty() && expected.len() < 4);
    assert_eq!(ids(&["--limit", "receive_window"]), expected);
    assert_eq!(ids(&["--limit", "receive_window", "--limit", "path"]), expected);
    assert_eq!(ids(&["--limit", "send_buffer"]), Vec::<u64>::new());
    let severe = ids(&["--severity", "warning"]);
    // Failed connections are findings too.
    assert!(severe.contains(&1) && severe.contains(&12) && severe.len() >= ids(&["--severity", "critical"]).len());
    assert_eq!(run(&["--limit", "cwnd", &path]).code, 2);
}

#[test]
fn orders_and_groups() {
    let path = path_of("orders.pcapng", &many());
    let first = |args: &[&str]| -> String {
        let text = run(&[&["--width", "140", &path], args].concat()).out;
        let row = text.lines().skip_while(|l| !l.starts_with('#')).nth(1).unwrap_or_default();
        row.split_whitespace().next().unwrap_or_default().to_owned()
    };
    for order in ["saving", "bytes", "time"] {
        assert_eq!(first(&["--sort", order]), "1", "{order}");
    }
    let lossy = run(&["--sort", "retransmissions", "--width", "140", &sample("loss"), &path]).out;
    assert!(lossy.contains("  retransmitted  ") && lossy.contains("Most retransmissions first"), "{lossy}");
    // The option sorts only the table.
    for other in [&["--json"][..], &["--jsonl"], &["--html", "x.html"], &["--svg", "x"]] {
        let refused = run(&[&["--sort", "bytes", &path], other].concat());
        assert_eq!(refused.code, 2, "{other:?}");
        assert!(refused.err.contains("--sort"), "{}", refused.err);
        assert_ne!(run(&[&["--sort", "bytes", "-q"][..], &[&path]].concat()).code, 2);
    }
    // The answer is still about the worst connection.
    assert_eq!(run(&["-q", "--sort", "retransmissions", &path]).out, run(&["-q", &path]).out,);
    let text = run(&[&path]).out;
    assert!(words(&text).contains(" went: receive window 9"), "{text}");
    let by_host = run(&["--group", "host", "--width", "100", &path]).out;
    assert!(
        by_host.contains("By server, 2 in all") && by_host.contains("  10.9.8.7              2   232 kB"),
        "{by_host}"
    );
    let by_port = run(&["--group", "port", "--sort", "bytes", "--lang", "zh-CN", &path]).out;
    assert!(by_port.contains("按服务器端口分组，共 2 组"), "{by_port}");
    let narrow = run(&["--group", "cause", "--width", "40", &path]).out;
    assert!(
        narrow.lines().all(|line| line.chars().count() <= 40 || line.contains(".pcapng"))
            && narrow.contains("  group           largest saving\n  receive window         ≤"),
        "{narrow}"
    );
    assert_eq!(run(&["--group", "host", "--json", &path]).code, 2);
}

#[test]
fn a_connection_that_there_is_not_is_an_error() {
    let (few, more) = (path_of("no-number-one.pcapng", &one()), path_of("no-number-many.pcapng", &many()));
    for format in [&[][..], &["--json"], &["--jsonl"], &["-q"], &["--why", "1s"], &["--html", "-"]] {
        let run = run(&[format, &["--connection", "99", &more]].concat());
        assert_eq!(run.code, 2, "{format:?}");
        assert_eq!(run.err, "tcpwhy: there is no connection 99: 13 were found, numbered 0 to 12\n", "{format:?}");
        assert!(run.out.is_empty() || format[0].starts_with("--json"), "{}", run.out);
    }
    let chinese = run(&["--connection", "99", &few, "--lang", "zh-CN"]);
    assert_eq!((chinese.code, chinese.err.as_str()), (2, "tcpwhy: 没有 99 号连接：总共只有 0 号这一个\n"));
    // One source with the connection is enough, and the others print no error.
    let both = run(&["--connection", "1", &few, &more]);
    assert_eq!((both.code, both.err.as_str()), (0, ""));
    assert!(!both.out.contains(&few) && both.out.contains(&more), "{}", both.out);
    // The number exists, but the port does not match.
    let other = run(&["--connection", "1", "--port", "1", &more]);
    assert_eq!((other.code, other.err.as_str()), (2, "tcpwhy: None of the 13 connections matches the filter.\n"));
}

#[test]
fn a_filter_that_leaves_nothing_says_so() {
    let path = path_of("filtered.pcapng", &many());
    let text = run(&["--port", "1", &path]);
    assert_eq!((text.code, text.err.as_str()), (0, ""));
    assert!(text.out.starts_with("None of the 13 connections matches the filter.\n"), "{}", text.out);
    for format in [&["--json"][..], &["--jsonl"], &["--html", "-"]] {
        let run = run(&[format, &["--port", "1", &path]].concat());
        let said = "tcpwhy: None of the 13 connections matches the filter.\n";
        assert_eq!((run.code, run.err.as_str()), (0, said), "{format:?}");
    }
    assert_eq!(run(&["--json", "-q", "--port", "1", &path]).err, "");
    // The time range excludes all connections, not a filter.
    let late = run(&["--from", "3.109", "--to", "4", &path]);
    let said = "No connection that was asked for lies between --from and --to (connections captured: 13).\n";
    assert!(late.code == 0 && words(&late.out).starts_with(said.trim_end()), "{}", late.out);
    let json = run(&["--json", "--from", "3.109", "--to", "4", &path]);
    assert_eq!((json.code, json.err), (0, format!("tcpwhy: {said}")));
    let none = path_of("no-packets.pcapng", &Trace::default());
    assert!(run(&["--port", "1", &none]).out.starts_with("No TCP connection found.\n"));
}

#[test]
fn standard_input_has_a_name() {
    let of = |bytes: Vec<u8>| finish(tcpwhy().arg("-").write_stdin(bytes));
    let other = of(b"7z\xbc\xaf\x27\x1c an archive, no capture".to_vec());
    assert!(other.code == 2 && other.err.contains("standard input looks like"), "{}", other.err);
    let chinese = finish(tcpwhy().args(["-", "--lang", "zh-CN"]).write_stdin("plain text, no packets\n"));
    assert!(chinese.err.contains("标准输入") && !chinese.err.contains("standard"), "{}", chinese.err);
    let bytes = one().pcapng();
    let cut = of(bytes[..bytes.len() / 2 + 7].to_vec());
    assert!(
        cut.err.starts_with("tcpwhy: standard input: ") && cut.out.contains("  standard input: pcapng"),
        "{}",
        cut.out
    );
}

#[test]
fn help_is_a_word_unless_it_is_a_file() {
    assert_eq!(run(&["help"]).out, run(&["--help"]).out);
    assert_eq!(run(&["help", "rules"]).out, run(&["rules", "--help"]).out);
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("help"), one().pcapng()).unwrap();
    let file = finish(tcpwhy().current_dir(folder.path()).arg("help"));
    assert!(file.out.starts_with("10.9.8.7:3306 → "), "{}", file.out);
}

/// Three lines on a usual terminal, wrapped on a narrower one, and never wider than requested.
#[test]
fn quiet_is_the_first_lines_in_the_width_there_is() {
    let (single, several) = (path_of("quiet-one.pcapng", &one()), path_of("quiet-many.pcapng", &many()));
    for path in [&single, &several] {
        for language in ["en", "zh-CN"] {
            for width in [40, 60, 80, 300] {
                let text = run(&["-q", "--lang", language, "--width", &width.to_string(), path]).out;
                assert!(width < 80 || text.lines().count() == 3, "{width}: {text}");
                // The report's own tests measure the columns of Chinese.
                let is_narrow = |line: &str| language != "en" || line.chars().count() <= width;
                assert!(text.lines().all(is_narrow), "{width}: {text}");
            }
        }
    }
}

/// Only the connections of a problem, in text and in JSON; an unknown problem is an error.
#[test]
fn a_problem_shows_its_connections() {
    let path = path_of("problem.pcapng", &many());
    let document = json(&["--json", &path]);
    let first = &document["problems"][0];
    assert_eq!((&first["cause"], &first["connections"]), (&"unanswered".into(), &9.into()));
    let of_problem = json(&["--json", "--problem", "1", &path]);
    let all = of_problem["connections"].as_array().unwrap();
    assert_eq!(all.len(), 9);
    assert!(all.iter().all(|connection| connection["ending"] == "unanswered"));
    let text = run(&["--problem", "1", &path]);
    assert!(text.out.starts_with("9 connections, "), "{}", text.out);
    let missing = run(&["--problem", "99", &path]);
    assert!(missing.code != 0 && missing.err.contains("there is no problem 99"), "{} {}", missing.code, missing.err);
}

/// Every exchange is a line after its connection.
#[test]
fn exchanges_are_lines() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/request-response.pcap.gz");
    let lines = run(&["--jsonl", "--exchanges", path]).out;
    let records: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let exchanges: Vec<&Value> = records.iter().filter(|record| record["type"] == "exchange").collect();
    // More than a connection normally keeps.
    assert_eq!(exchanges.len(), 40);
    let connection = records.iter().find(|record| record["type"] == "connection").unwrap();
    assert_eq!(connection["data"]["exchanges"]["count"], 40);
    assert!(exchanges.iter().all(|exchange| exchange["data"]["connection"] == connection["data"]["id"]));
    let packets: Vec<u64> = exchanges.iter().map(|e| e["data"]["request_packet"].as_u64().unwrap()).collect();
    assert!(packets.is_sorted());
}

#[test]
fn sizes_are_decimal_unless_asked_for() {
    let path = path_of("sizes.pcapng", &one());
    assert!(run(&[&path]).out.contains("290 kB in "));
    let binary = run(&["--units", "iec", &path]).out;
    assert!(binary.contains("283 KiB in ") && !binary.contains(" kB"), "{binary}");
}

/// Text contains the fixes for one language, JSON those for all.
#[test]
fn fixes_are_numbered_and_print_one_language() {
    let path = sample("send-buffer");
    let lines = |code: &[&str]| run(&[code, &["--width", "100", &path]].concat()).out;
    let (java, c) = ("socket.setSendBufferSize(", "setsockopt(fd, SOL_SOCKET, SO_SNDBUF");
    for (code, has_java, has_c) in [
        (&[][..], false, true),
        (&["--code", "java"], true, false),
        (&["--code", "C"], false, true),
        (&["--code", "all"], true, true),
    ] {
        let out = lines(code);
        assert_eq!((out.contains(java), out.contains(c)), (has_java, has_c), "{code:?}: {out}");
        assert!(out.contains("Fix 1 of ") && out.contains("Or fix 2 of "), "{out}");
        assert!(out.contains("sysctl -w net.ipv4.tcp_wmem="), "{code:?}: {out}");
        assert_eq!(out.contains("--code "), code != ["--code", "all"], "{code:?}: {out}");
    }
    let document = json(&["--json", "--code", "java", &path]);
    let fix = &document["connections"][0]["halves"][1]["findings"][0]["fixes"][0];
    let (lines, programs) = (fix["lines"].as_array().unwrap(), fix["line_programs"].as_array().unwrap());
    assert_eq!(lines.len(), programs.len(), "{fix:#}");
    let of_c = lines.iter().position(|line| line.as_str().unwrap().starts_with(c)).unwrap();
    assert_eq!(programs[of_c], serde_json::json!(["c"]));

    let wrong = run(&["--code", "cobol", &path]);
    let first = wrong.err.lines().next().unwrap();
    assert!(first.contains("cobol") && first.contains("java, go") && first.ends_with("all"), "{first}");
    assert_eq!((wrong.code, wrong.out.as_str()), (2, ""));
}

#[test]
fn a_command_typed_wrongly_is_asked_for() {
    let capture = path_of("mistyped.pcapng", &one());
    for args in [&["explian", &capture][..], &["--json", "explian"], &["explian", "--code", "go"]] {
        let run = run(args);
        let said = "tcpwhy: explian is neither a command nor a file; did you mean `explain`?\n";
        assert_eq!((run.code, run.err.as_str(), run.out.as_str()), (2, said, ""), "{args:?}");
    }
    // An existing file of that name is read.
    let folder = file("mistyped");
    fs::create_dir_all(&folder).unwrap();
    fs::copy(&capture, folder.join("explian")).unwrap();
    let read = finish(tcpwhy().current_dir(&folder).arg("explian"));
    assert_eq!((read.code, read.err.as_str()), (0, ""));
}

#[test]
fn times_of_the_clock_stand_beside_seconds() {
    let path = path_of("clock.pcapng", &one());
    let at = |zone: &str, args: &[&str]| finish(tcpwhy().env("TZ", zone).args([args, &[&path]].concat())).out;
    // POSIX: five hours behind.
    let there = at("EST5", &["--timeline", "--width", "100"]);
    assert!(there.contains("2023-11-14 17:13:20.000 -05:00 to 17:13:24."), "{there}");
    assert!(there.contains(" 17:13:20.000000  handshake"), "{there}");
    assert!(words(&there).contains("4.09 s, starting 2023-11-14 17:13:20.000 -05:00"), "{there}");
    assert_eq!(at("EST5", &["--utc"]), at("UTC", &[]));
    assert!(at("UTC", &[]).contains("2023-11-14 22:13:20.000 UTC to 22:13:24."), "{}", at("UTC", &[]));
    assert!(at("EST5", &["--why", "1.5s"]).contains("At 1.5 s (17:13:21.500): "));
    assert!(at("UTC", &["--lang", "zh-CN", "--why", "1.5s"]).contains("1.5 秒（22:13:21.500）时："));
    // Output for programs does not depend on the time zone.
    assert_eq!(at("EST5", &["--json"]), at("UTC", &["--json"]));
}

#[test]
fn times_in_json_are_strings_too() {
    let document = json(&["--json", &path_of("rfc3339.pcapng", &many())]);
    let start = "2023-11-14T22:13:20.000000000Z";
    assert_eq!(document["captures"][0]["start"], start);
    assert_eq!(document["connections"][0]["start"], start);
    assert_eq!(document["connections"][0]["halves"][0]["span"]["start"], start);
    assert_eq!(document["connections"][1]["start"], "2023-11-14T22:13:20.005000000Z");
    assert_eq!(document["connections"][1]["start_ns"], 1_700_000_000_005_000_000_u64);
}

#[test]
fn a_range_of_time_selects_connections() {
    let path = path_of("range.pcapng", &many());
    let ids = |args: &[&str]| -> Vec<u64> {
        let document = json(&[&["--json", &path], args].concat());
        document["connections"].as_array().unwrap().iter().map(|c| c["id"].as_u64().unwrap()).collect()
    };
    // Nine SYNs are repeated until 3.1 s; of the transfers one takes 2.4 s, the others less than a second.
    assert_eq!(ids(&["--from", "1", "--to", "2", "--min-bytes", "1"]), [1]);
    assert_eq!(ids(&["--to", "7ms"]), [0, 1]);
    assert_eq!(ids(&["--to", "22:13:20.007"]), [0, 1]);
    assert_eq!(ids(&["--from", "2023-11-14T22:13:22.5Z"]).len(), 9);
    assert_eq!(ids(&["--from", "3.109"]), Vec::<u64>::new());
    let piped = finish(tcpwhy().args(["--json", "--to", "7ms", "-"]).write_stdin(many().pcapng()));
    assert_eq!(serde_json::from_str::<Value>(&piped.out).unwrap()["connections"].as_array().unwrap().len(), 2);

    // The timeline is cut to the range, but the answer about the whole connection is not.
    let single = path_of("range-one.pcapng", &one());
    let (whole, cut) = (run(&[&single]).out, run(&["--from", "1", "--to", "22:13:22.5", "--timeline", &single]).out);
    assert_eq!(whole.lines().take(3).collect::<Vec<_>>(), cut.lines().take(3).collect::<Vec<_>>());
    assert!(words(&cut).contains("from 2023-11-14 22:13:21.000 UTC to 22:13:22.500 (1.00 s to 2.50 s after"), "{cut}");
    assert!(cut.contains("  B receive") || cut.contains(" 1.50 s   100%"), "{cut}");
    assert!(!cut.contains(" handshake\n"), "{cut}");
    // The axis under the strip counts from the connection's start, as the heading does.
    let axis = cut.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    assert!(axis.into_iter().any(|line| line == "1.00 s 1.75 s 2.50 s"), "{cut}");

    let reversed = run(&["--from", "3", "--to", "2", &single]);
    assert_eq!((reversed.code, reversed.out.as_str()), (2, ""));
    assert!(reversed.err.contains("is not before --to"), "{}", reversed.err);
    assert_eq!(run(&["--from", "noon", &single]).code, 2);
}

#[test]
fn json_without_words_has_the_same_numbers() {
    /// Removes sentences from `value`.
    fn without_words(value: &mut Value) {
        if let Some(map) = value.as_object_mut() {
            for key in
                ["sentence", "why", "fix", "but", "text", "lines", "line_programs", "would_decide", "ceiling_text"]
            {
                map.remove(key);
            }
            // The evidence of a problem is a sentence, that of a finding is numbers.
            if map.get("evidence").is_some_and(Value::is_string) {
                map.remove("evidence");
            }
            map.values_mut().for_each(without_words);
        }
        if let Some(list) = value.as_array_mut() {
            list.iter_mut().for_each(without_words);
        }
    }
    let validator = jsonschema::validator_for(&json(&["schema"])).unwrap();
    for path in [path_of("wordless.pcapng", &many()), sample("send-buffer"), sample("loss")] {
        let mut all = json(&["--json", "--timeline", &path]);
        let none = json(&["--json", "--timeline", "--words", "none", &path]);
        assert!(all != none && !none.to_string().contains("sentence"));
        without_words(&mut all);
        assert_eq!(all, none);
        assert_eq!(validator.iter_errors(&none).count(), 0);
        let lines = run(&["--jsonl", "--words", "none", &path]);
        assert!(lines.code == 0 && !lines.out.contains("sentence"));
    }
    assert_eq!(run(&["--words", "none", &sample("loss")]).code, 2, "text is words");
}

#[test]
fn several_files_one_after_the_other_or_merged() {
    let first = path_of("several-1.pcapng", &one());
    let second = path_of("several-2.pcapng", &many());
    let document = json(&["--json", &first, &second]);
    assert_eq!(document["captures"].as_array().unwrap().len(), 2);
    let connections = document["connections"].as_array().unwrap();
    let ids: Vec<u64> = connections.iter().map(|c| c["id"].as_u64().unwrap()).collect();
    assert_eq!(ids, (0..14).collect::<Vec<_>>());
    assert_eq!((&connections[0]["capture"], &connections[1]["capture"]), (&Value::from(0), &Value::from(1)));
    assert_eq!(json(&["--json", "--connection", "2", &first, &second])["connections"][0], connections[2]);

    let merged = json(&["--json", "--merge", &first, &second]);
    assert_eq!(merged["captures"].as_array().unwrap().len(), 2);
    assert!(merged["connections"].as_array().unwrap().len() <= 14);
    assert_eq!(merged["connections"][0]["capture"], Value::Null);

    let text = run(&[&first, &second]).out;
    assert!(text.contains(&format!("== {first}")) && text.contains(&format!("== {second}")), "{text}");
}

#[test]
fn reads_standard_input() {
    let run = finish(tcpwhy().args(["--json", "-"]).write_stdin(one().pcapng()));
    assert_eq!(run.code, 0, "{}", run.err);
    let document: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(document["captures"][0]["path"], "-");
    assert_eq!(document["connections"].as_array().unwrap().len(), 1);
}

#[test]
fn gates() {
    let path = path_of("gates.pcapng", &one());
    assert_eq!(run(&["--fail-on", "receive_window", &path]).code, 1);
    assert_eq!(run(&["--fail-on", "receive-window:0.5", &path]).code, 1);
    assert_eq!(run(&["--fail-on", "send_buffer:50%", "--fail-on", "receive_window:50%", &path]).code, 1);
    assert_eq!(run(&["--fail-on", "send_buffer", &path]).code, 0);
    let bad = run(&["--fail-on", "cwnd", &path]);
    assert_eq!(bad.code, 2);
    assert!(bad.err.contains("congestion_window"), "{}", bad.err);
}

/// A gate passes only on measured data: it fails if nothing was measured or a file could not be read.
#[test]
fn gates_do_not_pass_unmeasured() {
    let path = path_of("gates-measured.pcapng", &one());
    let broken = file("gates-broken.pcap");
    fs::write(&broken, "hello, this is no capture").unwrap();
    let broken = broken.to_str().unwrap();
    let nothing = |run: &Run| assert!(run.err.contains("--fail-on checked nothing"), "{}", run.err);

    for filter in [["--port", "1"], ["--min-bytes", "1T"], ["--host", "203.0.113.9"]] {
        let none = run(&[&["--fail-on", "receive_window"][..], &filter, &[&path]].concat());
        assert_eq!(none.code, 2, "{filter:?}");
        nothing(&none);
    }
    // A connection without data has no direction whose limits are known.
    let refused = run(&["--fail-on", "receive_window:50%", "--port", "81", &path_of("gates-many.pcapng", &many())]);
    assert_eq!(refused.code, 2, "{}{}", refused.out, refused.err);
    assert!(refused.out.contains("refused the connection attempt"), "{}", refused.out);
    nothing(&refused);

    assert_eq!(run(&["--fail-on", "receive_window", broken, &path]).code, 1);
    assert_eq!(run(&["--fail-on", "receive_window", &path, "/nonexistent/slow.pcap"]).code, 1);
    assert_eq!(run(&["--fail-on", "send_buffer", broken, &path]).code, 2);
    assert_eq!(run(&["--fail-on", "send_buffer", broken]).code, 2);
}

/// A named file without connections does not pass a gate; one found in a folder does not prevent passing.
#[test]
fn gates_say_which_capture_has_nothing_measured() {
    let path = path_of("gates-beside.pcapng", &one());
    let folder = file("gates-folder");
    fs::create_dir_all(&folder).unwrap();
    let without = folder.join("without.pcap");
    // A packet of ARP.
    let header = [0xa1b2_c3d4, 0x0004_0002, 0, 0, 65_535, 1_u32].map(u32::to_le_bytes).concat();
    let frame = [&[0; 12][..], &[8, 6], &[0; 28]].concat();
    let record = [1_700_000_000, 0, 42, 42_u32].map(u32::to_le_bytes).concat();
    fs::write(&without, [header, record, frame].concat()).unwrap();
    fs::copy(&path, folder.join("with.pcapng")).unwrap();
    let (folder, without) = (folder.to_str().unwrap(), without.to_str().unwrap());
    let checked = |args: &[&str], code: i32| {
        let run = run(args);
        assert_eq!(run.code, code, "{args:?}: {}", run.err);
        run.err.lines().filter(|line| line.contains("--fail-on checked nothing in")).map(str::to_owned).collect()
    };
    let named: Vec<String> = checked(&["--fail-on", "send_buffer", &path, without], 2);
    assert!(named.len() == 1 && named[0].contains("without.pcap"), "{named:?}");
    assert_eq!(checked(&["--fail-on", "receive_window", &path, without], 1).len(), 1);
    assert_eq!(checked(&["--fail-on", "send_buffer", "-r", folder], 0).len(), 1);
    assert!(checked(&["--fail-on", "send_buffer", &path], 0).is_empty());
}

#[test]
fn a_gate_that_trips_says_what_tripped_it() {
    let path = path_of("gates-line.pcapng", &one());
    let line = |args: &[&str]| {
        let run = run(&[args, &["--quiet", &path]].concat());
        assert_eq!((run.code, run.err.lines().count()), (1, 1), "{}", run.err);
        run.err
    };
    let share = line(&["--fail-on", "receive-window:0.5"]);
    assert!(share.starts_with(&format!("tcpwhy: --fail-on receive-window:0.5: {path}: ")), "{share}");
    assert!(share.contains(" → ") && share.contains('%') && share.contains("under receive window"), "{share}");
    let verdict = line(&["--fail-on", "receive_window", "--fail-on", "send_buffer"]);
    assert!(verdict.contains("the verdict on ") && verdict.contains("receive window: "), "{verdict}");
    let hidden = line(&["--fail-on", "receive_window", "--anonymize-key", "k"]);
    assert!(!hidden.contains("gates-line"), "{hidden}");
    // The same direction is reported for any order of threads.
    let (first, second) = (path_of("gates-a.pcapng", &many()), path_of("gates-b.pcapng", &many()));
    let lines: BTreeSet<String> =
        (0..4).map(|_| run(&["--fail-on", "application:1%", "-q", &first, &second]).err).collect();
    assert_eq!(lines.len(), 1, "{lines:?}");
}

#[test]
fn what_cannot_be_read_is_one_clear_line() {
    let missing = run(&["/nonexistent/slow.pcap"]);
    assert_eq!((missing.code, missing.out.as_str()), (2, ""));
    assert!(missing.err.starts_with("tcpwhy: cannot open /nonexistent/slow.pcap: "), "{}", missing.err);
    assert_eq!(missing.err.lines().count(), 1);

    let path = file("not-a-capture.pcap");
    fs::write(&path, "hello, this is no capture").unwrap();
    let other = run(&["--json", path.to_str().unwrap()]);
    assert_eq!((other.code, other.out.as_str()), (2, ""));
    assert_eq!(other.err.lines().count(), 1, "{}", other.err);

    let good = path_of("beside.pcapng", &one());
    let both = run(&["--json", path.to_str().unwrap(), &good]);
    assert_eq!(both.code, 2);
    let document: Value = serde_json::from_str(&both.out).unwrap();
    assert_eq!(document["connections"].as_array().unwrap().len(), 1);
}

#[test]
fn a_cut_file_gives_what_is_in_it() {
    let bytes = one().pcapng();
    let path = file("cut.pcapng");
    fs::write(&path, &bytes[..bytes.len() / 2 + 7]).unwrap();
    let run = run(&["--json", path.to_str().unwrap()]);
    assert_eq!(run.code, 0);
    assert!(run.err.starts_with(&format!("tcpwhy: {}: ", path.display())), "{}", run.err);
    let document: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(document["captures"][0]["anomalies"][0]["kind"], "truncated-file");
    assert_eq!(document["connections"].as_array().unwrap().len(), 1);
    let quiet = finish(tcpwhy().args(["-q", path.to_str().unwrap()]));
    assert_eq!((quiet.code, quiet.err.as_str()), (0, ""));
}

#[test]
fn anonymised_output_names_no_address() {
    let trace = many();
    let path = path_of("10.9.8.7.pcapng", &trace);
    let run_with = |extra: &[&str]| {
        let run = run(&[&["--anonymize-key", "secret", &path], extra].concat());
        assert_eq!(run.code, 0);
        run.out + &run.err
    };
    for extra in [&[][..], &["--json"], &["--jsonl"], &["--connection", "1"], &["--top", "1"]] {
        let text = run_with(extra);
        for address in ["10.1.2.3", "10.1.2.4", "10.9.8.7", "192.0.2.80", "203.0.113.94"] {
            assert!(!text.contains(address), "{address} in {text}");
        }
    }
    assert_eq!(run_with(&["--json"]), run_with(&["--json"]));
    let random = |_| run(&["--anonymize", "--json", &path]).out;
    assert_ne!(random(0), random(1));
    // Filters use the real addresses.
    let document = json(&["--json", "--anonymize", "--host", "10.1.2.4", &path]);
    assert_eq!(document["connections"].as_array().unwrap().len(), 1);
}

#[test]
fn a_reader_that_leaves_is_no_error() {
    let path = path_of("pipe.pcapng", &large());
    for format in ["--json", "--jsonl"] {
        let mut child = Command::new(program())
            .args([format, &path])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut some = [0; 10];
        child.stdout.take().unwrap().read_exact(&mut some).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0));
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    }
}

#[test]
fn rules_are_explained() {
    let list = run(&["rules"]);
    assert_eq!(list.code, 0);
    assert!(list.out.contains("send-buffer-plateau"), "{}", list.out);
    assert!(!list.out.contains('⟨'), "{}", list.out);
    let page = run(&["rules", "send-buffer-plateau"]);
    assert!(page.out.starts_with("Send buffer too small"), "{}", page.out);
    let chinese = run(&["rules", "send-buffer-plateau", "--lang", "zh-CN"]);
    assert!(chinese.out.contains("发送缓冲区"), "{}", chinese.out);
    let unknown = run(&["rules", "no-such-rule"]);
    assert_eq!(unknown.code, 2);
    assert_eq!(unknown.err.lines().count(), 1, "{}", unknown.err);
}

#[test]
fn completions_and_manual() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let run = run(&["completions", shell]);
        assert_eq!(run.code, 0);
        assert!(run.out.contains("tcpwhy"), "{shell}");
    }
    let man = run(&["man"]);
    assert!(man.out.contains(".TH tcpwhy 1"), "{}", man.out);
    assert!(man.out.contains("fail"), "{}", man.out);
    let folder = file("man");
    assert_eq!(run(&["man", folder.to_str().unwrap()]).code, 0);
    for (page, holds) in
        [("tcpwhy", "tcpwhy\\-buffers(1)"), ("tcpwhy-explain", "fail\\-on"), ("tcpwhy-lab-run", "seed")]
    {
        let text = fs::read_to_string(folder.join(format!("{page}.1"))).unwrap();
        assert!(text.contains(&format!(".TH {page} 1")) && text.contains(holds), "{text}");
    }
    assert!(!folder.join("tcpwhy-lab-cell.1").exists(), "what is hidden has no page");
    let chinese = ["--lang", "zh-CN"];
    let script = run(&[&["completions", "fish"], &chinese[..]].concat());
    assert!(script.out.contains("显示版本"), "{}", script.out);
    // Also the meaning of each value, in shells that show it.
    for shell in ["fish", "zsh"] {
        let script = run(&[&["completions", shell], &chinese[..]].concat()).out;
        assert!(script.contains("造成耗时的问题") && script.contains("critical"), "{script}");
        for english in ["Something that costs time", "Only numbers and ids", "When standard output is a terminal"] {
            assert!(!script.contains(english), "{shell}: {english}");
            assert!(run(&["completions", shell, "--lang", "en"]).out.contains(english), "{shell}: {english}");
        }
    }
    let page = run(&[&["man"], &chinese[..]].concat());
    assert!(page.out.contains(".SH 选项\n") && !page.out.contains(".SH OPTIONS\n"), "{}", page.out);
    assert!(!script.out.is_ascii() && run(&["man", "--lang", "en"]).out.contains(".SH OPTIONS\n"));
}

/// A sample from a real kernel.
fn sample(name: &str) -> String {
    format!("{}/../../samples/{name}.pcap.gz", env!("CARGO_MANIFEST_DIR"))
}

/// The line of `--why` about a verdict that does not depend on a single chosen threshold.
const NO_FLIP: &str = "\nNo chosen number changes the verdict when it is moved by a third.\n";

#[test]
fn why_tells_what_decided_a_moment() {
    let path = sample("send-buffer");
    let whole = run(&["--why", "1.5s", &path]);
    assert_eq!(whole.code, 0, "{}", whole.err);
    for part in [
        "At 1.5 s (05:30:20.242): send buffer, from ",
        "ACKs made room",
        "in flight ",
        "\nBefore: ",
        "\nAfter: ",
        NO_FLIP,
    ] {
        assert!(whole.out.contains(part), "no {part:?} in {}", whole.out);
    }
    for same in ["1.5", "1500ms"] {
        assert_eq!(run(&["--why", same, &path]).out, whole.out);
    }
    let brief = run(&["-q", "--why", "1.5s", &path]).out;
    assert!(words(&whole.out).starts_with(&words(&brief)) && !brief.contains("Before"), "{brief}");
    let chinese = run(&["--lang", "zh-CN", "--why", "1.5s", &path]).out;
    assert!(chinese.contains("1.5 秒（05:30:20.242）时：发送缓冲区") && chinese.contains("之后："), "{chinese}");
}

#[test]
fn why_says_when_a_moment_lies_outside() {
    let path = sample("send-buffer");
    let outside = run(&["--why", "99s", &path]);
    assert_eq!((outside.code, outside.out.as_str()), (2, ""));
    assert!(
        outside.err.contains("99 s is outside 192.0.2.10:5001")
            && outside.err.contains("(0 s to 5.")
            && outside.err.lines().count() == 1,
        "{}",
        outside.err
    );
    // One source with that moment is enough; its name is printed above.
    let lossy = run(&["--why", "6s", &path, &sample("loss")]);
    assert_eq!(lossy.code, 0, "{}", lossy.err);
    assert!(lossy.out.contains("At 6 s (05:31:22.745): "), "{}", lossy.out);
    let many = path_of("why-many.pcapng", &many());
    let all = run(&["--why", "99s", &many]);
    assert_eq!((all.code, all.out.as_str()), (2, ""));
    assert!(all.err.contains("99 s is outside every connection"), "{}", all.err);
    for wrong in [["--why", "soon"], ["--why", "-1"]] {
        assert_eq!(run(&[wrong[0], wrong[1], &path]).code, 2);
    }
    for other in [["--timeline"].as_slice(), &["--html", "a.html"], &["--svg", "a"]] {
        assert_eq!(run(&[&["--why", "1s"], other, &[path.as_str()]].concat()).code, 2, "{other:?}");
    }
}

/// In JSON, the timeline contains only the interval at that moment, identical to the one of the whole
/// timeline, with its evidence.
#[test]
fn why_in_json_is_one_interval() {
    let path = sample("send-buffer");
    let whole = json(&["--json", "--timeline", &path]);
    let one = json(&["--json", "--why", "1.5s", &path]);
    let errors = jsonschema::validator_for(&json(&["schema"])).unwrap().iter_errors(&one).count();
    assert_eq!(errors, 0);
    let half = |document: &Value| -> Value {
        let halves = document["connections"][0]["halves"].as_array().unwrap();
        halves.iter().max_by_key(|h| h["bytes"].as_u64()).unwrap().clone()
    };
    let of = |document: &Value| half(document)["timeline"].as_array().unwrap().clone();
    assert_eq!(half(&one)["verdict"]["flips"], Value::Array(Vec::new()));
    assert!(half(&whole)["verdict"]["flips"].is_null(), "nobody tried");
    let [interval] = &of(&one)[..] else { panic!("{one}") };
    assert!(of(&whole).contains(interval));
    assert_eq!(interval["evidence"]["reason"], "room_left_unused");
    assert!(interval["evidence"]["sentence"].as_str().is_some_and(|s| s.ends_with('.')));
    let names: Vec<_> = interval["evidence"]["values"].as_array().unwrap().iter().map(|v| v["name"].clone()).collect();
    assert_eq!(names, ["room_unused_share", "flight_bytes", "window_bytes"]);
    // Every interval of a real capture has a sentence with the reason.
    assert!(of(&whole).iter().all(|i| i["evidence"]["sentence"].is_string()));
    assert_eq!(run(&["--json", "--why", "99s", &path]).code, 2);
    assert_eq!(run(&["--jsonl", "--why", "1.5s", &path]).code, 0);
}
