//! The remarks behind lines of code and configuration, in the reader's language. The lines themselves are the same everywhere.

use std::borrow::Cow;

use crate::{Language, Pattern};

/// `line` with its remark in `language`; a remark that has no other words stays as it is.
pub(crate) fn in_language(line: &str, language: Language) -> Cow<'_, str> {
    if language == Language::English {
        return line.into();
    }
    let Some((code, mark, remark)) = parts(line) else { return line.into() };
    let (remark, end) = remark.strip_suffix(" */").map_or((remark, ""), |inner| (inner, " */"));
    match chinese(remark) {
        Some(remark) => format!("{code}{mark}{remark}{end}").into(),
        None => line.into(),
    }
}

/// The code of a line, the sign that begins its remark, and the remark.
fn parts(line: &str) -> Option<(&str, &str, &str)> {
    let begins = |at: usize| at == 0 || line[..at].ends_with(' ');
    ["/* ", "// ", "# "].into_iter().find_map(|mark| {
        let at = line.rmatch_indices(mark).map(|(at, _)| at).find(|&at| begins(at))?;
        Some((&line[..at], mark, &line[at + mark.len()..]))
    })
}

/// The Chinese of a remark, its `{}` filled with what stands there.
fn chinese(remark: &str) -> Option<String> {
    REMARKS.iter().find_map(|(english, chinese)| Some(Pattern(chinese).fill(Pattern(english).parts(remark)?)))
}

