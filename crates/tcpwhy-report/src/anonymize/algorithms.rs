//! Names of congestion controls and queueing disciplines. Names from mainline Linux identify nobody; an
//! out-of-tree module may bear the name of a company or a customer.

use super::Anonymizer;
use super::names::Kind;

/// Every `tcp_congestion_ops.name` that modules of `net/ipv4` register in Linux 3.10 to 6.18
/// (`net/ipv4/tcp_*.c`). `tcp_dctcp.c` falls back to `dctcp-reno` without ECN.
const CONGESTION_CONTROLS: [&str; 18] = [
    "bbr",
    "bic",
    "cdg",
    "cubic",
    "dctcp",
    "dctcp-reno",
    "highspeed",
    "htcp",
    "hybla",
    "illinois",
    "lp",
    "nv",
    "reno",
    "scalable",
    "vegas",
    "veno",
    "westwood",
    "yeah",
];

/// Every `Qdisc_ops.id` that modules of `net/sched` register in Linux 3.10 to 6.18 (`net/sched/sch_*.c`).
const QDISCS: [&str; 43] = [
    "atm",
    "bfifo",
    "blackhole",
    "bpf",
    "cake",
    "cbq",
    "cbs",
    "choke",
    "clsact",
    "codel",
    "drr",
    "dsmark",
    "dualpi2",
    "etf",
    "ets",
    "fq",
    "fq_codel",
    "fq_pie",
    "gred",
    "hfsc",
    "hhf",
    "htb",
    "ingress",
    "mq",
    "mqprio",
    "multiq",
    "netem",
    "noop",
    "noqueue",
    "pfifo",
    "pfifo_fast",
    "pfifo_head_drop",
    "pie",
    "plug",
    "prio",
    "qfq",
    "red",
    "sfb",
    "sfq",
    "skbprio",
    "taprio",
    "tbf",
    "teql0",
];

impl Anonymizer {
    /// The name of a congestion control of mainline Linux unchanged; any other becomes `cc-` and a keyed
    /// hash.
    pub fn congestion_control(&self, name: &str) -> String {
        self.known(name, &CONGESTION_CONTROLS, "cc", Kind::CongestionControl)
    }

    /// The name of a queueing discipline of mainline Linux unchanged; any other becomes `qdisc-` and a keyed
    /// hash.
    pub fn qdisc(&self, name: &str) -> String {
        self.known(name, &QDISCS, "qdisc", Kind::Qdisc)
    }

    fn known(&self, name: &str, all: &[&str], prefix: &str, kind: Kind) -> String {
        if all.contains(&name) { name.to_owned() } else { format!("{prefix}-{}", self.hash(kind, name.as_bytes())) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::KEY_LEN;

    #[test]
    fn mainline_names_stay() {
        let anonymizer = Anonymizer::new([7; KEY_LEN]);
        assert_eq!((&*anonymizer.congestion_control("bbr"), &*anonymizer.qdisc("fq_codel")), ("bbr", "fq_codel"));
        for name in ["acme_cc", "BBR", "cubic_acme", "fq", ""] {
            let shown = anonymizer.congestion_control(name);
            assert!(shown.starts_with("cc-") && shown.len() == 3 + 12, "{name}: {shown}");
            assert_eq!(shown, anonymizer.congestion_control(name));
        }
        assert!(anonymizer.qdisc("acme_q").starts_with("qdisc-") && anonymizer.qdisc("cubic").starts_with("qdisc-"));
        assert_ne!(anonymizer.qdisc("x")["qdisc-".len()..], anonymizer.congestion_control("x")["cc-".len()..]);
        assert!(CONGESTION_CONTROLS.is_sorted());
    }
}
