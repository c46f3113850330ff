//! Which setting to change, and to what, so that a path is filled.

use tcpwhy_model::ByteCount;

use crate::request::{BufferKind, BufferRequest, When};
use crate::{KernelVersion, ReceiveQuestion, SendQuestion, Sysctl, SysctlValue, Sysctls, receive_limits, send_limits};

/// Largest request tried.
const MAX_REQUEST: ByteCount = 1 << 30;

/// A change of one setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Change {
    /// Do not set the option: autotuning does it.
    Unset(BufferKind),
    /// Ask for so much.
    Ask(BufferKind, ByteCount),
    /// Ask before the connection is made, not afterwards.
    AskEarly(BufferKind),
    /// Set a sysctl to so much; of `tcp_rmem` and `tcp_wmem` the third value.
    Raise(Sysctl, ByteCount),
    /// Set a sysctl to 1.
    Enable(Sysctl),
    /// Do not set `TCP_WINDOW_CLAMP`: the window scale that it chose stays for good.
    Unclamp,
}

/// Changes that belong together.
pub type Remedy = Vec<Change>;

/// What fills `wanted` bytes of a path from the sender's side without doubt; best first, empty when it is filled already.
pub fn send_remedies(question: &SendQuestion<'_>, wanted: ByteCount) -> Vec<Remedy> {
    let reach = |question: &SendQuestion<'_>| send_limits(question).largest_flight.low;
    if reach(question) >= wanted {
        return Vec::new();
    }
    let autotuned = SendQuestion { request: None, ..*question };
    let mut remedies = Vec::new();
    let is_set = question.request.is_some();
    let unset = if is_set { vec![Change::Unset(BufferKind::Send)] } else { Vec::new() };
    if reach(&autotuned) >= wanted {
        remedies.push(unset);
    } else {
        let enough = smallest(MAX_REQUEST, |bytes| {
            let sysctls = with_third(question.sysctls, Sysctl::TcpWmem, question.version, bytes);
            reach(&SendQuestion { sysctls: &sysctls, ..autotuned }) >= wanted
        });
        remedies.extend(enough.map(|bytes| [unset, vec![Change::Raise(Sysctl::TcpWmem, rounded(bytes))]].concat()));
    }
    if let Some(request) = question.request {
        let enough = smallest(MAX_REQUEST, |bytes| {
            let request = BufferRequest { bytes: to_int(bytes), ..request }.forced();
            reach(&SendQuestion { request: Some(request), ..*question }) >= wanted
        });
        remedies.extend(
            enough.map(|bytes| ask(BufferKind::Send, request, rounded(bytes), question.sysctls, question.version)),
        );
    }
    remedies
}

