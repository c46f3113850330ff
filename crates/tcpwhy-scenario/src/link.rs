//! The path that is emulated.

use serde::{Deserialize, Serialize};

use super::refusal::{Checked, Refusal};
use super::{BitRate, Bytes, Nanos, Share};
use tcpwhy_model::Message;

/// A direction of the link.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Flow {
    /// Both of them.
    #[default]
    Both,
    /// From the sender to the receiver.
    Forward,
    /// From the receiver to the sender.
    Back,
}

/// What emulates the path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum LinkKind {
    /// The lab's own emulator, which works everywhere and does all of this.
    #[default]
    Emulator,
    /// The kernel's netem and tbf, where it has them.
    Netem,
}

/// serde asks by reference.
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Both directions and what changes while the transfer runs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct LinkSpec {
    /// What emulates it.
    #[serde(skip_serializing_if = "is_default")]
    pub kind: LinkKind,
    /// Round trip without queues: each direction delays by half of it unless it says otherwise.
    #[cfg_attr(test, schemars(extend("x-range" = "0s to 10s")))]
    pub rtt: Nanos,
    /// `rate` and `queue` of both directions, unless they say otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(extend("x-range" = "8kbit to 100gbit")))]
    pub rate: Option<BitRate>,
    /// Bytes that may wait at the bottleneck.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(extend("x-range" = "a frame (MTU + 38 bytes) to 1TiB")))]
    pub queue: Option<Bytes>,
    /// From the sender to the receiver.
    pub forward: DirectionSpec,
    /// From the receiver to the sender.
    pub back: DirectionSpec,
    /// In order of time.
    #[serde(rename = "change", skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Change>,
}

/// What one direction does to frames, in this order: loss, duplication, policer, queue, propagation, jitter,
/// reordering. What is `None` is not done. All of it works on frames as they would be on a wire, also under
/// segmentation offload.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct DirectionSpec {
    /// One-way propagation delay.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(extend("x-range" = "0s to 5s")))]
    pub delay: Option<Nanos>,
    /// Rate at which the queue is served, Ethernet's own 38 bytes a frame counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(extend("x-range" = "8kbit to 100gbit")))]
    pub rate: Option<BitRate>,
    /// Bytes that may wait before the tail is dropped; default: what a tenth of a second carries.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(extend("x-range" = "a frame (MTU + 38 bytes) to 1TiB")))]
    pub queue: Option<Bytes>,
    /// Chance of each frame to be lost, independent of the others.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(extend("x-range" = "0% to 100%")))]
    pub loss: Option<Share>,
    /// Every n-th frame that carries data is lost.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(extend("x-range" = "1 or more")))]
    pub lose_every: Option<u64>,
    /// These frames that carry data are lost, counted from 1.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, schemars(extend("x-range" = "1 or more, each")))]
    pub lose_data: Vec<u64>,
    /// So many SYNs (or SYN-ACKs) are lost first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lose_syns: Option<u64>,
    /// Losses in a row.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub burst: Option<Burst>,
    /// Losses of merged packets: of frames that follow each other back to back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lose_merged: Option<Merged>,
    /// Chance of each frame to arrive twice.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(extend("x-range" = "0% to 100%")))]
    pub duplicate: Option<Share>,
    /// A policer instead of a queue: what is over it is dropped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policer: Option<Policer>,
    /// Each frame is delayed by up to this more, evenly spread.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(extend("x-range" = "0s to 5s")))]
    pub jitter: Option<Nanos>,
    /// Jitter may let frames overtake each other.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub jitter_reorders: bool,
    /// Chance of each frame to be held back by `reorder_by`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(extend("x-range" = "0% to 100%")))]
    pub reorder: Option<Share>,
    /// How long a frame that is reordered is held back; default 1 ms.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(extend("x-range" = "0s to 5s")))]
    pub reorder_by: Option<Nanos>,
    /// Packets of senders that know ECN are marked (CE) if they were in the queue for longer than this.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(extend("x-range" = "0s to 5s")))]
    pub ce_threshold: Option<Nanos>,
    /// Larger IP packets are dropped without a word: a black hole, where it is less than the interfaces' MTU.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(extend("x-range" = "68 to 65535")))]
    pub mtu: Option<u32>,
    /// The MSS that SYNs announce is cut to this, as routers before a tunnel do.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(extend("x-range" = "88 to 65495")))]
    pub clamp_mss: Option<u16>,
}

