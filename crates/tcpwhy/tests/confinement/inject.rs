//! Makes another process execute system calls, through ptrace.

use std::ffi::c_long;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::FileExt as _;
use std::thread;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::sys::ptrace;
use nix::sys::signal::Signal;
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;

use super::attacks::{Argument, Call, Stage};

/// A test that waits longer fails.
const PATIENCE: Duration = Duration::from_secs(20);
/// Machine code of `syscall` on x86-64.
const SYSCALL: [u8; 2] = [0x0f, 0x05];
/// Bytes below the stack pointer that stay untouched. The x86-64 ABI reserves 128.
const BELOW_STACK: u64 = 16_384;
/// Bytes reserved for one text on the stack.
const ROOM: u64 = 4_096;

/// A process stopped in a system call, until this value is dropped.
pub(super) struct Injector {
    process: Pid,
    registers: libc::user_regs_struct,
}

impl Injector {
    /// Stops the first thread of process `id`.
    pub(super) fn seize(id: u32) -> Result<Self, Errno> {
        let process = Pid::from_raw(i32::try_from(id).unwrap());
        ptrace::seize(process, ptrace::Options::empty())?;
        let end = Instant::now() + PATIENCE;
        loop {
            ptrace::interrupt(process)?;
            wait_for_stop(process);
            let registers = ptrace::getregs(process)?;
            let mut before = [0; 2];
            memory(process, false).read_exact_at(&mut before, registers.rip - 2).unwrap();
            if before == SYSCALL {
                return Ok(Self { process, registers });
            }
            assert!(Instant::now() < end, "it never waits");
            ptrace::cont(process, None)?;
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Executes `call` and returns the kernel's result, which is a negative error number on failure. A file
    /// that the call opened is closed.
    pub(super) fn call(&self, call: &Call, stage: &Stage) -> i64 {
        let mut arguments = [0; 6];
        for (n, (value, argument)) in arguments.iter_mut().zip(call.arguments).enumerate() {
            *value = match argument {
                Argument::Number(number) => number.cast_unsigned(),
                Argument::Victim => self.place(n as u64, stage.victim.as_os_str().as_bytes()),
                Argument::New => self.place(n as u64, stage.new.as_os_str().as_bytes()),
                Argument::Address => self.place(n as u64, &[libc::AF_INET as u8, 0, 0, 9, 127, 0, 0, 1]),
            };
        }
        let answer = self.run(call.number, arguments);
        if answer >= 0 && call.opens {
            self.run(libc::SYS_close, [answer.cast_unsigned(), 0, 0, 0, 0, 0]);
        }
        answer
    }

    fn run(&self, number: c_long, arguments: [u64; 6]) -> i64 {
        let [rdi, rsi, rdx, r10, r8, r9] = arguments;
        let rax = number.cast_unsigned();
        let rip = self.registers.rip - 2;
        // Prevents the kernel from restarting the interrupted call.
        let orig_rax = u64::MAX;
        let registers = libc::user_regs_struct { rdi, rsi, rdx, r10, r8, r9, rax, rip, orig_rax, ..self.registers };
        ptrace::setregs(self.process, registers).unwrap();
        ptrace::step(self.process, None).unwrap();
        wait_for_stop(self.process);
        let after = ptrace::getregs(self.process).unwrap();
        assert_eq!(after.rip, self.registers.rip, "the call has ended");
        after.rax.cast_signed()
    }

    /// Writes `bytes` below the stack, terminated by 0.
    fn place(&self, slot: u64, bytes: &[u8]) -> u64 {
        let at = self.registers.rsp - BELOW_STACK - (slot + 1) * ROOM;
        memory(self.process, true).write_all_at(&[bytes, &[0; 16]].concat(), at).unwrap();
        at
    }
}

impl Drop for Injector {
    fn drop(&mut self) {
        // Errors are ignored because the process may have ended.
        let _ = ptrace::setregs(self.process, self.registers).and_then(|()| ptrace::detach(self.process, None));
    }
}

fn memory(process: Pid, is_written: bool) -> fs::File {
    fs::OpenOptions::new().read(true).write(is_written).open(format!("/proc/{process}/mem")).unwrap()
}

/// Waits until ptrace has stopped the process. Tests send no other signals, so one that arrives is not
/// delivered.
fn wait_for_stop(process: Pid) {
    loop {
        match waitpid(process, Some(WaitPidFlag::__WALL)) {
            Ok(WaitStatus::PtraceEvent(_, Signal::SIGTRAP, _) | WaitStatus::Stopped(_, Signal::SIGTRAP)) => return,
            Ok(WaitStatus::Stopped(..) | WaitStatus::PtraceEvent(..)) => ptrace::cont(process, None).unwrap(),
            Err(Errno::EINTR) => {}
            other => panic!("{process} is not stopped: {other:?}"),
        }
    }
}
