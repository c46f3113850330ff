//! The explanations that are tested in addition to the verdict.

use serde::{Serialize, Serializer};
use tcpwhy_analysis::{Connection, HalfConnection};
use tcpwhy_model::{Cause, Detail, Family, Finding, Fix, Limit, Prediction};

use super::noise::NOISE;
use super::remedy;

/// The reason why an explanation is tried. Message id after `prove-origin-`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Origin {
    /// The report's verdict.
    Verdict,
    /// The user supposes it (`--suppose`).
    Supposed,
    /// The same cause, with the other setting that a fix could change.
    OtherSetting,
    /// The report says that the packets allow it as well.
    Alternative,
    /// It has the next longest time.
    NextLongest,
    /// It is often mistaken for the one that is tried.
    OftenConfused,
}

impl Origin {
    pub(super) const fn id(self) -> &'static str {
        match self {
            Self::Verdict => "verdict",
            Self::Supposed => "supposed",
            Self::OtherSetting => "other-setting",
            Self::Alternative => "alternative",
            Self::NextLongest => "next-longest",
            Self::OftenConfused => "often-confused",
        }
    }
}

/// An explanation of the transfer.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Hypothesis<'a> {
    #[serde(serialize_with = "by_id")]
    pub(super) cause: Cause,
    pub(super) origin: Origin,
    #[serde(skip)]
    pub(super) finding: Option<&'a Finding>,
    #[serde(skip)]
    pub(super) fixes: Vec<Fix>,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde gives references")]
fn by_id<S: Serializer>(cause: &Cause, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(cause)
}

/// Limit for the rivals that are run, because each needs one or two runs.
pub(super) const MOST_RIVALS: usize = 2;
/// Share of the time from which a family of causes is a rival.
const RIVAL_SHARE: f64 = 0.2;

impl<'a> Hypothesis<'a> {
    pub(super) fn new(connection: &'a Connection, half: &'a HalfConnection, cause: Cause, origin: Origin) -> Self {
        let finding = remedy::finding_of(connection, half, cause);
        let mut this = Self { cause, origin, finding, fixes: remedy::proposed(cause) };
        // A fix without a predicted gain cannot be seen to work, so the cause itself is removed instead.
        if finding.is_none_or(|found| found.prediction.is_none()) || prediction(&this, half.span.seconds()).is_some() {
            this.fixes = remedy::fixes(finding, cause);
        }
        this
    }
}

/// Possible explanations of the transfer other than `claim`, most likely first.
pub(super) fn rivals<'a>(connection: &'a Connection, half: &'a HalfConnection, claim: Cause) -> Vec<Hypothesis<'a>> {
    let mut found: Vec<(Cause, Origin)> = Vec::new();
    found.extend(half.verdict.cause.map(|cause| (cause, Origin::Verdict)));
    found.extend(half.verdict.alternative.map(|(limit, _)| (Cause::plain(limit), Origin::Alternative)));
    found.extend(next_longest(half, claim).map(|cause| (cause, Origin::NextLongest)));
    found.extend(often_confused(claim).iter().map(|&cause| (cause, Origin::OftenConfused)));
    let mut rivals: Vec<Hypothesis<'a>> = Vec::new();
    for (cause, origin) in found {
        let is_new = rivals.iter().all(|rival| !is_same(rival.cause, cause));
        if is_new && !is_same(claim, cause) && cause.family().is_some() {
            rivals.push(Hypothesis::new(connection, half, cause, origin));
        }
    }
    rivals
}

/// Whether one change removes both, so that they are not rivals.
fn is_same(one: Cause, other: Cause) -> bool {
    let is_reader = |cause: Cause| matches!(cause.detail, Some(Detail::SlowReader | Detail::ZeroWindow));
    let is_buffer = |cause: Cause| matches!(cause.detail, Some(Detail::SmallBuffer | Detail::Capped));
    match (one.family(), other.family()) {
        (Some(Family::Application), Some(Family::Application)) => kind(one) == kind(other),
        (Some(Family::ReceiveWindow), Some(Family::ReceiveWindow)) => {
            let is_kind = |is: &dyn Fn(Cause) -> bool| is(one) && is(other);
            one.covers(other) || other.covers(one) || is_kind(&is_reader) || is_kind(&is_buffer)
        }
        (one, other) => one == other,
    }
}

/// Limits of an application that different changes remove.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// A window of the protocol.
    Window,
    /// Turns of the two sides.
    Turns,
    /// The pace of the writer.
    Pace,
}

const fn kind(cause: Cause) -> Kind {
    match cause.detail {
        Some(Detail::PeerWindow) => Kind::Window,
        Some(Detail::Think | Detail::PeerTurn) => Kind::Turns,
        _ => Kind::Pace,
    }
}

/// The cause with the most time, without the causes that the same change as for `claim` removes.
fn next_longest(half: &HalfConnection, claim: Cause) -> Option<Cause> {
    let span = half.span.seconds();
    let others = half.limits.totals().into_iter().filter(|total| {
        let is_known = total.cause.family().is_some_and(|family| family != Family::CloseWait);
        is_known && !is_same(total.cause, claim) && total.nanos as f64 / 1e9 >= RIVAL_SHARE * span
    });
    others.max_by_key(|total| total.nanos).map(|total| total.cause)
}

/// Causes that look alike on the wire.
fn often_confused(claim: Cause) -> &'static [Cause] {
    const SEND_BUFFER: Cause = Cause::plain(Limit::SendBuffer);
    const PACED: Cause = Cause { limit: Limit::Application, detail: Some(Detail::PacedWrites) };
    const PEER_WINDOW: Cause = Cause { limit: Limit::Application, detail: Some(Detail::PeerWindow) };
    const SMALL: Cause = Cause { limit: Limit::ReceiveWindow, detail: Some(Detail::SmallBuffer) };
    const READER: Cause = Cause { limit: Limit::ReceiveWindow, detail: Some(Detail::SlowReader) };
    match (claim.limit, claim.detail) {
        (Limit::SendBuffer, _) => &[PACED, PEER_WINDOW],
        (Limit::Application, Some(Detail::Think | Detail::PeerTurn))
        | (Limit::Handshake | Limit::TailRtt | Limit::Unobserved, _) => &[],
        (Limit::ReceiveWindow, Some(Detail::SlowReader | Detail::ZeroWindow)) => &[SMALL],
        (Limit::ReceiveWindow, Some(Detail::SmallBuffer | Detail::Capped | Detail::Ramp) | None) => {
            &[READER, SEND_BUFFER]
        }
        _ => &[SEND_BUFFER],
    }
}

/// The gain of a change as the report predicts it. `None` if it is below the difference between runs, because
/// no run could show it.
pub(super) fn prediction<'a>(hypothesis: &Hypothesis<'a>, captured: f64) -> Option<&'a Prediction> {
    let prediction = hypothesis.finding.and_then(|finding| finding.prediction.as_ref())?;
    (prediction.least_claimed() < captured * (1.0 - NOISE)).then_some(prediction)
}
