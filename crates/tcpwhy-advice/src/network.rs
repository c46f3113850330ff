//! Fixes of congestion control, paths, queues, and hosts that do not answer.

use tcpwhy_kernel::Sysctl;
use tcpwhy_model::CodePart::{Blank, Number, Text, Value};
use tcpwhy_model::Hole::{
    FullPing, Peer, ProbePeer, ProbeReceiver, ProbeServer, Receiver, ResetPackets, Sender, ServerPort, SocketsHere,
    SynPackets, TrackedToReceiver,
};
use tcpwhy_model::Program::{C, Containers, Go, Java, Kafka, MySql, Nginx, Python};
use tcpwhy_model::{Fix, FixPlace};

use super::{fix, interface_towards_receiver, line, route_towards_peer, setting};

/// Proposes to keep the congestion window over pauses.
pub fn disable_idle_restart() -> Fix {
    fix(
        "disable-idle-restart",
        FixPlace::SendingHost,
        vec![line("sysctl -w net.ipv4.tcp_slow_start_after_idle=0  # ", "if-on-as-by-default")],
    )
}

/// Proposes an initial congestion window of more than ten segments.
pub fn raise_initcwnd() -> Fix {
    fix("raise-initcwnd", FixPlace::SendingHost, vec![route_towards_peer("initcwnd 32  # ", "sending-host-initcwnd")])
        .conditional()
}

/// Proposes BBR, which does not treat every loss as congestion.
pub fn use_bbr() -> Fix {
    fix(
        "use-bbr",
        FixPlace::SendingHost,
        vec![
            line("sysctl -w net.core.default_qdisc=fq net.ipv4.tcp_congestion_control=bbr  # ", "new-connections"),
            C.line("setsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, \"bbr\", 3);                   /* ", "c-one-socket"),
            Python.line(
                "sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, b\"bbr\")       # ",
                "python-one-socket",
            ),
        ],
    )
    .conditional()
}

/// Proposes to let the kernel choose the client port, so that no recently used port is taken.
pub fn let_kernel_choose_port() -> Fix {
    fix(
        "let-kernel-choose-port",
        FixPlace::SendingApplication,
        vec![
            C.line("connect(fd, …);  /* ", "c-without-bind-to-fixed-port"),
            C.line(
                "setsockopt(fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &(int){1}, sizeof(int));  /* ",
                "where-only-address-bound",
            ),
            line("sysctl -w net.ipv4.tcp_timestamps=1  # ", "both-hosts-newer-timestamp"),
            line(
                &[
                    Text("ss -tan state time-wait 'sport = :"),
                    Value(ServerPort),
                    Text("'; nstat -az TcpExtTCPChallengeACK  # "),
                ],
                "other-host-what-it-knows",
            ),
        ],
    )
}

/// Proposes to find the place at which packets are lost.
pub fn fix_loss() -> Fix {
    fix(
        "fix-loss",
        FixPlace::Network,
        vec![
            line(&[Text("mtr -n -r -c 100 "), Value(ProbeReceiver), Text("  # ")], "sending-host-where-losses-begin"),
            interface_towards_receiver("interface-sending-host"),
            line(
                "ip -s -s link show dev $DEV; ethtool -S $DEV | grep -iE 'err|drop|discard|miss'  # ",
                "errors-and-drops",
            ),
            line("tc -s qdisc show dev $DEV  # ", "drops-sending-host"),
            line("nstat -az TcpRetransSegs TcpExtTCPLostRetransmit TcpExtTCPTimeouts  # ", "sending-host"),
        ],
    )
    .measure()
}

/// Proposes to find the reason for drops of packets inside their host.
///
/// Linux 6.17 to 6.18.16 and 6.19 to 6.19.6 drop segments inside the advertised window if the receive queue
/// is half full (`tcp_can_ingest`, 1d2fbaad7cd8; reverted by 026dfef287c0).
pub fn find_host_drops() -> Fix {
    fix(
        "find-host-drops",
        FixPlace::ReceivingHost,
        vec![
            line("nstat -az TcpExtTCPRcvQDrop TcpExtTCPBacklogDrop TcpExtRcvPruned  # ", "receiving-host-drops"),
            line("uname -r  # ", "linux-6-17-to-6-19-6-drops"),
            line("tc -s qdisc show dev lo; nft list ruleset; iptables-save -c  # ", "queue-or-rule-drops"),
        ],
    )
    .measure()
}

