//! Runs `tcpwhy audit` on the bundled saved host, on odd input, and on this machine.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so")]

#[allow(dead_code, reason = "captures are for other tests")]
mod support;

use std::fs;
use std::path::PathBuf;

use expect_test::expect_file;
use serde_json::Value;
use support::{file, tcpwhy};

struct Run {
    code: i32,
    out: String,
    err: String,
}

fn audit(args: &[&str]) -> Run {
    let output = tcpwhy().arg("audit").args(args).output().unwrap();
    Run {
        code: output.status.code().unwrap(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Audits the bundled host, by the path in the documentation.
fn sample(args: &[&str]) -> Run {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let output = tcpwhy().current_dir(root).args(["audit", "samples/host"]).args(args).output().unwrap();
    Run {
        code: output.status.code().unwrap(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

fn document(run: &Run) -> Value {
    assert_eq!(run.code, 0, "{}", run.err);
    let document: Value = serde_json::from_str(&run.out).unwrap();
    let schema = tcpwhy().args(["schema", "audit"]).output().unwrap().stdout;
    let validator = jsonschema::validator_for(&serde_json::from_slice(&schema).unwrap()).unwrap();
    let errors: Vec<_> = validator.iter_errors(&document).map(|e| format!("{}: {e}", e.instance_path())).collect();
    assert!(errors.is_empty(), "{errors:#?}");
    document
}

fn rules(document: &Value) -> Vec<&str> {
    document["findings"].as_array().unwrap().iter().map(|f| f["rule"].as_str().unwrap()).collect()
}

#[test]
fn json_says_which_host_and_when() {
    let of = |args: &[&str]| -> Value {
        let run = tcpwhy().arg("audit").arg("--json").args(args).output().unwrap();
        serde_json::from_slice(&run.stdout).unwrap()
    };
    let folder = tempfile::tempdir().unwrap();
    let saved = folder.path().join("sysctl.txt");
    std::fs::write(&saved, "kernel.hostname = web1\nnet.ipv4.tcp_sack = 1\nnet.core.rmem_max = 212992\n").unwrap();
    let saved = saved.to_str().unwrap();
    let document = of(&[saved]);
    assert_eq!(document["host"]["name"], "web1");
    let time = document["generated_at"].as_str().unwrap();
    assert!(time.len() == 30 && time.ends_with('Z') && time.starts_with("20"), "{time}");
    let hashed = of(&["--anonymize-key", "k", saved]);
    let name = hashed["host"]["name"].as_str().unwrap().to_owned();
    assert!(name.starts_with("host-") && !hashed.to_string().contains("web1"), "{hashed}");
    assert_eq!(of(&["--anonymize-key", "k", saved])["host"]["name"], name.as_str());
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/host");
    assert_eq!(of(&[sample])["host"]["name"], Value::Null);
}

#[test]
fn reads_well() {
    let paths = ["--path", "100mbit,20ms", "--path", "10gbit,100ms"];
    expect_file!["golden/audit.txt"].assert_eq(&sample(&[&paths[..], &["--width", "100"]].concat()).out);
    expect_file!["golden/audit-zh.txt"].assert_eq(&sample(&[&paths[..], &["--lang", "zh-CN"]].concat()).out);
}

#[test]
fn the_answer_stands_in_the_first_three_lines() {
    let run = sample(&["--quiet", "--width", "400"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let lines: Vec<_> = run.out.lines().collect();
    assert_eq!(lines.len(), 3, "{}", run.out);
    assert!(lines[0].starts_with("samples/host: Linux 6.18.44, 9 TCP connections and 2 listeners"), "{}", lines[0]);
    assert!(lines[1].contains("report-server sets SO_SNDBUF (32.8 kB"), "{}", lines[1]);
    assert!(lines[2].starts_with("Delete the SO_SNDBUF call (application)."), "{}", lines[2]);
}

/// The audit must find exactly the faults that were configured on the host.
#[test]
fn the_faults_of_the_sample_are_found() {
    let document = document(&sample(&["--json"]));
    let rules = rules(&document);
    for imposed in [
        "socket-send-buffer-set",
        "socket-receive-buffer-set",
        "accept-not-called",
        "socket-unread-data",
        "listen-overflows",
        "syn-cookies-sent",
    ] {
        assert!(rules.contains(&imposed), "{imposed} not in {rules:?}");
    }
    assert_eq!(rules.len(), 6, "{rules:?}");
    let set: Vec<_> = document["set_buffers"]
        .as_array()
        .unwrap()
        .iter()
        .map(|b| (b["processes"][0]["name"].as_str().unwrap(), b["side"].as_str().unwrap()))
        .collect();
    assert_eq!(set, [("report-server", "send"), ("ingest", "receive")]);
    // Transfers of 12 s: 9.70 MB acknowledged and 10.14 MB received, so 6.5 and 6.8 Mbit/s.
    for (buffer, measured) in document["set_buffers"].as_array().unwrap().iter().zip([6.5e6, 6.8e6]) {
        let ceiling = buffer["ceiling_bits_per_s"].as_f64().unwrap();
        assert!((0.7..1.3).contains(&(ceiling / measured)), "{ceiling} where {measured} was measured");
        assert_eq!(buffer["is_at_limit"], true);
    }
    assert_eq!(document["host"]["gaps"], Value::Array(vec![]));
}

#[test]
fn what_if() {
    let run = |args: &[&str]| document(&sample(&[&["--json", "--path", "1gbit,80ms"], args].concat()));
    let before = run(&[]);
    assert!(rules(&before).contains(&"path-exceeds-send-ceiling"), "{:?}", rules(&before));
    let needed = before["paths"][0]["limits"][0]["needed_bytes"].as_u64().unwrap();
    let raised = format!("net.ipv4.tcp_wmem=4096 16384 {needed}");
    assert!(!rules(&run(&["--sysctl", &raised])).contains(&"path-exceeds-send-ceiling"));
    // The popular advice does not help.
    let folklore = run(&["--sysctl", "net.core.wmem_max=1073741824"]);
    assert!(rules(&folklore).contains(&"path-exceeds-send-ceiling"));
    assert!(rules(&folklore).contains(&"max-raised-in-vain"), "{:?}", rules(&folklore));
}

#[test]
fn exit_statuses() {
    assert_eq!(sample(&["--fail-on", "critical"]).code, 1);
    assert_eq!(sample(&["--fail-on", "memory-pressure"]).code, 0);
    let tripped = sample(&["--quiet", "--fail-on", "memory-pressure", "--fail-on", "accept-not-called"]);
    assert_eq!((tripped.code, tripped.err.lines().count()), (1, 1), "{}", tripped.err);
    assert!(tripped.err.starts_with("tcpwhy: --fail-on accept-not-called: "), "{}", tripped.err);
    for (args, words) in [
        (&["/nonexistent/host"][..], "cannot read /nonexistent/host"),
        (&["--path", "100mbit"], "100mbit,20ms"),
        (&["--fail-on", "path-busy"], "captures"),
        (&["--fail-on", "memory-presure"], "memory-pressure"),
        (&["--sysctl", "net.ipv4.tcp_rmem=1"], "three numbers"),
        (&["samples/host", "--interval", "1s"], "cannot be used with"),
    ] {
        let run = audit(args);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{args:?}");
        assert!(run.err.contains(words), "{args:?}: {}", run.err);
    }
}

/// A gate passes only if all data that its checks need was read.
#[test]
fn gates_do_not_pass_unread() {
    let settings = file("audit-gate-settings.txt");
    fs::write(&settings, "net.ipv4.tcp_window_scaling = 1\nnet.ipv4.tcp_sack = 1\n").unwrap();
    let settings = settings.to_str().unwrap();
    for (gate, code, said) in [
        ("window-scaling-off", 0, ""),
        ("memory-pressure", 2, "counters"),
        ("socket-backoff", 2, "sockets"),
        ("critical", 2, "counters"),
        ("path-exceeds-send-ceiling", 2, "--path"),
    ] {
        let run = audit(&["--quiet", "--fail-on", gate, settings]);
        assert_eq!(run.code, code, "{gate}: {}", run.err);
        assert!(run.err.contains(said) && (code == 0) == run.err.is_empty(), "{gate}: {}", run.err);
    }
    let path = audit(&["--fail-on", "path-exceeds-send-ceiling", "--path", "1mbit,1ms", settings]);
    assert_eq!(path.code, 0, "{}", path.err);
    // A gate that tripped is certain, even if other data was not read.
    let both = audit(&["--fail-on", "critical", "--sysctl", "net.ipv4.tcp_window_scaling=0", settings]);
    assert_eq!(both.code, 1, "{}", both.err);
}

#[test]
fn odd_input_is_one_line_or_a_part_of_an_answer() {
    let nothing = file("audit-nothing.txt");
    fs::write(&nothing, "no host at all\n").unwrap();
    let run = audit(&["--save", nothing.to_str().unwrap()]);
    assert_eq!((run.code, run.err.lines().count()), (2, 1), "{}", run.err);
    assert_eq!(run.err.matches("File exists").count(), 1, "{}", run.err);
    let run = audit(&[nothing.to_str().unwrap()]);
    assert_eq!((run.code, run.err.lines().count()), (2, 1), "{}", run.err);
    assert!(run.err.starts_with("tcpwhy: ") && run.err.contains("has no data of a host"), "{}", run.err);

    // Settings that cannot be read are warned about; the rest holds.
    let sysctls = file("audit-sysctls.txt");
    fs::write(&sysctls, "net.ipv4.tcp_rmem = many\nnet.ipv4.tcp_window_scaling = 0\nkernel.osrelease = 5.15.0-91\n")
        .unwrap();
    let run = audit(&["--json", sysctls.to_str().unwrap()]);
    assert!(
        run.err.contains("expected three numbers for net.ipv4.tcp_rmem") && run.err.contains("not \"many\""),
        "{}",
        run.err
    );
    let document = document(&run);
    assert_eq!(rules(&document), ["window-scaling-off"]);
    assert_eq!(document["host"]["assumed_kernel"], "5.15.0");
    assert_eq!(document["host"]["sockets"], Value::Null);
    let gaps: Vec<_> = document["host"]["gaps"].as_array().unwrap().iter().map(|g| g["id"].as_str().unwrap()).collect();
    assert_eq!(gaps, ["sockets", "counters", "sockstat", "uptime"]);
    assert_eq!(audit(&["--sysctl-file", sysctls.to_str().unwrap(), "--fail-on", "window-scaling-off"]).code, 1);
}

/// With the output of `ss` alone, set buffers are recognized by their sizes, with less confidence.
#[test]
fn a_file_of_ss_alone() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = fs::read_to_string(root.join("samples/host/ss")).unwrap();
    let words = |line: &str| line.split(' ').filter(|w| !w.starts_with("so_buf_lock")).collect::<Vec<_>>().join(" ");
    let ss = file("audit-ss.txt");
    fs::write(&ss, text.lines().map(|l| words(l) + "\n").collect::<String>()).unwrap();
    let sysctls = root.join("samples/host/sysctl");
    let run = audit(&["--json", ss.to_str().unwrap(), "--sysctl-file", sysctls.to_str().unwrap()]);
    let document = document(&run);
    let set = document["set_buffers"].as_array().unwrap();
    let names: Vec<_> = set.iter().map(|b| b["processes"][0]["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["report-server", "ingest"]);
    assert!(set.iter().all(|b| b["ground"] == "below-start" && b["confidence"].as_f64().unwrap() < 1.0), "{set:#?}");
}

#[test]
fn addresses_are_replaced_and_loopback_stays() {
    let run = sample(&["--anonymize-key", "key"]);
    assert!(!run.out.contains("192.0.2.") && !run.out.contains("198.51.100."), "{}", run.out);
    assert_eq!(run.out, sample(&["--anonymize-key", "key"]).out);
}

#[test]
fn rules_explain_its_findings() {
    let list = String::from_utf8(tcpwhy().arg("rules").output().unwrap().stdout).unwrap();
    assert!(list.contains("socket-send-buffer-set") && list.contains("max-raised-in-vain"));
    let page = tcpwhy().args(["rules", "max-raised-in-vain"]).output().unwrap();
    assert!(String::from_utf8(page.stdout).unwrap().contains("autotuning"));
}

#[cfg(target_os = "linux")]
mod live {
    use std::net::{TcpListener, TcpStream};
    use std::os::fd::{AsRawFd as _, RawFd};
    use std::os::unix::fs::MetadataExt as _;
    use std::os::unix::process::CommandExt as _;
    use std::process::Command;

    use super::*;

    /// `setsockopt(SO_SNDBUF)`.
    #[allow(unsafe_code, reason = "the standard library has no SO_SNDBUF")]
    fn set_send_buffer(fd: RawFd, bytes: libc::c_int) {
        // SAFETY: `bytes` lives through the call, and the length is its own.
        let result = unsafe {
            libc::setsockopt(
                fd,
                libc::SOL_SOCKET,
                libc::SO_SNDBUF,
                std::ptr::from_ref(&bytes).cast(),
                size_of::<libc::c_int>() as libc::socklen_t,
            )
        };
        assert_eq!(result, 0, "{}", std::io::Error::last_os_error());
    }

    /// A connection over loopback whose sender has `SO_SNDBUF` set, and its ports.
    fn locked() -> (TcpStream, TcpStream, String) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (server, _) = listener.accept().unwrap();
        set_send_buffer(client.as_raw_fd(), 16_384);
        let port = client.local_addr().unwrap().port();
        (client, server, format!("127.0.0.1:{port}"))
    }

    fn of<'a>(document: &'a Value, local: &str) -> &'a Value {
        let all = document["set_buffers"].as_array().unwrap();
        all.iter().find(|b| b["local"] == local).unwrap_or_else(|| panic!("{local} not among {all:#?}"))
    }

    #[test]
    fn a_locked_buffer_of_this_process() {
        let (_client, _server, local) = locked();
        let document = document(&audit(&["--json"]));
        let buffer = of(&document, &local);
        assert_eq!((&buffer["side"], &buffer["buffer_bytes"]), (&"send".into(), &32_768.into()));
        assert_eq!(buffer["processes"][0]["pid"], std::process::id());
        assert_eq!(buffer["is_local"], true);
        // Where a child may not inspect its parent (Yama), the size shows that the buffer is set.
        let ground = buffer["ground"].as_str().unwrap();
        assert!(matches!(ground, "kernel" | "below-start"), "{ground}");
        let finding = document["findings"].as_array().unwrap().iter().find(|f| f["rule"] == "socket-send-buffer-set");
        assert!(finding.is_some());
    }

    /// Another user sees sockets and sizes without their processes, and a message reports that.
    #[test]
    fn without_privileges_the_rest_still_works() {
        let (_client, _server, local) = locked();
        let program = assert_cmd::cargo::cargo_bin("tcpwhy");
        let copy = std::env::temp_dir().join(format!("tcpwhy-audit-test-{}", std::process::id()));
        fs::copy(program, &copy).unwrap();
        let output = Command::new(&copy).args(["audit", "--json"]).uid(65_534).gid(65_534).output();
        fs::remove_file(&copy).unwrap();
        let output = match output {
            Ok(output) => output,
            Err(error) => {
                eprintln!("skipped: only root can become another user ({error})");
                return;
            }
        };
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let document: Value = serde_json::from_slice(&output.stdout).unwrap();
        let buffer = of(&document, &local);
        assert_eq!((&buffer["ground"], &buffer["processes"]), (&"below-start".into(), &Value::Array(vec![])));
        let gaps = document["host"]["gaps"].as_array().unwrap();
        let text = gaps.iter().find(|g| g["id"] == "processes").expect("processes are a gap")["text"].as_str().unwrap();
        assert!(text.contains("root"), "{text}");
        assert!(gaps.iter().any(|g| g["id"] == "locks"), "{gaps:?}");
        let finding = document["findings"].as_array().unwrap().iter().find(|f| f["rule"] == "socket-send-buffer-set");
        assert!(finding.is_some_and(|f| f["confidence"].as_f64().unwrap() < 1.0));
    }

    /// A process chooses its own name, and must not forge lines or owners in a file that root saves.
    #[test]
    fn a_process_with_a_name_of_its_own_choice() {
        let (_client, _server, local) = locked();
        let name = "x\u{1b}[2J\",pid=1)\n";
        let comm = format!("/proc/{}/comm", std::process::id());
        let before = fs::read(&comm).unwrap();
        fs::write(&comm, name).unwrap();
        let folder = file("audit-hostile-name");
        let _ = fs::remove_dir_all(&folder);
        let run = audit(&["--json", "--save", folder.to_str().unwrap()]);
        let text = audit(&["--width", "300", "--top", "100000"]).out;
        fs::write(&comm, before).unwrap();
        let live = document(&run);
        assert_eq!(of(&live, &local)["processes"][0]["name"], name);
        let saved = fs::read_to_string(folder.join("ss")).unwrap();
        assert!(!saved.contains(|c: char| c.is_control() && c != '\n'), "{saved:?}");
        let again = document(&audit(&["--json", folder.to_str().unwrap()]));
        assert_eq!(of(&again, &local), of(&live, &local));
        assert_eq!(again["host"]["sockets"], live["host"]["sockets"]);
        assert!(text.contains(r#"x\x1b[2J",pid=1)\n["#) && !text.contains('\u{1b}'), "{text}");
    }

    /// `CAP_DAC_READ_SEARCH`.
    const FILES: u64 = 1 << 2;
    /// `CAP_SYS_PTRACE`.
    const PROCESSES: u64 = 1 << 19;

    /// The audit has its capabilities during the scan, and none while it prints.
    #[test]
    fn rights_are_given_up_when_they_are_not_needed() {
        let rights = |id: u32| {
            let status = fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
            let field = |name: &str| status.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default().trim();
            (u64::from_str_radix(field("CapPrm:"), 16).ok(), field("NoNewPrivs:") == "1")
        };
        let own = rights(std::process::id()).0.unwrap();
        let come = |child: &std::process::Child, wanted: u64| {
            let until = std::time::Instant::now() + std::time::Duration::from_secs(20);
            while rights(child.id()) != (Some(wanted & own), true) {
                assert!(std::time::Instant::now() < until, "{:?} instead of {:x}", rights(child.id()), wanted & own);
                std::thread::sleep(std::time::Duration::from_millis(5));
            }
        };
        let program = assert_cmd::cargo::cargo_bin("tcpwhy");
        let mut command = Command::new(program);
        command.args(["audit", "--json", "--interval", "1s"]).stdout(std::process::Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut out = child.stdout.take().unwrap();
        hold_little(out.as_raw_fd());
        come(&child, PROCESSES | FILES);
        // The output exceeds the pipe's capacity, so it waits for a reader.
        come(&child, 0);
        let mut text = String::new();
        std::io::Read::read_to_string(&mut out, &mut text).unwrap();
        assert!(child.wait().unwrap().success() && text.len() > 4096, "{}", text.len());
    }

    /// Sets the capacity of a pipe to 4096 bytes.
    #[allow(unsafe_code, reason = "the standard library has no F_SETPIPE_SZ")]
    fn hold_little(pipe: RawFd) {
        // SAFETY: F_SETPIPE_SZ takes a number.
        assert!(unsafe { libc::fcntl(pipe, libc::F_SETPIPE_SZ, 4096) } > 0);
    }

    /// An ordinary user with two capabilities gets the same results as root (`docs/rights.md`).
    #[test]
    fn two_rights_are_enough() {
        let (_client, _server, local) = locked();
        let program = assert_cmd::cargo::cargo_bin("tcpwhy");
        let copy = std::env::temp_dir().join(format!("tcpwhy-audit-rights-{}", std::process::id()));
        fs::copy(program, &copy).unwrap();
        let rights = "-all,+sys_ptrace,+dac_read_search";
        let output = Command::new("setpriv")
            .args(["--reuid=65534", "--regid=65534", "--clear-groups"])
            .args([
                format!("--inh-caps={rights}"),
                format!("--ambient-caps={rights}"),
                format!("--bounding-set={rights}"),
            ])
            .arg(&copy)
            .args(["audit", "--json"])
            .output();
        fs::remove_file(&copy).unwrap();
        let output = match output {
            Ok(output) if output.status.success() => output,
            Ok(output) if fs::metadata("/proc/self").unwrap().uid() == 0 => {
                panic!("{}", String::from_utf8_lossy(&output.stderr))
            }
            _ => {
                eprintln!("skipped: only root can give rights, with setpriv");
                return;
            }
        };
        let document: Value = serde_json::from_slice(&output.stdout).unwrap();
        let buffer = of(&document, &local);
        assert_eq!(buffer["processes"][0]["pid"], std::process::id());
        assert!(matches!(buffer["ground"].as_str().unwrap(), "kernel" | "below-start"), "{buffer}");
    }

    #[test]
    fn an_interval_and_a_saved_copy() {
        let (_client, _server, local) = locked();
        let above = tempfile::tempdir().unwrap();
        let folder = above.path().join("saved");
        let run = audit(&["--json", "--interval", "50ms", "--save", folder.to_str().unwrap()]);
        assert!(run.err.contains("wrote ") && run.err.contains(" files to "), "{}", run.err);
        let live = document(&run);
        assert!(live["host"]["interval_s"].as_f64().unwrap() > 0.0);
        let saved = document(&audit(&["--json", folder.to_str().unwrap()]));
        assert_eq!(of(&saved, &local), of(&live, &local));
        assert_eq!(saved["settings"], live["settings"]);
        assert_eq!(saved["interval_s"], Value::Null);
    }
}
