//! Builds one of the worlds that the packets allow.

use tcpwhy_kernel::KernelVersion;
use tcpwhy_model::{Detail, Limit};
use tcpwhy_scenario::{
    BitRate, Bytes, CaptureSpec, EndSpec, Expectation, LinkSpec, Nanos, Policer, Scenario, Share, Story, Stream, Work,
};

use crate::buffers::{Host, Setting};
use crate::draw::{Draw, Drawn};
use crate::programs::LEAST_SHARE;
use crate::shown::Shown;

/// The kernel version if none is known.
pub(crate) const KERNEL: KernelVersion = KernelVersion::series(6, 18);
/// A host whose limits allow any realistic buffer request.
const HOST: Host = Host { version: KERNEL, wmem_max: 64 << 20, rmem_max: 64 << 20 };
const RMEM: &str = "net.ipv4.tcp_rmem";
/// Number of portions in flight if each takes longer than a pause.
const PORTIONS: f64 = 2.2;
/// Smallest share of the time for a send buffer that limits; less may have another reason.
const BINDING_SHARE: f64 = 0.12;
/// Share of the time with paced segments above which the sender uses BBR.
const PACED_SHARE: f64 = 0.2;
/// Large enough for all ACKs of any transfer.
const ACK_QUEUE: Bytes = Bytes(1 << 24);
/// Smallest queue of a bottleneck, in frames.
const SMALLEST_QUEUE: f64 = 20.0;
/// Largest queue of a bottleneck, in bandwidth-delay products.
const LARGEST_QUEUE: f64 = 3.0;
/// Size of queues on paths with a small bandwidth-delay product, bytes.
const USUAL_QUEUE: f64 = 250_000.0;
/// Half-width of a uniform distribution in standard deviations (√3), for the number of losses.
const POISSON: f64 = 1.7;
/// Linux's default window before autotuning grows it (half of `tcp_rmem[1]`), bytes.
const DEFAULT_WINDOW: u64 = 65_535;