/// Proposes to find the reason why a host that receives the packets does not answer.
pub fn check_silent_host() -> Fix {
    fix(
        "check-silent-host",
        FixPlace::ReceivingHost,
        vec![
            line("nft list ruleset; iptables-save -c  # ", "does-a-rule-drop"),
            line(&[Text("ip route get "), Value(Peer), Text("; ip rule; ip -br link  # ")], "does-vpn-take-answers"),
            line(&[Text("ss -tino "), Value(SocketsHere), Text("  # ")], "is-the-socket-still-there"),
            line("uptime; nstat -az IpInDiscards TcpExtTCPBacklogDrop TcpExtTCPRcvQDrop  # ", "does-the-host-drop"),
        ],
    )
    .measure()
}

/// Proposes to find the reason why a host was away for some time.
pub fn find_restart() -> Fix {
    fix(
        "find-restart",
        FixPlace::ReceivingHost,
        vec![
            line("uptime; last -x reboot shutdown | head  # ", "did-the-host-restart"),
            line("journalctl -b -1 -n 50; journalctl -k -b | head -50  # ", "what-it-did-before-and-since"),
        ],
    )
    .measure()
}

/// Proposes to find the place at which acknowledgments are lost, on the path from the receiver to the sender.
pub fn fix_ack_loss() -> Fix {
    fix(
        "fix-ack-loss",
        FixPlace::ReceivingHost,
        vec![
            line(&[Text("mtr -n -r -c 100 "), Value(ProbePeer), Text("  # ")], "receiving-host-where-losses-begin"),
            line(
                &[Text("DEV=$(ip route get "), Value(Peer), Text(" | sed 's/.* dev //;s/ .*//;q')  # ")],
                "interface-receiving-host",
            ),
            line(
                "ip -s -s link show dev $DEV; ethtool -S $DEV | grep -iE 'err|drop|discard|miss'  # ",
                "errors-and-drops-back",
            ),
            line("tc -s qdisc show dev $DEV  # ", "drops-receiving-host"),
        ],
    )
    .measure()
}

/// Proposes loss probes, so that timers and reordering cost less.
pub fn enable_loss_probes() -> Fix {
    fix(
        "enable-loss-probes",
        FixPlace::SendingHost,
        vec![
            line(
                "sysctl -w net.ipv4.tcp_sack=1 net.ipv4.tcp_dsack=1 net.ipv4.tcp_timestamps=1  # ",
                "both-hosts-the-defaults",
            ),
            line(
                "sysctl -w net.ipv4.tcp_early_retrans=3 net.ipv4.tcp_recovery=1                # ",
                "sending-host-the-defaults",
            ),
        ],
    )
    .conditional()
}

/// Proposes a first retransmission timeout as short as that of Linux.
pub fn lower_minimum_rto() -> Fix {
    fix(
        "lower-minimum-rto",
        FixPlace::SendingHost,
        vec![
            route_towards_peer("rto_min 200ms  # ", "linux-where-ip-route-shows-rto-min"),
            line("sysctl -w net.ipv4.tcp_rto_min_us=200000  # ", "newer-linux-where-more-is-shown"),
            line("sysctl net.inet.tcp.rexmit_min=30  # ", "freebsd-milliseconds"),
            line("Set-NetTCPSetting -SettingName InternetCustom -MinRtoMs 20  # ", "windows-powershell"),
        ],
    )
}

