//! Congestion control, paths, queues, and who answers at the other end.

use tcpwhy_model::{Fix, FixPlace};

use super::fix;

/// Keep the congestion window over pauses.
pub fn disable_idle_restart() -> Fix {
    fix("disable-idle-restart", FixPlace::SendingHost, &["sysctl -w net.ipv4.tcp_slow_start_after_idle=0"])
}

/// Begin with more than ten segments.
pub fn raise_initcwnd() -> Fix {
    fix(
        "raise-initcwnd",
        FixPlace::SendingHost,
        &[
            "ip route change default via … dev … initcwnd 32            # sending host",
            "ip route change default via … dev … initrwnd 64            # receiving host: its window must bear it",
        ],
    )
}

/// Do not take every loss for congestion.
pub fn use_bbr() -> Fix {
    fix(
        "use-bbr",
        FixPlace::SendingHost,
        &[
            "sysctl -w net.core.default_qdisc=fq net.ipv4.tcp_congestion_control=bbr  # new connections",
            "setsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, \"bbr\", 3);                   /* C: one socket */",
            "sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, b\"bbr\")       # Python: one socket",
        ],
    )
}

/// No port that was in use a moment ago.
pub fn let_kernel_choose_port() -> Fix {
    fix(
        "let-kernel-choose-port",
        FixPlace::SendingApplication,
        &[
            "connect(fd, …);  /* C: without bind() to a fixed port before it */",
            "setsockopt(fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &(int){1}, sizeof(int));  /* where only the address is bound */",
            "sysctl -w net.ipv4.tcp_timestamps=1  # both hosts: a newer timestamp lets a new connection replace one in TIME-WAIT",
            "ss -tan state time-wait dst …; nstat -az TcpExtTCPChallengeACK  # the other host: what it still knows",
        ],
    )
}

/// Find where packets are lost.
pub fn fix_loss() -> Fix {
    fix(
        "fix-loss",
        FixPlace::Network,
        &[
            "ip -s -s link show dev …; ethtool -S … | grep -iE 'err|drop|discard|miss'  # both hosts",
            "tc -s qdisc show dev …                                                     # drops of the sending host",
            "nstat -az TcpRetransSegs TcpExtTCPLostRetransmit TcpExtTCPTimeouts          # sending host",
            "mtr -n -c 100 -T -P PORT HOST                                              # where losses begin",
        ],
    )
}

/// Let timers and reordering cost less.
pub fn enable_loss_probes() -> Fix {
    fix(
        "enable-loss-probes",
        FixPlace::SendingHost,
        &[
            "sysctl -w net.ipv4.tcp_sack=1 net.ipv4.tcp_dsack=1 net.ipv4.tcp_timestamps=1  # both hosts (the defaults)",
            "sysctl -w net.ipv4.tcp_early_retrans=3 net.ipv4.tcp_recovery=1                # sending host (the defaults)",
        ],
    )
}

/// Stop what reorders or delays single packets.
pub fn stop_reordering() -> Fix {
    fix(
        "stop-reordering",
        FixPlace::Network,
        &[
            "ip link set bond0 type bond mode 802.3ad xmit_hash_policy layer3+4  # not balance-rr",
            "sysctl -w net.ipv4.fib_multipath_hash_policy=1                      # paths by flow, not by packet",
            "nstat -az TcpExtTCPDSACKRecv TcpExtTCPSACKReorder                    # sending host: how often",
        ],
    )
}

/// A short queue at the bottleneck.
pub fn fix_queue_aqm() -> Fix {
    fix(
        "fix-queue-aqm",
        FixPlace::Network,
        &[
            "tc qdisc replace dev … root cake bandwidth 95mbit          # at the bottleneck, a little below the line rate",
            "tc qdisc replace dev … root fq_codel                       # where the line itself is the bottleneck",
            "sysctl -w net.core.default_qdisc=fq net.ipv4.tcp_congestion_control=bbr  # or at the sending host",
        ],
    )
}

/// More capacity or fewer bytes.
pub fn raise_capacity() -> Fix {
    fix(
        "raise-capacity",
        FixPlace::Network,
        &[
            "ethtool … | grep -E 'Speed|Duplex'                         # both hosts and the switch: as fast as it should be?",
            "tc -s qdisc show dev …                                     # a shaper of your own?",
            "gzip on; gzip_types application/json text/css application/javascript;  # nginx: fewer bytes",
            "compression.type=zstd                                      # Kafka producer: fewer bytes",
        ],
    )
}