/// Losses that come in a row (Gilbert's model).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Burst {
    /// Chance of a burst to begin at a frame.
    #[cfg_attr(test, schemars(extend("x-range" = "0% to 100%")))]
    pub chance: Share,
    /// Mean number of frames that it takes.
    #[cfg_attr(test, schemars(extend("x-range" = "1 to 1000000")))]
    pub mean: f64,
}

/// Losses of merged packets: a host or router merges frames that come back to back, as GRO does, and drops
/// the merged packet as a whole. The first merged packet of a train is never lost, and a frame that comes
/// alone neither.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Merged {
    /// Chance of each merged packet to be lost.
    #[cfg_attr(test, schemars(extend("x-range" = "0% to 100%")))]
    pub chance: Share,
    /// Frames of a merged packet.
    #[cfg_attr(test, schemars(extend("x-range" = "2 to 64")))]
    pub frames: u32,
}

/// A token bucket that drops.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Policer {
    /// Rate of tokens.
    #[cfg_attr(test, schemars(extend("x-range" = "8kbit to 100gbit")))]
    pub rate: BitRate,
    /// Size of the bucket.
    #[cfg_attr(test, schemars(extend("x-range" = "a frame (MTU + 38 bytes) to 1TiB")))]
    pub burst: Bytes,
}

/// A change while the transfer runs: what it names replaces what was, the rest stays.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Change {
    /// Since the first frame of the transfer.
    pub at: Nanos,
    /// Where.
    #[serde(default)]
    pub flow: Flow,
    /// What.
    pub to: DirectionSpec,
}

/// A link delays by so much at most, one way and in each form; a run ends a few round trips after its
/// deadline.
const LONGEST_DELAY: Nanos = Nanos::from_secs(5);

impl LinkSpec {
    /// `mtu`: the largest packet that has to get through.
    pub(super) fn check(&self, mtu: u32) -> Checked {
        if !self.changes.is_sorted_by_key(|change| change.at) {
            return Err(Refusal::of("change", Message::new("scenario-changes-out-of-order")));
        }
        check_delay("rtt", Some(Nanos(self.rtt.0 / 2)))?;
        check_rate("rate", self.rate)?;
        check_queue("queue", self.queue, mtu)?;
        self.forward.check(mtu).map_err(|refusal| refusal.within("forward"))?;
        self.back.check(mtu).map_err(|refusal| refusal.within("back"))?;
        self.changes.iter().enumerate().try_for_each(|(index, change)| {
            let place = |refusal: Refusal| refusal.within("to").within(&index.to_string()).within("change");
            change.to.check(mtu).map_err(place)
        })
    }

    /// What one direction begins with, with the link's common values filled in. `flow` is not `Both`.
    pub fn direction(&self, flow: Flow) -> DirectionSpec {
        let mut spec = if flow == Flow::Back { self.back.clone() } else { self.forward.clone() };
        spec.delay = spec.delay.or(Some(Nanos(self.rtt.0 / 2)));
        spec.rate = spec.rate.or(self.rate);
        spec.queue = spec.queue.or(self.queue);
        spec
    }
}

/// Slower ones take longer for a frame than a run has.
const LEAST_RATE: BitRate = BitRate(8_000);
/// No interface of the lab is near it.
const LARGEST_RATE: BitRate = BitRate(100_000_000_000);
/// More than any machine has.
const LARGEST_QUEUE: Bytes = Bytes(1 << 40);
/// From what every IPv4 module must forward (RFC 791, 3.2) to the largest packet.
const PATH_MTU: std::ops::RangeInclusive<u32> = 68..=65_535;
/// From Linux's `TCP_MIN_MSS` to what the largest IPv4 packet carries.
const CLAMPED_MSS: std::ops::RangeInclusive<u16> = 88..=65_495;
/// GRO merges up to 64 KiB (`GRO_LEGACY_MAX_SIZE`), which is 45 full segments; smaller ones are more.
const MERGED: std::ops::RangeInclusive<u32> = 2..=64;
/// Ethernet's own bytes, which the queue counts.
const FRAME_OVERHEAD: u64 = 38;

/// Rates that a link, an interface or a program can have.
pub(super) fn check_rate(key: &str, rate: Option<BitRate>) -> Checked {
    match rate.filter(|rate| !(LEAST_RATE..=LARGEST_RATE).contains(rate)) {
        Some(rate) => {
            let why = Message::new("scenario-rate")
                .with("least", LEAST_RATE.to_string())
                .with("most", LARGEST_RATE.to_string())
                .with("rate", rate.to_string());
            Err(Refusal::of(key, why))
        }
        None => Ok(()),
    }
}