/// Proposes to stop the reordering or delay of single packets.
pub fn stop_reordering() -> Fix {
    fix(
        "stop-reordering",
        FixPlace::Network,
        vec![
            line("grep -H 'Bonding Mode' /proc/net/bonding/*  # ", "both-hosts-is-a-bond-round-robin"),
            line(
                &[Text("ip link set "), Blank("BOND"), Text(" type bond mode 802.3ad xmit_hash_policy layer3+4  # ")],
                "not-balance-rr",
            ),
            line("sysctl -w net.ipv4.fib_multipath_hash_policy=1  # ", "paths-by-flow"),
            line("nstat -az TcpExtTCPDSACKRecv TcpExtTCPSACKReorder  # ", "sending-host-how-often"),
        ],
    )
    .conditional()
}

/// Proposes a short queue at the bottleneck.
pub fn fix_queue_aqm() -> Fix {
    fix(
        "fix-queue-aqm",
        FixPlace::Network,
        vec![
            interface_towards_receiver("interface-at-bottleneck"),
            line(
                &[Text("tc qdisc replace dev $DEV root cake bandwidth "), Blank("RATE"), Text("  # ")],
                "at-bottleneck-little-below-line-rate",
            ),
            line("tc qdisc replace dev $DEV root fq_codel  # ", "where-line-itself-bottleneck"),
            line("sysctl -w net.core.default_qdisc=fq net.ipv4.tcp_congestion_control=bbr  # ", "or-at-sending-host"),
        ],
    )
}

/// Proposes to limit other traffic at the bottleneck of a transfer, or to schedule flows fairly.
pub fn limit_neighbours() -> Fix {
    fix(
        "limit-neighbours",
        FixPlace::Network,
        vec![
            interface_towards_receiver("interface-at-bottleneck"),
            line(
                &[Text("tc qdisc replace dev $DEV root cake bandwidth "), Blank("RATE"), Text("  # ")],
                "at-bottleneck-little-below-line-rate",
            ),
            line("tc qdisc replace dev $DEV root fq_codel  # ", "where-line-itself-bottleneck"),
        ],
    )
    .conditional()
}

/// Proposes to shape uploads that fill the receiver's uplink, where the ACKs queue.
pub fn shape_uploads() -> Fix {
    fix(
        "shape-uploads",
        FixPlace::ReceivingHost,
        vec![
            line(
                &[Text("DEV=$(ip route get "), Value(Peer), Text(" | sed 's/.* dev //;s/ .*//;q')  # ")],
                "interface-receiving-host",
            ),
            line(
                &[Text("tc qdisc replace dev $DEV root cake bandwidth "), Blank("RATE"), Text("  # ")],
                "at-bottleneck-little-below-line-rate",
            ),
        ],
    )
}

/// Proposes a longer queue. The present one is too short to keep the path busy while a window that a loss has
/// halved grows back.
pub fn lengthen_queue() -> Fix {
    fix(
        "lengthen-queue",
        FixPlace::Network,
        vec![
            interface_towards_receiver("interface-at-bottleneck"),
            line("tc -s qdisc show dev $DEV; ethtool -g $DEV  # ", "drops-and-length-of-queue"),
            line("sysctl -w net.core.default_qdisc=fq net.ipv4.tcp_congestion_control=bbr  # ", "or-at-sending-host"),
        ],
    )
    .conditional()
}

/// Proposes more capacity or fewer bytes.
pub fn raise_capacity() -> Fix {
    fix(
        "raise-capacity",
        FixPlace::Network,
        vec![
            interface_towards_receiver("interface-sending-host"),
            line("ethtool $DEV | grep -E 'Speed|Duplex'  # ", "both-hosts-and-switch-as-fast"),
            line("tc -s qdisc show dev $DEV  # ", "shaper-your-own"),
            Nginx
                .line("gzip on; gzip_types application/json text/css application/javascript;  # ", "nginx-fewer-bytes"),
            Kafka.client_line(
                Java,
                "compression.type=zstd                                      # ",
                "kafka-producer-fewer-bytes",
            ),
        ],
    )
    .conditional()
}

