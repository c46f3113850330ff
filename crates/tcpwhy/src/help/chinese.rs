//! The words of the command line in Chinese, under the English that they say again.
//!
//! Whoever changes an English word finds its Chinese by it: a test names what is missing here, and what nothing says any more.

/// Everything that has its Chinese.
pub(super) fn table() -> impl Iterator<Item = (&'static str, &'static str)> {
    [HELP, EXAMPLES, ELSEWHERE, ERRORS, SCENARIO, MESSAGES].into_iter().flatten().copied()
}

/// What is wrong with a value, and what goes wrong while it runs.
pub(super) fn errors() -> impl Iterator<Item = (&'static str, &'static str)> {
    ERRORS.iter().chain(SCENARIO).chain(MESSAGES).copied()
}

/// The English of the help.
#[cfg(all(test, target_os = "linux"))]
pub(super) fn of_help() -> impl Iterator<Item = &'static str> {
    HELP.iter().chain(EXAMPLES).map(|(english, _)| *english)
}

/// Headings that `clap_mangen` writes itself, and what Chinese manuals say.
pub(super) const MANUAL: [(&str, &str); 7] = [
    ("NAME", "名称"),
    ("SYNOPSIS", "概要"),
    ("DESCRIPTION", "描述"),
    ("OPTIONS", "选项"),
    ("SUBCOMMANDS", "命令"),
    ("EXTRA", "其他"),
    ("VERSION", "版本"),
];

