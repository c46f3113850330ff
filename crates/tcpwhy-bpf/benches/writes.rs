//! Cost of the statistics per small write: processor time of a writer and its reader on loopback. It is
//! measured alternately without programs, with empty programs at the same hooks, and with those of tcpwhy.
//! This needs root, and clang for the empty programs.
//!
//!     cargo bench -p tcpwhy-bpf --bench writes
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, reason = "a benchmark")]

#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
fn main() {}

#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
fn main() {
    linux::main();
}

#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod linux {
    use std::io::{Read as _, Write as _};
    use std::net::{TcpListener, TcpStream};
    use std::process::Command;

    use aya::programs::BtfTracePoint;
    use aya::{Btf, Ebpf, EbpfLoader};
    use tcpwhy_bpf::Accountant;

    /// Bytes of a write.
    const SIZE: usize = 200;
    /// Writes before each read, and in total.
    const BURST: usize = 50;
    const WRITES: usize = 200_000;
    /// Number of measurements of each kind.
    const ROUNDS: usize = 9;
    const EMPTY: [(&str, &str); 4] = [
        ("on_segment", "tcp_probe"),
        ("on_write", "tcp_sendmsg_locked"),
        ("on_written", "sock_send_length"),
        ("on_read", "tcp_rcv_space_adjust"),
    ];

    /// Processor time of this process, seconds.
    fn cpu() -> f64 {
        let time = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
        let mut usage = std::mem::MaybeUninit::<libc::rusage>::zeroed();
        // SAFETY: the call writes to a buffer of its own.
        #[allow(unsafe_code, reason = "getrusage")]
        let usage = unsafe {
            libc::getrusage(libc::RUSAGE_SELF, usage.as_mut_ptr());
            usage.assume_init()
        };
        time(usage.ru_utime) + time(usage.ru_stime)
    }

    /// Processor time per write, nanoseconds, of both ends. One thread has both, so no thread is woken. Each
    /// write is a segment, and arrives before the call returns.
    fn measured() -> f64 {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let mut writer = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        writer.set_nodelay(true).unwrap();
        let (mut reader, _) = listener.accept().unwrap();
        let mut buffer = vec![0; 1 << 16];
        let before = cpu();
        for _ in 0..WRITES / BURST {
            for _ in 0..BURST {
                writer.write_all(&[7; SIZE]).unwrap();
            }
            let mut left = SIZE * BURST;
            while left > 0 {
                left -= reader.read(&mut buffer).unwrap();
            }
        }
        (cpu() - before) * 1e9 / WRITES as f64
    }

    fn empty(btf: &Btf) -> Option<Ebpf> {
        let folder = std::env::temp_dir();
        let object = folder.join(format!("tcpwhy-empty-{}.o", std::process::id()));
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/empty.bpf.c");
        let built =
            Command::new("clang").args(["-O2", "-g", "-target", "bpf", "-c", source, "-o"]).arg(&object).status();
        if !built.is_ok_and(|status| status.success()) {
            return None;
        }
        let bytes = std::fs::read(&object).unwrap();
        std::fs::remove_file(&object).unwrap();
        let mut programs = EbpfLoader::new().btf(Some(btf)).load(&bytes).unwrap();
        for (name, hook) in EMPTY {
            let program: &mut BtfTracePoint = programs.program_mut(name).unwrap().try_into().unwrap();
            program.load(hook, btf).unwrap();
            program.attach().unwrap();
        }
        Some(programs)
    }

    pub(super) fn main() {
        let btf = Btf::from_sys_fs().expect("a kernel that describes its types");
        let mut found: [Vec<f64>; 3] = Default::default();
        measured();
        for _ in 0..ROUNDS {
            found[0].push(measured());
            if let Some(programs) = empty(&btf) {
                found[1].push(measured());
                drop(programs);
            }
            let accountant = Accountant::attach(0, false).expect("rights to attach");
            found[2].push(measured());
            drop(accountant);
        }
        let mut base = 0.0;
        for (what, nanos) in ["without programs", "empty programs", "tcpwhy"].into_iter().zip(&mut found) {
            nanos.sort_by(f64::total_cmp);
            let Some(median) = nanos.get(nanos.len() / 2) else { continue };
            if base <= 0.0 {
                base = *median;
            }
            println!(
                "{what:17} {median:6.0} ns a write (least {:.0}, most {:.0}), {:+.1} %",
                nanos[0],
                nanos[nanos.len() - 1],
                (median / base - 1.0) * 100.0
            );
        }
    }
}