/// Proposes to shape the traffic below a policer's rate.
pub fn shape_below_policer(bits_per_second: f64) -> Fix {
    let kbit = (bits_per_second * 0.95 / 1000.0).round().max(1.0);
    Fix::new(
        "shape-below-policer",
        FixPlace::SendingHost,
        vec![
            interface_towards_receiver("interface-sending-host"),
            line(
                vec![
                    Text("tc qdisc replace dev $DEV root tbf rate "),
                    Number(kbit as u64),
                    Text("kbit burst 16kb latency 50ms  # "),
                ],
                "little-below-its-rate",
            ),
            C.line(
                format!(
                    "setsockopt(fd, SOL_SOCKET, SO_MAX_PACING_RATE, &(uint64_t){{{}}}, 8);  /* ",
                    (kbit * 125.0) as u64
                ),
                "c-bytes-per-second",
            ),
        ],
    )
}

/// Proposes that the end at `place` offers SACK, and that no middlebox removes it.
pub fn enable_sack(place: FixPlace) -> Fix {
    fix(
        "enable-sack",
        place,
        vec![
            line("sysctl -w net.ipv4.tcp_sack=1                              # ", "end-without-the-option"),
            line(
                &[Text("tcpdump -nvi any '"), Value(SynPackets), Text(" and port "), Value(ServerPort), Text("'  # ")],
                "at-both-ends-does-sack-arrive",
            ),
            line("tcp-options selective-ack allow                             # ", "cisco-asa-in-tcp-map-clears"),
        ],
    )
}

/// Proposes a receiver that does not shrink its window. Since 7.1, Linux accepts data inside the largest
/// window that it ever advertised (`tcp_max_receive_window`, 0e24d17bd966; RFC 7323 §2.4).
pub fn keep_window_open() -> Fix {
    fix(
        "keep-window-open",
        FixPlace::ReceivingHost,
        vec![
            line("sysctl -w net.ipv4.tcp_shrink_window=0                     # ", "if-on-off-is-the-default"),
            C.line(
                "setsockopt(fd, SOL_SOCKET, SO_RCVBUF, …);                  /* ",
                "c-before-connect-or-listen-never",
            ),
            line("nstat -az TcpExtTCPRcvQDrop TcpExtPruneCalled TcpExtTCPZeroWindowDrop  # ", "receiving-host-drops"),
            line("uname -r                                                   # ", "linux-7-1-takes-withdrawn"),
        ],
    )
    .conditional()
}

/// Proposes to find the queue that sets ECN marks, and to check whether it should.
pub fn find_marking_queue() -> Fix {
    fix(
        "find-marking-queue",
        FixPlace::Network,
        vec![
            interface_towards_receiver("interface-sending-host-and-routers"),
            line("tc -s qdisc show dev $DEV | grep -E 'ecn|marked'  # ", "both-hosts-and-routers-who-marks"),
            line("nstat -az TcpExtTCPDeliveredCE IpExtInCEPkts               # ", "sending-receiving-host-how-much"),
        ],
    )
    .measure()
}

/// Proposes to find the link that stalls.
pub fn find_stalls() -> Fix {
    fix(
        "find-stalls",
        FixPlace::Network,
        vec![
            line(
                &[Text("mtr -n -r -m 1 -i 0.1 -c 300 "), Value(Peer), Text("  # ")],
                "from-station-does-first-hop-stand",
            ),
            line("iw dev $(iw dev | sed -n 's/.*Interface //p' | head -n1) station dump  # ", "the-station-linux"),
            line("iw dev $(iw dev | sed -n 's/.*Interface //p' | head -n1) get power_save  # ", "off-while-it-stalls"),
            line("grep -E 'steal|^cpu ' /proc/stat  # ", "virtual-machine-scheduled-all-time"),
        ],
    )
    .measure()
}