/// Help of arguments, in the order in which they are declared.
#[rustfmt::skip]
const HELP: &[(&str, &str)] = &[
    ("Explain captures (the default: `tcpwhy FILE` is `tcpwhy explain FILE`)", "分析抓包（默认命令：`tcpwhy FILE` 即 `tcpwhy explain FILE`）"),
    ("Show the page of --html on a local port, with every detail of large captures", "在本机端口上显示 --html 的网页，大抓包也能看到每个细节"),
    ("Compare two captures, two connections, or what the two ends of one connection captured", "对比两份抓包、两个连接，或同一连接两端的抓包"),
    ("List the rules that findings come from, or explain one", "列出诊断所依据的规则，或解释其中一条"),
    ("Compute what socket buffers come to: SO_SNDBUF, SO_RCVBUF, sysctls, windows, rates", "计算套接字缓冲区的实际效果：SO_SNDBUF、SO_RCVBUF、内核参数、窗口、速率"),
    ("Check a host: settings, error counters, buffers that applications set", "检查主机：内核参数、异常计数器、应用设置的缓冲区"),
    ("Run transfers with a known cause on this kernel, and explain them", "在本机内核上运行原因已知的传输，并加以分析"),
    ("Show what limits every connection of this host, currently and over time", "显示本机每个连接当前和一段时间内受什么限制"),
    ("Print the JSON Schema of --json (a line of --jsonl is its definition `Record`)", "打印 --json 的 JSON Schema（--jsonl 的一行是其中的 `Record`）"),
    ("Of which command", "哪个命令的"),
    ("Print a completion script", "打印命令补全脚本"),
    ("The shell it is for", "用于哪种 shell"),
    ("Print the manual page (troff), or write those of all commands", "打印手册页（troff），或写出所有命令的手册页"),
    ("Where to write them: tcpwhy.1, tcpwhy-explain.1 …", "写到哪个目录：tcpwhy.1、tcpwhy-explain.1……"),
    ("Captures to read; `-` is standard input: the first Ctrl-C stops reading and prints the report. With --interface a filter as that of --filter", "要读取的抓包；`-` 表示标准输入：第一次 Ctrl-C 停止读取并打印报告。有 --interface 时写过滤条件，同 --filter"),
    ("Merge the files by time into one capture (rotated files of one host)", "按时间把多个文件合并成一份抓包（同一台主机的滚动抓包）"),
    ("Only connections of this host: an address, a CIDR prefix or the start of an address; repeatable", "只看该主机的连接：地址、CIDR 前缀或地址的开头；可重复"),
    ("Only connections of this port; repeatable", "只看该端口的连接；可重复"),
    ("Only connections that carried at least this much (1500, 64k, 10MB, 1GiB)", "只看数据量不少于此值的连接（1500、64k、10MB、1GiB）"),
    ("Only connections that match this filter, in the syntax of tcpdump: host, net, port, portrange, ip, ip6, and, or, not, parentheses. Either end counts: `host 10.0.0.1 and not port 22`", "只看符合该筛选条件的连接，写法同 tcpdump：host、net、port、portrange、ip、ip6、and、or、not、括号。任意一端符合即可：`host 10.0.0.1 and not port 22`"),
    ("Only connections whose verdict is this limit; repeatable: `send_buffer`, `receive_window/slow_reader` …", "只看结论是该限制的连接；可重复：`send_buffer`、`receive_window/slow_reader`……"),
    ("Only connections with a finding of this severity or worse", "只看诊断达到该严重程度或更严重的连接"),
    ("Which connections come first in the table", "表格里哪些连接排在前面"),
    ("One row for all connections of a server, of a port of the server, or of a cause", "同一服务器、同一服务器端口或同一原因的连接合成一行"),
    ("Rows of the table when there are many connections", "连接很多时表格的行数"),
    ("Only connection number N, in detail", "只看第 N 号连接的详情"),
    ("Only connections that were open at or after this time: seconds from the first packet of the capture (3.2, 150ms), a time of day (14:03:05) or a date and time (2026-11-22 14:03:05). All packets are analysed, whatever is shown: the SYN says what a window means. The report of one connection shows where its time went between --from and --to", "只看在此时刻或之后仍打开着的连接：从抓包第一个包算起的秒数（3.2、150ms）、时刻（14:03:05）或日期加时刻（2026-11-22 14:03:05）。不论显示什么，所有包都参与分析：窗口的含义要看 SYN。单个连接的报告只显示 --from 与 --to 之间时间花在哪里"),
    ("Only connections that were open before this time; written as --from", "只看在此时刻之前打开着的连接；写法同 --from"),
    ("One JSON document (see `tcpwhy schema`)", "输出一个 JSON 文档（见 `tcpwhy schema`）"),
    ("One JSON object per line, connections as they finish; for captures too large for memory", "每行一个 JSON 对象，连接结束即输出；适合内存放不下的抓包"),
    ("Which words JSON has", "JSON 含哪些文字"),
    ("Clock times in UTC [default: the local zone; TZ sets another one]. JSON is always in UTC", "时钟时间用 UTC [默认：本地时区，可用 TZ 指定]。JSON 一律用 UTC"),
    ("One self-contained page with interactive charts; `-` is standard output", "一个自包含的交互图表网页；`-` 表示标准输出"),
    ("Static charts of the --top connections, one SVG file each", "--top 个连接的静态图，每个连接一个 SVG 文件"),
    ("Background of the static charts; auto: as the reader's system prefers", "静态图的底色；auto：随读者的系统"),
    ("Time range of the static charts, seconds from the connection's first packet: 1.2-1.4. An error if it lies outside", "静态图的时间范围，从连接的第一个包算起的秒数：1.2-1.4。不在连接之内则报错"),
    ("Write the capture again as pcapng, with comments on its packets for Wireshark: what held a connection back on its first packet, and each limit where it begins. One capture; filters choose connections; `-` is standard output", "把抓包重写为 pcapng，在包上加注释供 Wireshark 查看：连接的第一个包上写明受什么限制，每段限制在其开始处注明。只接受一个抓包；筛选选项决定注释哪些连接；`-` 表示标准输出"),
    ("Replace files that are there even if tcpwhy did not write them. Files that are read are never replaced", "已有的文件即使不是 tcpwhy 写的也予以替换。正在读取的文件绝不会被替换"),
    ("Do not say what was written", "不提示写入了什么"),
    ("Every interval of time with its limit", "列出每一段时间及其限制"),
    ("What limited the connection at this moment, and why: a time from the connection's first packet (3.2s, 3.2, 150ms). With --json and --jsonl, `timeline` has the interval of that moment alone", "连接在这一时刻受什么限制，依据是什么：从连接的第一个包算起的时间（3.2s、3.2、150ms）。与 --json 和 --jsonl 同用时，`timeline` 只含这一时刻所在的一段"),
    ("Exit with status 1 if a direction spent at least SHARE of its time (0.5, 50%) under LIMIT, or without SHARE if LIMIT is its verdict; repeatable. `send_buffer`, `receive_window/slow_reader` …", "如果某个方向受 LIMIT 限制的时间占比达到 SHARE（0.5、50%），或不写 SHARE 时其结论就是 LIMIT，则以状态 1 退出；可重复。`send_buffer`、`receive_window/slow_reader`……"),
    ("Only the first three lines; no progress, no warnings", "只输出开头三行；不显示进度和警告"),
    ("Captures to read; `-` is standard input", "要读取的抓包；`-` 表示标准输入"),
    ("Where to listen; port 0: any free port. Other hosts can reach it only if the address is not loopback. The printed address is the key: only who has it sees the captures", "监听的地址；端口 0 表示任意空闲端口。只有地址不是回环地址时，其他主机才能访问。打印出来的地址就是钥匙：有它才能看到抓包"),
    ("Only connections that match this filter, in the syntax of tcpdump; either end counts: `host 10.0.0.1 and not port 22`", "只看符合该筛选条件的连接，写法同 tcpdump；任意一端符合即可：`host 10.0.0.1 and not port 22`"),
    ("No progress, no warnings", "不显示进度和警告"),
    ("Language of the words [default: from the locale]", "文字的语言 [默认：随 locale]"),
    ("Colours; auto: on a terminal, unless NO_COLOR is set", "颜色；auto：在终端上使用，除非设置了 NO_COLOR"),
    ("Columns of the output [default: those of the terminal, else 80]; prose takes at most 100", "输出的列数 [默认：终端的列数，否则 80]；正文最宽 100 列"),
    ("Units of printed sizes; typed sizes name theirs (64k, 64KiB)", "输出大小所用的单位；输入的大小自带单位（64k、64KiB）"),
    ("The rule to explain", "要解释的规则"),
    ("Of `tcpwhy explain --json`", "`tcpwhy explain --json` 的"),
    ("Of `tcpwhy compare --json`", "`tcpwhy compare --json` 的"),
    ("Of `tcpwhy buffers --json`", "`tcpwhy buffers --json` 的"),
    ("Of `tcpwhy audit --json`", "`tcpwhy audit --json` 的"),
    ("Of `tcpwhy lab run --json` and `tcpwhy lab compare --json`", "`tcpwhy lab run --json` 和 `tcpwhy lab compare --json` 的"),
    ("Of `tcpwhy live --json` (a line of --jsonl is its definition `LiveRecord`)", "`tcpwhy live --json` 的（--jsonl 的一行是其中的 `LiveRecord`）"),
    ("English", "English"),
    ("When standard output is a terminal", "标准输出是终端时"),
    ("Always", "总是"),
    ("Never", "从不"),
    ("Anything that held the connection back", "任何限制了连接的因素"),
    ("Something that costs time", "造成耗时的问题"),
    ("The main reason why a transfer is slow, or failed", "传输慢或失败的主要原因"),
    ("Largest potential saving first", "可省时间最多的在前"),
    ("Most bytes first", "数据量最大的在前"),
    ("Longest first", "时间最长的在前"),
    ("Most retransmissions first", "重传最多的在前"),
    ("By the server's address", "按服务器地址"),
    ("By the server's port", "按服务器端口"),
    ("By what held them back", "按受限的原因"),
    ("Sentences, texts of fixes, lines to copy", "句子、改法文字、可复制的行"),
    ("Numbers and ids only", "只有数值和 id"),
    ("kB, MB: powers of 1000", "kB、MB：1000 的幂"),
    ("KiB, MiB: powers of 1024", "KiB、MiB：1024 的幂"),
    ("As the reader's system prefers", "随读者的系统"),
    ("Dark on light", "浅底深字"),
    ("Light on dark", "深底浅字"),
    ("Replace addresses and the names of files and interfaces everywhere; addresses that share a prefix still do", "处处替换地址以及文件和网卡的名称；共用前缀的地址替换后仍共用前缀"),
    ("Bytes of each packet at most", "每个包最多保存的字节数"),
    ("Capture what passes this interface (`any`: all of them), headers only, until Ctrl-C, and report. Linux, CAP_NET_RAW", "抓取经过这块网卡的包（`any`：所有网卡），只抓包头，直到 Ctrl-C，然后给出报告。需要 Linux 和 CAP_NET_RAW"),
    ("End ten seconds after a limit has held a connection for nine tenths of TIME: `limit=send_buffer for 5s`. What came before is kept as far as --ring goes", "某种限制占到一条连接 TIME 时间的九成之后再录十秒就结束：`limit=send_buffer for 5s`。之前的内容按 --ring 的大小保留"),
    ("How long to record: 30s, 10m, 8h [default: until interrupted]", "录多久：30s、10m、8h [默认：直到中断]"),
    ("How much of one processor sampling sockets may take; capturing packets comes on top", "采样套接字最多占用单个处理器的多少；抓包另算"),
    ("Keep the last SIZE only, in ten files that are named after FILE and numbered (64MB, 1GB)", "只保留最后 SIZE 这么多，分成十个以 FILE 加编号命名的文件（64MB、1GB）"),
    ("Keep what --interface captures in this file; one that is there stays unless --overwrite is given", "把 --interface 抓到的包存进这个文件；已有的文件保留原样，除非给出 --overwrite"),
    ("Packets", "抓包"),
    ("Record no packets, only what the kernel says of its sockets", "不录包，只录内核对其套接字的说法"),
    ("Record packets together with what the kernel says of its sockets", "把包和内核对其套接字的说法录在一起"),
    ("Record what follows the TCP headers too, as far as --snap goes; without this no payload is stored", "TCP 头之后的内容也录，以 --snap 为限；不写则不保存任何载荷"),
    ("Recording", "录制"),
    ("Replace files that are there, recordings too; of a ring, all files of an earlier one of that name", "已有的文件予以替换，录制文件也不例外；如果是环，同名旧环的文件全部删除"),
    ("Print nothing at the end but warnings", "结束时只显示警告"),
    ("The file to write; `-` is standard output, and a device or a FIFO is written to as it is. A file that is there stays, and nothing is recorded", "要写的文件；`-` 是标准输出，设备和 FIFO 直接写入。文件已存在时保留原样，什么也不录"),
    ("The interface whose packets are recorded; `any` is all of them", "录哪块网卡的包；`any` 是所有网卡"),
    ("Print a dashboard of these metrics for Grafana, as JSON, then exit", "输出这些指标的 Grafana 面板（JSON）后结束"),
    ("A label with the control group of the process", "加上进程控制组的标签"),
    ("A label with the network of the peer: bits of its IPv4 and, after a comma, IPv6 addresses (24 is 24,48). 0 is all", "加上对端网络的标签：IPv4 前缀位数，逗号后是 IPv6 的（24 即 24,48）。0 表示全部合并"),
    ("Print alert rules on these metrics for Prometheus, as YAML, then exit", "输出针对这些指标的 Prometheus 告警规则（YAML）后结束"),
    ("Form of --once and --output; over HTTP the client chooses", "--once 和 --output 的格式；HTTP 上由客户端选择"),
    ("How long to watch before the scrape of --once", "--once 采集之前观察多久"),
    ("Labels", "标签"),
    ("One scrape after the time of --for, then exit", "观察 --for 的时间后采集一次就结束"),
    ("Series of connections at most. Further processes and ports are counted together as `other`, until others have had no connection for an hour", "连接的时间序列最多这么多。更多的进程和端口合并为 `other`，直到别的进程或端口一小时没有连接为止"),
    ("Tell Prometheus what limits the connections of this host", "把限制本机各连接的因素作为指标提供给 Prometheus"),
    ("Where to listen; port 0: any free port. Whoever can reach it sees the names of this host's processes, their ports and how much they transfer: if the address is not loopback, everybody whom no firewall keeps out", "监听的地址；端口 0：任意空闲端口。能连上的人可以看到本机进程的名称、端口和传输量：如果不是环回地址，就是防火墙没有挡住的所有人"),
    ("OpenMetrics 1.0", "OpenMetrics 1.0"),
    ("The Prometheus text format 0.0.4", "Prometheus 文本格式 0.0.4"),
    ("Also answer requests for this host name. Without it, requests have to name the address of --listen (any address where that is 0.0.0.0 or ::), so that no page in a browser reaches the metrics under a name of its own; repeatable", "也应答写着这个主机名的请求。不写时，请求里的主机必须是 --listen 的地址（监听 0.0.0.0 或 :: 时可以是任何地址），这样浏览器里的网页就不能借自己的域名读到指标；可重复"),
    ("Write the metrics to FILE (`-` is standard output) instead of listening, every 15 s, in the Prometheus text format: for the textfile collector of node_exporter, whose files end in .prom", "不监听，每 15 秒把指标写进 FILE（`-` 是标准输出），Prometheus 文本格式：供 node_exporter 的 textfile 采集器使用，其文件名以 .prom 结尾"),
    ("Accounts where they are to be had", "能记账就记账"),
    ("Accounts, or an error", "记账；不行就报错"),
    ("Do not watch which buffers applications set: where the kernel lets nothing hook into its functions, watching costs each system call of the host some 0.1 µs", "不观察应用设置了哪些缓冲区：在不允许挂接内核函数的内核上，这项观察让本机每次系统调用多花约 0.1 µs"),
    ("How the kernel is asked: bpf adds up each connection's time at every ACK and write (CAP_BPF and CAP_PERFMON), samples looks now and then; auto takes what works here", "怎样询问内核：bpf 在每个 ACK 和每次写入时累计各连接的时间（需要 CAP_BPF 和 CAP_PERFMON），samples 不时采样；auto 用本机可行的方式"),
    ("Samples", "采样"),
    ("Names beside addresses, of both kinds or of one", "在地址旁边写出名字，两种都写或只写一种"),
    ("Both", "两种都写"),
    ("What clients called their servers in the capture: the server name of TLS, the host of HTTP", "抓包里客户端对服务器的称呼：TLS 的服务器名称（SNI）、HTTP 的 Host"),
    ("As this machine's resolver has them: it may ask others for them", "取自本机的解析器：它可能会去问别人"),
    ("As --anonymize, with the key in a file (a passphrase or 64 hexadecimal digits): the same key gives the same replacements in every run", "同 --anonymize，密钥放在文件里（口令或 64 位十六进制数字）：同一密钥每次运行的替换结果相同"),
    ("As --anonymize, with a key that everybody on this machine can read", "同 --anonymize，但密钥会被本机所有人看到"),
    ("A saved host, a directory or one file; without it this host is checked", "保存下来的主机，目录或单个文件；不写则检查本机"),
    ("Settings from a saved `sysctl -a`: instead of those of SAVED, or alone", "来自保存的 `sysctl -a` 的参数：代替 SAVED 中的，或单独使用"),
    ("Check as if this setting had that value; repeatable", "假设该参数是这个值来检查；可重复"),
    ("The kernel version whose rules apply [default: the host's]", "按哪个内核版本的规则 [默认：该主机的]"),
    ("A path that the host has to fill: 100mbit,20ms or 10gbit,100ms,9000 (with its MTU); repeatable", "主机需要跑满的路径：100mbit,20ms 或 10gbit,100ms,9000（带 MTU）；可重复"),
    ("Watch the counters of this host for this long (10s) and say which are moving", "观察本机的计数器这么久（10s），说明哪些在增长"),
    ("Write what was read of this host into a new directory, to check it elsewhere; only you may read it", "把从本机读到的内容写入新目录，以便在别处检查；只有你能读取"),
    ("Rows of the table of sockets", "套接字表格的行数"),
    ("One JSON document (see `tcpwhy schema audit`)", "输出一个 JSON 文档（见 `tcpwhy schema audit`）"),
    ("Exit with status 1 if there is a finding of this severity or worse (info, warning, critical), or of this rule; repeatable", "如果有达到该严重程度（info、warning、critical）或属于该规则的诊断，则以状态 1 退出；可重复"),
    ("Only the first three lines; no warnings", "只输出开头三行；不显示警告"),
    ("SO_SNDBUF that the application sets (16k, 4MiB, max, -1) [default: none, autotuning]", "应用设置的 SO_SNDBUF（16k、4MiB、max、-1）[默认：不设，自动调整]"),
    ("SO_RCVBUF that the application sets [default: none, autotuning]", "应用设置的 SO_RCVBUF [默认：不设，自动调整]"),
    ("When it is set", "什么时候设置"),
    ("Set with SO_SNDBUFFORCE and SO_RCVBUFFORCE (CAP_NET_ADMIN)", "用 SO_SNDBUFFORCE 和 SO_RCVBUFFORCE 设置（CAP_NET_ADMIN）"),
    ("TCP_WINDOW_CLAMP, set before connect() or on the listening socket", "TCP_WINDOW_CLAMP，在 connect() 之前或监听套接字上设置"),
    ("TCP_NOTSENT_LOWAT [default: net.ipv4.tcp_notsent_lowat]", "TCP_NOTSENT_LOWAT [默认：net.ipv4.tcp_notsent_lowat]"),
    ("Bytes per write", "每次写入的字节数"),
    ("TCP_NODELAY is set", "设置了 TCP_NODELAY"),
    ("The application polls before every write", "应用每次写入前先 poll"),
    ("Round-trip time of the path (20ms, 350us, 0.2s)", "路径的往返时延（20ms、350us、0.2s）"),
    ("Bandwidth of the path (100mbit, 1gbit, 12.5MB/s)", "路径的带宽（100mbit、1gbit、12.5MB/s）"),
    ("MTU of the link in bytes", "链路的 MTU，字节"),
    ("IPv6: segments carry 20 bytes less", "IPv6：每个报文段少 20 字节"),
    ("What delivers segments: a network interface, or veth and loopback", "报文段从哪里来：网卡，或 veth 和回环"),
    ("Kernel, 3.10 or later (6.18, 5.15.0-91-generic), or windows-server-2022, macos, freebsd [default: the running one]", "内核，3.10 及以上（6.18、5.15.0-91-generic），或 windows-server-2022、macos、freebsd [默认：正在运行的内核]"),
    ("Settings from a saved `sysctl -a` instead of this host", "参数取自保存的 `sysctl -a`，而不是本机"),
    ("One setting instead of the others' value; repeatable", "单独指定一个参数的值；可重复"),
    ("Memory that an skb takes besides its payload, if you measured it [default: by kernel version]", "skb 除数据之外占用的内存，如果你测过 [默认：按内核版本]"),
    ("Every step with its rule and source", "每一步的规则和出处"),
    ("One JSON document (see `tcpwhy schema buffers`)", "输出一个 JSON 文档（见 `tcpwhy schema buffers`）"),
    ("Write the charts as a picture too", "另外把图表写成图片"),
    ("On the connecting socket, before connect()", "在发起连接的套接字上，connect() 之前"),
    ("On the listening socket; accepted sockets inherit it", "在监听套接字上；accept 得到的套接字会继承"),
    ("After connect() or right after accept(), before any data", "connect() 之后或刚 accept() 之后，还没有数据"),
    ("While data flows", "数据传输期间"),
    ("A network interface", "网卡"),
    ("veth or loopback, with offloads", "veth 或回环，启用卸载"),
    ("veth with offloads off", "veth，关闭卸载"),
    ("The first capture, A", "第一份抓包，A"),
    ("The second capture, B", "第二份抓包，B"),
    ("Connection N of A and connection M of B", "A 的第 N 号连接和 B 的第 M 号连接"),
    ("Pairs to show", "显示多少对"),
    ("One JSON document (see `tcpwhy schema compare`)", "输出一个 JSON 文档（见 `tcpwhy schema compare`）"),
    ("Clock times in UTC [default: the local zone]", "时钟时间用 UTC [默认：本地时区]"),
    ("No progress", "不显示进度"),
    ("Only connections that match all of these: words in their line, process:NAME, port:N, peer:ADDR, local:ADDR, limit:ID, cgroup:PATH; ! before one negates it. FILE.pcapng (.gz, .zst) is a recording of `tcpwhy record`: what watching gave then", "只看全部符合的连接：行中的词、process:NAME、port:N、peer:ADDR、local:ADDR、limit:ID、cgroup:PATH；前面加 ! 表示否定。FILE.pcapng（.gz、.zst）是 `tcpwhy record` 的录制：给出当时观察到的结果"),
    ("The list as text, once", "输出一次文本列表"),
    ("One JSON document when the time of --for is over (see `tcpwhy schema live`)", "--for 的时间到了之后输出一个 JSON 文档（见 `tcpwhy schema live`）"),
    ("One JSON object per line: intervals as they end, connections at their end", "每行一个 JSON 对象：区间结束即输出，连接在其结束时输出"),
    ("How long to watch [default: 2s with --once and --json, otherwise until interrupted]", "观察多久 [默认：与 --once、--json 同用时 2s，否则直到中断]"),
    ("How many times per second active connections are sampled, as far as --cpu allows", "活跃连接每秒采样多少次，以 --cpu 允许为限"),
    ("How much of one processor sampling may take; what does not fit is sampled less often", "采样最多占用单个处理器的多少；超出时降低采样频率"),
    ("Look into the network namespaces of all processes (containers); needs root", "查看所有进程（容器）的网络命名空间；需要 root"),
    ("Say what works here, what does not and what that needs, then exit", "说明此处哪些可用、哪些不可用以及需要什么，然后退出"),
    ("Group connections by this", "按此分组"),
    ("Colours of the screen", "屏幕的配色"),
    ("None where NO_COLOR is set, else by COLORFGBG, else those for dark and light ground alike", "设置了 NO_COLOR 时无色，否则按 COLORFGBG，再否则用深浅背景都适用的颜色"),
    ("For dark ground", "用于深色背景"),
    ("For light ground", "用于浅色背景"),
    ("Letters and bold text instead of colours", "用字母和粗体代替颜色"),
    ("Rows of the list with --once", "与 --once 同用时列表的行数"),
    ("With --once, --json and --jsonl also connections on which nothing moved", "与 --once、--json、--jsonl 同用时，也列出没有动静的连接"),
    ("With --once, --json and --jsonl: exit with status 1 if a direction spent at least SHARE of the time watched (0.5, 50%) under LIMIT, or without SHARE if LIMIT is its verdict; repeatable", "与 --once、--json、--jsonl 同用：如果某个方向受 LIMIT 限制的时间占观察时间的比例达到 SHARE（0.5、50%），或不写 SHARE 时其结论就是 LIMIT，则以状态 1 退出；可重复"),
    ("Each connection by itself", "每个连接单独列出"),
    ("Name of the process", "进程名"),
    ("The listening port, else the peer's", "监听端口，否则对端的端口"),
    ("The peer's address", "对端地址"),
    ("Control group", "控制组"),
    ("List the scenarios", "列出场景"),
    ("Show a scenario: its story, what is imposed, and how to do the same by hand", "显示一个场景：来龙去脉、施加的条件，以及怎样手工重现"),
    ("Print what a scenario file may contain: a JSON schema for editors, or a reference", "打印场景文件能写什么：供编辑器使用的 JSON schema，或参考手册"),
    ("Write a new scenario file", "写出一个新的场景文件"),
    ("Run scenarios here, explain both ends' captures, and compare with what was expected", "在此运行场景，分析两端的抓包，并与预期对照"),
    ("Run two scenarios, or take two recordings, and show them side by side: before and after a fix", "运行两个场景或取两次录制，并排显示：修复前后"),
    ("Write the case book: run every bundled scenario, a page each with story, picture and verdict", "写出案例集：运行每个自带场景，各成一页，含来龙去脉、图和结论"),
    ("Take an explained capture's situation, run it with and without the proposed fix: predicted against measured", "按抓包重建现场，分别在采用和不采用建议改法时运行：预测与实测对照"),
    ("Run random transfers with a known cause and count how often explain is right", "运行原因已知的随机传输，统计 explain 说对了多少"),
    ("Where a run happens; started by the other subcommands", "运行所在之处；由其他子命令启动"),
    ("Sets the machine's settings back when a run is killed; started by the other subcommands", "运行被杀死时恢复本机参数；由其他子命令启动"),
    ("A reference in Markdown instead: every key with its unit, default and range", "改为输出 Markdown 参考手册：每个参数及其单位、默认值和范围"),
    ("The file, a new one unless --overwrite is given; its name without .toml is the scenario's", "文件；除非给出 --overwrite，否则不能已经存在；去掉 .toml 的文件名就是场景名"),
    ("Start from this scenario instead of an empty one: a name, random:SEED/NUMBER, a file", "以该场景为起点，而不是空场景：名称、random:SEED/NUMBER 或文件"),
    ("The scenario: a name, random:SEED/NUMBER, a file ending in .toml", "场景：名称、random:SEED/NUMBER，或以 .toml 结尾的文件"),
    ("Only the script that does the same by hand", "只输出手工重现的脚本"),
    ("Scenarios: names, `all`, `random:SEED[:COUNT]`, files ending in .toml", "场景：名称、`all`、`random:SEED[:COUNT]`，或以 .toml 结尾的文件"),
    ("Folder of the recordings: one folder each, named after the scenario", "存放录制的目录：每个场景一个子目录，以场景命名"),
    ("Seed of losses, jitter and reordering [default: the scenario's own]", "丢包、抖动和乱序的随机种子 [默认：场景自己的]"),
    ("Emulate the link with the kernel's netem and tbf instead of tcpwhy's own emulator", "用内核的 netem 和 tbf 模拟链路，而不是 tcpwhy 自己的模拟器"),
    ("Run each scenario this many times", "每个场景运行这么多次"),
    ("One JSON document (see `tcpwhy schema lab`)", "输出一个 JSON 文档（见 `tcpwhy schema lab`）"),
    ("Write the page with charts of both captures too: sender.html and receiver.html beside them", "另外为两份抓包写出图表网页：放在旁边的 sender.html 和 receiver.html"),
    ("A scenario, or the folder of a recording", "场景，或录制所在的目录"),
    ("What it is compared with", "与之对比的另一个"),
    ("Folder of the pages", "存放页面的目录"),
    ("Only these scenarios; the index keeps to them too", "只含这些场景；目录页也只列这些"),
    ("Use recordings from this folder; those that are missing are run and kept there", "使用该目录里的录制；缺少的会运行并保存在那里"),
    ("As root: let scenario files run their programs and change settings of the whole machine (those that come with tcpwhy may)", "以 root 运行时：允许场景文件运行其中的程序并修改整台机器的参数（tcpwhy 自带的场景本来就可以）"),
    ("The capture whose explanation is put to the proof", "要验证其分析结论的抓包"),
    ("This connection of it, as explain numbers them [default: the one with the most payload]", "其中的这个连接，编号同 explain [默认：数据最多的那个]"),
    ("Write the rebuilt scenario here, for changing it and running it again", "把重建的场景写到这里，以便修改后再次运行"),
    ("Keep both recordings in this folder: rebuilt, fixed", "把两次录制保存在该目录：rebuilt、fixed"),
    ("Only rebuild: nothing is run", "只重建，不运行"),
    ("One JSON document", "输出一个 JSON 文档"),
    ("Recordings of `tcpwhy lab run`, or folders that hold them", "`tcpwhy lab run` 的录制，或存放它们的目录"),
    ("First run COUNT transfers drawn with SEED, then score them", "先运行以 SEED 抽取的 COUNT 次传输，再评分"),
    ("With --random: keep the recordings here; those that are there already are not run again", "与 --random 同用：把录制保存在这里；已有的不再运行"),
    ("Only the captures taken there", "只看在该处的抓包"),
    ("A line for each capture too", "每份抓包另外给出一行"),
    ("Write accuracy.md and accuracy.zh-CN.md into this folder", "把 accuracy.md 和 accuracy.zh-CN.md 写入该目录"),
    ("At the sender of the data", "在数据的发送端"),
    ("At their receiver", "在接收端"),
    ("Half way", "在路径中间"),
    ("Input", "输入"),
    ("Selection", "筛选"),
    ("Output", "输出"),
    ("Run", "运行"),
    ("Watching", "观察"),
    ("Options set", "设置的选项"),
    ("Path", "路径"),
    ("Host", "主机"),
];

