use std::collections::HashMap;
use std::error::Error;
use std::io;
use std::os::fd::AsFd as _;

use aya::maps::{Array, Map, MapData, PerCpuArray, RingBuf};
use aya::programs::{BtfTracePoint, FEntry, FExit, Iter};
use aya::{Btf, Ebpf, EbpfLoader};

use tcpwhy_model::Timestamp;
use tcpwhy_model::live::{KernelEvent, UserStack};

use crate::iterate::Iteration;
use crate::record::{Decoded, Reader, Told};
use crate::system_calls::SystemCalls;
use crate::{Part, Refused};

static OBJECT: &[u8] = aya::include_bytes_aligned!("../bpf/tcpwhy.bpf.o");

/// Indices of the map `settings` of `tcpwhy.bpf.c`.
const LOST_EVENTS: u32 = 0;
const LOST_ENDS: u32 = 1;
const TELL_ALL: u32 = 2;
const SEES_WRITES: u32 = 3;
const SEES_WRITE_ENDS: u32 = 4;
/// Approximate number of items that a ring buffer has room for.
const MOST_AT_ONCE: usize = 10_000;

/// The name of each program, and its hook: a tracepoint, unless a comment says otherwise.
const fn program(part: Part) -> (&'static str, &'static str) {
    match part {
        Part::Segments => ("on_segment", "tcp_probe"),
        Part::States => ("on_state", "inet_sock_set_state"),
        Part::Telling => ("tell", "bpf_sk_storage_map"),
        Part::Writes => ("on_write", "tcp_sendmsg_locked"),
        Part::WriteEnds => ("on_written", "sock_send_length"),
        Part::Reads => ("on_read", "tcp_rcv_space_adjust"),
        Part::Retransmissions => ("on_retransmit", "tcp_retransmit_skb"),
        Part::Memory => ("on_memory", "sock_exceed_buf_limit"),
        // There is no tracepoint for it, so the programs hook into kernel functions.
        Part::Pruning => ("on_collapse", "tcp_collapse_one"),
        Part::Settings => ("on_system_call", "sys_enter"),
    }
}

/// Collects kernel statistics of all TCP connections of this host, in all network namespaces, while it
/// exists.
pub struct Accountant {
    /// The programs and maps, which are unloaded when this is dropped.
    programs: Ebpf,
    iteration: Iteration,
    events: RingBuf<MapData>,
    /// Connections that ended.
    ends: RingBuf<MapData>,
    /// User stacks of the threads that caused events.
    stacks: RingBuf<MapData>,
    settings: Array<MapData, u64>,
    missing: Vec<(Part, String)>,
    /// Counts of system calls, if the program runs at each of them.
    system_calls: Option<SystemCalls>,
    rests_from_settings: bool,
    clock: i64,
}

impl Accountant {
    /// Most ended connections that one call of [`Self::ends`] reports.
    pub const ENDS_AT_ONCE: usize = 1000;

