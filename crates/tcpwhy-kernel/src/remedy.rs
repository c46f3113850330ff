//! Settings to change so that a path is filled, with their new values.

use tcpwhy_model::ByteCount;

use crate::request::{BufferKind, BufferRequest, When};
use crate::{
    KernelVersion, ReceiveQuestion, SendQuestion, Sysctl, SysctlShape, SysctlValue, Sysctls, receive_limits,
    send_limits,
};

/// Largest request to try, bytes.
pub(crate) const MAX_REQUEST: ByteCount = 1 << 30;

/// A change of one setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Change {
    /// Remove the option, so that autotuning is active.
    Unset(BufferKind),
    /// Request this number of bytes.
    Ask(BufferKind, ByteCount),
    /// Set the option before the connection is opened.
    AskEarly(BufferKind),
    /// Set a sysctl to this number of bytes; for `tcp_rmem` and `tcp_wmem` the third value. It is never below
    /// any kernel's default.
    Raise(Sysctl, ByteCount),
    /// Set a sysctl to 1.
    Enable(Sysctl),
    /// Remove `TCP_WINDOW_CLAMP`, because the window scale that it causes is permanent.
    Unclamp,
}

impl Change {
    /// Raises `sysctl` to `needed`, and at least to the largest default of any kernel ([`Sysctl::advised`]).
    fn raise(sysctl: Sysctl, needed: ByteCount) -> Self {
        let value = match sysctl.shape() {
            SysctlShape::Triple => SysctlValue::Triple([0, 0, needed]),
            SysctlShape::Number | SysctlShape::Words => SysctlValue::Number(i64::try_from(needed).unwrap_or(i64::MAX)),
        };
        let bytes = match sysctl.advised(value) {
            SysctlValue::Triple([_, _, bytes]) => bytes,
            SysctlValue::Number(bytes) => bytes as u64,
            SysctlValue::Words(_) => needed,
        };
        Self::Raise(sysctl, bytes)
    }
}

/// Changes to make together.
pub type Remedy = Vec<Change>;

/// Changes on the sender's side that surely allow `wanted` bytes in flight, best first. Empty if the present
/// settings already do.
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
        remedies.extend(enough.map(|bytes| [unset, vec![Change::raise(Sysctl::TcpWmem, rounded(bytes))]].concat()));
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

/// Changes on the receiver's side that probably allow `wanted` bytes in flight, best first. Empty if the
/// present settings probably do. Certainty would need two and a half times the buffer because of rare
/// drivers.
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
        remedies.extend(enough.map(|bytes| [first, vec![Change::raise(Sysctl::TcpRmem, rounded(bytes))]].concat()));
    }
    if let Some(request) = question.request {
        let early = if request.when.is_before_syn() { request } else { request.set(When::BeforeConnect) };
        let enough = smallest(MAX_REQUEST, |bytes| {
            let request = BufferRequest { bytes: to_int(bytes), ..early }.forced();
            reach(&ReceiveQuestion { request: Some(request), ..*question }) >= wanted
        });
        remedies.extend(enough.map(|bytes| {
            // With a power of two, the window scale wastes nothing.
            let mut remedy =
                ask(BufferKind::Receive, request, bytes.next_power_of_two(), question.sysctls, question.version);
            if early != request {
                remedy.insert(0, Change::AskEarly(BufferKind::Receive));
            }
            remedy
        }));
    }
    // The effect of the clamp is hidden by a small buffer, but it would limit a larger one.
    if remedies.is_empty() && question.window_clamp.is_some() {
        return without_clamp();
    }
    remedies
}

/// Requests `bytes`, and raises the cap if it is lower.
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
        remedy.push(Change::raise(kind.cap(), bytes));
    }
    remedy
}

pub(crate) fn with_third(sysctls: &Sysctls, sysctl: Sysctl, version: KernelVersion, bytes: ByteCount) -> Sysctls {
    let mut sysctls = sysctls.clone();
    let now = sysctls.triple_or_default(sysctl, version).map_or([4096, 16_384, 0], |setting| setting.value);
    sysctls.set(sysctl, SysctlValue::Triple([now[0], now[1], bytes]));
    sysctls
}

pub(crate) fn to_int(bytes: ByteCount) -> i32 {
    i32::try_from(bytes).unwrap_or(i32::MAX)
}

/// The smallest sufficient number of bytes up to `most`; `None` if `most` is not enough. `is_enough` must be
/// monotone.
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