/// What stands above and under the arguments.
const EXAMPLES: &[(&str, &str)] = &[
    (
        crate::args::ABOUT,
        "指出是什么拖住了 TCP 连接、拖了多久、依据是什么、该改哪里",
    ),
    (
        crate::args::LONG_ABOUT,
        "\
指出是什么拖住了 TCP 连接、拖了多久、依据是什么、该改哪里。

tcpwhy 读取抓包（pcap、pcapng；未压缩、gzip 或 zstd）。凡是传输过数据的连接，每一时刻都恰好属于一种限制：发送缓冲区、接收窗口、拥塞窗口、慢启动、丢包重传、路径、应用、延迟确认……结论指出首先该解决的限制、它花了多少时间、该改什么、改了能省多少。",
    ),
    (
        crate::args::EXAMPLES,
        "\
示例：
  tcpwhy slow.pcap                              是什么拖住了传输，该改哪里
  tcpwhy big.pcapng --top 20                    可省时间最多的 20 个连接
  tcpwhy big.pcapng --connection 17             其中一个的详情
  tcpwhy big.pcapng --limit send_buffer         受发送缓冲区限制的连接
  tcpwhy big.pcapng --filter 'net 10.0.0.0/8 and not port 22'
  tcpwhy big.pcapng --host 10.0.0.0/8 --port 22 只看这些连接
  tcpwhy big.pcapng --from 14:03 --to 14:05     这两分钟里打开着的连接
  tcpwhy slow.pcap --why 3.2s                   那一刻受什么限制，依据是什么
  tcpwhy -i eth0 port 443                       抓到 Ctrl-C 为止并给出报告；-w FILE 保存（root）
  tcpdump -i eth0 -s 96 -w - tcp | tcpwhy -     从管道读取；Ctrl-C 停止读取并打印报告
  tcpwhy slow.pcap --html report.html           图表网页，便于保存和发送
  tcpwhy serve huge.pcapng                      同样的网页，在本机端口上，抓包再大也行
  tcpwhy --fail-on send_buffer:50% ci.pcap      有一半时间受此限制则退出码为 1
  tcpwhy --json slow.pcap | jq '.connections[].halves[].verdict'

退出码：0 已分析（文件损坏时输出能读到的部分并给出警告），
1 达到 --fail-on，2 无法读取、读取出错（之前的内容已分析）或用法错误。",
    ),
    (
        crate::compare::EXAMPLES,
        "\
示例：
  tcpwhy compare sender.pcap receiver.pcap      同一批传输的两端：两处之间丢了什么、
                                                时延怎样变化
  tcpwhy compare before.pcap after.pcap         哪些传输不同，差别在哪里
  tcpwhy compare a.pcap b.pcap --connections 3:7
  tcpwhy compare a.pcap a.pcap --connections 3:7

SYN 的序号和端口相同就是同一连接（中间可以有地址转换）；没有 SYN 时看两端地址和序列号。
时钟不必一致。

退出码：0 已对比，2 出错，或没有相互对应的连接。",
    ),
    (
        crate::record::EXAMPLES,
        "\
示例：
  tcpwhy record -o slow.pcapng                  所有网卡，直到 Ctrl-C
  tcpwhy record port 443 -i eth0 --for 30s -o slow.pcapng
  tcpwhy record --ring 1GB -o night.pcapng      最后 1 GB，分成十个文件 night-00001.pcapng …
  tcpwhy record --ring 1GB --when 'limit=send_buffer for 5s' -o night.pcapng
                                                直到某条连接被拖住这么久，再录十秒
  tcpwhy record --no-packets -o slow.pcapng     只录内核对其套接字的说法：不需要权限
  ssh host tcpwhy record --for 30s -o - | tcpwhy -
  tcpwhy slow.pcapng                            每条连接受什么限制：包和内核各怎么说
  tcpwhy live slow.pcapng                       当时观察会看到什么

需要 CAP_NET_RAW（root 就有）；网卡打开之后随即放弃。

退出码：0 已录制，2 出错（之前的内容在文件里）。",
    ),
    (
        crate::export::EXAMPLES,
        "\
示例：
  tcpwhy export                                       http://127.0.0.1:9817/metrics，直到结束它
  tcpwhy export --listen 0.0.0.0:9817 --cpu 2%        供另一台主机上的 Prometheus 使用；谁都能读
  tcpwhy export --once                                两秒后在标准输出上采集一次
  tcpwhy export -o /var/lib/prometheus/node-exporter/tcpwhy.prom
                                                      供 node_exporter 读取的文件，不断更新
  tcpwhy export --dashboard > tcpwhy.json             Grafana 面板
  tcpwhy export --alerts > tcpwhy.rules.yml           Prometheus 规则

退出码：0 被信号结束，或已输出所要的内容，2 出错。",
    ),
    (
        crate::buffers::EXAMPLES,
        "\
示例：
  tcpwhy buffers                                      本机自动调整的连接能得到多少
  tcpwhy buffers --sndbuf 256KiB --rtt 20ms --bandwidth 100mbit
  tcpwhy buffers --rcvbuf 4MiB --when after-connect --rtt 26ms --why
  tcpwhy buffers --rcvbuf 128KiB --kernel 6.5         另一个内核的默认值
  tcpwhy buffers --sysctl-file saved.txt --sysctl net.core.wmem_max=16777216 --sndbuf max
  tcpwhy buffers --sndbuf 64KiB --rtt 10ms --bandwidth 1gbit --svg rate.svg

大小：16k 是 16,000 字节，与输出一致；16KiB 是 16,384 字节（iperf3 和 tc 把 16k 读作这个）。
max 是最大的数；-1 是程序里的写法。",
    ),
    (
        crate::audit::EXAMPLES,
        "\
示例：
  tcpwhy audit                                  检查本机（root 能看到更多）
  tcpwhy audit --path 1gbit,20ms                哪个参数限制了这条路径，差多少
  tcpwhy audit --interval 10s                   哪些异常计数器在增长
  tcpwhy audit --save web1                      把本机保存为文本，以便在别处检查
  tcpwhy audit web1                             保存下来的主机：任何包含以下输出的目录：
                                                sysctl -a、ss -tinmpeO、/proc/net/netstat 等
  ss -tinmpeO > ss.txt; tcpwhy audit ss.txt     主机的连接，来自一个文件
  tcpwhy audit --fail-on warning                有达到该严重程度的诊断则退出码为 1

退出码：0 已检查，1 有达到 --fail-on 的诊断，2 出错。",
    ),
    (
        crate::lab::EXAMPLES,
        "\
示例：
  tcpwhy lab list                               有哪些场景
  tcpwhy lab show sndbuf-16k                    其中一个，以及怎样手工重现
  tcpwhy lab run sndbuf-16k                     在此运行并分析
  tcpwhy lab run all                            全部运行：预期与结果
  tcpwhy lab run random:7:20                    以种子 7 抽取的 20 次传输
  tcpwhy lab new mine.toml                      新场景；lab schema 解释每个参数
  tcpwhy lab run mine.toml --out /tmp/mine      自己写的场景（root 见 --allow-programs）
  tcpwhy lab compare sndbuf-16k sndbuf-auto     修复前后，并排显示

退出码：0 符合预期，1 与预期不符，2 出错。",
    ),
    (
        crate::live::EXAMPLES,
        "\
示例：
  tcpwhy live                                   本机每个连接受什么限制
  tcpwhy live process:nginx !port:22            只看这些连接
  tcpwhy live --once                            两秒之后输出文本列表
  tcpwhy live --for 10s --json                  时间到了输出一个文档
  tcpwhy live --for 10s --jsonl                 区间和连接，结束即输出
  tcpwhy live --once --fail-on send_buffer:50%  某个连接有一半时间受此限制则退出码为 1
  tcpwhy live --check                           此处哪些可用，缺少什么

退出码：0 已观察，1 达到 --fail-on，2 出错。",
    ),
];

