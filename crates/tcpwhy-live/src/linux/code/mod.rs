//! The call stack of a thread: the stack bytes from the kernel become calls, named from the symbols of the
//! program's files. Any user can choose all of this data, so every length has a limit, and missing data is
//! left out.

mod maps;
mod module;
mod name;
mod perf_map;
mod unwind;

use std::collections::HashMap;
use std::sync::Arc;

use tcpwhy_model::foreign::decode;
use tcpwhy_model::live::{CodePlace, UserStack};

use maps::{FileId, Maps};
use module::Module;
use perf_map::PerfMaps;

/// Limit for the calls reported per stack.
const MOST_CALLS: usize = 32;
/// Limit for the tables in memory, bytes. Beyond it they are dropped and read again.
const MOST_KEPT: usize = 24 << 20;
/// Limit for the files read per stack. Calls in further files are reported without names.
const MOST_FILES: usize = 16;

/// Finder of the calls in stacks. It keeps what it read of files, up to a limit.
#[derive(Debug, Default)]
pub struct CodeFinder {
    modules: HashMap<FileId, Option<Arc<Module>>>,
    kept: usize,
    perf_maps: PerfMaps,
}

impl CodeFinder {
    /// The calls of `stack`, the innermost first. The list is empty if the process has ended or is
    /// unreadable.
    pub fn calls(&mut self, stack: &UserStack) -> Vec<CodePlace> {
        let Some(maps) = Maps::of(stack.pid) else { return Vec::new() };
        let mut left = MOST_FILES;
        let mut module = |address: u64| {
            let mapping = maps.at(address)?;
            let known = mapping.file.is_none_or(|id| self.modules.contains_key(&id));
            if !known {
                left = left.checked_sub(1)?;
            }
            Some((mapping, self.module(stack.pid, mapping)?))
        };
        let mut addresses = Vec::new();
        unwind::each_call(
            stack,
            |address| module(address).map(|(mapping, module)| (module, mapping.start, mapping.offset)),
            |address| {
                // An address outside of code cannot be a call.
                let is_code = maps.at(address).is_some();
                if is_code {
                    addresses.push(address);
                }
                is_code && addresses.len() < MOST_CALLS
            },
        );
        let place = |address: u64| {
            let mapping = maps.at(address);
            let name = mapping.map(|mapping| decode(&mapping.path).into_owned()).unwrap_or_default();
            let found = module(address).and_then(|(mapping, module)| {
                let address = module.address(mapping.start, mapping.offset, address)?;
                Some((address, module.function(address)))
            });
            match found {
                Some((address, function)) => CodePlace { module: name, address, function },
                None => CodePlace { module: name, address, function: None },
            }
        };
        let mut places: Vec<CodePlace> = addresses.into_iter().map(place).collect();
        self.name_compiled(stack.pid, &mut places);
        places
    }

    /// Names code that a program compiled while it ran, which is in no file.
    fn name_compiled(&mut self, pid: u32, places: &mut [CodePlace]) {
        let is_compiled = |place: &&mut CodePlace| place.function.is_none() && !place.module.starts_with('/');
        let mut compiled: Vec<&mut CodePlace> = places.iter_mut().filter(is_compiled).collect();
        let addresses: Vec<u64> = compiled.iter().map(|place| place.address).collect();
        if addresses.is_empty() {
            return;
        }
        for (place, function) in compiled.iter_mut().zip(self.perf_maps.functions(pid, &addresses)) {
            place.function = function;
        }
    }

