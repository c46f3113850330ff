//! Congestion control, paths, queues, and who answers at the other end.

use tcpwhy_kernel::Sysctl;
use tcpwhy_model::Program::{C, Containers, Go, Java, Kafka, MySql, Nginx, Python};
use tcpwhy_model::{Fix, FixPlace};

use super::{fix, line, setting};

/// Keep the congestion window over pauses.
pub fn disable_idle_restart() -> Fix {
    fix(
        "disable-idle-restart",
        FixPlace::SendingHost,
        vec![line("sysctl -w net.ipv4.tcp_slow_start_after_idle=0  # ", "if-on-as-by-default")],
    )
}

/// Begin with more than ten segments.
pub fn raise_initcwnd() -> Fix {
    fix(
        "raise-initcwnd",
        FixPlace::SendingHost,
        vec![
            line("ip route change default via … dev … initcwnd 32            # ", "sending-host"),
            line(
                "ip route change default via … dev … initrwnd 64            # ",
                "receiving-host-its-window-must-bear",
            ),
        ],
    )
}

/// Do not take every loss for congestion.
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
}

/// No port that was in use a moment ago.
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
            line("ss -tan state time-wait dst …; nstat -az TcpExtTCPChallengeACK  # ", "other-host-what-it-knows"),
        ],
    )
}

/// Find where packets are lost.
pub fn fix_loss() -> Fix {
    fix(
        "fix-loss",
        FixPlace::Network,
        vec![
            line("ip -s -s link show dev …; ethtool -S … | grep -iE 'err|drop|discard|miss'  # ", "both-hosts"),
            line("tc -s qdisc show dev …                                                     # ", "drops-sending-host"),
            line("nstat -az TcpRetransSegs TcpExtTCPLostRetransmit TcpExtTCPTimeouts          # ", "sending-host"),
            line("mtr -n -c 100 -T -P PORT HOST                                              # ", "where-losses-begin"),
        ],
    )
}

/// Let timers and reordering cost less.
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
}

/// Stop what reorders or delays single packets.
pub fn stop_reordering() -> Fix {
    fix(
        "stop-reordering",
        FixPlace::Network,
        vec![
            line("ip link set bond0 type bond mode 802.3ad xmit_hash_policy layer3+4  # ", "not-balance-rr"),
            line("sysctl -w net.ipv4.fib_multipath_hash_policy=1                      # ", "paths-by-flow"),
            line("nstat -az TcpExtTCPDSACKRecv TcpExtTCPSACKReorder                    # ", "sending-host-how-often"),
        ],
    )
}

/// A short queue at the bottleneck.
pub fn fix_queue_aqm() -> Fix {
    fix(
        "fix-queue-aqm",
        FixPlace::Network,
        vec![
            line(
                "tc qdisc replace dev … root cake bandwidth 95mbit          # ",
                "at-bottleneck-little-below-line-rate",
            ),
            line("tc qdisc replace dev … root fq_codel                       # ", "where-line-itself-bottleneck"),
            line("sysctl -w net.core.default_qdisc=fq net.ipv4.tcp_congestion_control=bbr  # ", "or-at-sending-host"),
        ],
    )
}

/// More capacity or fewer bytes.
pub fn raise_capacity() -> Fix {
    fix(
        "raise-capacity",
        FixPlace::Network,
        vec![
            line("ethtool … | grep -E 'Speed|Duplex'                         # ", "both-hosts-and-switch-as-fast"),
            line("tc -s qdisc show dev …                                     # ", "shaper-your-own"),
            Nginx
                .line("gzip on; gzip_types application/json text/css application/javascript;  # ", "nginx-fewer-bytes"),
            Kafka.client_line(
                Java,
                "compression.type=zstd                                      # ",
                "kafka-producer-fewer-bytes",
            ),
        ],
    )
}