impl Shown<'_> {
    /// Possible congestion controls of the sender, with their probabilities.
    pub(crate) fn algorithms(&self) -> &'static [(&'static str, f64)] {
        if self.facts.is_pacing || self.under_detail(Detail::Paced) > PACED_SHARE * self.seconds() {
            &[("bbr", 1.0)]
        } else {
            &[("cubic", 0.7), ("reno", 0.15), ("bbr", 0.15)]
        }
    }

    /// Sizes of writes to distinguish: small writes fill a buffer with less payload than large ones.
    pub(crate) fn writes(&self) -> Vec<Option<u64>> {
        let may_be_small = self.has_full_send_buffer() && self.facts.largest_packet <= 4 * self.mss;
        if may_be_small { vec![None, Some(self.mss)] } else { vec![None] }
    }

    /// Whether the send buffer was a limit.
    pub(crate) fn has_full_send_buffer(&self) -> bool {
        let Some(plateau) = self.facts.plateau else { return false };
        let least = if self.is_send_buffer_named() { LEAST_SHARE } else { BINDING_SHARE };
        // A program that pauses after each write has at most one write in flight.
        let written = self.facts.written;
        let portion = written.bytes / written.bursts.max(f64::from(self.facts.pauses)).max(1.0);
        let is_written = self.has_rests() && plateau as f64 <= PORTIONS * portion;
        self.share(Limit::SendBuffer) >= least && (self.is_send_buffer_named() || !is_written)
    }

    /// Whether the verdict names the send buffer.
    fn is_send_buffer_named(&self) -> bool {
        self.half.verdict.cause.is_some_and(|cause| cause.limit == Limit::SendBuffer)
    }

    /// Whether the world of `draw` has a small send buffer. If the verdict names another limit, half of the
    /// worlds have none.
    fn has_small_send_buffer(&self, draw: &Draw) -> bool {
        self.has_full_send_buffer() && (self.is_send_buffer_named() || draw.number.is_multiple_of(2))
    }

    /// Whether the receiver's window was a limit.
    pub(crate) fn has_full_window(&self) -> bool {
        self.share(Limit::ReceiveWindow) >= LEAST_SHARE
    }

    /// The scenario of `draw`.
    pub(crate) fn scenario(&self, draw: &Draw) -> Scenario {
        let seen = if draw.algorithm == "bbr" { self.rate.behind_pacing(&self.facts.path) } else { self.rate };
        let payload = if draw.number == 0 {
            seen.likely
        } else {
            let (low, high) = (seen.low.ln(), seen.high.ln());
            (low + (high - low) * draw.unit(Drawn::PathRate)).exp()
        };
        let rate = payload * 8.0 * self.on_wire();
        let mut link = LinkSpec {
            rtt: Nanos((self.rtt * 1e9) as u64),
            rate: Some(BitRate(rate as u64)),
            queue: Some(Bytes(self.queue(payload, draw))),
            ..LinkSpec::default()
        };
        // On most paths, ACKs are not queued.
        link.back.queue = Some(ACK_QUEUE);
        if let Some(policed) = self.facts.losses.policed {
            link.forward.policer = Some(Policer {
                rate: BitRate((policed * 8.0 * self.on_wire()) as u64),
                burst: Bytes((payload * self.rtt).max(2.0 * f64::from(self.mtu)) as u64),
            });
        } else {
            link.forward.loss = self.random_loss(draw).map(Share);
        }
        let mut sender = EndSpec { congestion_control: draw.algorithm.to_owned(), ..EndSpec::default() };
        let mut receiver = EndSpec::default();
        // Hosts are faster than the path.
        let nic = (rate * 2.0).clamp(2.5e9, 1e11) as u64;
        (sender.nic, receiver.nic) = (BitRate(nic), BitRate(nic));
        if self.has_small_send_buffer(draw)
            && let Some(plateau) = self.facts.plateau
            && let Some(asked) = HOST.sndbuf_for(plateau, draw.write(), self.mtu)
        {
            sender.sndbuf = Some(Bytes(((asked as f64 * draw.settled.send_buffer) as u64).clamp(1, i32::MAX as u64)));
        }
        self.set_receiver(&mut receiver, draw.settled.receive_buffer);
        Scenario {
            name: "fit".to_owned(),
            story: Story::default(),
            expect: Expectation::default(),
            link,
            sender,
            receiver,
            capture: CaptureSpec::default(),
            work: Work::Stream(Stream { opener: self.opener, phases: self.phases(draw), credit: None, ending: None }),
            ip_version: if self.is_ipv6 { 6 } else { 4 },
            mtu: self.mtu,
            seed: draw.number + 1,
            deadline: Nanos((self.seconds() * 3e9) as u64 + 2_000_000_000),
        }
    }

    /// Queue size of the bottleneck, bytes.
    fn queue(&self, payload: f64, draw: &Draw) -> u64 {
        let least = SMALLEST_QUEUE * f64::from(self.mtu);
        let grown = self.half.rtt.map_or(0.0, |(rtt, _)| (rtt.max as f64 / 1e9 - self.rtt).max(0.0));
        let seen = grown * payload * self.on_wire();
        let queue = if self.facts.losses.is_overflow {
            seen.max(least)
        } else {
            let product = payload * self.on_wire() * self.rtt;
            let most = (LARGEST_QUEUE * product).max(seen * 2.0).max(USUAL_QUEUE);
            let low = seen.max(0.5 * product).max(least).min(most);
            (low.ln() + (most.ln() - low.ln()) * draw.unit(Drawn::Queue)).exp()
        };
        queue as u64
    }

    /// Probability of random loss per frame.
    fn random_loss(&self, draw: &Draw) -> Option<f64> {
        let losses = self.facts.losses;
        if !draw.has_chance_losses || losses.segments == 0 {
            return None;
        }
        let frames = self.half.bytes as f64 / self.mss as f64;
        // The expected number may differ from the counted one (Poisson).
        let count = losses.segments as f64;
        let expected = (count + (2.0 * draw.unit(Drawn::LossCount) - 1.0) * POISSON * count.sqrt()).max(count / 4.0);
        Some((expected / (frames + expected)).clamp(0.0, 0.5))
    }

    fn set_receiver(&self, receiver: &mut EndSpec, times: f64) {
        let [_, largest] = self.facts.windows;
        let is_full = self.share(Limit::ReceiveWindow) >= LEAST_SHARE;
        let scale = match self.half.window_scale {
            tcpwhy_model::WindowScale::Shift(shift) => Some(shift),
            tcpwhy_model::WindowScale::NotNegotiated => Some(0),
            tcpwhy_model::WindowScale::Unknown => None,
        };
        // Without a scale, either setting may be the reason.
        let is_asked = largest > 0
            && scale.is_some()
            && HOST.receive_setting(largest, scale, self.mtu, self.opener) == Setting::Socket;
        if is_asked && largest != DEFAULT_WINDOW {
            let asked = HOST.rcvbuf_for(largest, self.mtu, self.opener).map(|(asked, least)| asked.max(least));
            receiver.rcvbuf = asked.map(|asked| Bytes(((asked as f64 * times) as u64).clamp(1, i32::MAX as u64)));
        } else if is_full
            && largest > 0
            && self.under_detail(Detail::SlowReader) + self.under_detail(Detail::ZeroWindow)
                < 0.5 * self.under(Limit::ReceiveWindow)
        {
            let most = ((largest * 256 / 170) as f64 * times) as u64;
            receiver.sysctl.insert(RMEM.to_owned(), format!("4096 {} {most}", most.min(131_072)));
        }
    }
}
