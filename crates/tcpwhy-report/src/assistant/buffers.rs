//! The answer about socket buffers and windows: what they allow.

use serde::Serialize;

use super::fit::{Fit, pop, short};
use crate::Wording;
use crate::buffers::{Buffers, SettingsOrigin};
use crate::dto::{self, BuffersDocument};
use crate::text::{BuffersDetail, Look, buffers_page};

/// Wide enough that no sentence is wrapped.
const WIDE: Look = Look { width: usize::MAX / 2, has_color: false, has_unicode: true };

/// The answer about buffers.
#[derive(Debug, Serialize)]
pub struct BuffersAnswer {
    /// The same lines as `tcpwhy buffers --quiet` prints.
    answer: Vec<String>,
    system: String,
    settings_from: String,
    mtu_bytes: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    bandwidth_delay_bytes: Option<u64>,
    /// The window asked about.
    #[serde(skip_serializing_if = "Option::is_none")]
    window: Option<dto::GivenWindow>,
    sides: Vec<SideEntry>,
    /// Whether the settings may belong to another host.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    cannot_tell: Vec<String>,
}

/// One buffer. Each of its numbers has its own ground.
#[derive(Debug, Serialize)]
struct SideEntry {
    side: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    request: Option<dto::BufferRequest>,
    #[serde(skip_serializing_if = "Option::is_none")]
    getsockopt_bytes: Option<dto::Figure>,
    #[serde(skip_serializing_if = "Option::is_none")]
    flight_bytes: Option<dto::Figure>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rate_bits_per_s: Option<RangeEntry>,
    #[serde(skip_serializing_if = "Option::is_none")]
    transfer_s: Option<RangeEntry>,
    #[serde(skip_serializing_if = "Option::is_none")]
    coverage: Option<String>,
    /// Changes that would fill the path, best first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    remedies: Vec<RemedyEntry>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

/// A range of rates or seconds, with the ground of the bytes in flight that it is computed from.
#[derive(Debug, Serialize)]
struct RangeEntry {
    value: f64,
    low: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    high: Option<f64>,
    ground: String,
}

#[derive(Debug, Serialize)]
struct RemedyEntry {
    text: String,
    lines: Vec<String>,
}

impl BuffersAnswer {
    /// Makes the answer from `buffers`.
    pub fn new(wording: Wording<'_>, buffers: &Buffers<'_>) -> Self {
        let document = BuffersDocument::new(wording, buffers);
        let detail = BuffersDetail { is_brief: true, with_steps: false };
        let page = buffers_page(wording, WIDE, buffers, detail);
        let side = |buffer: dto::Buffer| {
            let ground = buffer.flight_bytes.as_ref().map(|flight| flight.ground.clone());
            let range = |range: dto::BufferRange| RangeEntry {
                value: short(range.value),
                low: short(range.low),
                high: range.high.map(short),
                ground: ground.clone().unwrap_or_default(),
            };
            SideEntry {
                side: buffer.side,
                request: buffer.request,
                getsockopt_bytes: buffer.getsockopt_bytes,
                flight_bytes: buffer.flight_bytes,
                rate_bits_per_s: buffer.rate_bits_per_s.map(range),
                transfer_s: buffer.transfer_s.map(range),
                coverage: buffer.coverage,
                remedies: buffer
                    .remedies
                    .into_iter()
                    .map(|remedy| RemedyEntry { text: remedy.text, lines: remedy.lines })
                    .collect(),
                notes: buffer.notes.into_iter().map(|note| note.text).collect(),
            }
        };
        let is_host = buffers.origin == SettingsOrigin::Host;
        let cannot_tell = is_host.then(|| wording.catalogue().word("assistant-own-settings")).into_iter().collect();
        Self {
            answer: page.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect(),
            system: document.system,
            settings_from: document.settings_from,
            mtu_bytes: document.mtu_bytes,
            bandwidth_delay_bytes: document.bandwidth_delay_bytes,
            window: document.window,
            sides: document.buffers.into_iter().map(side).collect(),
            cannot_tell,
        }
    }
}

impl Fit for BuffersAnswer {
    fn shorten(&mut self) -> bool {
        let mut each = |shorten: fn(&mut SideEntry) -> bool| self.sides.iter_mut().any(shorten);
        each(|side| pop(&mut side.notes, 2))
            || each(|side| pop(&mut side.remedies, 2))
            || each(|side| pop(&mut side.notes, 0))
            || each(|side| pop(&mut side.remedies, 0))
            || pop(&mut self.answer, 1)
    }
}