/// Proposes to make path MTU discovery work.
pub fn fix_mtu() -> Fix {
    fix(
        "fix-mtu",
        FixPlace::Network,
        vec![
            line("sysctl -w net.ipv4.tcp_mtu_probing=1  # ", "sending-host-find-out-without-icmp"),
            line(
                &[Text("ping -M do -s "), Value(FullPing), Text(" "), Value(Receiver), Text("  # ")],
                "ipv4-largest-passes-plus-28-mtu",
            ),
            line("ip link show  # ", "both-ends-mtu-of-links"),
            "iptables -A FORWARD -p icmp --icmp-type fragmentation-needed -j ACCEPT".into(),
            "ip6tables -A FORWARD -p icmpv6 --icmpv6-type packet-too-big -j ACCEPT".into(),
            line(&[Text("MTU = "), Blank("BYTES"), Text("  # ")], "wireguard-wg-quick-interface"),
            Containers.line(
                &[Text("{ \"mtu\": "), Blank("BYTES"), Text(" }  # ")],
                "docker-daemon-json-default-bridge",
            ),
            Containers.line(
                &[
                    Text("docker network create -o com.docker.network.driver.mtu="),
                    Blank("BYTES"),
                    Text(" "),
                    Blank("NAME"),
                    Text("  # "),
                ],
                "docker-other-networks",
            ),
            Containers.line(
                &[
                    Text(
                        "kubectl patch installation.operator.tigera.io default --type merge -p '{\"spec\":{\"calicoNetwork\":{\"mtu\":",
                    ),
                    Blank("BYTES"),
                    Text("}}}'  # "),
                ],
                "calico-by-operator",
            ),
            Containers.line(
                &[
                    Text(
                        "kubectl patch configmap/calico-config -n kube-system --type merge -p '{\"data\":{\"veth_mtu\":\"",
                    ),
                    Blank("BYTES"),
                    Text("\"}}'  # "),
                ],
                "calico-by-manifest",
            ),
            Containers.line(
                &[Text("\"Backend\": { \"Type\": \"vxlan\", \"MTU\": "), Blank("BYTES"), Text(" }  # ")],
                "flannel-net-conf-json",
            ),
            Containers.line(
                &[
                    Text("helm upgrade cilium cilium/cilium -n kube-system --reuse-values --set MTU="),
                    Blank("BYTES"),
                    Text("  # "),
                ],
                "cilium",
            ),
        ],
    )
}

/// Proposes to let a router lower the MSS.
pub fn mss_clamp() -> Fix {
    fix(
        "mss-clamp",
        FixPlace::Network,
        vec![
            "iptables -t mangle -A FORWARD -p tcp --tcp-flags SYN,RST SYN -j TCPMSS --clamp-mss-to-pmtu".into(),
            "nft add rule inet filter forward tcp flags syn tcp option maxseg size set rt mtu".into(),
        ],
    )
}

/// Proposes to check whether a program listens on the port.
pub fn check_listener() -> Fix {
    fix(
        "check-listener",
        FixPlace::ReceivingHost,
        vec![line(&[Text("ss -ltnp 'sport = :"), Value(ServerPort), Text("'  # ")], "on-the-server")],
    )
    .measure()
}

/// Proposes to check whether a firewall drops the packets.
pub fn check_firewall() -> Fix {
    fix(
        "check-firewall",
        FixPlace::Network,
        vec![
            line(
                &[Text("tcpdump -ni any '"), Value(SynPackets), Text(" and port "), Value(ServerPort), Text("'  # ")],
                "on-server-does-syn-arrive",
            ),
            line(&[Text("mtr -n -r -c 20 "), Value(ProbeServer), Text("  # ")], "on-client-how-far-syns-get"),
            line("nft list ruleset; iptables-save  # ", "on-both-hosts-and-in-between"),
            line("nstat -az TcpExtListenOverflows TcpExtListenDrops  # ", "on-server-accept-queue-full"),
        ],
    )
    .measure()
}

/// Proposes to find the place at which the SYN-ACK, or its ACK, is dropped.
pub fn find_syn_ack() -> Fix {
    fix(
        "find-syn-ack",
        FixPlace::Network,
        vec![
            line(
                &[Text("tcpdump -ni any '"), Value(SynPackets), Text(" and port "), Value(ServerPort), Text("'  # ")],
                "on-client-does-syn-ack-arrive",
            ),
            line("nft list ruleset; iptables-save  # ", "on-both-hosts-and-in-between"),
            line("nstat -az TcpExtIPReversePathFilter  # ", "on-both-hosts-asymmetric-route"),
        ],
    )
    .measure()
}