/// Where there is no Linux.
const ELSEWHERE: &[(&str, &str)] = &[
    ("Whatever would be asked for on Linux", "在 Linux 上会写的参数"),
    (
        "It needs Linux, whose kernel tells of its sockets. Here a capture tells the same: `tcpwhy FILE`.",
        "需要 Linux，由它的内核说明套接字的状态。在这里可以分析抓包：`tcpwhy FILE`。",
    ),
    (
        "\
It needs Linux: namespaces, TAP devices and the counters of its kernel. In a virtual machine it works as well.
What it found out can be read everywhere: the case book, https://github.com/tcpwhy/tcpwhy/tree/main/docs/cases",
        "\
需要 Linux：命名空间、TAP 设备和内核计数器。在虚拟机里也可以。
结果在哪里都能看：案例集，https://github.com/tcpwhy/tcpwhy/tree/main/docs/cases",
    ),
];

/// What is wrong with a value. `{}` stands for what was typed, or for what there is.
#[rustfmt::skip]
const ERRORS: &[(&str, &str)] = &[
    ("expected a size such as 1500, 64k, 10MB or 1GiB", "应为大小，例如 1500、64k、10MB 或 1GiB"),
    ("{} is neither a kernel version ({}) nor windows-server-2022 ({}), windows-11 ({}), macos or freebsd", "{} 既不是内核版本（{}），也不是 windows-server-2022（{}）、windows-11（{}）、macos 或 freebsd"),
    ("the rules are those of Linux {} and later: Linux {} had others", "规则适用于 Linux {} 及以后的版本：Linux {} 的规则与此不同"),
    ("unknown unit {}: use k, M, G, T (powers of 1000) or Ki, Mi, Gi, Ti (of 1024)", "不认识的单位 {}：请用 k、M、G、T（1000 的幂）或 Ki、Mi、Gi、Ti（1024 的幂）"),
    ("expected a time such as 20ms, 350us or 0.2s", "应为时间，例如 20ms、350us 或 0.2s"),
    ("expected a size such as 16k, 4MiB, max or -1", "应为大小，例如 16k、4MiB、max 或 -1"),
    ("a write has at least 1 byte", "一次写入至少 1 字节"),
    ("setsockopt takes an int: at most 2147483647 (max)", "setsockopt 接受 int：最大 2147483647（max）"),
    ("a time lies between 0.1us and 10000s", "时间应在 0.1us 到 10000s 之间"),
    ("expected a rate such as 100mbit, 1gbit or 12.5MB/s", "应为速率，例如 100mbit、1gbit 或 12.5MB/s"),
    ("bps means bits to some and bytes to others: write 100mbit or 12.5MB/s", "bps 有人指比特、有人指字节：请写 100mbit 或 12.5MB/s"),
    ("a bandwidth lies between 1bit and 1000tbit", "带宽应在 1bit 到 1000tbit 之间"),
    ("the share must be 0 to 1, or 0% to 100%", "占比应为 0 到 1，或 0% 到 100%"),
    ("no such limit; there are {}", "没有这种限制；有 {}"),
    ("{} has no details", "{} 没有细分"),
    ("no such detail of {}; there are {}", "{} 没有这种细分；有 {}"),
    ("the prefix length must be 0 to {}", "前缀长度应为 0 到 {}"),
    ("expected an address (10.0.0.1), a prefix (10.0.0.0/8, fd00::/8) or a beginning (10.0.)", "应为地址（10.0.0.1）、前缀（10.0.0.0/8、fd00::/8）或开头（10.0.）"),
    ("an empty filter; expected such as `host 10.0.0.1 and not port 22`", "筛选条件为空；例如 `host 10.0.0.1 and not port 22`"),
    ("a filter of more than {} words", "筛选条件超过 {} 个词"),
    ("expected `and` or `or` before {}", "{} 之前应有 `and` 或 `or`"),
    ("expected `and`, `or` or `)` before {}", "{} 之前应有 `and`、`or` 或 `)`"),
    ("parentheses and negations too deep within each other", "括号和否定嵌套太深"),
    ("a parenthesis is not closed", "括号没有闭合"),
    ("the filter ends where a condition is expected", "筛选条件在应有条件的地方结束"),
    ("{} is of packets, and a connection has both ways: leave it out", "{} 针对数据包，而连接有两个方向：请去掉"),
    ("expected a condition before {}", "{} 之前应有一个条件"),
    ("unknown {}: expected host, net, port, portrange, ip, ip6 or tcp", "不认识的 {}：应为 host、net、port、portrange、ip、ip6 或 tcp"),
    ("{} of what? The filter ends", "{} 后面缺少内容，筛选条件到此为止"),
    ("{} is no port number (0 to 65535)", "{} 不是端口号（0 到 65535）"),
    ("{} is no address; `net` takes prefixes", "{} 不是地址；前缀请用 `net`"),
    ("{} is no range of ports such as 8000-8080", "{} 不是端口范围，例如 8000-8080"),
    ("{} is no net such as 10.0.0.0/8, 10.1 or fd00::/8", "{} 不是网段，例如 10.0.0.0/8、10.1 或 fd00::/8"),
    ("expected a word, or one of process:, port:, peer:, local:, limit:, cgroup:", "应为一个词，或 process:、port:、peer:、local:、limit:、cgroup: 之一"),
    ("a port is a number from 0 to 65535", "端口是 0 到 65535 的数"),
    ("expected a share of a processor from 0.1% to 100%", "应为处理器的占比，0.1% 到 100%"),
    ("expected a rate and a round-trip time such as 100mbit,20ms", "应为速率和往返时延，例如 100mbit,20ms"),
    ("the MTU is a number from 68 to 65535", "MTU 是 68 到 65535 的数"),
    ("that rule is of captures; {}", "这条规则针对抓包；{}"),
    ("expected info, warning, critical or a rule of `tcpwhy rules` about hosts", "应为 info、warning、critical，或 `tcpwhy rules` 中针对主机的规则"),
    ("expected two numbers of connections such as 3:7", "应为两个连接编号，例如 3:7"),
    ("expected two times in seconds, the earlier first: 1.2-1.4", "应为两个时间（秒），先早后晚：1.2-1.4"),
    ("expected a time from the first packet such as 3.2s, 3.2 or 150ms", "应为从第一个包算起的时间，例如 3.2s、3.2 或 150ms"),
    ("expected a time from the first packet of the capture (3.2, 150ms), a time of day (14:03:05) or a date and time (2026-11-22 14:03:05, 2026-11-22T14:03:05Z)", "应为从抓包第一个包算起的时间（3.2、150ms）、时刻（14:03:05）或日期加时刻（2026-11-22 14:03:05、2026-11-22T14:03:05Z）"),
    ("invalid digit found in string", "不是整数"),
    ("cannot parse integer from empty string", "没有给出整数"),
    ("number too large to fit in target type", "数太大"),
    ("number too small to fit in target type", "数太小"),
    ("{} is not in {}", "{} 不在 {} 之内"),
    ("invalid socket address syntax", "应为地址和端口，例如 127.0.0.1:8080"),
];

