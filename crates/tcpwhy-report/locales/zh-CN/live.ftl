# 正在运行的主机上的连接：`tcpwhy live`。

# 怎样询问内核。
live-mode-samples = 采样（{ $why }）
live-mode-bpf = 内核统计（BPF）
live-why-asked = 按要求
live-why-recorded = 录制
live-why-platform = 此处没有 BPF
live-why-no-btf = 内核没有 BTF
live-why-no-right = 缺少 CAP_BPF 与 CAP_PERFMON
live-why-program = 内核太旧，不支持内核统计
live-why-other = BPF 失败
live-head = { $host }  Linux { $kernel }  { $mode }，每秒 { $rate } 次  CPU { $cpu }  { $sockets } 个套接字，{ $active } 个活跃

live-column-lost = 可省
live-column-limit = 限制
live-column-process = 进程
live-column-local = 本地
live-column-peer = 对端
live-column-connections = 连接数
live-column-rate = 速率
live-column-rtt = RTT
live-column-strip = 最近 { $time }

# 某限制所占的秒数，以及所示时段内观察该连接的秒数。
live-held = { $limit } { $held }
live-held-range = { $limit } { $held }（{ $low }–{ $high }）
live-share = { $limit } { $share }（{ $low }–{ $high }）
live-share-exact = { $limit } { $share }
live-limit-unobserved = 取决于对端
live-nobody = 无进程
live-nobody-known = 未知
live-none-active = 没有连接在收发数据。
live-none-seen = 采样没有看到哪个连接收发数据。两次采样之间结束的连接看不到。
live-more = 另有 { $count } 个连接：--top
live-more-groups = 另有 { $count } 组：--top

# 看不到的内容。id 与 JSON 中一致。
live-gap-no-accounts = 两次采样之间什么也看不到：占比带有区间，短于一秒的连接可能漏掉。
live-gap-writers = 此内核不报告写入方等待发送缓冲区的时长（Linux 6.16 起可以）。
live-gap-settings = 应用设置缓冲区时不会即时报告（--no-setsockopt，或内核不允许查看）。
live-gap-later-settings = 应用设置了哪些缓冲区只在开始时报告过：有处理器每秒执行超过 20,000 次系统调用，而此内核只能逐个查看系统调用才知道。
live-gap-lost-events = 丢失了 { $lost } 个事件：同时发生的太多，放不下。各限制的时间不依赖事件。
live-gap-lost-ends = 有 { $lost_ends } 个连接的结束没有报告：同时结束的太多，放不下。它们自上次查看以来的情况缺失；在此之后才打开的连接则完全缺失。
live-gap-old-events = 最早的 { $old } 个事件未列出：到结束时只保留最近的事件（--jsonl 随时逐条输出全部事件）。
live-gap-names = 看不到其他用户的进程名：需要 root，或 CAP_SYS_PTRACE 与 CAP_DAC_READ_SEARCH（docs/rights.zh-CN.md）。
live-gap-namespaces = 没有查看其他网络命名空间：需要 --all-namespaces、CAP_SYS_ADMIN 与 CAP_SYS_PTRACE。
live-gap-idle-namespaces = 其他网络命名空间的连接在收发数据后才会显示；--all-namespaces 显示全部。
live-gap-some-namespaces = 有些网络命名空间无法进入：需要 CAP_SYS_ADMIN 与 CAP_SYS_PTRACE。
live-gap-slow = 为了不超过一个处理器的 { $cpu }（--cpu），每 { $time } 才读一遍所有套接字。在这之间结束的连接可能看不到。
live-gap-old-kernel = 此内核不提供连接的忙碌时长或对端通告的窗口（Linux 4.10 与 5.4 起才有）：有些时间无法归因。

