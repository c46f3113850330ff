//! Hostile names in all printed and written output. No control characters except line ends may appear, no
//! direction overrides and no invisible characters. Also tests files with unexpected types.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so")]

#[allow(dead_code, reason = "some captures are for other tests")]
mod support;

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStringExt as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::Value;
use support::{Trace, capture, file, many, one, tcpwhy};
use tcpwhy_model::foreign::{is_hidden, is_right_to_left};

/// A name with escape sequences, a line break, a C1 control, a right-to-left override and a mark. It also has
/// a separator, a zero-width character, and right-to-left letters.
const HOSTILE: &str =
    "a\u{1b}[2J\u{1b}]0;title\u{7}\nb\t\u{9b}31m\u{202e}gnp\u{200f}\u{2028}\u{200b}\r\u{7f}\u{5d0}]\u{a0}\u{627}:1";

/// A word of a command line.
type Word = dyn AsRef<OsStr>;

/// A file name of that kind, with a byte that is not UTF-8.
fn hostile_name(end: &str) -> PathBuf {
    let mut name = HOSTILE.as_bytes().to_vec();
    name.push(0xff);
    name.extend(end.as_bytes());
    file("hostile").join(OsString::from_vec(name))
}

fn hostile_folder() {
    fs::create_dir_all(file("hostile")).unwrap();
}

#[track_caller]
fn assert_clean(what: &str, bytes: &[u8]) {
    let text = std::str::from_utf8(bytes).unwrap_or_else(|_| panic!("{what} is not UTF-8: {bytes:?}"));
    let bad = |c| is_hidden(c) || is_right_to_left(c);
    let bad: Vec<_> = text.lines().filter(|line| line.contains(bad)).take(3).collect();
    assert!(bad.is_empty(), "{what}: {bad:?}");
}

/// Everything that a run prints, in both languages.
#[track_caller]
fn prints(args: &[&Word]) -> String {
    let mut all = String::new();
    for language in ["en_US.UTF-8", "zh_CN.UTF-8"] {
        let mut command = tcpwhy();
        command.env("LANG", language).args(args.iter().map(AsRef::as_ref));
        let output = command.output().unwrap();
        let what = format!("{:?}", args.iter().map(AsRef::as_ref).collect::<Vec<_>>());
        assert_clean(&what, &output.stdout);
        assert_clean(&what, &output.stderr);
        all.push_str(std::str::from_utf8(&output.stdout).unwrap());
        all.push_str(std::str::from_utf8(&output.stderr).unwrap());
    }
    all
}

