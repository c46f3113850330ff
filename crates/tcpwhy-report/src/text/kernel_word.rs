//! The effect of the kernel's data on a verdict, as one sentence.

use tcpwhy_analysis::{Connection, HalfConnection, KernelDifference, KernelHalf, KernelWord};

use crate::kebab::kebab;
use crate::{Args, Wording};

/// Kernel and packet data about `half` of `connection`; `None` if its sender's socket was not recorded.
pub(crate) fn both_of<'a>(connection: &'a Connection, half: &HalfConnection) -> Option<&'a KernelHalf> {
    connection.kernel.as_ref()?.halves.iter().find(|both| both.sender == half.sender)
}

/// The sentence about a direction of `connection`; `None` if kernel and packets agree.
pub fn kernel_sentence(wording: Wording<'_>, connection: &Connection, half: &HalfConnection) -> Option<String> {
    kernel_word(wording, half, both_of(connection, half)?)
}

/// A heading with the source of the limits of `half`: packets, or kernel and packets together.
pub fn limits_heading(wording: Wording<'_>, connection: &Connection, half: &HalfConnection) -> String {
    wording.catalogue().word(match both_of(connection, half).map(|both| both.word) {
        Some(KernelWord::Decides(_)) => "heading-limits-kernel",
        _ => "heading-limits",
    })
}

/// The difference between kernel and packets: both shares, which of them decides, and why. `None` if they
/// agree.
pub(crate) fn kernel_word(wording: Wording<'_>, half: &HalfConnection, both: &KernelHalf) -> Option<String> {
    let catalogue = wording.catalogue();
    let units = wording.units();
    let KernelDifference { nanos, more, less } = both.word.difference()?;
    let kind = |id: &str| catalogue.word(&format!("kernel-kind-{}", kebab(id)));
    let why = format!("kernel-why-{}", kebab(more.kind.id()));
    let args = Args::new()
        .text("time", units.nanos(nanos))
        .text("more", kind(more.kind.id()))
        .text("kernel", units.share(more.kernel))
        .text("packets", units.share(more.packets))
        .text("less", kind(less.kind.id()))
        .text("less-kernel", units.share(less.kernel))
        .text("less-packets", units.share(less.packets))
        .text("why", catalogue.word(&why))
        .text("watched", units.nanos(both.watched))
        .text("all", units.nanos(half.limits.span().nanos()));
    let id = match both.word {
        KernelWord::Decides(_) => "kernel-word-decides",
        KernelWord::WatchedTooLittle(_) => "kernel-word-too-little",
        KernelWord::Agrees => return None,
    };
    Some(catalogue.text(id, &args))
}