#[rustfmt::skip]
const REMARKS: &[(&str, &str)] = &[
    ("C: accept all, work elsewhere", "C：先全部 accept，工作放到别处"),
    ("C: again after every read", "C：每次读取之后再设一次"),
    ("C: at least", "C：至少"),
    ("C: before connect or listen", "C：在 connect 或 listen 之前"),
    ("C: before connect() or listen(), never smaller later", "C：在 connect() 或 listen() 之前，之后不要再调小"),
    ("C: bytes per second", "C：每秒字节数"),
    ("C: delete", "C：删除"),
    ("C: milliseconds", "C：毫秒"),
    ("C: ms without progress", "C：没有进展的毫秒数"),
    ("C: one socket", "C：单个套接字"),
    ("C: with SO_KEEPALIVE", "C：与 SO_KEEPALIVE 同用"),
    ("C: without bind() to a fixed port before it", "C：之前不要 bind() 到固定端口"),
    ("C; Go takes net.core.somaxconn", "C；Go 取 net.core.somaxconn"),
    ("Cisco ASA: in the tcp-map that clears it", "Cisco ASA：在清除该选项的 tcp-map 里"),
    ("Go (its default)", "Go（默认值）"),
    ("Go, with net/http/pprof", "Go，配合 net/http/pprof"),
    ("Go: delete", "Go：删除"),
    ("Go: every operation", "Go：每次操作"),
    ("Go: large pieces", "Go：大块"),
    ("Go: one flush a message", "Go：每条消息 flush 一次"),
    ("Go: one for the whole process; read bodies to the end", "Go：整个进程共用一个；把响应体读完"),
    ("Go: read bodies to their end, and close them", "Go：把响应体读完并关闭"),
    ("Go: set SO_RCVBUF={} there; SetReadBuffer comes too late", "Go：在那里设 SO_RCVBUF={}；SetReadBuffer 太晚了"),
    ("Go: the reading goroutine only hands on", "Go：读取的 goroutine 只负责转交"),
    ("Go; for HTTP: defer response.Body.Close()", "Go；HTTP 用 defer response.Body.Close()"),
    ("IPv4: the largest that passes, plus 28, is the MTU", "IPv4：能通过的最大值加 28 就是 MTU"),
    ("JDBC: more rows a turn", "JDBC：每次多取几行"),
    ("Java 11: with SO_KEEPALIVE", "Java 11：与 SO_KEEPALIVE 同用"),
    ("Java NIO: delete", "Java NIO：删除"),
    ("Java, HikariCP: milliseconds", "Java，HikariCP：毫秒"),
    ("Java, also on ServerSocket: delete", "Java，ServerSocket 上也要：删除"),
    ("Java: a thread that does nothing else", "Java：用一个不做别的事的线程"),
    ("Go: nothing slow between two Accept", "Go：两次 Accept 之间不做慢的事"),
    ("Java: before bind; a client: before connect", "Java：在 bind 之前；客户端在 connect 之前"),
    ("Java: closed whatever happens", "Java：无论如何都会关闭"),
    ("Java: closes on every path", "Java：从哪条路径退出都会关闭"),
    ("Java: delete", "Java：删除"),
    ("Java: files without copying", "Java：传文件不经复制"),
    ("Java: one flush a message", "Java：每条消息 flush 一次"),
    ("Java: one for the whole process", "Java：整个进程共用一个"),
    ("Java: read in one thread, work in others", "Java：一个线程读取，其他线程处理"),
    ("Java: reads", "Java：读取"),
    ("Java: what every thread waits for", "Java：每个线程在等什么"),
    ("Kafka broker (default: 102400)", "Kafka broker（默认：102400）"),
    ("Kafka broker; send.buffer.bytes for its clients", "Kafka broker；其客户端用 send.buffer.bytes"),
    ("Kafka clients; socket.receive.buffer.bytes on the broker", "Kafka 客户端；broker 上用 socket.receive.buffer.bytes"),
    ("Kafka consumer (default: 65536), producer (32768)", "Kafka consumer（默认：65536）、producer（32768）"),
    ("Kafka producer (its default)", "Kafka producer（默认值）"),
    ("Kafka producer and consumer (default: 131072)", "Kafka producer 和 consumer（默认：131072）"),
    ("Kafka producer: fewer bytes", "Kafka producer：减少字节"),
    ("Kafka replicas (default: 65536)", "Kafka 副本（默认：65536）"),
    ("Linux clients (the default)", "Linux 客户端（默认值）"),
    ("Linux, both hosts (the default)", "Linux，两端主机（默认值）"),
    ("Linux: all sockets with SO_KEEPALIVE", "Linux：所有启用 SO_KEEPALIVE 的套接字"),
    ("Linux: all sockets, about 100 s", "Linux：所有套接字，约 100 s"),
    ("Linux: for a whole route", "Linux：对整条路由"),
    ("MTU and advmss on both hosts", "两端主机的 MTU 和 advmss"),
    ("MySQL Connector/J (its default)", "MySQL Connector/J（默认值）"),
    ("MySQL Connector/J (the server sets none)", "MySQL Connector/J（服务器不设）"),
    ("MySQL Connector/J: reading with a cursor", "MySQL Connector/J：用游标读取"),
    ("MySQL Connector/J: writing with addBatch", "MySQL Connector/J：用 addBatch 写入"),
    ("MySQL, MariaDB: my.cnf", "MySQL、MariaDB：my.cnf"),
    ("Netty (its default)", "Netty（默认值）"),
    ("Netty: delete", "Netty：删除"),
    ("Python: again after every read", "Python：每次读取之后再设一次"),
    ("Python: before connect or listen", "Python：在 connect 或 listen 之前"),
    ("Python: delete", "Python：删除"),
    ("Python: more workers", "Python：增加 worker"),
    ("Python: one for all requests", "Python：所有请求共用一个"),
    ("Python: one for the whole process", "Python：整个进程共用一个"),
    ("Python: one socket", "Python：单个套接字"),
    ("Python: the reading thread only hands on", "Python：读取的线程只负责转交"),
    ("Python: with SO_KEEPALIVE", "Python：与 SO_KEEPALIVE 同用"),
    ("Reused: the server resumes", "Reused：服务器会复用会话"),
    ("Windows clients", "Windows 客户端"),
    ("a CPU at 100 % soft or sys?", "有 CPU 的 soft 或 sys 到 100 % 吗？"),
    ("a little below its rate", "比它的速率略低"),
    ("a queue that marks too early: its usual numbers", "过早打标记的队列：常用值"),
    ("a shaper of your own?", "是你自己的整形器吗？"),
    ("a virtual machine: is it scheduled all the time?", "虚拟机：一直得到调度吗？"),
    ("after the next boot", "下次启动后仍有效"),
    ("any process", "任意进程"),
    ("at both ends: does sackOK arrive as it was sent?", "在两端：sackOK 到达时与发出时一样吗？"),
    ("at the bottleneck, a little below the line rate", "在瓶颈处，比线路速率略低"),
    ("at the peer: does the data arrive, does an ACK leave?", "在对端：数据到了吗，有 ACK 发出吗？"),
    ("at the peer: started again, killed, network down?", "在对端：重启过、被杀死、网络断开？"),
    ("autotuning itself (the default)", "自动调整本身（默认值）"),
    ("before the connection opens", "在连接建立之前"),
    ("below the idle timeout of a NAT or balancer, with SO_KEEPALIVE", "小于 NAT 或负载均衡器的空闲超时，与 SO_KEEPALIVE 同用"),
    ("both hosts", "两端主机"),
    ("both hosts (the defaults)", "两端主机（默认值）"),
    ("both hosts and routers: who marks", "两端主机和路由器：谁在打标记"),
    ("both hosts and the switch: as fast as it should be?", "两端主机和交换机：速率正常吗？"),
    ("both hosts: a newer timestamp lets a new connection replace one in TIME-WAIT", "两端主机：时间戳较新，新连接才能取代 TIME-WAIT 中的旧连接"),
    ("caps SO_RCVBUF only", "只限制 SO_RCVBUF"),
    ("caps SO_RCVBUF only, not autotuning", "只限制 SO_RCVBUF，不限制自动调整"),
    ("caps SO_SNDBUF only, not autotuning", "只限制 SO_SNDBUF，不限制自动调整"),
    ("clamped too low on the way?", "中途被改得太小？"),
    ("delete", "删除"),
    ("does anything answer, and how far does it get?", "有应答吗，能到哪一跳？"),
    ("drops of the sending host", "发送端主机的丢弃"),
    ("ends them now (CONFIG_INET_DIAG_DESTROY)", "立即结束它们（CONFIG_INET_DIAG_DESTROY）"),
    ("for a test only", "仅供测试"),
    ("from the station: does the first hop stand still already?", "从终端：第一跳就停顿了吗？"),
    ("if autotuning was meant", "如果本意是自动调整"),
    ("in between: is the connection still known and let through?", "中间设备：还记得并放行这条连接吗？"),
    ("is it that?", "是不是它？"),
    ("it does nothing any more", "已不起作用"),
    ("min, default, max", "最小、默认、最大"),
    ("new connections", "新连接"),
    ("nginx (its default)", "nginx（默认值）"),
    ("nginx near the clients: answers without the way", "靠近客户端的 nginx：不必绕远就能应答"),
    ("nginx, in upstream", "nginx，upstream 内"),
    ("nginx: fewer bytes", "nginx：减少字节"),
    ("nginx: if it is the one that gave up", "nginx：如果是它放弃的"),
    ("nginx: no rate limit (the default)", "nginx：不限速（默认值）"),
    ("nginx: take answers from the upstream at full speed", "nginx：全速接收上游的应答"),
    ("nginx: take uploads at full speed", "nginx：全速接收上传"),
    ("nginx: upstream and location", "nginx：upstream 和 location"),
    ("nginx: without rcvbuf=", "nginx：去掉 rcvbuf="),
    ("nginx: without sndbuf=", "nginx：去掉 sndbuf="),
    ("not balance-rr", "不要用 balance-rr"),
    ("on both hosts and in between", "在两端主机和中间"),
    ("on the other host: whose connection arrives there?", "在另一端主机：到那里的是谁的连接？"),
    ("on the sending host", "在发送端主机"),
    ("on the sending host, while it runs: cwnd, unacked, notsent, skmem", "在发送端主机，传输期间：cwnd、unacked、notsent、skmem"),
    ("on the sending host: a local proxy?", "在发送端主机：有本地代理吗？"),
    ("on the server", "在服务器上"),
    ("on the server: Recv-Q waiting for accept(), Send-Q the queue's size", "在服务器上：Recv-Q 是等待 accept() 的，Send-Q 是队列大小"),
    ("on the server: accept queue full?", "在服务器上：accept 队列满了吗？"),
    ("on the server: does it grow?", "在服务器上：在增长吗？"),
    ("on the server: does the SYN arrive?", "在服务器上：SYN 到了吗？"),
    ("one interface, not any", "一个网卡，不要用 any"),
    ("or at the sending host", "或在发送端主机"),
    ("orphans and closed connections hold memory too", "孤儿连接和已关闭的连接也占内存"),
    ("outgoing connections; needs timestamps at both ends", "出站连接；两端都要有时间戳"),
    ("pages, if bytes were meant", "单位是页，如果本意是字节"),
    ("pages; twice of what it was", "单位是页；原值的两倍"),
    ("paths by flow, not by packet", "按流分路径，不按包"),
    ("receiving host, in segments", "接收端主机，单位是报文段"),
    ("receiving host: its window must bear it", "接收端主机：它的窗口要够大"),
    ("receiving host: what it dropped", "接收端主机：丢弃了什么"),
    ("rmem near rb, or drops (d)", "rmem 接近 rb，或有丢弃（d）"),
    ("sending host", "发送端主机"),
    ("sending host (the defaults)", "发送端主机（默认值）"),
    ("sending host, CUBIC only", "发送端主机，仅 CUBIC"),
    ("sending host: find it out without ICMP", "发送端主机：不靠 ICMP 探测"),
    ("sending host: how often", "发送端主机：多频繁"),
    ("sending, receiving host: how much", "发送端、接收端主机：有多少"),
    ("sockets with a backlog now", "目前有 backlog 的套接字"),
    ("the default", "默认值"),
    ("the end that did not offer it (the default)", "没有提出该选项的一端（默认值）"),
    ("the kernel's default", "内核默认值"),
    ("the other host: what it still knows", "另一端主机：它还记得什么"),
    ("the station, Linux", "终端，Linux"),
    ("the third value; net.core.rmem_max does not matter here", "第三个值；net.core.rmem_max 在此无关"),
    ("the third value; net.core.wmem_max does not matter here", "第三个值；net.core.wmem_max 在此无关"),
    ("they, and how often each was probed", "列出它们，以及各被探测了几次"),
    ("twice of what it was", "原值的两倍"),
    ("was {}; {} does not matter here", "原为 {}；{} 在此无关"),
    ("was {} {}; reserve ports of services", "原为 {} {}；服务的端口要保留"),
    ("was {}", "原为 {}"),
    ("what your longest path needs; a third value over twice that helps nobody", "按最长的路径所需；第三个值超过其两倍没有用处"),
    ("where losses begin", "从哪里开始丢包"),
    ("where only the address is bound", "只绑定了地址时"),
    ("where the line itself is the bottleneck", "线路本身就是瓶颈时"),
    ("where the round trip comes from: distance, or a detour?", "往返时延来自哪里：距离，还是绕路？"),
    ("which listener", "哪个监听套接字"),
    ("which process holds how many", "哪个进程占了多少"),
    ("which, and whose", "是哪些，属于谁"),
    ("a client's: unreachable?", "客户端的地址：是否 unreachable"),
    ("who asks", "谁在请求"),
    ("who holds it", "谁占着"),
    ("whose sockets", "谁的套接字"),
];

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    use super::*;

    fn zh(line: &str) -> Cow<'_, str> {
        in_language(line, Language::SimplifiedChinese)
    }

    #[test]
    fn remarks_are_said_again_and_code_is_not() {
        assert_eq!(zh("conn.SetWriteBuffer(…)   // Go: delete"), "conn.SetWriteBuffer(…)   // Go：删除");
        assert_eq!(zh("setsockopt(fd, …);  /* C: delete */"), "setsockopt(fd, …);  /* C：删除 */");
        assert_eq!(
            zh("sysctl -w a='1 2 3'  # was 4; net.core.wmem_max does not matter here"),
            "sysctl -w a='1 2 3'  # 原为 4；net.core.wmem_max 在此无关"
        );
        for same in ["curl https://example.org/a", "x  # Redis, Python", "#include <stdio.h>", "// nobody says this"] {
            assert_eq!(zh(same), same);
        }
        assert_eq!(in_language("x  // Go: delete", Language::English), "x  // Go: delete");
    }

    /// Remarks that are names alone.
    const NAMES: [&str; 17] = [
        "Apache httpd",
        "C",
        "Go",
        "Go, database/sql",
        "Java",
        "Java, HttpClient",
        "Netty",
        "Python",
        "Python, SQLAlchemy",
        "Redis, Python",
        "Windows",
        "nginx",
        "ssh_config",
        "{remark}",
        "{remark}\\",
        "who",
        "not known here",
    ];

    /// What the sources of the fixes say, without comments and tests; empty where a packaged crate has no neighbours.
    fn sources() -> Vec<(PathBuf, String)> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let mut sources = Vec::new();
        for inner in ["tcpwhy-advice/src", "tcpwhy-audit/src", "tcpwhy-audit/src/checks"] {
            let Ok(entries) = fs::read_dir(folder.join(inner)) else { return Vec::new() };
            for path in entries.map(|entry| entry.unwrap().path()).filter(|p| p.extension().is_some_and(|e| e == "rs"))
            {
                let text = fs::read_to_string(&path).unwrap();
                let code = text.split("#[cfg(test)]").next().unwrap_or_default();
                let lines: Vec<_> = code.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
                sources.push((path, lines.join("\n")));
            }
        }
        sources
    }

    /// The literals of `code` up to where `is_end` says of a character outside of them, and of the parentheses open there, that it
    /// is the end; what is filled in is `{}`.
    fn literals(code: &str, is_end: impl Fn(char, i32) -> bool) -> Vec<String> {
        let (mut literals, mut open, mut signs) = (Vec::new(), 0, code.chars());
        while let Some(sign) = signs.next() {
            match sign {
                '"' => {
                    let (mut literal, mut is_place) = (String::new(), false);
                    while let Some(sign) = signs.next().filter(|&sign| sign != '"') {
                        match sign {
                            '\\' => literal.extend(signs.next()),
                            '{' => is_place = true,
                            '}' if is_place => {
                                is_place = false;
                                literal.push_str("{}");
                            }
                            _ if is_place => {}
                            _ => literal.push(sign),
                        }
                    }
                    literals.push(literal);
                }
                '(' => open += 1,
                ')' => open -= 1,
                _ => {}
            }
            if sign != '"' && is_end(sign, open) {
                break;
            }
        }
        literals
    }

    /// Every remark that stands in the sources of the fixes has its Chinese.
    #[test]
    fn no_remark_is_left_out() {
        let sources = sources();
        let (mut missing, mut count) = (Vec::new(), 0);
        for (file, code) in &sources {
            for line in code.lines() {
                for literal in line.split('"').skip(1).step_by(2) {
                    let Some((code, _, remark)) = parts(literal).filter(|(code, ..)| code.ends_with("  ")) else {
                        continue;
                    };
                    let remark = remark.trim_end_matches(" */");
                    count += 1;
                    if !code.is_empty() && !NAMES.contains(&remark) && chinese(remark).is_none() {
                        missing.push(format!("{}: {remark}", file.display()));
                    }
                }
            }
        }
        assert!(missing.is_empty(), "{missing:#?}");
        assert!(count > 100 || sources.is_empty(), "{count} remarks");
    }

    /// Remarks that are handed to whoever makes the line: the last argument of `set_sysctl`, or a variable of that name.
    #[test]
    fn no_remark_that_is_an_argument_is_left_out() {
        let sources = sources();
        let mut remarks = Vec::new();
        for (_, code) in &sources {
            for (at, call) in code.match_indices("set_sysctl(").filter(|(at, _)| !code[..*at].ends_with("fn ")) {
                let arguments = literals(&code[at + call.len() - 1..], |_, open| open == 0);
                // The names of a fix and of a setting have no spaces, and values no words.
                let is_remark = |text: &String| text.contains(' ') && text.contains(char::is_alphabetic);
                remarks.extend(arguments.into_iter().next_back().filter(is_remark));
            }
            for (at, _) in code.match_indices("let ") {
                let (names, _) = code[at..].split_once('=').unwrap_or_default();
                if names.contains("remark") {
                    remarks.extend(literals(&code[at..], |sign, open| sign == ';' && open == 0).pop());
                }
            }
        }
        let is_known = |remark: &String| REMARKS.iter().any(|(english, _)| english == remark);
        let missing: Vec<_> = remarks.iter().filter(|remark| !is_known(remark)).collect();
        assert!(missing.is_empty(), "{missing:#?}");
        assert!(remarks.len() > 10 || sources.is_empty(), "{remarks:#?}");
    }

    /// Nor has anything Chinese that nobody says any more, or that says more or less.
    #[test]
    fn every_remark_is_said_somewhere() {
        let sources = sources();
        let said: Vec<String> = sources.iter().flat_map(|(_, code)| literals(code, |_, _| false)).collect();
        let is_said = |english: &str| said.iter().any(|literal| literal.contains(english));
        let stale: Vec<_> = REMARKS.iter().map(|(english, _)| english).filter(|english| !is_said(english)).collect();
        assert!(stale.is_empty() || sources.is_empty(), "{stale:#?}");
        for (english, chinese) in REMARKS {
            assert_eq!(Pattern(english).places(), Pattern(chinese).places(), "{english}");
        }
    }
}