/// Stay below a policer's rate.
pub fn shape_below_policer(bits_per_second: f64) -> Fix {
    let kbit = (bits_per_second * 0.95 / 1000.0).round().max(1.0);
    Fix::new(
        "shape-below-policer",
        FixPlace::SendingHost,
        vec![
            line(
                format!("tc qdisc replace dev … root tbf rate {kbit}kbit burst 16kb latency 50ms  # "),
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

/// Have the end at `place` offer SACK, and nobody take it away.
pub fn enable_sack(place: FixPlace) -> Fix {
    fix(
        "enable-sack",
        place,
        vec![
            line("sysctl -w net.ipv4.tcp_sack=1                              # ", "end-without-the-option"),
            line("tcpdump -nvi … 'tcp[tcpflags] & tcp-syn != 0 and port PORT'  # ", "at-both-ends-does-sack-arrive"),
            line("tcp-options selective-ack allow                             # ", "cisco-asa-in-tcp-map-clears"),
        ],
    )
}

/// No receiver that takes back what it offered.
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
        ],
    )
}

/// Which queue marks, and whether it should.
pub fn find_marking_queue() -> Fix {
    fix(
        "find-marking-queue",
        FixPlace::Network,
        vec![
            line("tc -s qdisc show dev … | grep -E 'ecn|marked'              # ", "both-hosts-and-routers-who-marks"),
            line("nstat -az TcpExtTCPDeliveredCE IpExtInCEPkts               # ", "sending-receiving-host-how-much"),
            line(
                "tc qdisc replace dev … root fq_codel target 5ms interval 100ms ecn  # ",
                "queue-marks-too-early-its-usual",
            ),
        ],
    )
}

/// Which link stands still.
pub fn find_stalls() -> Fix {
    fix(
        "find-stalls",
        FixPlace::Network,
        vec![
            line("iw dev wlan0 set power_save off                            # ", "the-station-linux"),
            "iw dev wlan0 station dump | grep -E 'signal|bitrate|retries|failed'".into(),
            line("ping -i 0.02 GATEWAY                                       # ", "from-station-does-first-hop-stand"),
            line("grep -E 'steal|^cpu ' /proc/stat                           # ", "virtual-machine-scheduled-all-time"),
        ],
    )
}

/// Let path MTU discovery work.
pub fn fix_mtu() -> Fix {
    fix(
        "fix-mtu",
        FixPlace::Network,
        vec![
            line("ping -M do -s 1472 HOST                                    # ", "ipv4-largest-passes-plus-28-mtu"),
            line("sysctl -w net.ipv4.tcp_mtu_probing=1                       # ", "sending-host-find-out-without-icmp"),
            "iptables -A FORWARD -p icmp --icmp-type fragmentation-needed -j ACCEPT".into(),
            "ip6tables -A FORWARD -p icmpv6 --icmpv6-type packet-too-big -j ACCEPT".into(),
            line("MTU = BYTES                                                # ", "wireguard-wg-quick-interface"),
            Containers.line(
                "{ \"mtu\": BYTES }                                           # ",
                "docker-daemon-json-default-bridge",
            ),
            Containers.line("docker network create -o com.docker.network.driver.mtu=BYTES NAME  # ", "docker-other-networks"),
            Containers.line(
                "kubectl patch installation.operator.tigera.io default --type merge -p '{\"spec\":{\"calicoNetwork\":{\"mtu\":BYTES}}}'  # ",
                "calico-by-operator",
            ),
            Containers.line(
                "kubectl patch configmap/calico-config -n kube-system --type merge -p '{\"data\":{\"veth_mtu\":\"BYTES\"}}'  # ",
                "calico-by-manifest",
            ),
            Containers.line("\"Backend\": { \"Type\": \"vxlan\", \"MTU\": BYTES }               # ", "flannel-net-conf-json"),
            Containers.line("helm upgrade cilium cilium/cilium -n kube-system --reuse-values --set MTU=BYTES  # ", "cilium"),
        ],
    )
}

/// Let a router lower the MSS.
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

/// Does anything listen there?
pub fn check_listener() -> Fix {
    fix(
        "check-listener",
        FixPlace::ReceivingHost,
        vec![line("ss -ltnp 'sport = :PORT'                                   # ", "on-the-server")],
    )
}

/// Does anything come through?
pub fn check_firewall() -> Fix {
    fix(
        "check-firewall",
        FixPlace::Network,
        vec![
            line("tcpdump -ni any 'tcp[tcpflags] & tcp-syn != 0 and port PORT'  # ", "on-server-does-syn-arrive"),
            line("nft list ruleset; iptables-save                            # ", "on-both-hosts-and-in-between"),
            line("nstat -az TcpExtListenOverflows TcpExtListenDrops           # ", "on-server-accept-queue-full"),
        ],
    )
}

/// Longer queues for connections that are being opened.
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

/// Who sent the reset, and why.
pub fn find_reset() -> Fix {
    fix(
        "find-reset",
        FixPlace::ReceivingHost,
        vec![
            line(
                "nstat -az TcpExtTCPAbortOnData TcpExtTCPAbortOnClose TcpExtTCPAbortOnTimeout TcpEstabResets  # ",
                "both-hosts",
            ),
            setting::lower(Sysctl::TcpKeepaliveTime, 300, "below-idle-timeout-nat-or-balancer"),
            Nginx.line("proxy_read_timeout 300s; proxy_send_timeout 300s;          # ", "nginx-if-one-gave-up"),
        ],
    )
}

/// Let connection tracking take segments beyond its window for what they are.
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
            line("tcpdump -ni any 'tcp[tcpflags] & tcp-rst != 0 and port PORT'  # ", "both-hosts-and-nat-who-resets"),
        ],
    )
}