# 列表上方的一句话。$who 是 live-who-server 或 live-who-client，$waits 是 live-waits 之一。
live-losers-none = { $count } 个连接都没有损失时间。
live-losers-at-peer = { $count } 个连接在本机都没有损失时间；{ $who } 在等对端，{ $held }：请到对端查看。
live-missed = 期间新建的连接打开了 { $opened } 个套接字，采样只看到 { $seen } 个。内核统计能看到全部：需要 CAP_BPF 与 CAP_PERFMON。
live-losers = { $count } 个连接中有 { $losing } 个在损失时间；{ $who } { $waits }，{ $held }。
live-losers-enter = { $count } 个连接中有 { $losing } 个在损失时间；{ $who } { $waits }，{ $held }：Enter
live-losers-many = { $count } 个连接中有 { $losing } 个在损失时间；{ $who } 先后建立又关闭 { $repeated } 个连接，握手共 { $handshakes }。
live-losers-requests = { $count } 个连接中有 { $losing } 个在损失时间；{ $who } 先后建立又关闭 { $repeated } 个连接，握手共 { $handshakes }：每个请求一个连接。
live-who-server = { $process } { $port } 到 { $peer }
live-who-listener = 端口 { $port } 的监听程序
live-who-client = { $process } 到 { $peer }
live-waits-unobserved = 在等对端
live-waits-handshake = 在等握手
live-waits-handshake-syn-rto = 在等 SYN 的应答
live-waits-loss-recovery = 在等重传
live-waits-loss-recovery-rto = 在等重传超时
live-waits-receive-window = 在等对端接收窗口的空间
live-waits-receive-window-zero-window = 在等对端读取
live-waits-receive-window-slow-reader = 读取太慢
live-waits-receive-window-small-buffer = 受制于过小的接收缓冲区
live-waits-receive-window-capped = 受制于不能再增大的接收缓冲区
live-waits-receive-window-no-window-scale = 受制于没有缩放的窗口
live-waits-ack-delay = 在等小块写入的 ACK
live-waits-application = 写得太慢
live-waits-application-think = 应答太慢
live-waits-application-peer-window = 在等对端的协议窗口
live-waits-tail-rtt = 在等最后的 ACK
live-waits-path = 占满路径
live-waits-path-policer = 受制于限速设备（policer）
live-waits-path-ack-queue = 在等排队的 ACK
live-waits-send-buffer = 在等发送缓冲区的空间
live-waits-slow-start = 受制于慢启动
live-waits-congestion-window = 受制于拥塞窗口

# 没有什么值得调整的方向，以及占时最多的限制。
live-healthy = { $total } 里没有值得调整的瓶颈。占时最多的是{ $limit }：{ $held }。
live-healthy-brief = { $total } 里没有值得调整的瓶颈。

# 组的下方：先后建立又关闭的连接。
live-sum = 先后建立又关闭 { $count } 个连接，握手 { $handshakes }，共 { $total }
live-sum-requests = 先后建立又关闭 { $count } 个连接，握手 { $handshakes }，共 { $total }：每个请求一个连接

# 屏幕界面。
live-sort = 排序：{ $by }
live-sort-lost = 可省
live-sort-limit = 限制
live-sort-process = 进程
live-sort-rate = 速率
live-sort-rtt = RTT
live-ended = 已结束的连接
live-none-open = 没有打开的连接。
live-none-ended = 还没有连接结束。
live-group = 分组：{ $by }
live-group-none = 无
live-group-process = 进程
live-group-port = 端口
live-group-peer = 对端
live-group-cgroup = cgroup
live-filter = 过滤：{ $text }
live-filter-bad = 无法理解的过滤条件：{ $text }
live-frozen = 已冻结
live-too-small = 终端太小：至少 40 × 8。
live-waiting = 等待首批采样……
live-no-match = 没有符合过滤条件的连接。
live-keys = q 退出  ? 帮助  Enter 详情  / 过滤  s 排序  g 分组  x 已结束  t 时段  f 冻结  e 事件  c C 复制  T 配色  ↑↓ 选择
live-keys-narrow = q 退出  ? 所有按键  Enter 详情  / 过滤
live-keys-detail = q 退出  Esc 返回  ↑↓ 下一连接  t 时段  f 冻结  c 复制 ss 命令  C 复制此行  T 配色
live-copied = 已请终端复制（OSC 52）：{ $text }
live-theme = 配色：{ $by }
live-theme-neutral = 通用
live-theme-dark = 深色
live-theme-light = 浅色
live-theme-none = 无色
live-keys-filter = Enter 应用  Ctrl-U 清空  Esc 取消
live-keys-events = q 退出  Esc 返回
live-keys-back = Esc 返回  q 退出