/// Proposes longer queues for connections that are being opened.
pub fn raise_backlog() -> Fix {
    fix(
        "raise-backlog",
        FixPlace::ReceivingHost,
        vec![
            setting::raise(Sysctl::Somaxconn, 4096, "caps-backlog-of-listen"),
            setting::raise(Sysctl::TcpMaxSynBacklog, 8192, "caps-half-open-connections"),
            Nginx.line("listen 443 ssl backlog=4096;                               # ", "nginx"),
            Java.line("new ServerSocket(port, 4096);                              // ", "java"),
            Java.line("bootstrap.option(ChannelOption.SO_BACKLOG, 4096);          // ", "netty"),
            Python.line("sock.listen(4096)                                          # ", "python"),
            C.line("listen(fd, 4096);                                          /* ", "c-go-takes-somaxconn"),
            MySql.line("back_log = 4096                                            # ", "mysql-mariadb-my-cnf"),
            line("nstat -az TcpExtListenOverflows TcpExtListenDrops TcpExtSyncookiesSent  # ", "is-it-that"),
        ],
    )
}

/// Proposes to find the sender of the reset, and its reason.
pub fn find_reset() -> Fix {
    fix(
        "find-reset",
        FixPlace::ReceivingHost,
        vec![
            line(
                "nstat -az TcpExtTCPAbortOnData TcpExtTCPAbortOnClose TcpExtTCPAbortOnTimeout TcpEstabResets  # ",
                "both-hosts",
            ),
            line(
                &[
                    Text("tcpdump -nvi any '"),
                    Value(ResetPackets),
                    Text(" and port "),
                    Value(ServerPort),
                    Text("'  # "),
                ],
                "both-hosts-who-resets",
            ),
        ],
    )
    .measure()
}

/// Proposes that connection tracking accepts segments beyond its window.
pub fn track_liberally() -> Fix {
    fix(
        "track-liberally",
        FixPlace::Network,
        vec![
            line("sysctl -w net.netfilter.nf_conntrack_tcp_be_liberal=1      # ", "on-the-nat-node-or-router"),
            Containers.line(
                "kube-proxy --conntrack-tcp-be-liberal                      # ",
                "kubernetes-1-29-conntrack-config",
            ),
            line(
                "iptables -I FORWARD -p tcp -m conntrack --ctstate INVALID -j DROP  # ",
                "on-the-nat-instead-none-untranslated",
            ),
            line("conntrack -S                                               # ", "on-the-nat-does-invalid-grow"),
            line("sysctl -w net.netfilter.nf_conntrack_log_invalid=6         # ", "on-the-nat-log-invalid-tcp"),
            line("sysctl -w net.netfilter.nf_conntrack_checksum=0            # ", "on-the-nat-if-bad-checksum-logged"),
            line(
                &[Text("tcpdump -ni any '"), Value(ResetPackets), Text(" and port "), Value(ServerPort), Text("'  # ")],
                "both-hosts-and-nat-who-resets",
            ),
        ],
    )
    .conditional()
}

/// Proposes to find the place at which checksums become wrong.
pub fn fix_checksums() -> Fix {
    fix(
        "fix-checksums",
        FixPlace::Network,
        vec![
            line("nstat -az TcpInCsumErrors UdpInCsumErrors  # ", "on-the-receiver-do-these-grow"),
            line(
                &[Text("tcpdump -nvi any '"), Value(SynPackets), Text(" and port "), Value(ServerPort), Text("'  # ")],
                "at-each-hop-where-cksum-is-incorrect",
            ),
            interface_towards_receiver("interface-sending-host"),
            line("ethtool -K $DEV tx off  # ", "on-the-sender-tunnel-interface-too"),
        ],
    )
    .conditional()
}

/// Proposes to delete the slow-start threshold that Linux stores for the peer (`tcp_metrics`,
/// `tcp_init_metrics`).
pub fn forget_metrics() -> Fix {
    fix(
        "forget-metrics",
        FixPlace::SendingHost,
        vec![
            line(&[Text("ip tcp_metrics show "), Value(Receiver), Text("  # ")], "metrics-ssthresh-of-peer"),
            line(&[Text("ip tcp_metrics delete "), Value(Receiver), Text("  # ")], "metrics-forget-now"),
            line("sysctl -w net.ipv4.tcp_no_ssthresh_metrics_save=1       # ", "metrics-default-since-5-6"),
            line("sysctl -w net.ipv4.tcp_no_metrics_save=1                # ", "metrics-before-5-6"),
            line(&[Text("ip route get fibmatch "), Value(Receiver), Text("  # ")], "metrics-route-ssthresh"),
        ],
    )
}