/// Stay below a policer's rate.
pub fn shape_below_policer(bits_per_second: f64) -> Fix {
    let kbit = (bits_per_second * 0.95 / 1000.0).round().max(1.0);
    Fix {
        id: "shape-below-policer",
        place: FixPlace::SendingHost,
        lines: vec![
            format!(
                "tc qdisc replace dev … root tbf rate {kbit}kbit burst 16kb latency 50ms  # a little below its rate"
            )
            .into(),
            format!(
                "setsockopt(fd, SOL_SOCKET, SO_MAX_PACING_RATE, &(uint64_t){{{}}}, 8);  /* C: bytes per second */",
                (kbit * 125.0) as u64
            )
            .into(),
        ],
    }
}

/// Have the end at `place` offer SACK, and nobody take it away.
pub fn enable_sack(place: FixPlace) -> Fix {
    fix(
        "enable-sack",
        place,
        &[
            "sysctl -w net.ipv4.tcp_sack=1                              # the end that did not offer it (the default)",
            "tcpdump -nvi … 'tcp[tcpflags] & tcp-syn != 0 and port PORT'  # at both ends: does sackOK arrive as it was sent?",
            "tcp-options selective-ack allow                             # Cisco ASA: in the tcp-map that clears it",
        ],
    )
}

/// No receiver that takes back what it offered.
pub fn keep_window_open() -> Fix {
    fix(
        "keep-window-open",
        FixPlace::ReceivingHost,
        &[
            "sysctl -w net.ipv4.tcp_shrink_window=0                     # the default",
            "setsockopt(fd, SOL_SOCKET, SO_RCVBUF, …);                  /* C: before connect() or listen(), never smaller later */",
            "nstat -az TcpExtTCPRcvQDrop TcpExtPruneCalled TcpExtTCPZeroWindowDrop  # receiving host: what it dropped",
        ],
    )
}

/// Which queue marks, and whether it should.
pub fn find_marking_queue() -> Fix {
    fix(
        "find-marking-queue",
        FixPlace::Network,
        &[
            "tc -s qdisc show dev … | grep -E 'ecn|marked'              # both hosts and routers: who marks",
            "nstat -az TcpExtTCPDeliveredCE IpExtInCEPkts               # sending, receiving host: how much",
            "tc qdisc replace dev … root fq_codel target 5ms interval 100ms ecn  # a queue that marks too early: its usual numbers",
        ],
    )
}

/// Which link stands still.
pub fn find_stalls() -> Fix {
    fix(
        "find-stalls",
        FixPlace::Network,
        &[
            "iw dev wlan0 set power_save off                            # the station, Linux",
            "iw dev wlan0 station dump | grep -E 'signal|bitrate|retries|failed'",
            "ping -i 0.02 GATEWAY                                       # from the station: does the first hop stand still already?",
            "grep -E 'steal|^cpu ' /proc/stat                           # a virtual machine: is it scheduled all the time?",
        ],
    )
}

/// Let path MTU discovery work.
pub fn fix_mtu() -> Fix {
    fix(
        "fix-mtu",
        FixPlace::Network,
        &[
            "ping -M do -s 1472 HOST                                    # IPv4: the largest that passes, plus 28, is the MTU",
            "iptables -A FORWARD -p icmp --icmp-type fragmentation-needed -j ACCEPT",
            "ip6tables -A FORWARD -p icmpv6 --icmpv6-type packet-too-big -j ACCEPT",
            "sysctl -w net.ipv4.tcp_mtu_probing=1                       # sending host: find it out without ICMP",
        ],
    )
}

/// Let a router lower the MSS.
pub fn mss_clamp() -> Fix {
    fix(
        "mss-clamp",
        FixPlace::Network,
        &[
            "iptables -t mangle -A FORWARD -p tcp --tcp-flags SYN,RST SYN -j TCPMSS --clamp-mss-to-pmtu",
            "nft add rule inet filter forward tcp flags syn tcp option maxseg size set rt mtu",
        ],
    )
}

/// Does anything listen there?
pub fn check_listener() -> Fix {
    fix(
        "check-listener",
        FixPlace::ReceivingHost,
        &["ss -ltnp 'sport = :PORT'                                   # on the server"],
    )
}

/// Does anything come through?
pub fn check_firewall() -> Fix {
    fix(
        "check-firewall",
        FixPlace::Network,
        &[
            "tcpdump -ni any 'tcp[tcpflags] & tcp-syn != 0 and port PORT'  # on the server: does the SYN arrive?",
            "nft list ruleset; iptables-save                            # on both hosts and in between",
            "nstat -az TcpExtListenOverflows TcpExtListenDrops           # on the server: accept queue full?",
        ],
    )
}