#[test]
fn names_of_captures() {
    hostile_folder();
    let good = hostile_name(".pcapng");
    fs::write(&good, many().pcapng()).unwrap();
    let damaged = hostile_name("-damaged.pcapng");
    let bytes = one().pcapng();
    fs::write(&damaged, &bytes[..bytes.len() - 7]).unwrap();
    let nothing = hostile_name("-text.pcapng");
    fs::write(&nothing, "no capture").unwrap();
    let missing = hostile_name("-missing.pcapng");
    let markdown = &["--format", "markdown"];
    let forms: [&[&str]; 7] =
        [&[], &["--json"], &["--jsonl"], markdown, &["--merge"], &["--html", "-"], &["--anonymize"]];
    for form in forms {
        for files in [vec![&good], vec![&good, &damaged], vec![&good, &missing], vec![&nothing]] {
            let mut args: Vec<&Word> = files.iter().map(|f| *f as _).collect();
            args.extend(form.iter().map(|f| f as &Word));
            let said = prints(&args);
            let is_named = said.contains(r"a\x1b[2J") || said.contains(r"a\\x1b[2J") || said.contains(r"a\u001b[2J");
            let is_shown = form.is_empty() && files.len() > 1;
            assert!(is_named || !is_shown, "{said}");
            assert!(!is_named || !form.contains(&"--anonymize"), "{said}");
        }
    }
    // With colours, the only escape sequences are tcpwhy's own, which only set colours.
    let output = tcpwhy().arg(&good).args(["--color", "always"]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    for sequence in text.split('\u{1b}').skip(1) {
        let end = sequence.find('m').unwrap();
        assert!(sequence.starts_with('[') && sequence[1..end].bytes().all(|b| b.is_ascii_digit() || b == b';'));
    }
    // In JSON, the name is exact except for the byte that is not text.
    let output = tcpwhy().arg(&good).arg("--json").output().unwrap();
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(document["captures"][0]["path"].as_str().unwrap().ends_with(&format!("{HOSTILE}\\xff.pcapng")));
}

#[test]
fn pictures_and_pages() {
    hostile_folder();
    let good = hostile_name("-pictures.pcapng");
    fs::write(&good, one().pcapng()).unwrap();
    let folder = hostile_name("-pictures");
    let page = hostile_name(".html");
    prints(&[&good, &"--svg", &folder, &"--html", &page]);
    let pictures: Vec<_> = fs::read_dir(&folder).unwrap().map(|e| e.unwrap().path()).collect();
    assert!(!pictures.is_empty());
    for file in pictures.iter().chain([&page]) {
        assert_clean("a picture or page", &fs::read(file).unwrap());
    }
    // An output that cannot be written.
    let said = prints(&[&good, &"--html", &hostile_name("/x/y.html")]);
    assert!(said.contains(r"\x1b"), "{said}");
}

#[test]
fn words_that_are_no_arguments() {
    for args in [[&"--json", &HOSTILE], [&"rules", &HOSTILE], [&"--host", &HOSTILE], [&HOSTILE, &"--port=\u{1b}[2J"]] {
        prints(&[args[0] as _, args[1] as _]);
    }
    prints(&[&format!("--{HOSTILE}")]);
    prints(&[&"lab", &"run", &HOSTILE]);
    prints(&[&"lab", &"show", &format!("{HOSTILE}.toml")]);
    prints(&[&"audit", &"--fail-on", &HOSTILE]);
    prints(&[&"audit", &"--sysctl", &HOSTILE]);
    prints(&[&"buffers", &"--sysctl", &format!("{HOSTILE}=1")]);
}

/// A word is escaped once and the same in every place, whichever functions passed the error on.
#[test]
fn what_is_typed_is_escaped_once() {
    let word = "x\ny\\z\u{1b}[m";
    let shown = r"x\ny\z\x1b[m";
    let key: &[&Word] = &[&"--anonymize", &"--anonymize-key-file", &word, &"none.pcap"];
    let missing: &[&[&Word]] = &[
        &[&word],
        &[&"none.pcap", &"--filter", &word],
        &[&"none.pcap", &"--filter", &format!("net {word}").replace('\n', "\u{7}")],
        &[&"rules", &word],
        &[&"lab", &"show", &word],
        &[&"lab", &"show", &format!("{word}.toml")],
        &[&"lab", &"run", &word],
        &[&"audit", &word],
        &[&"audit", &"--sysctl", &word],
        &[&"audit", &"--sysctl", &format!("{word}=1")],
        &[&"buffers", &"--sysctl", &word],
        &[&"buffers", &"--kernel", &word],
        &[&"buffers", &"--sysctl", &format!("net.core.wmem_max={word}")],
        &[&"record", &"-o", &"x.pcapng", &"--when", &word],
        &[&"live", &format!("{word}.pcapng")],
        &[&"compare", &word, &word],
        &[&"serve", &word],
        &[&"man", &format!("/dev/null/{word}")],
        key,
    ];
    for args in missing {
        let output = tcpwhy().args(args.iter().map(AsRef::as_ref)).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{said}");
        let is_once = said.contains(shown) || said.contains(&shown.replace(r"\n", r"\x07"));
        assert!(is_once && !said.contains(r"\\"), "{said}");
    }
}

/// A saved host whose every name is hostile.
fn hostile_host() -> PathBuf {
    hostile_folder();
    let host = hostile_name("-host");
    fs::create_dir_all(&host).unwrap();
    let line = HOSTILE.replace(['\n', '\r', '\u{2028}'], "");
    let word = line.replace(char::is_whitespace, "");
    let ss = format!(
        "State Recv-Q Send-Q Local Address:Port Peer Address:Port Process\n\
         ESTAB 0 300000 [fe80::1]%{word}:80 [fe80::2%{word}]:40000 users:((\"{}\",pid=7,fd=3)) ino:5 sk:9 \
         cgroup:/{word} skmem:(r0,rb131072,t0,tb32768,f0,w32768,o0,bl0,d0) ts sack cubic wscale:7,7 rto:204 rtt:40/1 mss:1448 \
         cwnd:30 {word} bytes_acked:9000000 busy:9000ms sndbuf_limited:8000ms(88%) so_buf_lock:1\n",
        line.chars().take(15).collect::<String>()
    );
    fs::write(host.join("ss"), ss).unwrap();
    let sysctl = format!(
        "net.ipv4.tcp_rmem = {line}\nnet.ipv4.tcp_congestion_control = {line}\nkernel.osrelease = 6.1-{word}\n"
    );
    fs::write(host.join("sysctl"), sysctl).unwrap();
    fs::write(host.join("version"), format!("Linux version 6.1.0-{word} ({line})\n")).unwrap();
    fs::write(host.join(PathBuf::from(OsString::from_vec(b"\x1b[2J\xff".to_vec()))), "TcpExtListenOverflows 7 0.0\n")
        .unwrap();
    host
}

#[test]
fn names_of_a_host() {
    let host = hostile_host();
    let said = prints(&[&"audit", &host, &"--width", &"400"]);
    assert!(said.contains(r"a\x1b[2J"), "{said}");
    assert!(said.contains("6.1.0-a"), "{said}");
    for form in [&["--json"][..], &["--quiet"], &["--anonymize"], &["--anonymize", "--json"]] {
        let mut args: Vec<&Word> = vec![&"audit", &host];
        args.extend(form.iter().map(|f| f as &Word));
        prints(&args);
    }
    prints(&[&"audit", &host, &"--sysctl-file", &host.join("sysctl")]);
    prints(&[&"audit", &host.join("nowhere")]);
    prints(&[&"buffers", &"--sysctl-file", &host.join("sysctl")]);
    prints(&[&"buffers", &"--sysctl-file", &host.join("nowhere")]);
    // The names are exact as data.
    let output = tcpwhy().arg("audit").arg(&host).arg("--json").output().unwrap();
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    let name = document["set_buffers"][0]["processes"][0]["name"].as_str().unwrap();
    assert!(name.starts_with("a\u{1b}[2J"), "{name:?}");
}

#[test]
fn a_scenario_of_somebody_else() {
    hostile_folder();
    // Scenario names must be UTF-8.
    let path = file("hostile").join(format!("{HOSTILE}.toml"));
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = fs::read_to_string(root.join("crates/tcpwhy-scenario/scenarios/sndbuf-16k.toml")).unwrap();
    fs::write(&path, &text).unwrap();
    let said = prints(&[&"lab", &"show", &path]);
    assert!(said.contains(r"a\x1b[2J"), "{said}");
    prints(&[&"lab", &"show", &"--script", &path]);
    for (what, with) in
        [("[sender]", "[sender]\n\"\\u001b[2J\\u202e\" = 1"), ("[expect]", "[expect]\nfindings = [\"\\u001b\\u202e\"]")]
    {
        assert!(text.contains(what));
        fs::write(&path, text.replacen(what, with, 1)).unwrap();
        prints(&[&"lab", &"show", &path]);
    }
}

/// Expects one line on standard error, no output, and status 2, within a short time.
#[track_caller]
fn refuses(args: &[&Word], words: &str) {
    let begin = Instant::now();
    let output = tcpwhy().args(args.iter().map(AsRef::as_ref)).timeout(Duration::from_secs(60)).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), said.lines().count()), (Some(2), 1), "{said}");
    assert!(said.contains(words), "{said}");
    assert!(begin.elapsed() < Duration::from_secs(30));
}