    fn module(&mut self, pid: u32, mapping: &maps::Mapping) -> Option<Arc<Module>> {
        let id = mapping.file?;
        if let Some(known) = self.modules.get(&id) {
            return known.clone();
        }
        let module = Module::open(pid, mapping).map(Arc::new);
        let size = module.as_ref().map_or(0, |module| module.size());
        if self.kept + size > MOST_KEPT {
            self.modules.clear();
            self.kept = 0;
        }
        self.kept += size;
        self.modules.insert(id, module.clone());
        module
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A stack of this thread within `function`, as the kernel would report it, including the bytes between
    /// its frames.
    #[cfg(target_arch = "x86_64")]
    #[inline(never)]
    #[allow(unsafe_code, reason = "registers, and the stack as bytes")]
    fn capture() -> UserStack {
        let (ip, sp, bp): (u64, u64, u64);
        // SAFETY: reads three registers.
        unsafe {
            std::arch::asm!("lea {ip}, [rip]", "mov {sp}, rsp", "mov {bp}, rbp",
                ip = out(reg) ip, sp = out(reg) sp, bp = out(reg) bp, options(nostack, nomem));
        }
        // SAFETY: a thread of a test has more than 4 KiB of stack, of which this is the newest part.
        let bytes = unsafe { std::slice::from_raw_parts(sp as *const u8, 4096) }.to_vec();
        UserStack { pid: std::process::id(), thread: 0, ip, sp, bp, lr: 0, bytes }
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(never)]
    fn calls_it() -> UserStack {
        std::hint::black_box(capture())
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn calls_have_their_names() {
        let stack = std::thread::Builder::new().spawn(|| std::hint::black_box(calls_it())).unwrap().join().unwrap();
        let mut finder = CodeFinder::default();
        let calls = finder.calls(&stack);
        let names: Vec<&str> = calls.iter().filter_map(|call| Some(call.function.as_ref()?.0.as_str())).collect();
        let at = |part: &str| names.iter().position(|name| name.contains(part)).unwrap_or_else(|| panic!("{calls:#?}"));
        assert!(at("capture") < at("calls_it"), "{names:?}");
        assert_eq!(finder.calls(&stack), calls, "what was kept says the same");
        let program = std::env::current_exe().unwrap();
        assert_eq!(calls[0].module, program.to_str().unwrap());
    }

    #[test]
    fn nonsense_ends() {
        let mut finder = CodeFinder::default();
        for (ip, sp, length) in [(0, 0, 0), (u64::MAX, u64::MAX, 64), (u64::MAX - 8, 8, 4096), (1 << 63, 1 << 63, 7)] {
            let bytes = (0..length).map(|byte| byte as u8).collect();
            let stack = UserStack { pid: std::process::id(), thread: 0, ip, sp, bp: sp, lr: ip, bytes };
            assert!(finder.calls(&stack).len() <= MOST_CALLS);
        }
        let nobody = UserStack { pid: u32::MAX, thread: 0, ip: 1, sp: 1, bp: 1, lr: 1, bytes: vec![1; 64] };
        assert_eq!(finder.calls(&nobody), []);
    }

    /// Any stack bytes and registers, to test that the limits hold.
    #[test]
    fn any_stack_is_read() {
        let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
        let code: Vec<u64> = maps
            .lines()
            .filter(|line| line.split(' ').nth(1).is_some_and(|rights| rights.contains('x')))
            .filter_map(|line| u64::from_str_radix(line.split('-').next()?, 16).ok())
            .collect();
        let mut finder = CodeFinder::default();
        let mut number = 7_u64;
        let mut random = || {
            number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            number >> 16
        };
        for _ in 0..2000 {
            let sp = 0x7fff_0000_0000 + (random() % 4096) * 8;
            let words = (0..random() % 512).flat_map(|_| {
                let word = match random() % 3 {
                    0 => code[random() as usize % code.len()] + random() % 0x2_0000,
                    1 => sp + random() % 8192,
                    _ => random(),
                };
                word.to_ne_bytes()
            });
            let bytes = words.collect();
            let ip = code[random() as usize % code.len()] + random() % 0x2_0000;
            let stack =
                UserStack { pid: std::process::id(), thread: 0, ip, sp, bp: sp + random() % 4096, lr: ip, bytes };
            assert!(finder.calls(&stack).len() <= MOST_CALLS);
        }
    }
}
