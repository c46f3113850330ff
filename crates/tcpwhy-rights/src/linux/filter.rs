//! A filter of system calls, written as refusals: of a number, or of a number with certain arguments.

use libc::{
    BPF_ABS, BPF_ALU, BPF_AND, BPF_JEQ, BPF_JGT, BPF_JMP, BPF_JSET, BPF_K, BPF_LD, BPF_RET, BPF_W, c_long, sock_filter,
};

/// A system call that is refused.
#[derive(Clone, Debug)]
pub(super) struct Refusal {
    pub(super) call: c_long,
    pub(super) when: When,
    /// Error that the caller gets.
    pub(super) error: i32,
}

/// The arguments for which a call is refused. They are counted from 0, and compared by their lower 32 bits:
/// the kernel, too, reads a family, a type or flags as `int`.
#[derive(Clone, Debug)]
pub(super) enum When {
    Always,
    /// Refused if the argument, masked by `mask`, is none of `allowed`.
    IsNone {
        argument: u32,
        mask: u32,
        allowed: Vec<u32>,
    },
    /// Refused if the argument is one of these.
    IsOne {
        argument: u32,
        refused: Vec<u32>,
    },
    /// Refused if the argument has one of these bits.
    HasAny {
        argument: u32,
        bits: u32,
    },
    /// Refused if the argument has none of these bits.
    Lacks {
        argument: u32,
        bits: u32,
    },
    /// Refused if the argument is `value`, and argument `other` has one of these bits.
    IsWith {
        argument: u32,
        value: u32,
        other: u32,
        bits: u32,
    },
    /// Refused if any of the argument's 64 bits is set.
    IsGiven {
        argument: u32,
    },
}

impl Refusal {
    /// Always refuses `call`, as if the caller lacked a right.
    pub(super) const fn of(call: c_long) -> Self {
        Self { call, when: When::Always, error: libc::EPERM }
    }

    /// Refuses `call` with such arguments.
    pub(super) const fn if_argument(call: c_long, when: When) -> Self {
        Self { call, when, error: libc::EPERM }
    }

    /// Refuses `call` as if the kernel did not have it: libraries then use an older one.
    pub(super) const fn as_unknown(call: c_long) -> Self {
        Self { call, when: When::Always, error: libc::ENOSYS }
    }
}

/// Offsets in `struct seccomp_data` of the number of the call, the architecture and the arguments, bytes.
const NUMBER_AT: u32 = 0;
const ARCHITECTURE_AT: u32 = 4;
const ARGUMENTS_AT: u32 = 16;
const ARGUMENT: u32 = 8;

/// The program that refuses these calls, and every number above `last_known` as unknown. A call for another
/// architecture than `architecture` ends the process.
pub(super) fn program(architecture: u32, last_known: u32, refusals: &[Refusal]) -> Vec<sock_filter> {
    let mut program = vec![
        load(ARCHITECTURE_AT),
        // Numbers of another architecture (of 32-bit programs on a 64-bit kernel) would mean other calls.
        jump(BPF_JEQ, architecture, 1, 0),
        give(libc::SECCOMP_RET_KILL_PROCESS),
        load(NUMBER_AT),
        // Numbers of x32 are larger too.
        jump(BPF_JGT, last_known, 0, 1),
        give(refused_with(libc::ENOSYS)),
    ];
    for refusal in refusals {
        let mut body = test(&refusal.when);
        let has_loaded = !body.is_empty();
        body.push(give(refused_with(refusal.error)));
        if has_loaded {
            // The next refusal compares the number again.
            body.push(load(NUMBER_AT));
        }
        program.push(jump(BPF_JEQ, refusal.call as u32, 0, body.len() as u8));
        program.extend(body);
    }
    program.push(give(libc::SECCOMP_RET_ALLOW));
    program
}

/// Continues behind its last instruction if the call is refused, else one instruction later.
fn test(when: &When) -> Vec<sock_filter> {
    match when {
        When::Always => Vec::new(),
        When::IsNone { argument, mask, allowed } => {
            let mut test = vec![load(low(*argument)), statement(BPF_ALU | BPF_AND | BPF_K, *mask)];
            let equals = allowed.iter().rev().zip(1_u8..).map(|(value, over)| jump(BPF_JEQ, *value, over, 0));
            test.extend(equals.collect::<Vec<_>>().into_iter().rev());
            test
        }
        When::IsOne { argument, refused } => {
            let mut test = vec![load(low(*argument))];
            let last = refused.len().saturating_sub(1);
            for (n, value) in refused.iter().enumerate() {
                test.push(jump(BPF_JEQ, *value, (last - n) as u8, u8::from(n == last)));
            }
            test
        }
        When::HasAny { argument, bits } => vec![load(low(*argument)), jump(BPF_JSET, *bits, 0, 1)],
        When::Lacks { argument, bits } => vec![load(low(*argument)), jump(BPF_JSET, *bits, 1, 0)],
        When::IsWith { argument, value, other, bits } => {
            vec![load(low(*argument)), jump(BPF_JEQ, *value, 0, 3), load(low(*other)), jump(BPF_JSET, *bits, 0, 1)]
        }
        When::IsGiven { argument } => vec![
            load(low(*argument)),
            jump(BPF_JEQ, 0, 0, 2),
            load(low(*argument) + ARGUMENT / 2),
            jump(BPF_JEQ, 0, 1, 0),
        ],
    }
}