#[test]
fn files_without_an_end_are_refused() {
    let host = file("endless-host");
    fs::create_dir_all(&host).unwrap();
    fs::write(host.join("sysctl"), "net.core.rmem_max = 1\n").unwrap();
    let settings = "--sysctl-file";
    let typed: [&[&Word]; 5] = [
        &[&"buffers", &settings],
        &[&"audit", &settings],
        &[&"audit", &host, &settings],
        &[&"audit"],
        &[&"audit", &"--anonymize-key-file"],
    ];
    for args in typed {
        refuses(&[args, &[&"/dev/zero"]].concat(), "/dev/zero is neither a file nor a pipe");
    }
    let link = file("endless.toml");
    let _ = fs::remove_file(&link);
    symlink("/dev/zero", &link).unwrap();
    refuses(&[&"lab", &"show", &link], "neither a file nor a pipe");
    let large = file("large.toml");
    fs::File::create(&large).unwrap().set_len(1 << 40).unwrap();
    refuses(&[&"lab", &"run", &large], "larger than 1048576 bytes");
    let key = file("large-key");
    fs::File::create(&key).unwrap().set_len(1 << 40).unwrap();
    refuses(&[&"--anonymize-key-file", &key, &"x.pcap"], "larger than 4096 bytes");
    fs::write(&key, "\n").unwrap();
    fs::set_permissions(&key, fs::Permissions::from_mode(0o600)).unwrap();
    refuses(&[&"--anonymize-key-file", &key, &"x.pcap"], "the key is empty");
}

