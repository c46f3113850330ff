//! `tcp_mem` allows TCP more memory than the machine has: it counts pages, and was probably set in bytes. The
//! memory pressure that protects the machine then never occurs.
//!
//! Source: the kernel compares `tcp_mem` with `sk_memory_allocated`, in pages of `PAGE_SIZE`
//! (`__sk_mem_raise_allocated`). The kernel's defaults are 4.7, 6.3 and 9.4 % of low memory (`tcp_init_mem`).

use tcpwhy_kernel::Sysctl;
use tcpwhy_model::{EvidenceKey, Finding, Severity};

use crate::check::finding;
use crate::evidence::{derived, reported};
use crate::{Check, HostFacts, fixes};

pub(super) static CHECK: Check =
    Check { id: "tcp-mem-unit", severity: Severity::Warning, needs: crate::needs::SETTINGS, detect };

/// 1 TiB in pages of 4 KiB: more memory than nearly any machine has.
const MANY_PAGES: u64 = 1 << 28;

fn detect(facts: &HostFacts<'_>) -> Vec<Finding> {
    let Some(pages @ [_, _, most]) = facts.triple(Sysctl::TcpMem) else { return vec![] };
    let page = facts.page_size();
    let bytes = most.saturating_mul(page);
    let is_too_much = match facts.host.memory {
        Some(memory) => bytes > memory,
        None => most >= MANY_PAGES,
    };
    if !is_too_much {
        return vec![];
    }
    let mut finding = finding(&CHECK, Severity::Warning, 0.9);
    finding.evidence = vec![reported(EvidenceKey::PageCount, most), derived(EvidenceKey::LimitBytes, bytes)];
    finding.evidence.extend(facts.host.memory.map(|m| reported(EvidenceKey::MemoryBytes, m)));
    let wanted = pages.map(|p| p / page.max(1));
    finding.fixes = vec![fixes::set_tcp_mem("host-tcp-mem-in-pages", facts, wanted, "pages-if-bytes-were-meant")];
    vec![finding]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Host, lines};

    #[test]
    fn bytes_for_pages() {
        let host = Host::with_defaults("6.1").sysctl("net.ipv4.tcp_mem=786432000 1048576000 1572864000");
        // The advised value is at least the default for 16 GiB.
        let finding = host.fires(CHECK.id);
        assert!(lines(&finding).contains("'196608 262144 393216'"), "{}", lines(&finding));
        let mut small = host;
        small.observation.memory = Some(2 << 30);
        assert!(lines(&small.fires(CHECK.id)).contains("'192000 256000 384000'"));
        Host::with_defaults("6.1").sysctl("net.ipv4.tcp_mem=192000 256000 384000").is_silent(CHECK.id);
    }

    #[test]
    fn unknown_memory() {
        let mut host = Host::with_defaults("6.1").sysctl("net.ipv4.tcp_mem=786432 1048576 26777216");
        host.observation.memory = None;
        host.is_silent(CHECK.id);
    }
}