/// Why the file of a scenario is refused: what the lab says, and what the reader of TOML says. More particular ones stand first.
#[rustfmt::skip]
const SCENARIO: &[(&str, &str)] = &[
    ("line {}: {}", "第 {} 行：{}"),
    ("expected a share such as 1% or 0.05%", "应为比例，例如 1% 或 0.05%"),
    ("a time of the lab is at most 1000000s", "实验里的时间最长 1000000s"),
    ("a rate is from {} to {} (bits per second), not {}", "速率应在 {} 到 {} 之间（比特每秒），而不是 {}"),
    ("a link delays by at most {} one way, not {}", "链路的单向时延最大 {}，而不是 {}"),
    ("from {} (a frame of this MTU; nothing larger would ever get through) to {}, not {}", "应在 {}（该 MTU 的一帧；再小就什么也过不去）到 {} 之间，而不是 {}"),
    ("changes of the link are not in order of time", "链路的变化没有按时间先后排列"),
    ("frames are counted from 1", "帧从 1 开始编号"),
    ("a burst of losses has a mean length from 1 to 1000000 frames", "一次突发丢包的平均长度应为 1 到 1000000 帧"),
    ("at most {} bytes: the kernel takes an int", "最多 {} 字节：内核接受的是 int"),
    ("from {} to {} segments", "应为 {} 到 {} 个段"),
    ("no congestion control is called {}", "没有叫 {} 的拥塞控制"),
    ("no setting of the network is called {}", "没有叫 {} 的网络参数"),
    ("the value is more than a line", "值不止一行"),
    ("it is the whole machine's: it cannot differ between the two ends", "这是整台机器的参数：两端不能不同"),
    ("4 or 6, not {}", "应为 4 或 6，而不是 {}"),
    ("an MTU of {} is out of range: from {} to {}", "MTU {} 超出范围：应为 {} 到 {}"),
    ("a deadline of 0 leaves no time for anything", "期限为 0，什么也来不及做"),
    ("a run lasts for {} at most, not {}", "一次运行最长 {}，而不是 {}"),
    ("a title and a source are one line", "标题和来源各占一行"),
    ("a story has no characters that cannot be seen", "说明中不能有不可见字符"),
    ("a ratio lies between at_least and at_most", "比值应在 at_least 与 at_most 之间"),
    ("names of findings and scenarios have no characters that cannot be seen", "诊断和场景的名称中不能有不可见字符"),
    ("`{}` is not a TCP counter under its name in nstat, which would be like TcpExtPruneCalled", "`{}` 不是 nstat 所用的 TCP 计数器名，例如 TcpExtPruneCalled"),
    ("nothing to do: one of [work.stream], [work.turns], [work.application] is needed", "没有要做的事：需要 [work.stream]、[work.turns]、[work.application] 之一"),
    ("[work.{}] and [work.{}] exclude each other", "[work.{}] 和 [work.{}] 不能同时出现"),
    ("a call moves from 1B to {}, not {}", "一次调用的数据量应为 1B 到 {}，而不是 {}"),
    ("turns without any", "次数为 0"),
    ("a request and a response take at least one send() each", "请求和响应各自至少要有一次 send()"),
    ("a server listens on a port from 1 on", "服务器监听的端口从 1 开始"),
    ("only the server is waited for", "只等待服务器就绪"),
    ("a script has no characters that cannot be seen", "脚本中不能有不可见字符"),
    ("a script has no line {}: that is where it ends when it is done by hand", "脚本中不能有 {} 这一行：手工重现时它表示脚本结束"),
    ("no program or package is called {}", "没有叫 {} 的程序或软件包"),
    ("every and portion are more than 0", "every 和 portion 应大于 0"),
    ("either rate or portion, not both", "rate 和 portion 只能写一个"),
    ("rate and portion need every, and every needs one of them", "rate 和 portion 需要 every，every 也需要其中之一"),
    ("a stream without phases", "stream 没有 phases"),
    ("a phase moves 1B or more", "一个阶段至少传输 1B"),
    ("a scenario is called like a file: no /, no dot in front, not longer than 200 bytes", "场景名要能作文件名：没有 /，不以点开头，不超过 200 字节"),
    ("a scenario's name has no characters that cannot be seen", "场景名中不能有不可见字符"),
    ("unknown field {}, expected one of {}", "不认识的键 {}，应为 {} 之一"),
    ("unknown field {}, expected {} or {}", "不认识的键 {}，应为 {} 或 {}"),
    ("unknown field {}, expected {}", "不认识的键 {}，应为 {}"),
    ("unknown variant {}, expected one of {}", "没有 {} 这个值，应为 {} 之一"),
    ("unknown variant {}, expected {} or {}", "没有 {} 这个值，应为 {} 或 {}"),
    ("unknown variant {}, expected {}", "没有 {} 这个值，应为 {}"),
    ("missing field {}", "缺少 {}"),
    ("invalid type: {}, expected a string", "类型不对：{}；应为带引号的字符串"),
    ("invalid value: {}, expected a string", "值不对：{}；应为带引号的字符串"),
    ("invalid type: {}, expected a boolean", "类型不对：{}；应为 true 或 false"),
    ("invalid value: {}, expected a boolean", "值不对：{}；应为 true 或 false"),
    ("invalid type: {}, expected an array", "类型不对：{}；应为数组"),
    ("invalid value: {}, expected an array", "值不对：{}；应为数组"),
    ("invalid type: {}, expected a table", "类型不对：{}；应为表"),
    ("invalid value: {}, expected a table", "值不对：{}；应为表"),
    ("invalid type: {}, expected a whole number, 0 or more, that fits", "类型不对：{}；应为放得下的非负整数"),
    ("invalid value: {}, expected a whole number, 0 or more, that fits", "值不对：{}；应为放得下的非负整数"),
    ("invalid type: {}, expected a whole number", "类型不对：{}；应为整数"),
    ("invalid value: {}, expected a whole number", "值不对：{}；应为整数"),
    ("invalid type: {}, expected a number", "类型不对：{}；应为数"),
    ("invalid value: {}, expected a number", "值不对：{}；应为数"),
    ("integer `{}`", "整数 `{}`"),
    ("floating point `{}`", "小数 `{}`"),
    ("boolean `{}`", "布尔值 `{}`"),
    ("string \"{}\"", "字符串 \"{}\""),
    ("duplicate key", "键重复"),
    ("key with no value, expected {}", "键没有值，应有 {}"),
    ("string values must be quoted, expected literal string", "字符串要加引号"),
    ("unclosed table, expected {}", "表名没有闭合，应有 {}"),
    ("unclosed array, expected {}", "数组没有闭合，应有 {}"),
    ("invalid basic string, expected {}", "字符串没有闭合，应有 {}"),
    ("missing escaped value, expected {}", "反斜杠后的字符不对，应为 {}"),
    ("wanted exactly 1 element, more than 1 element", "这里只能有一个值，写了多个"),
];