/// Proposes to continue slow start when the delay rises.
pub fn disable_hystart() -> Fix {
    fix(
        "disable-hystart",
        FixPlace::SendingHost,
        vec![line("echo 0 > /sys/module/tcp_cubic/parameters/hystart          # ", "sending-host-cubic-only")],
    )
    .conditional()
}

/// Proposes segments as large as the path allows.
pub fn raise_mss() -> Fix {
    fix(
        "raise-mss",
        FixPlace::Network,
        vec![
            interface_towards_receiver("interface-sending-host"),
            line(
                &[Text("ip link show dev $DEV; ip route get "), Value(Receiver), Text("  # ")],
                "mtu-and-advmss-on-both-hosts",
            ),
            line("iptables -t mangle -L FORWARD -v | grep TCPMSS             # ", "clamped-too-low-on-way"),
            C.line("setsockopt(fd, IPPROTO_TCP, TCP_MAXSEG, …);                /* ", "c-delete"),
        ],
    )
    .conditional()
}

/// Proposes timestamps at the client, in which a SYN cookie stores the options.
pub fn enable_client_timestamps() -> Fix {
    fix(
        "enable-client-timestamps",
        FixPlace::SendingHost,
        vec![
            line("sysctl -w net.ipv4.tcp_timestamps=1                        # ", "linux-clients-the-default"),
            line("netsh int tcp set global timestamps=enabled                # ", "windows-clients"),
        ],
    )
}

/// Proposes to check whether the peer and the path to it are up.
pub fn look_for_peer() -> Fix {
    fix(
        "look-for-peer",
        FixPlace::Network,
        vec![
            line(&[Text("mtr -n -r -c 20 "), Value(ProbeReceiver), Text("  # ")], "does-anything-answer-and-how-far"),
            line(
                &[Text("tcpdump -ni any host "), Value(Sender), Text(" and port "), Value(ServerPort), Text("  # ")],
                "at-peer-does-data-arrive-does",
            ),
            line(
                "uptime; journalctl -k -b                                   # ",
                "at-peer-started-again-killed-network",
            ),
            line(
                &[Text("conntrack -L "), Value(TrackedToReceiver), Text("; nft list ruleset  # ")],
                "in-between-connection-still-known-and",
            ),
        ],
    )
    .measure()
}

/// Proposes to give up sooner than after about 15 minutes.
pub fn limit_retries() -> Fix {
    fix(
        "limit-retries",
        FixPlace::SendingApplication,
        vec![
            C.line(
                "setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &(unsigned){30000}, sizeof(unsigned));  /* ",
                "c-milliseconds",
            ),
            Python.line(
                "sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 30000)                   # ",
                "python",
            ),
            Go.line(
                "conn.SetDeadline(time.Now().Add(30 * time.Second))                                    // ",
                "go-every-operation",
            ),
            Java.line(
                "socket.setSoTimeout(30000);                                                           // ",
                "java-reads",
            ),
            setting::lower(Sysctl::TcpRetries2, 8, "linux-all-sockets-about-100-s"),
        ],
    )
}

/// Proposes a shorter path between the ends.
pub fn move_closer() -> Fix {
    fix(
        "move-closer",
        FixPlace::Network,
        vec![
            line(&[Text("mtr -n -r -c 20 "), Value(ProbeServer), Text("  # ")], "where-round-trip-comes-from-distance"),
            Nginx.line(
                "proxy_cache_path …; proxy_cache …;                         # ",
                "nginx-near-clients-answers-without-way",
            ),
            line("CREATE PROCEDURE …; INSERT … SELECT …;                     -- ", "sql-loop-at-database"),
        ],
    )
    .conditional()
}