/// Offset of the lower half of an argument: all filtered architectures are little-endian.
const fn low(argument: u32) -> u32 {
    ARGUMENTS_AT + argument * ARGUMENT
}

const fn refused_with(error: i32) -> u32 {
    libc::SECCOMP_RET_ERRNO | error as u32
}

const fn load(at: u32) -> sock_filter {
    statement(BPF_LD | BPF_W | BPF_ABS, at)
}

const fn give(action: u32) -> sock_filter {
    statement(BPF_RET | BPF_K, action)
}

const fn statement(code: u32, k: u32) -> sock_filter {
    sock_filter { code: code as u16, jt: 0, jf: 0, k }
}

/// Skips `jt` instructions if the comparison with `k` is true, else `jf`.
const fn jump(comparison: u32, k: u32, jt: u8, jf: u8) -> sock_filter {
    sock_filter { code: (BPF_JMP | comparison | BPF_K) as u16, jt, jf, k }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: u32 = 0xc000_003e;
    const CALL: c_long = 41;

    /// The kernel's answer: runs the program as `seccomp_run_filters` would (`net/core/filter.c`).
    fn run(program: &[sock_filter], call: u32, arguments: [u64; 6]) -> u32 {
        let mut data = [0_u8; 64];
        data[..4].copy_from_slice(&call.to_le_bytes());
        data[4..8].copy_from_slice(&HERE.to_le_bytes());
        for (bytes, argument) in data[16..].chunks_mut(8).zip(arguments) {
            bytes.copy_from_slice(&argument.to_le_bytes());
        }
        let (mut at, mut value) = (0, 0_u32);
        loop {
            let one = program[at];
            at += 1;
            let is_class = |class| u32::from(one.code) & 0x07 == class;
            if is_class(BPF_RET) {
                return one.k;
            } else if is_class(BPF_LD) {
                let from = one.k as usize;
                value = u32::from_le_bytes(data[from..from + 4].try_into().unwrap());
            } else if is_class(BPF_ALU) {
                value &= one.k;
            } else {
                let holds = match u32::from(one.code) & 0xf0 {
                    BPF_JEQ => value == one.k,
                    BPF_JGT => value > one.k,
                    BPF_JSET => value & one.k != 0,
                    other => panic!("{other:#x}"),
                };
                at += usize::from(if holds { one.jt } else { one.jf });
            }
        }
    }

    /// Whether `when` refuses the call with 7 as its first argument and `second`. Asserts that later refusals
    /// still apply.
    fn is_refused(when: When, second: u64) -> bool {
        let refusals = [Refusal::if_argument(CALL, when), Refusal::of(CALL + 1), Refusal::as_unknown(CALL + 2)];
        let program = program(HERE, 400, &refusals);
        assert_eq!(run(&program, 42, [0; 6]), libc::SECCOMP_RET_ERRNO | libc::EPERM as u32);
        assert_eq!(run(&program, 43, [0; 6]), libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32);
        assert_eq!(run(&program, 401, [0; 6]), libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32);
        assert_eq!(run(&program, 40, [0; 6]), libc::SECCOMP_RET_ALLOW);
        match run(&program, CALL as u32, [7, second, 0, 0, 0, 0]) {
            libc::SECCOMP_RET_ALLOW => false,
            answer => {
                assert_eq!(answer, libc::SECCOMP_RET_ERRNO | libc::EPERM as u32);
                true
            }
        }
    }

    #[test]
    fn arguments_decide() {
        let with = |value| When::IsWith { argument: 0, value, other: 1, bits: 0x30 };
        let cases: [(When, &[u64], &[u64]); 8] = [
            (with(7), &[0x10, 0x31], &[0, 0xf]),
            (with(8), &[], &[0x10, 0x31, 0]),
            (When::Always, &[0, 1], &[]),
            (When::IsNone { argument: 1, mask: 0xf, allowed: vec![1, 2] }, &[0, 3, 0x10], &[1, 2, 0x801, 1 << 32 | 1]),
            (When::IsOne { argument: 1, refused: vec![5, 6, 7] }, &[5, 6, 7, 1 << 32 | 6], &[0, 4, 8]),
            (When::HasAny { argument: 1, bits: 0x30 }, &[0x10, 0x20, 0x31], &[0, 0xf]),
            (When::Lacks { argument: 1, bits: 0x30 }, &[0, 0xf], &[0x10, 0x20, 0x31]),
            (When::IsGiven { argument: 1 }, &[1, 1 << 32, 1 << 63], &[0]),
        ];
        for (when, refused, allowed) in cases {
            for &argument in refused {
                assert!(is_refused(when.clone(), argument), "{when:?} {argument:#x}");
            }
            for &argument in allowed {
                assert!(!is_refused(when.clone(), argument), "{when:?} {argument:#x}");
            }
        }
    }
}