fn check_delay(key: &str, delay: Option<Nanos>) -> Checked {
    match delay.filter(|delay| *delay > LONGEST_DELAY) {
        Some(delay) => Err(Refusal::of(
            key,
            Message::new("scenario-delay").with("most", LONGEST_DELAY.to_string()).with("delay", delay.to_string()),
        )),
        None => Ok(()),
    }
}

/// A queue, or a bucket, that never holds a whole frame lets none through.
fn check_queue(key: &str, queue: Option<Bytes>, mtu: u32) -> Checked {
    let least = Bytes(u64::from(mtu) + FRAME_OVERHEAD);
    match queue.filter(|queue| !(least..=LARGEST_QUEUE).contains(queue)) {
        Some(queue) => {
            let why = Message::new("scenario-queue")
                .with("least", least.to_string())
                .with("most", LARGEST_QUEUE.to_string())
                .with("queue", queue.to_string());
            Err(Refusal::of(key, why))
        }
        None => Ok(()),
    }
}

impl DirectionSpec {
    fn check(&self, mtu: u32) -> Checked {
        for (key, delay) in [
            ("delay", self.delay),
            ("jitter", self.jitter),
            ("reorder_by", self.reorder_by),
            ("ce_threshold", self.ce_threshold),
        ] {
            check_delay(key, delay)?;
        }
        if let Some(mtu) = self.mtu.filter(|mtu| !PATH_MTU.contains(mtu)) {
            let why = Message::new("scenario-path-mtu")
                .with("least", *PATH_MTU.start())
                .with("most", *PATH_MTU.end())
                .with("mtu", mtu);
            return Err(Refusal::of("mtu", why));
        }
        if let Some(mss) = self.clamp_mss.filter(|mss| !CLAMPED_MSS.contains(mss)) {
            let why = Message::new("scenario-mss")
                .with("least", *CLAMPED_MSS.start())
                .with("most", *CLAMPED_MSS.end())
                .with("mss", mss);
            return Err(Refusal::of("clamp_mss", why));
        }
        check_rate("rate", self.rate)?;
        check_queue("queue", self.queue, mtu)?;
        if self.lose_every == Some(0) {
            return Err(Refusal::of("lose_every", Message::new("scenario-frames")));
        }
        if self.lose_data.contains(&0) {
            return Err(Refusal::of("lose_data", Message::new("scenario-frames")));
        }
        if self.lose_merged.is_some_and(|merged| !MERGED.contains(&merged.frames)) {
            let why = Message::new("scenario-merged").with("least", *MERGED.start()).with("most", *MERGED.end());
            return Err(Refusal::of("frames", why).within("lose_merged"));
        }
        if self.burst.is_some_and(|burst| !(1.0..=1e6).contains(&burst.mean)) {
            let why = Message::new("scenario-burst");
            return Err(Refusal::of("mean", why).within("burst"));
        }
        let Some(policer) = self.policer else { return Ok(()) };
        check_rate("rate", Some(policer.rate))
            .and_then(|()| check_queue("burst", Some(policer.burst), mtu))
            .map_err(|refusal| refusal.within("policer"))
    }

    /// Bytes that may wait; `None`: nothing does without a rate.
    pub fn queue_limit(&self) -> Option<Bytes> {
        self.queue.or(self.rate.map(|rate| Bytes(rate.0 / 80)))
    }

    /// How long a frame that is reordered is held back.
    pub fn held_back_by(&self) -> Nanos {
        self.reorder_by.unwrap_or(Nanos(1_000_000))
    }

    /// Takes over what `change` names.
    pub fn apply(&mut self, change: &Self) {
        let new = change.clone();
        self.delay = new.delay.or(self.delay);
        self.rate = new.rate.or(self.rate);
        self.queue = new.queue.or(self.queue);
        self.loss = new.loss.or(self.loss);
        self.lose_every = new.lose_every.or(self.lose_every);
        if !new.lose_data.is_empty() {
            self.lose_data = new.lose_data;
        }
        self.lose_syns = new.lose_syns.or(self.lose_syns);
        self.burst = new.burst.or(self.burst);
        self.lose_merged = new.lose_merged.or(self.lose_merged);
        self.duplicate = new.duplicate.or(self.duplicate);
        self.policer = new.policer.or(self.policer);
        self.jitter = new.jitter.or(self.jitter);
        self.jitter_reorders |= new.jitter_reorders;
        self.reorder = new.reorder.or(self.reorder);
        self.reorder_by = new.reorder_by.or(self.reorder_by);
        self.ce_threshold = new.ce_threshold.or(self.ce_threshold);
        self.mtu = new.mtu.or(self.mtu);
        self.clamp_mss = new.clamp_mss.or(self.clamp_mss);
    }
}