live-detail-limits = 限制
live-detail-limit = 限制
live-detail-sent = 发送
live-detail-received = 接收
live-detail-rtt = RTT
live-detail-queued = 排队
live-detail-flight = 在途
live-detail-now = 当前 { $value }
live-detail-of-buffer = { $value }，缓冲区 { $buffer }
live-detail-windows = cwnd { $cwnd }  窗口 { $window }
live-detail-rtt-now = { $value }（最小 { $least }）
live-detail-fix = 建议：{ $fix }（{ $place }）
live-detail-fix-or = 或者：{ $fix }（{ $place }）
live-detail-then = 改后：预计 { $then }（{ $low }～{ $high }），现在是 { $now }。下一个瓶颈：{ $next }。{ $why }
live-detail-then-little = 改后：与现在相差不大（{ $low }～{ $high }，现在是 { $now }）。下一个瓶颈：{ $next }。{ $why }
live-detail-then-at-best = 改后：最多快 { $times } 倍，至多 { $high }（现在是 { $now }）。下一个瓶颈：{ $next }。{ $why }
live-detail-then-by-path = 改后：路径能传 { $fast-path } 时约 { $fast }，能传 { $slow-path } 时约 { $slow }（现在是 { $now }）。
live-detail-then-unknown = 改后能有多快，从内核给出的信息无法判断。
live-detail-then-at-peer = 改后能有多快，只有发送端主机才能判断。
live-detail-samples = 采样 { $count } 次，观察了 { $time }
live-detail-accounted = 由内核在每个 ACK 和每次写入时累计，共 { $time }
live-detail-blocked = 写入方等待发送缓冲区空间共 { $time }。
live-detail-server-time = 应答 { $count } 次：一半用时{ $median }，95% 用时{ $p95 }。
live-detail-response-time = 响应 { $count } 次：一半用时{ $median }，95% 用时{ $p95 }，含往返时延。
live-detail-at-most = 不超过 { $time }
live-detail-over = 超过 { $time }
live-detail-gone = 此连接已结束。

live-help =
    可省：本可通过调整省下的时间，即卡在发送缓冲区、接收窗口、丢包重传、ACK 延迟等上的秒数。应用空闲和跑满的路径不计入。可省、限制与速率都属于所示的同一时段（t）；只有时间条的最后一列是此刻。
    分组累加秒数与字节。两端都在本机的连接只计一次。
    过滤条件：一行中包含的文字，以及 process:nginx、port:443、peer:10.0.、limit:send_buffer、cgroup:web；多个条件须同时成立，前面加 ! 表示取反。
    内核统计：BPF 程序在每个 ACK 和每次写入时累计各连接受什么限制，覆盖所有网络命名空间，没有估算。程序关闭连接之后，每秒采样十次。按 e 查看发生的事件：等待的写入方、设置的缓冲区、重传、零窗口。
    c 复制显示所选连接套接字的 ss 命令，C 复制它在列表中的那一行，经由终端（OSC 52）；在 tmux 里需要 set -g set-clipboard on。T 切换配色：通用、深色、浅色、无色（--theme）。
    采样：向内核询问每个套接字的状态。两次采样之间什么也看不到，因此占比带有区间；运行越久区间越窄。