/// What probably fills `wanted` bytes of a path from the receiver's side; best first, empty when it probably is already. Without
/// doubt would mean two and a half times the buffer, for the sake of rare drivers.
pub fn receive_remedies(question: &ReceiveQuestion<'_>, wanted: ByteCount) -> Vec<Remedy> {
    let reach = |question: &ReceiveQuestion<'_>| receive_limits(question).largest_flight.value;
    if reach(question) >= wanted {
        return Vec::new();
    }
    let unclamped = ReceiveQuestion { window_clamp: None, ..*question };
    let without_clamp = || {
        let further = receive_remedies(&unclamped, wanted);
        let further = if reach(&unclamped) >= wanted { vec![Vec::new()] } else { further };
        further.into_iter().map(|rest| [vec![Change::Unclamp], rest].concat()).collect()
    };
    if question.window_clamp.is_some() && reach(&unclamped) > reach(question) {
        return without_clamp();
    }
    let is_off =
        |sysctl| question.sysctls.number_or_default(sysctl, question.version).is_some_and(|setting| setting.value == 0);
    let mut first = Vec::new();
    let mut sysctls = question.sysctls.clone();
    for (sysctl, is_wanted) in [(Sysctl::TcpWindowScaling, wanted > 65_535), (Sysctl::TcpModerateRcvbuf, true)] {
        if is_wanted && is_off(sysctl) {
            sysctls.set(sysctl, SysctlValue::Number(1));
            first.push(Change::Enable(sysctl));
        }
    }
    if question.request.is_some() {
        first.insert(0, Change::Unset(BufferKind::Receive));
    }
    let autotuned = ReceiveQuestion { request: None, sysctls: &sysctls, ..*question };
    let mut remedies = Vec::new();
    if reach(&autotuned) >= wanted {
        remedies.push(first);
    } else {
        let enough = smallest(MAX_REQUEST, |bytes| {
            let sysctls = with_third(&sysctls, Sysctl::TcpRmem, question.version, bytes);
            reach(&ReceiveQuestion { sysctls: &sysctls, ..autotuned }) >= wanted
        });
        remedies.extend(enough.map(|bytes| [first, vec![Change::Raise(Sysctl::TcpRmem, rounded(bytes))]].concat()));
    }
    if let Some(request) = question.request {
        let early = if request.when.is_before_syn() { request } else { request.set(When::BeforeConnect) };
        let enough = smallest(MAX_REQUEST, |bytes| {
            let request = BufferRequest { bytes: to_int(bytes), ..early }.forced();
            reach(&ReceiveQuestion { request: Some(request), ..*question }) >= wanted
        });
        remedies.extend(enough.map(|bytes| {
            // A power of two loses nothing to the window scale.
            let mut remedy =
                ask(BufferKind::Receive, request, bytes.next_power_of_two(), question.sysctls, question.version);
            if early != request {
                remedy.insert(0, Change::AskEarly(BufferKind::Receive));
            }
            remedy
        }));
    }
    // A small buffer hides the clamp: it is in the way of a larger one.
    if remedies.is_empty() && question.window_clamp.is_some() {
        return without_clamp();
    }
    remedies
}

/// Ask for `bytes`, and raise the cap if it is lower.
fn ask(
    kind: BufferKind,
    request: BufferRequest,
    bytes: ByteCount,
    sysctls: &Sysctls,
    version: KernelVersion,
) -> Remedy {
    let cap = sysctls.number_or_default(kind.cap(), version).map_or(0, |setting| setting.value.max(0) as u64);
    let mut remedy = Vec::new();
    if ByteCount::from(request.bytes as u32) < bytes {
        remedy.push(Change::Ask(kind, bytes));
    }
    if !request.is_forced && cap < bytes {
        remedy.push(Change::Raise(kind.cap(), bytes));
    }
    remedy
}

fn with_third(sysctls: &Sysctls, sysctl: Sysctl, version: KernelVersion, bytes: ByteCount) -> Sysctls {
    let mut sysctls = sysctls.clone();
    let now = sysctls.triple_or_default(sysctl, version).map_or([4096, 16_384, 0], |setting| setting.value);
    sysctls.set(sysctl, SysctlValue::Triple([now[0], now[1], bytes]));
    sysctls
}

fn to_int(bytes: ByteCount) -> i32 {
    i32::try_from(bytes).unwrap_or(i32::MAX)
}

/// The smallest number of bytes that is enough, if any is up to `most`; `is_enough` must be monotone.
pub fn smallest(most: ByteCount, is_enough: impl Fn(ByteCount) -> bool) -> Option<ByteCount> {
    if !is_enough(most) {
        return None;
    }
    let (mut too_small, mut enough) = (0, most);
    while enough - too_small > 1 {
        let middle = too_small.midpoint(enough);
        if is_enough(middle) {
            enough = middle;
        } else {
            too_small = middle;
        }
    }
    Some(enough)
}

/// Up to three leading bits, so that a value can be remembered and holds a little more than it must.
fn rounded(bytes: ByteCount) -> ByteCount {
    let step = (bytes.next_power_of_two() / 8).max(4096);
    bytes.next_multiple_of(step)
}