/// What goes wrong while it runs. The last of several that fit is not reached: what is more particular stands first.
#[rustfmt::skip]
const MESSAGES: &[(&str, &str)] = &[
    ("no network namespace of its own: {}. Run as root, or allow unprivileged user namespaces (user.max_user_namespaces, and kernel.unprivileged_userns_clone or kernel.apparmor_restrict_unprivileged_userns where the kernel has them)", "无法创建自己的网络命名空间：{}。请以 root 运行，或允许非特权用户命名空间（user.max_user_namespaces，以及内核里有的 kernel.unprivileged_userns_clone 或 kernel.apparmor_restrict_unprivileged_userns）"),
    ("no TAP device: {}. /dev/net/tun must exist and be open to this user (modprobe tun; in a container: --device /dev/net/tun)", "没有 TAP 设备：{}。/dev/net/tun 必须存在，且当前用户可以打开（modprobe tun；容器中：--device /dev/net/tun）"),
    ("setting {} = {}: {}", "设置 {} = {}：{}"),
    ("netem can delay, lose and duplicate frames and shape a rate; losing chosen frames, policers, jitter that keeps the order, reordering alone and changes need the lab's own emulator", "netem 可以延迟、丢弃、复制帧和限制速率；丢弃指定的帧、限速丢包、保持顺序的抖动、单独的乱序以及中途变化，需要实验自带的模拟器"),
    ("the {}'s socket has the congestion control {} instead of {}: load it (modprobe tcp_{}) and add it to net.ipv4.tcp_allowed_congestion_control", "{} 的套接字用的拥塞控制是 {}，而不是 {}：请加载它（modprobe tcp_{}），并加入 net.ipv4.tcp_allowed_congestion_control"),
    ("BPF programs run on Linux on x86-64 and aarch64 only", "BPF 程序只能在 x86-64 和 aarch64 的 Linux 上运行"),
    ("the kernel does not describe its types (no /sys/kernel/btf/vmlinux): {}", "内核没有提供类型信息（没有 /sys/kernel/btf/vmlinux）：{}"),
    ("no leave to use BPF: {}", "没有使用 BPF 的权限：{}"),
    ("the kernel does not take the program {}: {}", "内核不接受程序 {}：{}"),
    ("what was captured could not be kept", "无法保存抓到的包"),
    ("export watches the sockets of the Linux kernel, and this is not Linux", "export 观察 Linux 内核的套接字，这里不是 Linux"),
    ("record asks the Linux kernel, and this is not Linux; tcpdump captures here, and `tcpwhy FILE` explains that", "record 向 Linux 内核查询，这里不是 Linux；请用 tcpdump 抓包，再用 `tcpwhy FILE` 分析"),
    ("-i captures on Linux, and this is not Linux: `tcpdump -w - tcp | tcpwhy -` does the same", "-i 只能在 Linux 上抓包，这里不是 Linux：`tcpdump -w - tcp | tcpwhy -` 效果相同"),
    ("no random key for --anonymize", "无法为 --anonymize 生成随机密钥"),
    ("no random token for the address", "无法为网址生成随机令牌"),
    ("the filter {}: {}", "筛选条件 {}：{}"),
    ("giving up rights", "放弃权限"),
    ("looking at sockets ended", "对套接字的观察已结束"),
    ("expected info, warning, critical or a rule of `tcpwhy rules` about hosts", "应为 info、warning、critical，或 `tcpwhy rules` 中针对主机的规则"),
    ("that rule is of captures; {}", "这条规则针对抓包；{}"),
    ("{} runs programs or changes the whole machine: {}; to allow that, run: {}", "{} 会运行程序或修改整台机器的设置：{}；如要允许，请运行：{}"),
    ("the folder for temporary files", "临时文件的目录"),
    ("starting what removes the recordings", "启动清理录制的进程"),
    ("a folder for the recordings", "录制的目录"),
    ("no folder for the recordings can be made in {}", "无法在 {} 中创建录制的目录"),
    ("the capture could not be read again", "无法再次读取抓包"),
    ("merged captures are no one file", "合并的抓包不是同一个文件"),
    ("a ring is of files; standard output is none", "环形录制需要文件，标准输出不是文件"),
    ("a ring of less than 1 MB keeps too little; give --ring more", "环形录制小于 1 MB 保留的太少；请把 --ring 调大"),
    ("{} is there already, of an earlier ring; --overwrite removes all of its files", "{} 已经存在，属于以前的环形录制；--overwrite 会删除它的全部文件"),
    ("a stream has no second file", "流没有第二个文件"),
    ("expected a time from 1ms to 1000h", "应为 1ms 到 1000h 的时间"),
    ("there is no folder {}", "没有目录 {}"),
    ("{} is there already, and is no file", "{} 已经存在，而且不是文件"),
    ("{} is there already; {}", "{} 已经存在；{}"),
    ("--overwrite replaces it", "--overwrite 会替换它"),
    ("recording packets", "录制数据包"),
    ("counting packets", "统计数据包"),
    ("expected such as `limit=send_buffer for 5s`", "应类似 `limit=send_buffer for 5s`"),
    ("unknown {}: expected limit=ID", "不认识的 {}：应为 limit=ID"),
    ("{}: a time from 500ms to an hour", "{}：时间应为 500ms 到一小时"),
    ("starting a process", "启动进程"),
    ("waiting for signals", "等待信号"),
    ("asking the kernel's accounts", "读取内核的账目"),
    ("the kernel keeps no accounts for this process", "内核没有为这个进程记账"),
    ("the terminal cannot be read", "无法读终端"),
    ("the terminal is gone", "终端已经不在"),
    ("waiting for keys", "等待按键"),
    ("of an unknown form or version", "格式或版本未知"),
    ("of a machine of the other byte order", "来自字节序不同的机器"),
    ("`{}` is not installed (package {})", "没有安装 `{}`（软件包 {}）"),
    ("another run{} is changing {}: try again when it has ended", "另一次运行{}正在修改 {}：等它结束后再试"),
    ("cannot decompress {}: {}", "无法解压 {}：{}"),
    ("cannot open {}: {}", "无法打开 {}：{}"),
    ("cannot read {} beyond byte {} (after packet {}): {}", "{} 从第 {} 字节（第 {} 个包之后）起无法读取：{}"),
    ("cannot read {}: {}", "无法读取 {}：{}"),
    ("cannot write to {}: it is a link; name a new directory, or the one that it points to", "不能写入 {}：它是链接；请指定新目录，或它所指的目录"),
    ("cannot write to {}: it is not empty; name a new directory, or an empty one", "不能写入 {}：目录不为空；请指定新目录或空目录"),
    ("cannot write to {}: other users may write there too (mode {}); name a new directory", "不能写入 {}：其他用户也可以写（权限 {}）；请指定新目录"),
    ("cannot write {}: it is a FIFO of another user (uid {})", "不能写 {}：它是其他用户（uid {}）的 FIFO"),
    ("cannot write {}: the link {} belongs to another user (uid {}); name what it points to", "不能写 {}：链接 {} 属于其他用户（uid {}）；请指定它所指的文件"),
    ("cannot write {}: it is an input; name another file", "不能写 {}：它是输入文件；请指定另一个文件"),
    ("cannot write {}: tcpwhy did not write the file that is there; --overwrite replaces it", "不能写 {}：已有的文件不是 tcpwhy 写的；--overwrite 会替换它"),
    ("cannot write {}: it is there already; --overwrite replaces it", "不能写 {}：它已经存在；--overwrite 会替换它"),
    ("cannot write {}: {}", "无法写 {}：{}"),
    ("ended after {} s, which is longer than the scenario may take", "{} 秒后结束：超过了场景允许的时间"),
    ("no key can be derived from the passphrase: {}", "无法由口令生成密钥：{}"),
    ("not a capture file: {} (neither pcap nor pcapng; begins with {})", "不是抓包文件：{}（既不是 pcap 也不是 pcapng；开头为 {}）"),
    ("not a capture file: standard input is empty", "不是抓包文件：标准输入是空的"),
    ("not a capture file: {} is empty", "不是抓包文件：{} 是空的"),
    ("not a pcap or pcapng file: {} looks like {}", "不是 pcap 或 pcapng 文件：{} 像是 {}"),
    ("not a readable capture file: {} ends within its file header, after {} bytes", "抓包文件无法读取：{} 在文件头之内、{} 字节之后就结束了"),
    ("not a readable capture file: {} has a corrupt file header", "抓包文件无法读取：{} 的文件头已损坏"),
    ("not a readable capture file: {} is {} version {}", "抓包文件无法读取：{} 是 {} 版本 {}"),
    ("reading the live host is supported on Linux only; give a directory saved on a Linux host", "只有 Linux 才能读取本机；请给出在 Linux 主机上保存的目录"),
    ("the key is empty", "密钥是空的"),
    ("the transfer did not come to its end: {}", "传输没有进行到底：{}"),
    ("this kernel has no {}", "这个内核没有 {}"),
    ("no folder to mount scratch memory on: make one of /mnt, /media, /srv, /opt", "没有目录可以挂载临时内存：请创建 /mnt、/media、/srv、/opt 之一"),
    ("this scenario runs {}, which this machine lacks{}", "这个场景要运行 {}，本机没有{}"),
    ("this scenario sets {}, which is the whole machine's: only root may, outside of containers", "这个场景要设置整台机器的 {}：只有容器之外的 root 才可以"),
    ("{} is not a recording: {}", "{} 不是录制：{}"),
    ("{} is a pipe that nobody writes to", "{} 是没有人写入的管道"),
    ("{} is larger than {} bytes, which is more than is read of such a file", "{} 大于 {} 字节，超过了这类文件的读取上限"),
    ("{} is neither a file nor a pipe", "{} 既不是文件也不是管道"),
    ("{}: nothing of a host found: no `sysctl -a`, no `ss` output, none of the files of /proc/net", "{}：没有找到主机信息：没有 `sysctl -a`，没有 `ss` 输出，也没有 /proc/net 的文件"),
    ("--interval must be at least 10ms", "--interval 至少为 10ms"),
    ("expected random:SEED, random:SEED:COUNT or random:SEED/NUMBER", "应为 random:SEED、random:SEED:COUNT 或 random:SEED/NUMBER"),
    ("from 1 to {} random transfers", "随机传输的次数为 1 到 {}"),
    ("its own connection is not among the sockets", "套接字里没有它自己的连接"),
    ("lab runs transfers on the Linux kernel, and this is not Linux; `tcpwhy lab --help` says more", "lab 在 Linux 内核上运行传输，而这里不是 Linux；详见 `tcpwhy lab --help`"),
    ("live watches the sockets of the Linux kernel, and this is not Linux; explain a capture instead", "live 观察 Linux 内核的套接字，而这里不是 Linux；请改为分析抓包"),
    ("no connection carried payload", "没有传输过数据的连接"),
    ("no recordings: folders with truth.json, sender.pcapng and receiver.pcapng", "没有录制：即含有 truth.json、sender.pcapng 和 receiver.pcapng 的目录"),
    ("no rule {}; `tcpwhy rules` lists them", "没有规则 {}；`tcpwhy rules` 列出全部规则"),
    ("no scenario {}; `tcpwhy lab list` lists them, and a file ends in .toml", "没有场景 {}；`tcpwhy lab list` 列出全部场景，场景文件以 .toml 结尾"),
    ("no scenario {}; did you mean {}? `tcpwhy lab list` lists them", "没有场景 {}；是指 {} 吗？`tcpwhy lab list` 列出全部场景"),
    ("nothing to draw", "没有可画的内容"),
    ("standard input could not be kept", "无法保存标准输入"),
    ("the capture has changed while it was read", "抓包在读取期间发生了变化"),
    ("the kernel does not tell of its sockets (sock_diag)", "内核不提供套接字信息（sock_diag）"),
    ("the screen needs a terminal; --once, --json and --jsonl write to anything", "屏幕界面需要终端；--once、--json 和 --jsonl 可以输出到任何地方"),
    ("the terminal cannot be set up", "无法设置终端"),
    ("the terminal cannot be written", "无法写终端"),
    ("the version of this kernel is not known", "不知道这个内核的版本"),
    ("there is no connection {} that carried payload", "没有传输过数据的 {} 号连接"),
    ("this is no Linux: name a kernel with --kernel", "这里不是 Linux：请用 --kernel 指定内核"),
    ("{}: no sysctl that matters to TCP; expected the output of `sysctl -a`", "{}：没有与 TCP 有关的参数；应为 `sysctl -a` 的输出"),
    ("{}: one scenario is wanted here, not {}", "{}：这里只需要一个场景，而不是 {} 个"),
    ("{}: a scenario's file ends in .toml", "{}：场景文件以 .toml 结尾"),
    ("{}: the sender sent no payload", "{}：发送端没有发送数据"),
    ("{}: no payload", "{}：没有数据"),
    ("{} is no kernel version such as 6.18 or 5.15.0-91-generic", "{} 不是内核版本，例如 6.18 或 5.15.0-91-generic"),
    ("{} is no sysctl that matters to TCP buffers", "{} 不是与 TCP 缓冲区有关的参数"),
    ("{} is no NAME=VALUE", "{} 不是 名称=值"),
    ("{} is {} instead of {}", "{} 是 {}，而不是 {}"),
    ("No such file or directory (os error {})", "没有那个文件或目录（os error {}）"),
    ("Permission denied (os error {})", "权限不够（os error {}）"),
    ("Operation not permitted (os error {})", "不允许的操作（os error {}）"),
    ("is a directory", "是一个目录"),
    ("plain text", "纯文本"),
    ("standard input", "标准输入"),
    ("Is a directory (os error {})", "是一个目录（os error {}）"),
    ("Not a directory (os error {})", "不是目录（os error {}）"),
    ("File exists (os error {})", "文件已存在（os error {}）"),
    ("No space left on device (os error {})", "设备上没有空间（os error {}）"),
    ("Read-only file system (os error {})", "只读文件系统（os error {}）"),
    ("Input/output error (os error {})", "输入/输出错误（os error {}）"),
    ("Too many open files (os error {})", "打开的文件太多（os error {}）"),
    ("Cannot allocate memory (os error {})", "无法分配内存（os error {}）"),
    ("Address already in use (os error {})", "地址已被占用（os error {}）"),
    ("Cannot assign requested address (os error {})", "无法使用所请求的地址（os error {}）"),
    ("{} is not known", "{} 未知"),
    ("{} is no name of a file", "{} 不是文件名"),
    ("{} is not UTF-8", "{} 不是 UTF-8"),
];