/// Rounds up to three leading bits, so that the value is easy to remember and has a small reserve.
fn rounded(bytes: ByteCount) -> ByteCount {
    let step = (bytes.next_power_of_two() / 8).max(4096);
    bytes.next_multiple_of(step)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Link, Writing};

    const V6_18: KernelVersion = KernelVersion::series(6, 18);
    /// Default of `wmem_max` and `rmem_max` in new kernels, the minimum of all advice.
    const CAP: ByteCount = 4 << 20;

    fn sysctls(assignments: &[&str]) -> Sysctls {
        let mut sysctls = Sysctls::defaults(V6_18);
        for assignment in assignments {
            sysctls.assign(assignment).unwrap();
        }
        sysctls
    }

    fn remedies_of_sender(assignments: &[&str], request: Option<i32>, wanted: ByteCount) -> Vec<Remedy> {
        let question = SendQuestion {
            version: V6_18,
            sysctls: &sysctls(assignments),
            request: request.map(BufferRequest::new),
            link: Link::ETHERNET,
            writing: Writing::BULK,
            is_bbr: false,
            peer_window: None,
            notsent_lowat: None,
        };
        send_remedies(&question, wanted)
    }

    fn remedies_of_receiver(
        assignments: &[&str],
        request: Option<BufferRequest>,
        window_clamp: Option<ByteCount>,
        wanted: ByteCount,
    ) -> Vec<Remedy> {
        let sysctls = sysctls(assignments);
        let link = Link::ETHERNET;
        receive_remedies(&ReceiveQuestion { version: V6_18, sysctls: &sysctls, request, window_clamp, link }, wanted)
    }

    /// Three leading bits, and at least 4,096 bytes.
    #[test]
    fn numbers_are_rounded_up_to_three_bits() {
        for (bytes, expected) in [
            (1, 4096),
            (4096, 4096),
            (4097, 8192),
            (32_769, 40_960),
            (65_536, 65_536),
            (65_537, 81_920),
            (100_000, 114_688),
        ] {
            assert_eq!(rounded(bytes), expected, "{bytes}");
        }
    }

    #[test]
    fn the_smallest_number_that_is_enough() {
        for (least, expected) in [(1, Some(1)), (2, Some(2)), (77, Some(77)), (100, Some(100)), (101, None)] {
            assert_eq!(smallest(100, |bytes| bytes >= least), expected, "{least}");
        }
    }

    /// The request is raised, and the cap too if it would limit the request.
    #[test]
    fn a_request_is_raised_with_its_cap() {
        use BufferKind::{Receive, Send};
        use Change::{Ask, Raise};
        let request = BufferRequest::new(1000);
        for (what, kind, cap, request, bytes, expected) in [
            ("both", Send, "net.core.wmem_max=4999", request, 5000, vec![Ask(Send, 5000), Raise(Sysctl::WmemMax, CAP)]),
            ("a cap of as much", Send, "net.core.wmem_max=5000", request, 5000, vec![Ask(Send, 5000)]),
            (
                "asked for enough",
                Send,
                "net.core.wmem_max=4999",
                BufferRequest::new(5000),
                5000,
                vec![Raise(Sysctl::WmemMax, CAP)],
            ),
            ("no cap counts", Send, "net.core.wmem_max=4999", request.forced(), 5000, vec![Ask(Send, 5000)]),
            (
                "a receiver",
                Receive,
                "net.core.rmem_max=4999",
                request,
                5000,
                vec![Ask(Receive, 5000), Raise(Sysctl::RmemMax, CAP)],
            ),
            (
                "more than any default",
                Send,
                "net.core.wmem_max=4999",
                request,
                5_000_000,
                vec![Ask(Send, 5_000_000), Raise(Sysctl::WmemMax, 5_000_000)],
            ),
            (
                "as large as it gets",
                Send,
                "net.core.wmem_max=4999",
                BufferRequest::new(-1),
                5000,
                vec![Raise(Sysctl::WmemMax, CAP)],
            ),
        ] {
            assert_eq!(ask(kind, request, bytes, &sysctls(&[cap]), V6_18), expected, "{what}");
        }
    }

    /// Only the third value is raised.
    #[test]
    fn the_third_value_is_raised() {
        let raised = with_third(&sysctls(&["net.ipv4.tcp_wmem=1 2 3"]), Sysctl::TcpWmem, V6_18, 9);
        assert_eq!(raised.triple_or_default(Sysctl::TcpWmem, V6_18).unwrap().value, [1, 2, 9]);
        assert_eq!([7, i32::MAX as u64, 1 << 40].map(to_int), [7, i32::MAX, i32::MAX]);
    }

    /// A copied line may reach a host with larger limits, so none of its numbers is below the default of any
    /// kernel.
    #[test]
    fn nothing_is_raised_to_less_than_a_default() {
        for shift in 0..=30 {
            for sysctl in [Sysctl::TcpWmem, Sysctl::TcpRmem, Sysctl::WmemMax, Sysctl::RmemMax] {
                let Change::Raise(_, bytes) = Change::raise(sysctl, 1 << shift) else { panic!("{sysctl:?}") };
                let default = match sysctl.largest_default().unwrap() {
                    SysctlValue::Triple([_, _, bytes]) => bytes,
                    SysctlValue::Number(bytes) => bytes as u64,
                    SysctlValue::Words(words) => panic!("{words}"),
                };
                assert_eq!(bytes, default.max(1 << shift), "{sysctl:?}");
            }
        }
    }

    /// Best first: no change, autotuning, a larger `tcp_wmem`, a larger request.
    #[test]
    fn a_sender_is_left_to_autotuning_first() {
        use Change::{Ask, Raise, Unset};
        let send = BufferKind::Send;
        for (what, assignments, request, wanted, expected) in [
            ("filled", &[][..], None, 1000, vec![]),
            ("filled by its request", &[], Some(1 << 20), 100_000, vec![]),
            (
                "autotuning fills it",
                &["net.core.wmem_max=8388608"],
                Some(65_536),
                1_000_000,
                vec![vec![Unset(send)], vec![Ask(send, 917_504)]],
            ),
            (
                "autotuning is too small",
                &["net.ipv4.tcp_wmem=4096 16384 65536"],
                None,
                1_000_000,
                vec![vec![Raise(Sysctl::TcpWmem, 4_194_304)]],
            ),
            (
                "both",
                &["net.ipv4.tcp_wmem=4096 16384 65536", "net.core.wmem_max=100000"],
                Some(65_536),
                1_000_000,
                vec![
                    vec![Unset(send), Raise(Sysctl::TcpWmem, 4_194_304)],
                    vec![Ask(send, 917_504), Raise(Sysctl::WmemMax, CAP)],
                ],
            ),
        ] {
            assert_eq!(remedies_of_sender(assignments, request, wanted), expected, "{what}");
        }
    }

    /// Requests of a receiver are a power of two, and set before the connection is opened.
    #[test]
    fn a_receiver_asks_for_a_power_of_two_and_early() {
        use Change::{Ask, AskEarly, Enable, Raise, Unclamp, Unset};
        let receive = BufferKind::Receive;
        let small = BufferRequest::new(65_536);
        let (wide, none) = (&["net.core.rmem_max=67108864"][..], None);
        for (what, assignments, request, clamp, wanted, expected) in [
            ("filled", &[][..], none, None, 100_000, vec![]),
            (
                "a small request",
                wide,
                Some(small),
                None,
                1_000_000,
                vec![vec![Unset(receive)], vec![Ask(receive, 1 << 20)]],
            ),
            (
                "a request of a connection",
                wide,
                Some(small.set(When::AfterConnect)),
                None,
                1_000_000,
                vec![vec![Unset(receive)], vec![AskEarly(receive), Ask(receive, 1 << 20)]],
            ),
            (
                "a cap",
                &["net.core.rmem_max=65536"],
                Some(small),
                None,
                1_000_000,
                vec![vec![Unset(receive)], vec![Ask(receive, 1 << 20), Raise(Sysctl::RmemMax, CAP)]],
            ),
            (
                "no scaling",
                &["net.ipv4.tcp_window_scaling=0"],
                none,
                None,
                1_000_000,
                vec![vec![Enable(Sysctl::TcpWindowScaling)]],
            ),
            ("no scaling, and none needed", &["net.ipv4.tcp_window_scaling=0"], none, None, 60_000, vec![]),
            (
                "no autotuning",
                &["net.ipv4.tcp_moderate_rcvbuf=0"],
                none,
                None,
                1_000_000,
                vec![vec![Enable(Sysctl::TcpModerateRcvbuf)]],
            ),
            ("a clamp", &[], none, Some(5000), 1_000_000, vec![vec![Unclamp]]),
        ] {
            assert_eq!(remedies_of_receiver(assignments, request, clamp, wanted), expected, "{what}");
        }
    }
}