/// Longer queues for connections that are being opened.
pub fn raise_backlog() -> Fix {
    fix(
        "raise-backlog",
        FixPlace::ReceivingHost,
        &[
            "sysctl -w net.core.somaxconn=4096 net.ipv4.tcp_max_syn_backlog=8192",
            "listen 443 ssl backlog=4096;                               # nginx",
            "new ServerSocket(port, 4096);                              // Java",
            "bootstrap.option(ChannelOption.SO_BACKLOG, 4096);          // Netty",
            "sock.listen(4096)                                          # Python",
            "listen(fd, 4096);                                          /* C; Go takes net.core.somaxconn */",
            "back_log = 4096                                            # MySQL, MariaDB: my.cnf",
            "nstat -az TcpExtListenOverflows TcpExtListenDrops TcpExtSyncookiesSent  # is it that?",
        ],
    )
}

/// Who sent the reset, and why.
pub fn find_reset() -> Fix {
    fix(
        "find-reset",
        FixPlace::ReceivingHost,
        &[
            "nstat -az TcpExtTCPAbortOnData TcpExtTCPAbortOnClose TcpExtTCPAbortOnTimeout TcpEstabResets  # both hosts",
            "sysctl -w net.ipv4.tcp_keepalive_time=300                  # below the idle timeout of a NAT or balancer, with SO_KEEPALIVE",
            "proxy_read_timeout 300s; proxy_send_timeout 300s;          # nginx: if it is the one that gave up",
        ],
    )
}

/// Keep slow start going when the delay rises.
pub fn disable_hystart() -> Fix {
    fix(
        "disable-hystart",
        FixPlace::SendingHost,
        &["echo 0 > /sys/module/tcp_cubic/parameters/hystart          # sending host, CUBIC only"],
    )
}

/// Let segments be as large as the path bears.
pub fn raise_mss() -> Fix {
    fix(
        "raise-mss",
        FixPlace::Network,
        &[
            "ip link show dev …; ip route get HOST                      # MTU and advmss on both hosts",
            "iptables -t mangle -L FORWARD -v | grep TCPMSS             # clamped too low on the way?",
            "setsockopt(fd, IPPROTO_TCP, TCP_MAXSEG, …);                /* C: delete */",
        ],
    )
}

/// Let a cookie remember the options.
pub fn enable_client_timestamps() -> Fix {
    fix(
        "enable-client-timestamps",
        FixPlace::SendingHost,
        &[
            "sysctl -w net.ipv4.tcp_timestamps=1                        # Linux clients (the default)",
            "netsh int tcp set global timestamps=enabled                # Windows clients",
        ],
    )
}

/// Find out whether the peer, and the path to it, are there.
pub fn look_for_peer() -> Fix {
    fix(
        "look-for-peer",
        FixPlace::Network,
        &[
            "mtr -n -c 20 -T -P PORT HOST                               # does anything answer, and how far does it get?",
            "tcpdump -ni any host HOST and port PORT                    # at the peer: does the data arrive, does an ACK leave?",
            "uptime; journalctl -k -b                                   # at the peer: started again, killed, network down?",
            "conntrack -L -d HOST; nft list ruleset                     # in between: is the connection still known and let through?",
        ],
    )
}

/// Give up sooner than after a quarter of an hour.
pub fn limit_retries() -> Fix {
    fix(
        "limit-retries",
        FixPlace::SendingApplication,
        &[
            "setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &(unsigned){30000}, sizeof(unsigned));  /* C: milliseconds */",
            "sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 30000)                   # Python",
            "conn.SetDeadline(time.Now().Add(30 * time.Second))                                    // Go: every operation",
            "socket.setSoTimeout(30000);                                                           // Java: reads",
            "sysctl -w net.ipv4.tcp_retries2=8                                                     # Linux: all sockets, about 100 s",
        ],
    )
}

/// Shorten the way.
pub fn move_closer() -> Fix {
    fix(
        "move-closer",
        FixPlace::Network,
        &[
            "mtr -n -c 20 -T -P PORT HOST                               # where the round trip comes from: distance, or a detour?",
            "proxy_cache_path …; proxy_cache …;                         # nginx near the clients: answers without the way",
            "CREATE PROCEDURE …; INSERT … SELECT …;                     -- SQL: the loop at the database",
        ],
    )
}