#[test]
fn pipes_do_not_hang() {
    let pipe = file("silent-pipe.toml");
    let _ = fs::remove_file(&pipe);
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for args in [&["audit"][..], &["audit", "--sysctl-file"], &["buffers", "--sysctl-file"], &["lab", "show"]] {
        let mut args: Vec<&Word> = args.iter().map(|a| a as _).collect();
        args.push(&pipe);
        refuses(&args, "a pipe to which nobody writes");
    }
    // A shell's `<(sysctl -a)`.
    for args in ["audit --sysctl-file", "buffers --kernel 6.1 --sysctl-file", "audit"] {
        let line =
            format!("{} {args} <(sleep 0.1; echo net.ipv4.tcp_window_scaling = 0)", env!("CARGO_BIN_EXE_tcpwhy"));
        let output = Command::new("bash").args(["-c", &line]).output().unwrap();
        assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

/// The time zone if `TZ` or `TZDIR` does not lead to a regular file.
#[test]
fn a_zone_without_an_end_is_utc() {
    let (folder, path) = (file("zones"), file("zones.pcapng"));
    fs::create_dir_all(&folder).unwrap();
    fs::write(&path, one().pcapng()).unwrap();
    let pipe = folder.join("Silent");
    let _ = fs::remove_file(&pipe);
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let large = folder.join("Large");
    fs::File::create(&large).unwrap().set_len(1 << 40).unwrap();
    let names = ["/dev/zero", ":/dev/zero", pipe.to_str().unwrap(), large.to_str().unwrap(), "Silent", "Large"];
    for name in names {
        let mut command = tcpwhy();
        let output = command.env("TZ", name).env("TZDIR", &folder).arg(&path).timeout(Duration::from_secs(60)).output();
        let said = String::from_utf8(output.unwrap().stdout).unwrap();
        assert!(said.contains("2023-11-14 22:13:20.000 UTC"), "{name}: {said}");
    }
}

/// A recording from an untrusted source.
#[test]
fn a_recording_without_an_end_is_refused() {
    let folder = file("endless-recording/one");
    fs::create_dir_all(&folder).unwrap();
    for name in ["truth.json", "scenario.toml"] {
        let _ = fs::remove_file(folder.join(name));
    }
    let large = fs::File::create(folder.join("truth.json")).unwrap();
    large.set_len(1 << 40).unwrap();
    let said = prints(&[&"lab", &"score", &folder]);
    assert!(said.contains("larger than 67108864 bytes"), "{said}");
}

/// Two directories with a customer's name, and addresses in names.
#[test]
fn anonymised_output_names_nobody() {
    let folder = file("acme-bank/10.9.8.7");
    fs::create_dir_all(&folder).unwrap();
    let good = folder.join("acme-10.9.8.7.pcapng");
    fs::write(&good, Trace::default().window_limited(("10.1.2.3", 40_000), ("10.9.8.7", 3306), 0, 20).pcapng())
        .unwrap();
    let damaged = folder.join("acme-damaged.pcapng");
    let bytes = one().pcapng();
    fs::write(&damaged, &bytes[..bytes.len() - 7]).unwrap();
    let missing = folder.join("acme-missing.pcapng");
    let key = file("anonymize-key");
    fs::write(&key, "a passphrase\n").unwrap();
    fs::set_permissions(&key, fs::Permissions::from_mode(0o600)).unwrap();
    let pictures = file("anonymised-pictures");
    let _ = fs::remove_dir_all(&pictures);
    let run = |args: &[&Word]| {
        let mut all: Vec<&Word> = vec![&good, &damaged, &missing, &"--anonymize-key-file", &key];
        all.extend(args);
        prints(&all)
    };
    let forms: [&[&Word]; 8] = [
        &[],
        &[&"--json"],
        &[&"--jsonl"],
        &[&"--format", &"markdown"],
        &[&"--html", &"-"],
        &[&"--svg", &pictures],
        &[&"--merge"],
        &[&"--timeline"],
    ];
    let mut said: Vec<String> = forms.iter().map(|form| run(form)).collect();
    said.extend(fs::read_dir(&pictures).unwrap().map(|e| {
        let path = e.unwrap().path();
        path.display().to_string().rsplit('/').next().unwrap().to_owned() + &fs::read_to_string(path).unwrap()
    }));
    for text in &said {
        for name in ["acme", "bank", "10.9.8.7", "10.1.2.3"] {
            assert!(!text.contains(name), "{name} in {text}");
        }
    }
    // The missing file gets the same replaced name in every run.
    let name = |text: &str| text.split("cannot open ").nth(1).unwrap().split(':').next().unwrap().to_owned();
    assert!(name(&said[0]).starts_with("file-") && name(&said[0]).ends_with(".pcapng"), "{}", said[0]);
    assert_eq!(name(&said[0]), name(&said[1]));
    let document: Value = serde_json::from_str(said[1].lines().next().unwrap()).unwrap();
    assert!(document["captures"][1]["path"].as_str().unwrap().starts_with("file-"));
}

#[test]
fn an_anonymised_host_names_nobody() {
    let host = file("acme-host");
    fs::create_dir_all(&host).unwrap();
    let socket = "skmem:(r0,rb131072,t0,tb32768,f0,w32768,o0,bl0,d0) ts sack cubic wscale:7,7 rto:204 rtt:40/1 mss:1448 cwnd:30 \
        bytes_acked:9000000 busy:9000ms sndbuf_limited:8000ms(88%) so_buf_lock:1 cgroup:/acme.slice";
    fs::write(
        host.join("ss"),
        format!(
            "ESTAB 0 300000 [fe80::77]%vpn-acme:80 [::ffff:192.0.2.9]:40000 users:((\"postgres: anna acme\",pid=7,fd=3)) ino:5 {socket}\n\
             ESTAB 0 300000 192.0.2.8:80 192.0.2.9:40001 users:((\"/opt/acme/x\",pid=8,fd=3)) ino:6 {}\n",
            socket.replace("cubic", "acme_cc")
        ),
    )
    .unwrap();
    fs::write(
        host.join("sysctl"),
        "kernel.hostname = db.acme\nkernel.osrelease = 6.1.9-acme\nnet.ipv4.tcp_rmem = acme 192.0.2.8\n\
         net.ipv4.conf.vpn-acme.mtu = 1\nnet.core.default_qdisc = acme_fq\n\
         net.ipv4.tcp_congestion_control = acme_cc\nnet.ipv4.tcp_available_congestion_control = reno cubic acme_cc\n",
    )
    .unwrap();
    // Some keys map a prefix to itself; this one does not.
    let key = file("key-of-a-report");
    fs::write(&key, "1522178d33a4cf80130a5b1649907d10d8988f837979652762574c2d2a842202").unwrap();
    fs::set_permissions(&key, fs::Permissions::from_mode(0o600)).unwrap();
    for form in [&[][..], &["--json"]] {
        let mut args: Vec<&Word> = vec![&"audit", &host, &"--anonymize-key-file", &key];
        args.extend(form.iter().map(|f| f as &Word));
        let said = prints(&args);
        for name in ["acme", "anna", "192.0.2.", "fe80::77", "db."] {
            assert!(!said.contains(name), "{name} in {said}");
        }
        assert!(said.contains("postgres") && said.contains("program-") && said.contains("6.1.9"), "{said}");
    }
    // Settings from the command line are anonymized, too.
    let said =
        prints(&[&"audit", &host, &"--anonymize", &"--json", &"--sysctl", &"net.ipv4.tcp_congestion_control=acme2"]);
    assert!(!said.contains("acme") && said.contains("\"cc-") && said.contains("\"qdisc-"), "{said}");
    let output = tcpwhy().arg("audit").arg(&host).args(["--anonymize", "--json"]).output().unwrap();
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    let peers: Vec<_> =
        document["set_buffers"].as_array().unwrap().iter().map(|b| b["peer"].as_str().unwrap().to_owned()).collect();
    // A host gets one replacement, for each notation of its address.
    let mapped = peers.iter().find_map(|p| p.strip_prefix("[::ffff:")).unwrap().split(']').next().unwrap();
    assert!(peers.iter().any(|p| p.starts_with(&format!("{mapped}:"))), "{peers:?}");
    let said = prints(&[&"audit", &file("acme-nowhere"), &"--anonymize"]);
    assert!(said.contains("cannot read file-") && !said.contains("acme"), "{said}");
}

#[test]
fn keys_are_kept_out_of_sight() {
    let path = capture("keys.pcapng", &one());
    let key = file("key-of-everybody");
    fs::write(&key, "1522178d33a4cf80130a5b1649907d10d8988f837979652762574c2d2a842202\n").unwrap();
    let err = |mode, extra: &[&str]| {
        fs::set_permissions(&key, fs::Permissions::from_mode(mode)).unwrap();
        let output = tcpwhy().arg(&path).arg("--anonymize-key-file").arg(&key).args(extra).output().unwrap();
        assert!(output.status.success());
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    let (out, said) = err(0o600, &["--json"]);
    assert_eq!(said, "");
    assert!(err(0o644, &[]).1.contains("other users can read"));
    assert_eq!(err(0o644, &["-q"]).1, "");
    // The old option still gives the same result, with a warning.
    let hex = fs::read_to_string(&key).unwrap();
    let old = tcpwhy().arg(&path).args(["--json", "--anonymize-key", hex.trim()]).output().unwrap();
    assert_eq!(String::from_utf8(old.stdout).unwrap(), out);
    assert!(String::from_utf8(old.stderr).unwrap().contains("--anonymize-key-file"));
    assert!(!out.contains("keys.pcapng"));
}