live-blocked = { $process } 在 { $place } 里等待发送缓冲区空间 { $time }（写入 { $count } 次）
live-blocked-somewhere = { $process } 等待发送缓冲区空间 { $time }（写入 { $count } 次，函数未知）
live-events-none = 还没有事件。
live-events-none-here = 各连接的事件需要 BPF：tcpwhy live --check 会说明缺少什么。
live-event-blocked-write = 写入时等待了 { $time }：发送缓冲区已满
live-event-buffer-set = 请求把 { $option } 设为 { $size }
live-event-at = { $what }，位于 { $place }
live-event-retransmitted-fast = 重传 { $count } 个报文段：ACK 表明丢包
live-event-retransmitted-rto = 重传 { $count } 个报文段：超时
live-event-retransmitted-tlp = 重传 { $count } 个报文段：尾部丢包探测
live-event-window-closed-peer = 对端通告零窗口
live-event-window-closed-own = 通告零窗口：本端程序没有读取
live-event-window-opened-peer = 对端窗口在 { $time } 后重新打开
live-event-window-opened-own = 本端窗口在 { $time } 后重新打开
live-event-pruned-collapsed = 接收缓冲区空间不足：接收队列中的 { $count } 个报文段被合并复制
live-event-pruned-out-of-order = 接收缓冲区空间不足：丢弃已到达的乱序数据{ $count ->
    [one] {""}
   *[other] ，{ $count } 次
}
live-event-pruned-arriving = 接收缓冲区空间不足：丢弃 { $count } 个到达的报文段
live-event-somewhere = { $what }（由本网络命名空间的计数器得知，不知道属于哪个连接）
live-event-memory-receive = 接收数据的内存已用尽（tcp_mem、SO_RCVBUF）
live-event-memory-send = 发送用的内存已用尽（tcp_mem）

# `tcpwhy live --check`。
live-check-works = 可用
live-check-missing = 缺少
live-check-sock-diag = 本网络命名空间的套接字（sock_diag）
live-check-tcp-info = 内核对套接字的描述（tcp_info）：{ $fields } 个字段
live-check-processes = 所有进程的名字
live-check-locks = 应用设置了哪些缓冲区（pidfd_getfd、SO_BUF_LOCK）
live-check-namespaces = 其他网络命名空间
live-check-need-root = 需要 root，或 CAP_SYS_PTRACE 与 CAP_DAC_READ_SEARCH
live-check-need-enter = 进入它需要 CAP_SYS_ADMIN
live-check-need-look = 查看它需要 CAP_SYS_PTRACE
live-check-namespace-closed = { $inode }（{ $process }）：{ $why }
live-check-namespace-too-many = 超出同时进入的数量上限
live-check-namespaces-more = 另有 { $count } 个
live-check-processes-hidden = { $count } 个进程所在的命名空间未知（例如 { $process }：{ $why }）
live-check-accounts = 内核统计：在每个 ACK 和每次写入时累计各限制的时间（BPF）
live-check-part-writes = 每次写入，以及写入方从何时开始等待
live-check-part-write-ends = 写入方等待了多久
live-check-part-reads = 只接收数据的连接属于哪个进程
live-check-part-retransmissions = 重传及其原因
live-check-part-memory = 内存用尽
live-check-part-pruning = 被合并或裁剪的接收队列，及其连接
live-check-part-settings = 应用设置的缓冲区
live-check-landlock = 用 Landlock 限制读抓包的进程能打开的文件
live-check-code = 程序在代码何处设置缓冲区、在何处等待写入
live-check-need-bpf = 需要 root，或 CAP_BPF 与 CAP_PERFMON
live-check-need-processes = 需要处于主机的 PID 命名空间（hostPID、--pid=host）
live-check-need-btf = 需要带类型信息的内核（CONFIG_DEBUG_INFO_BTF，/sys/kernel/btf/vmlinux）
live-check-need-hook = 需要 Linux { $version } 或更新（{ $text }）
live-check-need-function-hooks = 需要允许 BPF 挂接内核函数（fentry）的内核；否则计数器只说明次数，不知道属于哪个连接（{ $text }）
live-check-need-kernel = 需要 Linux { $version } 或更新
live-check-need-accounts = 已知可用于 Linux { $version } 及更新（{ $text }）
live-check-failed = { $text }
live-check-verdict = tcpwhy live 可在此运行，方式为采样。
live-check-verdict-bpf = tcpwhy live 可在此运行，方式为内核统计（BPF）。
live-check-verdict-not = tcpwhy live 无法在此运行：内核不应答 sock_diag。