    /// Loads and attaches the programs that this kernel accepts. `clock` is the offset, ns, from the kernel's
    /// monotonic clock to the time of the reports. Without `watches_settings` the buffers that applications
    /// set are not reported. Where kernel functions cannot be hooked, watching them costs each system call of
    /// the host some 0.1 µs. It then ends if there are too many calls ([`Self::rests_from_settings`]).
    ///
    /// # Errors
    /// Fails if the kernel has no BPF, denies the permission, or rejects an indispensable program.
    pub fn attach(clock: i64, watches_settings: bool) -> Result<Self, Refused> {
        let btf = Btf::from_sys_fs().map_err(|error| Refused::NoBtf(error.to_string()))?;
        let mut programs = EbpfLoader::new().btf(Some(&btf)).load(OBJECT).map_err(|error| refused(&error))?;
        let mut missing = Vec::new();
        let mut looks_at_all = false;
        for part in Part::ALL {
            if part == Part::Settings && !watches_settings {
                missing.push((part, "not asked for".to_owned()));
                continue;
            }
            let attached = if part == Part::Settings {
                attach_to_settings(&mut programs, &btf).map(|is_every_call| looks_at_all = is_every_call)
            } else {
                attach(&mut programs, part, &btf)
            };
            match attached {
                Ok(()) => {}
                Err(error) if is_denied(error.as_ref()) && part.is_indispensable() => {
                    return Err(denied(error.as_ref()));
                }
                Err(error) if part.is_indispensable() => {
                    return Err(Refused::Program { part, reason: reason(error.as_ref()) });
                }
                Err(error) => missing.push((part, reason(error.as_ref()))),
            }
        }
        let untold = |error: &(dyn Error + 'static)| Refused::Program { part: Part::Telling, reason: reason(error) };
        let other = |what: &str| Refused::Other(format!("the object has no {what}"));
        let iteration = {
            let Some(Map::SkStorage(accounts)) = programs.map("accounts") else { return Err(other("accounts")) };
            let tell: &Iter =
                programs.program("tell").ok_or_else(|| other("iterator"))?.try_into().map_err(|_| other("iterator"))?;
            let fd = tell.fd().map_err(|error| untold(&error))?;
            Iteration::new(fd.as_fd(), accounts.fd().as_fd()).map_err(|error| untold(&error))?
        };
        let settings = programs.take_map("settings").ok_or_else(|| other("settings"))?;
        let failed = |error: aya::maps::MapError| Refused::Other(error.to_string());
        let mut settings: Array<MapData, u64> = settings.try_into().map_err(failed)?;
        for (setting, wanted) in [(SEES_WRITES, Part::Writes), (SEES_WRITE_ENDS, Part::WriteEnds)] {
            let has = missing.iter().all(|(part, _)| *part != wanted);
            settings.set(setting, u64::from(has), 0).map_err(failed)?;
        }
        let mut ring = |name: &str| -> Result<RingBuf<MapData>, Refused> {
            programs.take_map(name).ok_or_else(|| other(name))?.try_into().map_err(failed)
        };
        let (events, ends, stacks) = (ring("events")?, ring("ends")?, ring("stacks")?);
        let system_calls = if looks_at_all {
            let counts = programs.take_map("system_calls").ok_or_else(|| other("system_calls"))?;
            Some(SystemCalls::new(PerCpuArray::try_from(counts).map_err(failed)?))
        } else {
            None
        };
        Ok(Self {
            programs,
            iteration,
            events,
            ends,
            stacks,
            settings,
            missing,
            system_calls,
            rests_from_settings: false,
            clock,
        })
    }

    /// Parts that this kernel did not accept, and why.
    pub fn missing(&self) -> &[(Part, String)] {
        &self.missing
    }

    /// Whether the kernel accepted `part`.
    pub fn has(&self, part: Part) -> bool {
        self.missing.iter().all(|(missing, _)| *missing != part)
    }

    /// Whether a program runs at every system call of the host to see which buffers applications set. This is
    /// so if the kernel does not allow a hook into the one function.
    pub fn looks_at_system_calls(&self) -> bool {
        self.system_calls.is_some()
    }

    /// Whether watching the buffers that applications set has ended because it would cost too many system
    /// calls. It does not start again, because a process that dropped its capabilities cannot hook into the
    /// kernel again.
    pub fn rests_from_settings(&self) -> bool {
        self.rests_from_settings
    }

    /// Stops watching system calls if there are too many.
    fn spare_system_calls(&mut self) {
        if !self.system_calls.as_mut().is_some_and(SystemCalls::are_too_many) {
            return;
        }
        self.system_calls = None;
        let Some(program) = self.programs.program_mut(program(Part::Settings).0) else { return };
        let Ok(program) = <&mut BtfTracePoint>::try_from(program) else { return };
        // Unloading the program removes its link too.
        if program.unload().is_ok() {
            self.rests_from_settings = true;
            self.missing.push((Part::Settings, "too many system calls".to_owned()));
        }
    }

    /// Reports the connections that had activity since the last call, or that wait for something; with `all`,
    /// every connection that has statistics. Idle ones are omitted.
    ///
    /// # Errors
    /// Fails if the kernel's iterator fails; connections reported before that remain valid.
    pub fn tell(&mut self, all: bool, mut each: impl FnMut(Told)) -> io::Result<()> {
        self.spare_system_calls();
        self.settings.set(TELL_ALL, u64::from(all), 0).map_err(|error| io::Error::other(error.to_string()))?;
        let mut reader = Reader::new(self.clock);
        self.iteration.run(|bytes| reader.read(bytes, &mut each))
    }

    /// Reports the connections that ended since the last call, in order, at most [`Self::ENDS_AT_ONCE`]. The
    /// limit bounds memory if this process was not scheduled for long. Returns whether there may be more.
    pub fn ends(&mut self, mut each: impl FnMut(Told)) -> bool {
        drain(&mut self.ends, Self::ENDS_AT_ONCE, |item| {
            if let Some(Decoded::Ended(told)) = Decoded::from_bytes(item, self.clock) {
                each(*told);
            }
        })
    }

    /// Reports the events since the last call, at most one ring buffer of them, however fast new ones come.
    /// Blocked writers (at most one per second and socket) and set buffers have the user stack of their
    /// thread.
    pub fn events(&mut self, mut each: impl FnMut(KernelEvent, Option<UserStack>)) {
        let mut happened = Vec::new();
        drain(&mut self.events, MOST_AT_ONCE, |item| {
            if let Some(Decoded::Event(event)) = Decoded::from_bytes(item, self.clock) {
                happened.push(event);
            }
        });
        // Each stack was written before its event.
        let mut stacks: HashMap<(Timestamp, u32), UserStack> = HashMap::new();
        drain(&mut self.stacks, MOST_AT_ONCE, |item| {
            if let Some(Decoded::Stack(time, stack)) = Decoded::from_bytes(item, self.clock) {
                stacks.insert((time, stack.pid), stack);
            }
        });
        for event in happened {
            let pid = event.process.as_ref().map_or(0, |process| process.pid);
            let stack = stacks.remove(&(event.time, pid));
            each(event, stack);
        }
    }

    /// Number of events that were lost because the ring buffer was full.
    pub fn lost_events(&self) -> u64 {
        self.settings.get(&LOST_EVENTS, 0).unwrap_or_default()
    }

    /// Number of ended connections that were lost because the ring buffer was full.
    pub fn lost_ends(&self) -> u64 {
        self.settings.get(&LOST_ENDS, 0).unwrap_or_default()
    }
}

impl std::fmt::Debug for Accountant {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Accountant").field("missing", &self.missing).finish_non_exhaustive()
    }
}

