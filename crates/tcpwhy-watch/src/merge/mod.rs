//! The kernel's word put into what packets show of a direction: verdict, time by cause and findings.
//!
//! The socket knows what no packet carries: unsent data, the send buffer, the congestion window. So where its
//! samples differ from the packets and cover most of the time, they decide which kind of cause had it.
//! Packets keep what a socket does not show: each repair of a loss, which form a cause has, who waited for
//! whom.
//!
//! This happens once, before anything is said: answers, problems, texts and pages read the merged direction.

mod decision;
mod findings;
mod kinds;
mod time;

use tcpwhy_analysis::advise::{order_findings, severity_of};
use tcpwhy_analysis::{HalfConnection, KernelHalf, KernelWord, MergedHalf, SocketKind, Verdict};
use tcpwhy_model::{Cause, Finding, LimitTimeline, Prediction};

use crate::connection::LiveConnection;
use crate::{conclude, findings as of_socket};
use decision::Heard;
use kinds::Kinds;

/// Puts the kernel's word on `half`, which `socket` sent, into `both`. Returns what it makes of the
/// direction; `None` where the packets' time stays.
pub(crate) fn merge(half: &HalfConnection, socket: &LiveConnection, both: &mut KernelHalf) -> Option<MergedHalf> {
    let kinds = Kinds::of(socket.socket(), &both.kernel);
    let heard = Heard { samples: (!socket.is_accounted()).then_some(both.samples), kinds };
    let limits = time::merged(&half.limits, &both.kernel, kinds);
    let verdict = verdict(half, &limits, socket);
    both.watched = decision::watched(half.limits.span(), &both.kernel);
    both.word = decision::word(half, &verdict, &both.kernel, heard, both.watched);
    match both.word {
        KernelWord::Decides(_) => Some(decided(half, limits, verdict, socket)),
        KernelWord::Agrees if decision::is_most(both.watched, half) => settled(half),
        KernelWord::Agrees | KernelWord::WatchedTooLittle(_) => None,
    }
}

/// The verdict on `half` with the time that `limits` divide.
fn verdict(half: &HalfConnection, limits: &LimitTimeline, socket: &LiveConnection) -> Verdict {
    let mut verdict = conclude::judge_merged(half, limits);
    if verdict.cause == half.verdict.cause {
        let is_possible = |&other: &_| verdict.cause.is_none_or(|cause| !time::is_excluded(cause, other));
        verdict.alternative = half.verdict.alternative.filter(is_possible);
        (verdict.reason, verdict.meanwhile) = (half.verdict.reason, half.verdict.meanwhile);
    } else if let Some(cause) = verdict.cause {
        verdict.meanwhile = socket.meanwhile(cause.limit);
    }
    verdict
}

/// The direction by the kernel's word.
fn decided(half: &HalfConnection, limits: LimitTimeline, verdict: Verdict, socket: &LiveConnection) -> MergedHalf {
    let predict = |cause| -> Option<Prediction> { socket.predict_within(half, &limits, cause) };
    let own = of_socket::explain(&verdict, socket.socket())
        .map(|finding| Finding { prediction: verdict.cause.and_then(predict), ..finding });
    let merged = findings::Merging { before: half, limits: &limits, verdict: &verdict };
    let mut findings = merged.findings(own, &predict);
    order_findings(&mut findings, &verdict);
    let severity = severity_of(&verdict, &findings);
    MergedHalf { sender: half.sender, limits, verdict: Verdict { severity, ..verdict }, findings }
}

/// The direction of `half` without the doubts that its socket settles, where kernel and packets agree; `None`
/// where it has none.
fn settled(half: &HalfConnection) -> Option<MergedHalf> {
    let is_settled = |cause: Cause, other| SocketKind::of(cause).is_some() && time::is_excluded(cause, other);
    let is_in_doubt = |&(limit, other, decider, _): &_| is_settled(Cause::plain(limit), (other, decider));
    if !half.limits.ambiguous().iter().any(is_in_doubt) {
        return None;
    }
    let limits = half.limits.clone().excluding(|cause, _, other| is_settled(cause, other));
    let mut verdict = half.verdict.clone();
    verdict.alternative.take_if(|other| half.verdict.cause.is_some_and(|cause| is_settled(cause, *other)));
    let mut findings = half.findings.clone();
    if verdict.alternative.is_none() {
        findings::drop_alternatives(&mut findings);
    }
    Some(MergedHalf { sender: half.sender, limits, verdict, findings })
}

#[cfg(test)]
mod terms;