reason-seen-from-receiver = 更多情况只有发送端主机知道。
verdict-unobserved-receiver = 从接收端看不到对端受什么限制：总共 { $total }，其中 { $seconds }（{ $share }）
reason-not-reported = 程序关闭套接字后，内核只保留少量记录；两次扫描相隔太久时，中间的情况也不清楚。
verdict-unobserved-kernel = 总共 { $total }，其中 { $seconds }（{ $share }）内核没有报告受限原因

# 连接怎样失败：一两个词、一句话、下一步做什么。
live-outcome-refused = 被拒绝
live-outcome-refused-about = { $peer } 拒绝了连接：{ $time } 后用 RST 回复了 SYN。
live-outcome-refused-next = 下一步：在 { $peer } 上启动应当监听的程序，或改正地址。
live-outcome-unanswered = SYN 无应答
live-outcome-unanswered-about = { $peer } 在 { $time } 内没有回复 SYN（重传 { $timeouts } 次）。
live-outcome-unanswered-next = 下一步：在 { $peer } 上运行 tcpdump。如果 SYN 没有到达，检查防火墙和路由。
live-outcome-reset-by-peer = 被对端重置
live-outcome-reset-by-peer-about = { $peer } 在 { $time } 后重置了连接：已发送 { $sent }，已接收 { $received }，{ $waiting } 未被确认。
live-outcome-reset-by-peer-next = 下一步：查看 { $peer } 上的程序当时的日志。
live-outcome-reset-by-this-end = 被本端重置
live-outcome-reset-by-this-end-about = 本端在 { $time } 后重置了连接：已发送 { $sent }，已接收 { $received }，{ $unread } 未读取，{ $waiting } 未被确认。
live-outcome-reset-by-this-end-next = 下一步：查看 { $process } 的日志。程序没有读完就关闭，或设置了 SO_LINGER 0，都会发送 RST。
live-outcome-never-accepted = 未被 accept
live-outcome-never-accepted-about = { $time } 内没有程序接受此连接：它在端口 { $port } 的监听队列中等待。
live-outcome-never-accepted-queued = { $time } 内没有程序接受此连接。端口 { $port } 的监听队列中有 { $queued } 个，最多 { $most } 个。
live-outcome-never-accepted-next = 下一步：查明监听端口 { $port } 的程序为什么不调用 accept()：程序卡住，或所有线程都在忙。
live-outcome-timed-out = 超时断开
live-outcome-timed-out-about = { $peer } 没有任何回应：内核在 { $time } 后放弃，{ $waiting } 未被确认。
live-outcome-timed-out-next = 下一步：确认 { $peer } 在运行，然后检查两端之间的路由和防火墙。
live-outcome-black-hole = 收不到 ACK
live-outcome-black-hole-about = { $peer } 没有任何回应：连续超时 { $timeouts } 次，{ $waiting } 未被确认。
live-outcome-black-hole-next = 下一步：用小包和 1400 字节的包 ping { $peer }。然后检查路由、防火墙和路径 MTU。
live-outcome-closed-under-way = 关闭时未应答
live-outcome-closed-under-way-about = { $peer } 关闭了连接，{ $waiting } 没有得到应答；此时连接已建立 { $time }。
live-outcome-closed-under-way-next = 下一步：查看 { $peer } 上的程序的日志，并比较两端的空闲超时。
live-event-failed = 连接失败：{ $how }
live-failed-times = { $how } × { $count }
live-losers-failed = { $count } 个连接中有 { $failed } 个失败；{ $who }：{ $how }（同类 { $alike } 个）。
live-losers-failed-enter = { $count } 个连接中有 { $failed } 个失败；{ $who }：{ $how }（同类 { $alike } 个）：Enter