/// Reads up to `most` items; returns whether there may be more.
fn drain(ring: &mut RingBuf<MapData>, most: usize, mut each: impl FnMut(&[u8])) -> bool {
    for _ in 0..most {
        let Some(item) = ring.next() else { return false };
        each(&item);
    }
    true
}

fn attach(programs: &mut Ebpf, part: Part, btf: &Btf) -> Result<(), Box<dyn Error>> {
    let (name, hook) = program(part);
    let program = programs.program_mut(name).ok_or("not in the object")?;
    if part == Part::Telling {
        let program: &mut Iter = program.try_into()?;
        return Ok(program.load(hook, btf)?);
    }
    if part == Part::Pruning {
        return attach_to_pruning(programs, btf);
    }
    attach_to_tracepoint(programs, name, hook, btf)
}

fn attach_to_tracepoint(programs: &mut Ebpf, name: &str, hook: &str, btf: &Btf) -> Result<(), Box<dyn Error>> {
    let program: &mut BtfTracePoint = programs.program_mut(name).ok_or("not in the object")?.try_into()?;
    program.load(hook, btf)?;
    program.attach()?;
    Ok(())
}

/// Hooks into the system call itself, or else into every system call; returns whether it is the latter.
fn attach_to_settings(programs: &mut Ebpf, btf: &Btf) -> Result<bool, Box<dyn Error>> {
    if attach_to_setsockopt(programs, btf).is_ok() {
        return Ok(false);
    }
    let (name, hook) = program(Part::Settings);
    attach_to_tracepoint(programs, name, hook, btf)?;
    Ok(true)
}

/// Hooks into the system call itself, which costs other calls nothing. Hardened kernels and sandboxes refuse
/// that.
fn attach_to_setsockopt(programs: &mut Ebpf, btf: &Btf) -> Result<(), Box<dyn Error>> {
    let program: &mut FEntry = programs.program_mut("on_setsockopt").ok_or("not in the object")?.try_into()?;
    program.load("__sys_setsockopt", btf)?;
    program.attach()?;
    Ok(())
}

/// Hooks into both kernel functions or neither: with one of them, partial counts would look complete.
fn attach_to_pruning(programs: &mut Ebpf, btf: &Btf) -> Result<(), Box<dyn Error>> {
    let drops: &mut FExit = programs.program_mut("on_prune").ok_or("not in the object")?.try_into()?;
    drops.load("tcp_prune_ofo_queue", btf)?;
    let collapses: &mut FEntry = programs.program_mut("on_collapse").ok_or("not in the object")?.try_into()?;
    collapses.load("tcp_collapse_one", btf)?;
    let link = collapses.attach()?;
    let drops: &mut FExit = programs.program_mut("on_prune").ok_or("not in the object")?.try_into()?;
    if let Err(error) = drops.attach() {
        let collapses: &mut FEntry = programs.program_mut("on_collapse").ok_or("not in the object")?.try_into()?;
        collapses.detach(link)?;
        return Err(error.into());
    }
    Ok(())
}

/// The kernel's error, wherever the library keeps it.
fn os_error<'a>(error: &'a (dyn Error + 'static)) -> Option<&'a io::Error> {
    let mut error = Some(error);
    while let Some(one) = error {
        if let Some(found) = one.downcast_ref::<io::Error>() {
            return Some(found);
        }
        error = one.source();
    }
    None
}

fn is_denied(error: &(dyn Error + 'static)) -> bool {
    // The verifier returns `EACCES` for a program that it rejects.
    os_error(error).is_some_and(|error| error.raw_os_error() == Some(libc::EPERM))
}

fn denied(error: &(dyn Error + 'static)) -> Refused {
    Refused::NoRight(io::Error::new(io::ErrorKind::PermissionDenied, reason(error)))
}

fn refused(error: &(dyn Error + 'static)) -> Refused {
    if is_denied(error) { denied(error) } else { Refused::Other(reason(error)) }
}

/// The first line of the kernel's error; verifiers write many.
fn reason(error: &(dyn Error + 'static)) -> String {
    let text = os_error(error).map_or_else(|| error.to_string(), ToString::to_string);
    text.lines().next().unwrap_or_default().to_owned()
}