/// Where do checksums become wrong?
pub fn fix_checksums() -> Fix {
    fix(
        "fix-checksums",
        FixPlace::Network,
        vec![
            line("ethtool -K DEV tx off                                      # ", "on-the-sender-tunnel-interface-too"),
            line("nstat -az TcpInCsumErrors UdpInCsumErrors                  # ", "on-the-receiver-do-these-grow"),
            line(
                "tcpdump -nvi DEV 'tcp[tcpflags] & tcp-syn != 0'            # ",
                "at-each-hop-where-cksum-is-incorrect",
            ),
        ],
    )
}

/// Forget the slow-start threshold that Linux remembers of the peer (`tcp_metrics`, `tcp_init_metrics`).
pub fn forget_metrics() -> Fix {
    fix(
        "forget-metrics",
        FixPlace::SendingHost,
        vec![
            line("ip tcp_metrics show                                     # ", "metrics-ssthresh-of-peer"),
            line("ip tcp_metrics flush all                                # ", "metrics-forget-now"),
            line("sysctl -w net.ipv4.tcp_no_ssthresh_metrics_save=1       # ", "metrics-default-since-5-6"),
            line("sysctl -w net.ipv4.tcp_no_metrics_save=1                # ", "metrics-before-5-6"),
            line("ip route show                                           # ", "metrics-route-ssthresh"),
        ],
    )
}

/// Keep slow start going when the delay rises.
pub fn disable_hystart() -> Fix {
    fix(
        "disable-hystart",
        FixPlace::SendingHost,
        vec![line("echo 0 > /sys/module/tcp_cubic/parameters/hystart          # ", "sending-host-cubic-only")],
    )
}

/// Let segments be as large as the path bears.
pub fn raise_mss() -> Fix {
    fix(
        "raise-mss",
        FixPlace::Network,
        vec![
            line("ip link show dev …; ip route get HOST                      # ", "mtu-and-advmss-on-both-hosts"),
            line("iptables -t mangle -L FORWARD -v | grep TCPMSS             # ", "clamped-too-low-on-way"),
            C.line("setsockopt(fd, IPPROTO_TCP, TCP_MAXSEG, …);                /* ", "c-delete"),
        ],
    )
}

/// Let a cookie remember the options.
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

/// Find out whether the peer, and the path to it, are there.
pub fn look_for_peer() -> Fix {
    fix(
        "look-for-peer",
        FixPlace::Network,
        vec![
            line("mtr -n -c 20 -T -P PORT HOST                               # ", "does-anything-answer-and-how-far"),
            line("tcpdump -ni any host HOST and port PORT                    # ", "at-peer-does-data-arrive-does"),
            line(
                "uptime; journalctl -k -b                                   # ",
                "at-peer-started-again-killed-network",
            ),
            line(
                "conntrack -L -d HOST; nft list ruleset                     # ",
                "in-between-connection-still-known-and",
            ),
        ],
    )
}

/// Give up sooner than after a quarter of an hour.
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

/// Shorten the way.
pub fn move_closer() -> Fix {
    fix(
        "move-closer",
        FixPlace::Network,
        vec![
            line(
                "mtr -n -c 20 -T -P PORT HOST                               # ",
                "where-round-trip-comes-from-distance",
            ),
            Nginx.line(
                "proxy_cache_path …; proxy_cache …;                         # ",
                "nginx-near-clients-answers-without-way",
            ),
            line("CREATE PROCEDURE …; INSERT … SELECT …;                     -- ", "sql-loop-at-database"),
        ],
    )
}
