//! Tests the confinement of the program's processes. System calls are injected into each running process, and
//! the kernel's results are compared with a table. The table in the documents is generated from the same
//! data; `UPDATE_EXPECT=1` writes it.
#![cfg(all(target_os = "linux", target_arch = "x86_64"))]
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so")]

mod attacks;
mod document;
mod inject;
mod processes;

use attacks::{ATTACKS, Attack, May, Stage};
use inject::Injector;
use processes::{Role, Running};

/// The calls of `attack` whose result differs from the table.
fn differences(attack: &Attack, role: Role, injector: &Injector, stage: &Stage) -> Vec<String> {
    let expected = attack.may(role);
    if expected == May::AsItsUser || (attack.needs_landlock && !tcpwhy_rights::has_landlock()) {
        return Vec::new();
    }
    let answers = attack.calls.iter().map(|call| (call, injector.call(call, stage)));
    let wrong = answers.filter(|(_, answer)| is_refusal(*answer) != (expected == May::Not));
    wrong.map(|(call, answer)| format!("{:?}: {role:?} {call:?} is {answer}, not {expected:?}", attack.code)).collect()
}

/// Whether the result means that the call is forbidden or does not exist. Every call of the table has invalid
/// arguments, so one that passes fails with another error and has no effect.
fn is_refusal(answer: i64) -> bool {
    [libc::EPERM, libc::EACCES, libc::ENOSYS].iter().any(|&error| answer == -i64::from(error))
}

/// Whether a process may trace its children on this machine, which some containers forbid. `MUST_TRACE`
/// requires it.
fn may_trace() -> bool {
    let mut child = std::process::Command::new("sleep").arg("60").spawn().unwrap();
    let may = Injector::seize(child.id()).is_ok();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(may || std::env::var_os("MUST_TRACE").is_none(), "no process may be traced");
    if !may {
        eprintln!("skipped: no process may be traced");
    }
    may
}

#[test]
fn each_process_is_refused_what_the_table_says() {
    if !may_trace() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let stage = Stage::set_up(folder.path());
    let mut wrong = Vec::new();
    let mut seen = Vec::new();
    for command in processes::COMMANDS {
        let Some(running) = Running::start(command) else {
            eprintln!("skipped: {command:?} needs rights that this user lacks");
            continue;
        };
        for (role, id) in running.processes() {
            let injector = Injector::seize(id).unwrap_or_else(|error| panic!("{command:?} {role:?}: {error}"));
            seen.push(role);
            for attack in ATTACKS {
                let differences = differences(attack, role, &injector, &stage);
                wrong.extend(differences.into_iter().map(|text| format!("{} {text}", command.words.join(" "))));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let missing: Vec<_> = Role::ALL.iter().filter(|role| !seen.contains(role)).collect();
    assert!(missing.is_empty(), "nobody looked at {missing:?}");
    assert!(stage.is_untouched());
}

/// In an unconfined process, calls that pass are recognized as such.
#[test]
fn a_process_that_is_not_confined_is_refused_nothing() {
    if !may_trace() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let stage = Stage::set_up(folder.path());
    let mut child = std::process::Command::new("sleep").arg("60").spawn().unwrap();
    let injector = Injector::seize(child.id()).unwrap();
    for attack in ATTACKS.iter().filter(|attack| !attack.is_refused_anyway) {
        for call in attack.calls {
            let answer = injector.call(call, &stage);
            assert!(!is_refusal(answer), "{:?} {call:?} is {answer}", attack.code);
        }
    }
    drop(injector);
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn the_documents_show_the_table() {
    document::check();
}
