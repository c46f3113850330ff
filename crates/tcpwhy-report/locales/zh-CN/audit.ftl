# `tcpwhy audit`：报告框架、参数、计数器、检查项、修复与证据。

place-application = 应用
place-host = 本机参数
basis-kernel-inferred = 推算

audit-live = 本机
audit-head = { $host }：Linux { $kernel }，{ $connections } 条 TCP 连接、{ $listeners } 个监听套接字{ $set ->
        [0] {""}
       *[other] ，其中 { $set } 个缓冲区由应用设置
    }
audit-head-unknown = { $host }：Linux { $kernel }，未能读取套接字
audit-kernel-unknown = （版本未知）
audit-worst = { $severity }：{ $title }。{ $sentence }
audit-clean = 没有发现拖慢 TCP 的问题。
audit-clean-partly = 在已读到的部分没有发现问题。未读到：{ $gaps }。
audit-and-not-read = { $line }未读到：{ $parts }。
audit-part-sockets = 套接字
audit-part-processes = 进程
audit-part-locks = 哪些缓冲区由应用设置
audit-part-counters = 计数器
audit-part-sockstat = TCP 内存
audit-part-uptime = 开机时长
audit-part-sysctls = 内核参数
audit-part-kernel = 内核版本
audit-part-details = 连接的详细数据
audit-part-namespaces = 其他网络命名空间
audit-part-rest = 保存的主机的其余部分
audit-read-rest = 要读到其余部分，请在该主机上以 root 运行 tcpwhy audit，或用 --save 在那里保存。
audit-more =
    { $count ->
       *[other] 下面还有 { $count } 项发现
    }
audit-fix = { $fix }（{ $place }）。
audit-fix-more = { $fix }（{ $place }）。{ $more }。

heading-audit-paths = 当前参数下各路径能跑多快
heading-audit-sockets = 由应用设置的缓冲区（最慢的在前）
heading-audit-counters = 异常计数器（自开机以来）
heading-audit-counters-namespace = 异常计数器（自本网络命名空间创建以来）
heading-audit-settings = 参数
heading-audit-gaps = 未看到

audit-path = { $rate }、往返时延 { $rtt }：需要 { $bdp } 在途数据（MTU { $mtu }）
audit-path-reach-autotuned-send = 发送，缓冲区自动调整
audit-path-reach-autotuned-receive = 接收，缓冲区自动调整
audit-path-reach-set-send = 发送，SO_SNDBUF 取最大
audit-path-reach-set-receive = 接收，SO_RCVBUF 取最大
audit-path-enough = 可跑满
audit-path-ceiling = { $rate }（{ $share }）
audit-path-needed = { $setting } 需要设为 { $value }
audit-path-by = 由 { $setting } 决定，最多 { $flight } 在途

audit-column-process = 进程
audit-column-side = 缓冲区
audit-column-size = 大小
audit-column-rtt = RTT
audit-column-ceiling = 速率上限
audit-column-autotuned = 若不设置
audit-column-peer = 对端
audit-column-binds = 已触顶
audit-side-send = 发送
audit-side-receive = 接收
audit-sockets-more = 另有 { $count } 个；用 --top N 查看。
audit-nobody = ？

audit-counter-rate = 每小时 { $rate }
audit-counter-share = 占 { $of } 的 { $share }
audit-counter-recent = 最近 { $seconds } 内 { $count }
audit-setting = { $text }（{ $facts }）
audit-default = 默认
audit-changed = 已修改
audit-scope-global = 对整机生效
audit-scope-namespace = 每个网络命名空间各自独立
audit-no-effect = 在此内核上不起作用
audit-hint-rules = tcpwhy rules ID 解释某项发现；tcpwhy buffers 推算某个缓冲区大小的实际效果。

audit-gap-sockets = 套接字：内核和保存的文件都没有给出
audit-gap-processes = 部分套接字所属的进程：属于其他用户（以 root 运行可见）、其他容器或内核自身
audit-gap-locks = 部分套接字的缓冲区是否由应用设置：在 Linux 5.15 及以上以 root 运行可向内核询问；现改用大小来判断
audit-gap-counters = TCP 协议栈的计数器（/proc/net/netstat、/proc/net/snmp）
audit-gap-sockstat = TCP 协议栈占用的内存（/proc/net/sockstat）
audit-gap-uptime = 开机时长，因此没有速率
audit-gap-sysctls = 内核参数（sysctl -a）
audit-gap-kernel = 内核版本；按 Linux { $assumed } 推算
audit-gap-details = 连接的详细数据（ss -tinmo）
audit-gap-namespaces = 其他网络命名空间（容器）的套接字，不少于这里的数量：请在那里运行 tcpwhy audit，例如 nsenter -t PID -n tcpwhy audit
audit-gap-rest = 保存的主机中超出读取上限的文件、套接字或文本
audit-warning-sysctl = tcpwhy：{ $source }：{ $text }
audit-cut = 该主机的文件、套接字或文本超出读取上限，结果可能不全

fault-autotuning-slow = 接收缓冲区自动调整增长太慢
fault-jumbo-window-stuck = 使用巨帧时接收缓冲区自动调整始终不启动
fault-quarter-of-buffer = 接收窗口只有缓冲区的四分之一，而不是一半
fault-segments-in-window-dropped = 丢弃自己通告的窗口之内的报文段
fault-send-queue-too-strict = 发送队列拒绝为重传拆分报文段
fault-slow-reader-window = 应用读得慢时接收窗口一直极小
fault-unread-in-sockmap = 对 sockmap 中的套接字，FIONREAD 返回 0，程序因此不去读数据

ground-kernel = 内核报告
ground-below-start = 小于自动调整的初始值
ground-above-ceiling = 大于自动调整的上限
ground-at-cap = 恰好是请求上限的两倍
ground-round-size = 2 的整数次幂

# 参数，每个一行：做什么，不做什么，谁覆盖谁。
setting-tcp-rmem = 接收缓冲区：内存紧张时的保留值、初始值、自动调整的上限。SO_RCVBUF 会覆盖它并关闭该套接字的自动调整；rmem_max 不限制它
setting-tcp-wmem = 发送缓冲区：内存紧张时的保留值、初始值、自动调整的上限。SO_SNDBUF 会覆盖它并关闭该套接字的自动调整；wmem_max 不限制它
setting-rmem-max = SO_RCVBUF 可请求的最大值（之后再加倍）；不限制自动调整，自动调整的上限是 tcp_rmem
setting-wmem-max = SO_SNDBUF 可请求的最大值（之后再加倍）；不限制自动调整，自动调整的上限是 tcp_wmem
setting-tcp-mem = 全部 TCP 套接字的内存总量，单位是页：低于第一个值可自由增长，高于第二个值进入内存压力，高于第三个值开始丢弃
setting-tcp-moderate-rcvbuf = 接收缓冲区自动调整
setting-tcp-window-scaling = 大于 64 KiB 的窗口（RFC 7323）；两端都要支持
setting-tcp-adv-win-scale = 接收缓冲区中不作为窗口通告的比例；自 Linux 6.6 起改为实测比例
setting-tcp-shrink-window = 已通告的窗口能否收回
setting-tcp-limit-output-bytes = 单个套接字在排队规则和驱动中最多可积压的字节数
setting-tcp-notsent-lowat = 未发送数据低于此值时套接字才可写；取最大值表示不限
setting-rmem-default = 非 TCP 套接字的接收缓冲区：TCP 用 tcp_rmem
setting-wmem-default = 非 TCP 套接字的发送缓冲区：TCP 用 tcp_wmem
setting-tcp-congestion-control = 新套接字的拥塞控制算法
setting-default-qdisc = 此后启用的网卡的排队规则
setting-tcp-slow-start-after-idle = 空闲之后拥塞窗口是否回落
setting-tcp-no-metrics-save = 是否不保存连接学到的路径信息
setting-tcp-timestamps = 时间戳（RFC 7323）：更准的往返时延，并让 SYN cookie 保留选项
setting-tcp-sack = 选择性确认（RFC 2018）
setting-tcp-mtu-probing = ICMP 丢失时探测最大包长：0 从不，1 遇到黑洞后，2 总是
setting-tcp-rto-min-us = 最小重传超时
setting-somaxconn = 等待 accept() 的连接数上限，无论 listen() 要多少
setting-tcp-max-syn-backlog = 一个监听套接字可记住的半连接数
setting-tcp-syncookies = SYN cookie：0 从不，1 队列满时，2 总是
setting-tcp-max-orphans = 已关闭但仍占内存的连接数上限，超过即被丢弃
setting-netdev-max-backlog = 每个 CPU 上网卡与协议栈之间可排队的包数

# 计数器，名称同 Linux。
counter-ListenOverflows = 因全连接队列满而丢弃的连接
counter-ListenDrops = 监听套接字因任何原因丢弃的连接
counter-TCPReqQFullDrop = 因半连接队列满而丢弃的 SYN
counter-TCPReqQFullDoCookies = 因半连接队列满而以 cookie 应答的 SYN
counter-SyncookiesSent = 发出的 SYN cookie
counter-SyncookiesFailed = 校验不通过的 SYN cookie 应答
counter-TCPSynRetrans = 重传的 SYN 和 SYN-ACK
counter-AttemptFails = 未能建立的连接
counter-EstabResets = 建立之后被重置的连接
counter-TCPBacklogDrop = 因进程占用套接字过久而丢弃的包
counter-TCPRcvQDrop = 因接收队列没有内存而丢弃的包
counter-PruneCalled = 接收缓冲区满而被迫清理的次数
counter-RcvPruned = 从接收队列中丢弃的包
counter-OfoPruned = 因内存不足丢弃乱序数据的次数
counter-TCPRcvCollapsed = 接收队列中为节省内存而被拷贝合并的 skb（一个 skb 可装多个报文段）
counter-TCPOFODrop = 因内存不足丢弃的乱序包
counter-TCPOFOQueue = 乱序到达的包
counter-TCPToZeroWindowAdv = 本机通告零窗口的次数
counter-TCPWantZeroWindowAdv = 想通告零窗口但尚不能通告的次数
counter-TCPZeroWindowDrop = 零窗口期间到达而被丢弃的包
counter-TCPWinProbe = 对端零窗口期间发出的探测
counter-TCPMemoryPressures = TCP 进入内存压力的次数
counter-TCPMemoryPressuresChrono = 处于内存压力的毫秒数
counter-TCPAbortOnMemory = 因内存不足被丢弃的连接
counter-TCPTimeWaitOverflow = 因数量过多未能保留 TIME-WAIT 的连接
counter-TCPWqueueTooBig = 因发送队列占用内存过多而未能为重传拆分的报文段
counter-RetransSegs = 重传的报文段
counter-TCPFastRetrans = 其中由快速恢复重传
counter-TCPSlowStartRetrans = 其中由超时之后重传
counter-TCPLostRetransmit = 重传后又丢失的报文段
counter-TCPTimeouts = 重传超时
counter-TCPSpuriousRTOs = 事后证明多余的超时
counter-TCPDSACKRecv = 接收端报告的重复数据
counter-TCPDSACKUndo = 因并未丢包而撤销的恢复
counter-TCPSpuriousRtxHostQueues = 原包还在本机队列中而未发的重传
counter-TCPSACKReorder = 由 SACK 发现的乱序
counter-TCPAbortOnTimeout = 超时次数过多而放弃的连接
counter-TCPRetransFail = 未能发出的重传
counter-TCPMTUPFail = 失败的 MTU 探测
counter-InCsumErrors = 校验和错误的报文段

# 检查项。
rule-socket-send-buffer-set-title = 应用设置了发送缓冲区
rule-socket-send-buffer-set-sentence-together = { $process } 设置了 SO_SNDBUF（内核加倍后为 { $buffer_bytes }）：往返时延 { $rtt_us } 时最多 { $ceiling_low_bits_per_s } 到 { $ceiling_bits_per_s }，取决于每次写入的大小；若不设置，自动调整可允许 { $autotuned_bits_per_s }。
rule-socket-send-buffer-set-sentence-shared = { $process } 设置了 SO_SNDBUF（内核加倍后为 { $buffer_bytes }），自动调整因此关闭。该连接在往返时延 { $rtt_us } 时达到过 { $reached_bits_per_s }；若不设置，自动调整可允许 { $autotuned_bits_per_s }。
rule-socket-send-buffer-set-sentence = { $process } 设置了 SO_SNDBUF（内核加倍后为 { $buffer_bytes }）：往返时延 { $rtt_us } 时最多 { $ceiling_bits_per_s }；若不设置，自动调整可允许 { $autotuned_bits_per_s }。
rule-socket-send-buffer-set-sentence-brief = 有应用设置了 SO_SNDBUF（内核加倍后为 { $buffer_bytes }）；这些连接的自动调整已关闭。
rule-socket-send-buffer-set-doc =
    应用设置了 SO_SNDBUF，该套接字的发送缓冲区自动调整随之关闭：在途数据不会超过缓冲区，速率止于缓冲区 / 往返时延，与路径能力无关。
    内核会说明哪些缓冲区是设置的（SO_BUF_LOCK，Linux 5.15，需要 root）。无法询问时，用自动调整达不到的大小来判断，置信度会体现这一点。速率上限按内核的规则和套接字实测的往返时延推算。发送队列已满时可以看出每次写入多大；看不出时，上限是一个随写法而变的范围。如果套接字达到过更高的速率，说明推算的上限对它不成立，就不再报告上限。若内核的发送缓冲区计时在走、队列已满而拥塞窗口尚有余量，或实测速率接近上限，则认为已触顶。
    删除该调用或配置。如果必须设置，按带宽 × 往返时延的两倍设置，并调大限制请求的 net.core.wmem_max。

rule-socket-receive-buffer-set-title = 应用设置了接收缓冲区
rule-socket-receive-buffer-set-sentence-together = { $process } 设置了 SO_RCVBUF（内核加倍后为 { $buffer_bytes }）：往返时延 { $rtt_us } 时最多接收 { $ceiling_low_bits_per_s } 到 { $ceiling_bits_per_s }，取决于网卡驱动；若不设置，自动调整可允许 { $autotuned_bits_per_s }。
rule-socket-receive-buffer-set-sentence-shared = { $process } 设置了 SO_RCVBUF（内核加倍后为 { $buffer_bytes }），自动调整因此关闭。该连接在往返时延 { $rtt_us } 时达到过 { $reached_bits_per_s }；若不设置，自动调整可允许 { $autotuned_bits_per_s }。
rule-socket-receive-buffer-set-sentence = { $process } 设置了 SO_RCVBUF（内核加倍后为 { $buffer_bytes }）：往返时延 { $rtt_us } 时最多接收 { $ceiling_bits_per_s }；若不设置，自动调整可允许 { $autotuned_bits_per_s }。
rule-socket-receive-buffer-set-sentence-brief = 有应用设置了 SO_RCVBUF（内核加倍后为 { $buffer_bytes }）；这些连接的自动调整已关闭。
rule-socket-receive-buffer-set-doc =
    应用设置了 SO_RCVBUF，该套接字的接收缓冲区自动调整随之关闭：窗口不再增长，速率止于窗口 / 往返时延。在 connect 或 accept 之后设置甚至可能把窗口冻结在当时的大小，因为窗口缩放因子在 SYN 中就已确定。
    内核会说明哪些缓冲区是设置的（SO_BUF_LOCK，Linux 5.15，需要 root）。无法询问时，用自动调整达不到的大小来判断，置信度会体现这一点。如果套接字显示了实际窗口，则以实际窗口为准。
    删除该调用或配置。如果必须设置，在 connect 或 listen 之前设置，并调大限制请求的 net.core.rmem_max。

rule-socket-peer-window-title = 受限于对端的接收窗口
rule-socket-peer-window-sentence = { $process } 在 { $socket } 上有数据可发的 { $busy_us } 中，有 { $limited_share } 在等待对端的接收窗口。
rule-socket-peer-window-sentence-brief = { $socket } 在有数据可发的 { $busy_us } 中，有 { $limited_share } 在等待对端的接收窗口。
rule-socket-peer-window-sentence-least = 对端通告的窗口限制了发送端：总共 { $total }，其中 { $seconds }。
rule-socket-peer-window-doc =
    对端通告的窗口太小，或对端应用读得太慢。在本机做什么都不会更快。
    依据内核自己的计时（ss -ti 的 rwnd_limited），且忙碌时间至少一秒。这个计时只会偏小，不会偏大。
    检查对端：应用设置的接收缓冲区、过低的 tcp_rmem，或不读数据的应用。

rule-socket-peer-window-closed-title = 对端通告零窗口
rule-socket-peer-window-closed-sentence = { $socket } 有 { $waiting_bytes } 待发，正在探测零窗口：对端应用没有读取数据。
rule-socket-peer-window-closed-sentence-brief = 对端通告零窗口，它的应用没有读数据：总共 { $total }，其中 { $seconds }。
rule-socket-peer-window-closed-doc =
    对端应用不读数据，因此通告零窗口。内核反复探测窗口是否打开，间隔越来越长，直到两分钟一次。
    依据持续定时器，且间隔至少加倍过两次。只加倍过一次时仅作提示。
    取对端应用的调用栈，看它在等什么。

rule-socket-backoff-title = 重传得不到应答
rule-socket-backoff-sentence = { $process } 在 { $socket } 上等待确认：连续 { $backoff_count ->
       *[other] { $backoff_count }
    } 次超时重传没有应答，每次等待时间加倍。
rule-socket-backoff-sentence-brief = { $socket } 在等待确认：连续 { $backoff_count ->
       *[other] { $backoff_count }
    } 次超时重传没有应答，每次等待时间加倍。
rule-socket-backoff-doc =
    对端没有确认已发的数据。内核超时后重传，超时时间随之加倍，大约 15 分钟后放弃（net.ipv4.tcp_retries2）。在此之前，连接上没有新数据可传。
    依据 tcpi_backoff，且有数据或 SYN 在途。一次超时只作提示，连续两次为警告。
    查清包在哪里丢失，或对端是否还在。TCP_USER_TIMEOUT 可以让这样的连接更早结束。

rule-socket-retransmissions-title = 某条连接上重传很多
rule-socket-retransmissions-sentence = { $process } 在 { $socket } 上发出的数据有 { $retransmitted_share } 是重传（{ $sent_count } 个报文段中的 { $retransmitted_count } 个）。
rule-socket-retransmissions-sentence-brief = { $socket } 上发出的数据有 { $retransmitted_share } 是重传（{ $sent_count } 个报文段中的 { $retransmitted_count } 个）。
rule-socket-retransmissions-sentence-least = 发送端判定 { $socket } 上有 { $lost_count ->
       *[other] { $lost_count }
    } 个报文段丢失，正在修复。
rule-socket-retransmissions-doc =
    报文段丢失，或看起来丢失，就会重传。重传超过百分之一，多数连接的速率就由丢包决定。
    依据每条连接的 tcpi_bytes_retrans 与 tcpi_bytes_sent 之比；Linux 4.19 之前为 tcpi_total_retrans 与 tcpi_data_segs_out 之比。至少 100 个报文段，且有 95% 的把握超过 1%，为警告。数量更少但五分之一被重传，或此刻有报文段丢失（tcpi_lost），只作提示。
    查清包在哪里丢失：先看两端主机的网卡和队列，再看两者之间的路径。抓包后用 tcpwhy explain 可以看出何时、怎样丢的。

rule-socket-pacing-rate-set-title = 程序限定了发送速率
rule-socket-pacing-rate-set-sentence = { $process } 设置了 SO_MAX_PACING_RATE：{ $socket } 最快只发 { $rate_bits_per_s }。
rule-socket-pacing-rate-set-sentence-brief = 程序设置了 SO_MAX_PACING_RATE：套接字最快只发 { $rate_bits_per_s }。
rule-socket-pacing-rate-set-sentence-least = SO_MAX_PACING_RATE 限制了发送端：总共 { $total }，其中 { $seconds }。
rule-socket-pacing-rate-set-doc =
    程序用 SO_MAX_PACING_RATE 限定了速率。不管路径能承载多少，内核都不会发得更快。
    依据：pacing 速率已达到套接字允许的最大值（ss -ti 的 pacing_rate）。
    如果不是有意限速，删除这个调用或增大速率。

rule-socket-corked-title = TCP_CORK 把小包留在套接字里
rule-socket-corked-sentence = { $process } 设置了 TCP_CORK：没有数据在途，{ $waiting_bytes } 仍留在 { $socket } 里。
rule-socket-corked-sentence-brief = 程序设置了 TCP_CORK 或 MSG_MORE：没有数据在途，不足一个报文段的数据仍留在套接字里；总共 { $total }，其中 { $seconds }。
rule-socket-corked-sentence-least = 程序设置了 TCP_CORK 或 MSG_MORE：没有数据在途，不足一个报文段的数据仍留在套接字里。
rule-socket-corked-doc =
    程序让内核留住不足一个报文段的数据，等后面的数据一起发：TCP_CORK，或 MSG_MORE。内核最迟在 200 ms 后发出。
    依据：未发出的数据不足一个报文段，同时没有数据在途，两个窗口都有空间。
    每条消息写完后清除 TCP_CORK，或者一条消息一次写完。

rule-socket-unread-data-title = 数据已到而未读
rule-socket-unread-data-sentence = { $process } 在 { $socket } 上有 { $unread_bytes } 未读，占接收缓冲区的 { $buffer_share }。
rule-socket-unread-data-sentence-brief = { $socket } 上有 { $unread_bytes } 未读，占接收缓冲区的 { $buffer_share }。
rule-socket-unread-data-doc =
    数据已经到达，应用没有取走。窗口随之缩小，发送端变慢或停下。
    依据查看瞬间的接收队列：至少占缓冲区一半。若 20 毫秒内刚有数据到达，可能只是两次读取之间的瞬间，因此只作提示：请再看一次，或用 --interval 配合零窗口计数器。
    用单独的线程或任务持续读取；调用栈能看出应用在等什么。

rule-socket-close-wait-title = 没有人关闭的连接
rule-socket-close-wait-sentence = { $process } 还占着 { $socket_count } 条对端已经关闭的连接，最久的一条已有 { $idle_ms } 没有动静。
rule-socket-close-wait-sentence-brief = 还占着 { $socket_count } 条对端已经关闭的连接，最久的一条已有 { $idle_ms } 没有动静。
rule-socket-close-wait-doc =
    对端已关闭连接，应用没有关闭。在此之前每条连接都占着一个描述符和缓冲区，终有一天描述符会耗尽。
    依据：同一进程至少三条连接处于 CLOSE-WAIT，且一分钟没有任何动静；或者有十条以上，占该进程连接的大半，且一秒没有动静，这是泄漏刚开始时的样子。
    代码的每条退出路径（包括出错时）都要关闭连接；读到对端结束为止。

rule-accept-not-called-title = 没有人接受的连接
rule-accept-not-called-sentence = { $process } 没有对 { $socket } 调用 accept()：{ $waiting_count } 个连接在等待，至少 { $not_accepted_ms } 没有接受过任何一个，后来的会被丢弃。这是程序的问题，调参数没有用。
rule-accept-not-called-sentence-brief = 没有人对 { $socket } 调用 accept()：{ $waiting_count } 个连接在等待，至少 { $not_accepted_ms } 没有接受过任何一个，后来的会被丢弃。这是程序的问题，调参数没有用。
rule-accept-not-called-doc =
    已建立、等待 accept() 的连接队列已满，而程序没有去取。加长队列只会推迟丢弃。
    判断依据：队列已满，而且其中最新的连接也已等了一秒以上；只要调用过一次 accept()，就会腾出位置给更新的连接。看得到时还列出程序各线程的状态：被停止、等锁、等磁盘或别的服务器、正在计算。
    取本该调用 accept() 的线程的调用栈，并让接受连接的工作单独占一个线程。

rule-accept-queue-full-title = 全连接队列已满
rule-accept-queue-full-sentence = { $process } 的 { $socket } 有 { $waiting_count } 个连接等待 accept，队列容量 { $backlog_count }：后来的会被丢弃。
rule-accept-queue-full-sentence-brief = { $socket } 有 { $waiting_count } 个连接等待 accept，队列容量 { $backlog_count }：后来的会被丢弃。
rule-accept-queue-full-doc =
    已建立、等待 accept() 的连接队列已满。新连接被丢弃，客户端要过一秒以上才重试。
    依据此刻队列已达上限、但仍有人取走连接的监听套接字：最近一秒内有新连接进入，或无法判断。
    让应用更快地 accept，并加长队列：listen() 的参数与 net.core.somaxconn，取两者中较小的。

rule-local-ports-used-up-title = 本地端口用尽
rule-local-ports-used-up-sentence = 通往 { $socket } 的 { $port_count } 个本地端口已用掉 { $port_share }（{ $process }）：{ $time_wait_count } 个处于 TIME-WAIT，{ $connected_count } 个有连接。没有空闲端口时 connect() 会失败，错误为 EADDRNOTAVAIL。
rule-local-ports-used-up-sentence-brief = 通往 { $socket } 的 { $port_count } 个本地端口已用掉 { $port_share }：{ $time_wait_count } 个处于 TIME-WAIT，{ $connected_count } 个有连接。没有空闲端口时 connect() 会失败，错误为 EADDRNOTAVAIL。
rule-local-ports-used-up-doc =
    通往同一地址和端口的每条连接都要占用 net.ipv4.ip_local_port_range 里的一个本地端口；由本端先关闭时，端口还要在 TIME-WAIT 里留 60 秒。对同一服务器的大量短连接会把端口用尽，之后 connect() 失败，在那之前查找空闲端口也越来越慢。
    判断依据：同一目标的连接和 TIME-WAIT 占了端口范围的 80% 以上。net.ipv4.tcp_tw_reuse 允许一秒后再用的端口算作空闲。
    保持连接并重复使用。做不到时：允许复用、扩大范围，或分散到多个目标。

rule-orphans-hold-data-title = 已关闭的连接还占着数据
rule-orphans-hold-data-sentence = { $process } 已关闭的 { $socket_count } 条连接还占着 { $held_bytes }：对端不接收剩下的数据，例如 { $socket }。
rule-orphans-hold-data-sentence-brief = 已关闭的 { $socket_count } 条连接还占着 { $held_bytes }：对端不接收剩下的数据，例如 { $socket }。
rule-orphans-hold-data-doc =
    程序关闭连接时，没发完的数据交给内核。对端不读取或已消失时，这样的孤儿连接会把内存占用好几分钟；太多时 TCP 出现内存压力，内核会丢弃连接。
    判断依据：十条以上没有进程的连接（或共占 4 MiB 以上）还有数据，正在探测零窗口，或一秒没有收到 ACK。进程名取自在该端口监听的，或与同一对端还有其他连接的进程。
    对什么都不接收的对端及时放弃（TCP_USER_TIMEOUT），关闭之前也一样。

rule-path-exceeds-send-ceiling-title = 发送缓冲区自动调整的上限低于路径所需
rule-path-exceeds-send-ceiling-sentence = { $path_rate_bits_per_s }、往返时延 { $path_rtt_us } 需要 { $bdp_bytes } 在途数据；net.ipv4.tcp_wmem 为 { $setting_bytes } 时发送最多 { $ceiling_bits_per_s }。
rule-path-exceeds-send-ceiling-doc =
    跑满一条路径，在途数据要达到带宽 × 往返时延。发送缓冲区会自动增长，但不超过 net.ipv4.tcp_wmem 的第三个值，且其中一部分是内核开销。
    针对 --path 给出的路径按内核规则推算。
    调大第三个值。net.core.wmem_max 与自动调整无关：它只限制 SO_SNDBUF 的请求。

rule-path-exceeds-receive-ceiling-title = 接收缓冲区自动调整的上限低于路径所需
rule-path-exceeds-receive-ceiling-sentence = { $path_rate_bits_per_s }、往返时延 { $path_rtt_us } 需要 { $bdp_bytes } 在途数据；net.ipv4.tcp_rmem 为 { $setting_bytes } 时接收最多 { $ceiling_bits_per_s }。
rule-path-exceeds-receive-ceiling-doc =
    跑满一条路径，接收窗口要容得下带宽 × 往返时延。接收缓冲区会自动增长，但不超过 net.ipv4.tcp_rmem 的第三个值，且只有一部分能作为窗口。
    针对 --path 给出的路径按内核规则推算；自 Linux 6.6 起，能作为窗口的比例取决于网卡驱动。
    调大第三个值。net.core.rmem_max 与自动调整无关：它只限制 SO_RCVBUF 的请求。

rule-window-scaling-off-title = 窗口缩放选项已关闭
rule-window-scaling-off-sentence = 新建连接两个方向的窗口都不超过 64 KiB：往返时延 20 ms 时最多 { $rate_at_20ms_bits_per_s }。
rule-window-scaling-off-doc =
    net.ipv4.tcp_window_scaling 为 0，本机不在 SYN 中提供该选项，新建的连接都没有窗口缩放；此前建立的连接不受影响。
    读自参数。
    设为默认值 1。容不下这个选项的防火墙早已绝迹。

rule-receive-autotuning-off-title = 接收缓冲区自动调整已关闭
rule-receive-autotuning-off-sentence = 接收缓冲区不再增长，新建连接的窗口止于 { $flight_bytes }：往返时延 20 ms 时为 { $rate_at_20ms_bits_per_s }。
rule-receive-autotuning-off-doc =
    net.ipv4.tcp_moderate_rcvbuf 为 0：接收缓冲区停留在 net.ipv4.tcp_rmem 的第二个值。
    读自参数。
    设为默认值 1。

rule-autotuning-ceiling-low-title = 自动调整几乎没有余地
rule-autotuning-ceiling-low-sentence = { $setting } 的上限是 { $setting_bytes }，在途数据最多 { $flight_bytes }：往返时延 20 ms 时为 { $rate_at_20ms_bits_per_s }。
rule-autotuning-ceiling-low-doc =
    net.ipv4.tcp_rmem 或 net.ipv4.tcp_wmem 的第三个值低于 1 MiB。未被设置的缓冲区也长不过它，往返时延有几毫秒的连接都会慢。
    读自参数；内存很小的机器本来就是这样，不在此列。
    恢复内核默认值，或用 --path 给出路径，看看需要多少。

rule-sysctl-order-title = 参数值的顺序不对
rule-sysctl-order-sentence = { $setting } 为 "{ $value }"：最小值、初始值、最大值必须递增。
rule-sysctl-order-doc =
    三个值分别是内存紧张时的保留值、初始值和自动调整的上限。初始值高于上限的缓冲区永远不会增长。
    读自参数。
    按顺序排好。

rule-tcp-mem-unit-title = tcp_mem 的单位是页，不是字节
rule-tcp-mem-unit-sentence = net.ipv4.tcp_mem 允许 { $page_count } 页，即 { $limit_bytes }：超过了整机内存。本应保护机器的内存压力永远不会出现。
rule-tcp-mem-unit-doc =
    net.ipv4.tcp_mem 是同类参数中唯一以内存页为单位的。当作字节填写会大 4096 倍，TCP 可能吃掉全部内存。
    依据：第三个值超过整机内存。
    除以页大小，或者干脆不设：内核会按内存大小选择。

rule-loss-options-off-title = 应对丢包的选项被关闭
rule-loss-options-off-sentence = { $setting } 为 0：新建的连接没有该选项。
rule-loss-options-off-doc =
    没有选择性确认，发送端每个往返时延只能知道一个丢包，尾部丢包探测和 RACK 也不起作用。没有时间戳，往返时延测得不准，由 SYN cookie 建立的连接没有窗口缩放和 SACK。
    读自参数。
    设为默认值 1。

rule-max-raised-in-vain-title = rmem_max 和 wmem_max 不限制自动调整
rule-max-raised-in-vain-sentence = { $setting } 调大到了 { $max_bytes }，而 { $autotuning_setting } 仍止于 { $setting_bytes }：前者只是让 SO_RCVBUF 或 SO_SNDBUF 可以要得更多，自动调整并不理会它。
rule-max-raised-in-vain-doc =
    很多人以为 net.core.rmem_max 和 net.core.wmem_max 限制所有套接字。其实它们限制的是应用通过 SO_RCVBUF 和 SO_SNDBUF 能请求多少，而一旦请求，自动调整就关闭了。自动调整的上限是 net.ipv4.tcp_rmem 和 net.ipv4.tcp_wmem 的第三个值；实测 rmem_max 为 64 KiB 时缓冲区仍可长到 25 MB。
    依据：前者高于后者，而后者仍是默认值。
    如果目的是更大的窗口，请调大 tcp_rmem 或 tcp_wmem 的第三个值。

rule-adv-win-scale-ignored-title = tcp_adv_win_scale 在此内核上不起作用
rule-adv-win-scale-ignored-sentence = net.ipv4.tcp_adv_win_scale 为 { $scale }；自 Linux 6.6 起窗口按实测比例取自缓冲区。
rule-adv-win-scale-ignored-doc =
    这个参数曾经决定接收缓冲区留多少给内核开销。Linux 6.6 起对每条连接实测，参数只是摆设。
    读自参数和内核版本。
    删除它。如果窗口太小，请调大 net.ipv4.tcp_rmem 的第三个值。

rule-memory-pressure-title = TCP 出现内存压力
rule-memory-pressure-sentence = { $pressure_count ->
       *[other] 有 { $pressure_count } 次
    }全部 TCP 套接字的内存超过了 net.ipv4.tcp_mem 所允许的：窗口缩到几个报文段，再超就会丢弃数据。
rule-memory-pressure-sentence-together = { $pressure_count ->
       *[other] 有 { $pressure_count } 次
    }全部 TCP 套接字的内存超过了 net.ipv4.tcp_mem 所允许的：窗口缩到几个报文段，再超就会丢弃数据。占用最多的是 { $process }：{ $held_bytes }（TCP 内存的 { $held_share }）。
rule-memory-pressure-sentence-shared = 全部 TCP 套接字的内存超过了 net.ipv4.tcp_mem 所允许的：窗口缩到几个报文段，再超就会丢弃数据。占用最多的是 { $process }：{ $held_bytes }（TCP 内存的 { $held_share }）。
rule-memory-pressure-sentence-brief = 全部 TCP 套接字的内存超过了 net.ipv4.tcp_mem 所允许的：窗口缩到几个报文段，再超就会丢弃数据。
rule-memory-pressure-doc =
    net.ipv4.tcp_mem 限制整机（包括容器）全部 TCP 套接字的内存。高于第二个值，接收缓冲区停止增长，窗口降到约四个报文段；高于第三个值，丢弃数据并削减发送缓冲区。
    依据计数器 TCPMemoryPressures 和 /proc/net/protocols 中的标志。控制组的内存限制效果相同，但不计入其中。
    列出占着内存的套接字：大量连接有未读或未确认的数据。内存充足则调大 net.ipv4.tcp_mem。

rule-memory-near-limit-title = TCP 内存接近上限
rule-memory-near-limit-sentence = TCP 占用 { $tcp_memory_bytes }；达到 { $pressure_limit_bytes } 就进入内存压力。
rule-memory-near-limit-sentence-shared = TCP 占用 { $tcp_memory_bytes }；达到 { $pressure_limit_bytes } 就进入内存压力。占用最多的是 { $process }：{ $held_bytes }（{ $held_share }）。
rule-memory-near-limit-doc =
    全部 TCP 套接字占用的内存超过了内存压力起点的 70%。
    读自 /proc/net/sockstat 和 net.ipv4.tcp_mem。
    列出占着内存的套接字；内存充足则调大 net.ipv4.tcp_mem。

rule-aborted-for-memory-title = 连接因内存不足被丢弃
rule-aborted-for-memory-sentence = { $aborted_count ->
       *[other] 有 { $aborted_count } 条连接
    }因内存或孤儿连接名额不足而被丢弃。
rule-aborted-for-memory-doc =
    已关闭但还有数据要发的连接不再属于任何进程。数量超过 net.ipv4.tcp_max_orphans，或 TCP 内存不足时，内核会丢弃连接。
    依据计数器 TCPAbortOnMemory。
    检查数据未发完就关闭连接的客户端（很慢或已消失），并调大上限。

rule-listen-overflows-title = 全连接队列溢出
rule-listen-overflows-sentence = { $overflow_count ->
       *[other] 有 { $overflow_count } 个连接
    }因应用尚未 accept 之前的连接而被丢弃。
rule-listen-overflows-doc =
    建立好的连接在队列里等待 accept()。队列满了，后来的被丢弃，客户端过一秒、三秒、七秒再试：用户感到整秒的停顿。
    依据计数器 ListenOverflows。
    让应用更快地 accept（单独的线程、更多的工作进程），并加长队列。

rule-syn-queue-full-title = SYN 被丢弃
rule-syn-queue-full-sentence-together = 有 { $syn_queue_drop_count } 个 SYN 在 SYN cookie 关闭期间因半连接队列已满而被丢弃。现在 SYN cookie 已打开（net.ipv4.tcp_syncookies 为 { $syncookies_mode }）。
rule-syn-queue-full-sentence = 有 { $syn_queue_drop_count } 个 SYN 被丢弃：当时 { $process } 的半连接队列已满，SYN cookie 没有打开。
rule-syn-queue-full-sentence-brief = 有 { $syn_queue_drop_count } 个 SYN 因半连接队列已满而被丢弃。
rule-syn-queue-full-doc =
    监听套接字能记住的半连接数以 backlog 为限；SYN cookie 关闭时还以 net.ipv4.tcp_max_syn_backlog 的四分之三为限。达到上限后，后来的 SYN 会被丢弃，客户端过 1、3、7 秒才重试。
    判断依据：TCPReqQFullDrop；net.ipv4.tcp_syncookies 为 0 时，还看 ListenDrops 中不属于 ListenOverflows 的部分。
    打开 SYN cookie：队列没满时它没有任何代价。负载属实就加长队列，并看看是谁只发 SYN 不应答。

rule-no-route-back-title = 没有回程路由的 SYN
rule-no-route-back-sentence = 有 { $no_route_drop_count } 个 SYN 被丢弃：本机没有通往客户端的路由。
rule-no-route-back-doc =
    监听套接字记住客户端之前，先为 SYN-ACK 查路由；查不到就丢弃 SYN，不作应答，客户端只能等到放弃为止。
    判断依据：ListenDrops 中既不属于 ListenOverflows、也不属于 TCPReqQFullDrop 的部分，以 OutNoRoutes 的数目为限。
    补上通往客户端的路由或默认路由。伪造源地址的 SYN 看起来也是这样，那就什么都不缺。

rule-syn-cookies-sent-title = 发出过 SYN cookie
rule-syn-cookies-sent-sentence = { $cookie_count ->
       *[other] 有 { $cookie_count } 个 SYN
    }以 cookie 应答：半连接队列已满。
rule-syn-cookies-sent-sentence-brief = 半连接队列曾经满过。
rule-syn-cookies-sent-doc =
    SYN 多到监听套接字记不下时，Linux 以 cookie 应答。这样的连接能用，但若两端没有时间戳，就没有窗口缩放和 SACK，终生都慢。
    依据计数器 SyncookiesSent。
    负载是真实的就加长队列；若是洪水攻击，cookie 正是为此而设。

rule-backlog-drops-title = 进程占用套接字期间丢包
rule-backlog-drops-sentence = { $backlog_drop_count ->
       *[other] 有 { $backlog_drop_count } 个包
    }因进程占用套接字、后备队列已满而被丢弃。
rule-backlog-drops-doc =
    进程读写套接字时，到达的包在后备队列中等待。其大小取决于缓冲区；满了就丢包，发送端以为是网络丢包。
    依据计数器 TCPBacklogDrop。
    通常是某个 CPU 太忙，或设置了很小的接收缓冲区。一次多读一些，不要设置缓冲区，把负载分散到多个 CPU。

rule-receive-queue-pruned-title = 接收缓冲区耗尽
rule-receive-queue-pruned-sentence = { $prune_count ->
       *[other] 有 { $prune_count } 次
    }接收缓冲区被未读数据或内核开销占满，内核不得不清理。
rule-receive-queue-pruned-sentence-brief = 接收缓冲区没有内存，收到的包被丢弃。
rule-receive-queue-pruned-doc =
    缓冲区按内存计，不按数据字节计：大量小报文段在窗口用完之前就会占满它。内核先合并报文段，不够时丢弃已收到的数据。
    依据计数器 PruneCalled、RcvPruned、OfoPruned 和 TCPRcvQDrop。对端应用只是不读时它们保持为 0。
    让应用读得更快、发送端写得更大块；不要设置很小的接收缓冲区。

rule-receive-queue-collapsed-title = 接收队列被合并
rule-receive-queue-collapsed-sentence = 为节省内存，接收队列中有 { $collapsed_count } 个 skb 被拷贝合并；缓冲区可长到 { $setting_bytes }。队列很长时，合并会占用 CPU 数毫秒。
rule-receive-queue-collapsed-sentence-brief = 为节省内存，接收队列中有 { $collapsed_count } 个 skb 被拷贝合并。
rule-receive-queue-collapsed-doc =
    接收缓冲区被大量小报文段占满时，内核遍历队列把它们合并。缓冲区很大时一次遍历要几毫秒，期间该 CPU 做不了别的事：偶发的时延尖刺。
    依据计数器 TCPRcvCollapsed（按被合并并释放的 skb 计数；收包时已并到一起的多个报文段算一个 skb），以及 net.ipv4.tcp_rmem 的第三个值达到 16 MiB。
    读写都用更大的块，缓冲区的上限不要超过路径所需。

rule-zero-windows-announced-title = 本机应用读得不够快
rule-zero-windows-announced-sentence = { $closed_window_count ->
       *[other] 有 { $closed_window_count } 次
    }因应用没有读取数据，本机通告了零窗口。
rule-zero-windows-announced-sentence-brief = 因应用没有读取数据，本机通告过零窗口。
rule-zero-windows-announced-doc =
    缓冲区装满应用没有取走的数据时，通告零窗口，发送端停下并开始探测。
    依据 TCPToZeroWindowAdv 与 InSegs 之比，0.1% 起提示，1% 起告警：繁忙的主机偶尔也会短暂通告零窗口。负载停止后不再报告。
    找出有未读数据的连接（ss -tm）及其进程在等什么。更大的缓冲区只是推迟停顿。

rule-zero-window-probes-sent-title = 对端应用读得不够快
rule-zero-window-probes-sent-sentence = { $probe_count ->
       *[other] 有 { $probe_count } 次
    }本机探测了零窗口：对端应用没有读取数据。
rule-zero-window-probes-sent-doc =
    对端应用不读数据，通告零窗口，本机探测窗口是否打开。
    依据 TCPWinProbe 与 OutSegs 之比，0.1% 起才报告，且仍在发生。
    检查对端：在那台主机上运行 tcpwhy audit，或抓包。

rule-retransmission-share-title = 重传很多
rule-retransmission-share-sentence = 发出的报文段有 { $retransmitted_share } 是重传（{ $sent_count } 中的 { $retransmitted_count }）。
rule-retransmission-share-doc =
    报文段丢失或看似丢失时会重传。从百分之一起，丢包就决定了大多数连接的速率。
    依据 RetransSegs（扣除 SYN 的重传 TCPSynRetrans）与 OutSegs 之比：自开机以来，或 --interval 期间（如果报文段足够多）。至少 100 个报文段，且以 95% 的置信度高于 1% 才报告；一百个里丢两个可能只是偶然。
    找出丢包的位置：先看两端主机的网卡和队列，再看中间的路。抓包后用 tcpwhy explain 可知是哪些连接。

rule-needless-retransmissions-title = 很多重传是多余的
rule-needless-retransmissions-sentence = 重传的数据有 { $needless_share } 早已到达。
rule-needless-retransmissions-doc =
    接收端会报告重复数据（D-SACK）。重复很多说明包只是迟到或乱序，并未丢失；发送端白白降速。
    依据 TCPDSACKRecv（扣除尾部丢包探测 TCPLossProbes）与 RetransSegs 之比：至少 30%，并且发出的报文段中重传超过 1% 才报告。会复制包的设备也会抬高它。
    消除乱序或延迟的来源：按包轮转的网卡绑定、很长的队列、无线链路、卡顿的虚拟机。

rule-kernel-regression-title = 本机内核的已知缺陷
rule-kernel-regression-sentence = Linux { $kernel } 有一个已知缺陷：{ $fault }。连接 { $socket } 表现出了它。
rule-kernel-regression-sentence-brief = Linux { $kernel } 有一个已知缺陷：{ $fault }。本机的一个计数器表现出了它。
rule-kernel-regression-doc =
    有些 Linux 稳定版让 TCP 变慢，后来的版本才修复：巨帧下接收窗口始终不增长（4.19.86 到 4.19.163，4.20 到 5.9.15）；同样的 SO_RCVBUF 窗口减半（6.6.0 到 6.6.32，6.7 到 6.9.3）；发送缓冲区小时重传被拦住（4.4.182、4.9.182、4.14.127、4.19.52、5.1.11 以及紧接其后的几个版本）；应用读得慢时窗口变得极小（4.14.48、4.14.49）；接收缓冲区自动调整增长太慢（6.16、6.17）；接收队列半满时丢弃窗口之内的报文段，多见于回环接口（6.17，6.18 到 6.18.16，6.19 到 6.19.6）；对 sockmap 中的套接字，FIONREAD 返回 0，BPF 跟踪程序和服务网格会用到它（6.6.128、6.12.75、6.18.14、6.19.4 及其后直到 7.1 的版本）。
    依据内核版本，并且有套接字或计数器表现出该缺陷。发行版会在旧版本号下修复缺陷，所以只看版本不报告。
    升级内核。

rule-send-queue-refuses-title = 发送队列拒绝拆分报文段
rule-send-queue-refuses-sentence = 有 { $refused_count } 次，发送队列占用的内存超过了发送缓冲区所允许的，因而拒绝为重传拆分报文段。应用设置的发送缓冲区中最小的属于 { $process }（{ $buffer_bytes }）。
rule-send-queue-refuses-sentence-brief = 有 { $refused_count } 次，发送队列占用的内存超过了发送缓冲区所允许的，因而拒绝为重传拆分报文段。
rule-send-queue-refuses-doc =
    选择性确认可能只覆盖一个大报文段的一部分，这时需要拆分。自 CVE-2019-11478 起，如果队列占用超过发送缓冲区的两倍，Linux 就拒绝拆分，以免攻击者用极小的碎片耗尽内存。这些数据只能等到重传超时。
    依据计数器 TCPWqueueTooBig。SO_SNDBUF 很小又有丢包时会发生，对端故意对极小的片段发 SACK 时也会。最早带这项检查的内核没有留任何余量，拒绝得过于频繁（4.4.182、4.9.182、4.14.127、4.19.52、5.1.11 以及紧接其后的几个版本）。
    删除应用里的 SO_SNDBUF，或者设得大得多。拒绝过于频繁的内核应当升级。

rule-checksum-errors-title = 收到校验和错误的包
rule-checksum-errors-sentence = 有 { $checksum_error_count } 个包到达时校验和是错的，被丢弃。发送端会把它们当作丢包。
rule-checksum-errors-doc =
    TCP 校验和错误的包，内核会默默丢弃，发送端看来就是丢包。多半是本该补全校验和的网卡没有补：隧道（VXLAN）或虚拟网卡的校验和卸载，或者驱动、线缆、内存有问题。
    依据计数器 InCsumErrors；达到收到的报文段的三万二千分之一才算警告，更少的在正常网络上也有。
    在每一跳抓包，看校验和从哪里开始出错，在那里关闭校验和卸载。

# 修复。
fix-update-kernel-short = 升级内核
fix-update-kernel = 把内核升级到已修复的版本。
fix-find-sockmap-short = 找出把套接字放进 sockmap 的程序
fix-find-sockmap = 某个跟踪程序或服务网格把套接字放进了 BPF map。在升级内核之前，停掉它，或关闭其中用到 map 的功能。
fix-host-raise-tcp-rmem-start-short = 调大 net.ipv4.tcp_rmem 的第二个值
fix-host-raise-tcp-rmem-start = 让新连接的接收缓冲区从更大的值开始，自动调整才能启动。
fix-host-bond-by-flow-short = 让 bond 按流分发
fix-host-bond-by-flow = 本机的 bond 可能把同一条流的包分到多块网卡，或在每块网卡上各发一份。改为按流分发；802.3ad 需要交换机配合。
fix-spread-by-flow-short = 消除乱序的来源
fix-spread-by-flow = 同一条流的包走了多条路径或多个队列：路上有逐包负载均衡，或者多个接收队列没有按流分发。改为按流分发。
fix-host-find-checksums-short = 检查本机网卡
fix-host-find-checksums = 如果线路上的校验和是对的，就是本机网卡校验错了或改坏了。
fix-host-find-small-send-buffers-short = 找出过小的发送缓冲区
fix-host-find-small-send-buffers = 找出发送缓冲区很小的连接，并看看该计数器是否仍在增长。
fix-close-connections-short = 关闭对端已关闭的连接
fix-close-connections = 找出没有关闭连接的代码，多半是出错时的退出路径。
fix-accept-faster-short = 及时调用 accept()
fix-accept-faster = 查明是什么让程序没有调用 accept()：锁、慢查询、占满的工作线程池、调试器。让只做这一件事的线程或进程接受连接。
fix-raise-asked-backlog-short = 调大应用请求的 backlog
fix-raise-asked-backlog = 应用请求的新连接队列太短；net.core.somaxconn 已经允许更长的队列。
fix-reuse-connections-short = 复用连接
fix-reuse-connections = 保持与该服务器的连接，用它处理多个请求：连接池、HTTP keep-alive。
fix-give-up-sooner-short = 对什么都不接收的对端及时放弃
fix-give-up-sooner = 给没有进展的数据设一个期限，连接关闭之后也有效。
fix-host-enable-syncookies-short = 打开 SYN cookie
fix-host-enable-syncookies = 打开 SYN cookie：队列满时仍能应答 SYN。
fix-host-find-syns-short = 找出是谁在发 SYN
fix-host-find-syns = 看看这些 SYN 发往哪个监听套接字，是不是少数地址只发 SYN 不应答：洪水攻击、扫描，或 SYN-ACK 在回程丢失。
fix-host-add-route-short = 补上通往客户端的路由
fix-host-add-route = 补上通往客户端的路由，或者确认这些地址是伪造的。
fix-host-reuse-time-wait-short = 允许再用 TIME-WAIT 中的端口
fix-host-reuse-time-wait = 允许外出连接使用在 TIME-WAIT 中超过一秒的端口。
fix-host-widen-port-range-short = 扩大本地端口范围
fix-host-widen-port-range = 扩大本地端口范围。其中属于服务的端口要预留（net.ipv4.ip_local_reserved_ports）。
fix-host-end-orphans-short = 结束占着数据的连接
fix-host-end-orphans = 先查看这些连接，太多时把它们结束。
fix-unlock-send-buffer-short = 恢复正在运行的连接的自动调整
fix-unlock-send-buffer = 不重启：清除一条正在运行的连接的锁定，内核随即增大其缓冲区，直到该连接结束。这里是受影响最大的一条；其余连接的进程号和描述符见 JSON 输出。
fix-host-raise-tcp-rmem-short = 调大 net.ipv4.tcp_rmem 的第三个值
fix-host-raise-tcp-rmem = 让接收缓冲区的自动调整走得更远。对此后建立的连接生效，每个网络命名空间各自设置。
fix-host-raise-tcp-wmem-short = 调大 net.ipv4.tcp_wmem 的第三个值
fix-host-raise-tcp-wmem = 让发送缓冲区的自动调整走得更远。立即生效，每个网络命名空间各自设置。
fix-host-lower-tcp-rmem-short = 调低 net.ipv4.tcp_rmem 的第三个值
fix-host-lower-tcp-rmem = 接收队列不要长过路径所需。
fix-host-enable-autotuning-short = 打开接收缓冲区自动调整
fix-host-enable-autotuning = 打开接收缓冲区自动调整。
fix-host-enable-window-scaling-short = 打开窗口缩放选项
fix-host-enable-window-scaling = 打开窗口缩放选项。对此后建立的连接生效。
fix-host-enable-options-short = 打开该选项
fix-host-enable-options = 打开该选项。对此后建立的连接生效。
fix-host-order-values-short = 把值按顺序排好
fix-host-order-values = 按最小值、初始值、最大值的顺序排好。
fix-host-tcp-mem-in-pages-short = 以页为单位设置 net.ipv4.tcp_mem
fix-host-tcp-mem-in-pages = 以内存页为单位设置，或删除该行后重启：内核会按内存大小选择。
fix-host-raise-tcp-mem-short = 调大 net.ipv4.tcp_mem
fix-host-raise-tcp-mem = 内存充足则调大上限，单位是页。这是整机的上限，容器里看不到。
fix-host-raise-orphans-short = 调大 net.ipv4.tcp_max_orphans
fix-host-raise-orphans = 允许更多已关闭的连接把数据发完；每条可占 64 KiB 以上。
fix-host-drop-setting-short = 删除该参数
fix-host-drop-setting = 在所有配置中删除该行。
fix-host-find-memory-short = 找出谁占着内存
fix-host-find-memory = 找出占着内存的套接字。
fix-host-find-pruned-short = 找出是谁的缓冲区
fix-host-find-pruned = 找出缓冲区耗尽的套接字和进程。
fix-host-find-busy-cpu-short = 找出繁忙的 CPU
fix-host-find-busy-cpu = 看看是否一个 CPU 承担了全部工作，以及哪些套接字有后备队列积压。

# 证据。
evidence-process = 进程
evidence-pid = 进程号
evidence-socket = 套接字
evidence-setting = 参数
evidence-autotuning-setting = 自动调整的上限
evidence-value = 值
evidence-scale = 值
evidence-mode = 模式
evidence-per-hour = 每小时
evidence-interval-s = 观察时长
evidence-recent-count = 观察期间
evidence-is-recent = 观察期间的数据
evidence-connected-count = 有连接
evidence-half-open-count = 现有半连接
evidence-held-bytes = 占用内存
evidence-held-share = 占 TCP 内存
evidence-second-process = 其次的进程
evidence-second-held-bytes = 占用内存
evidence-second-held-share = 占 TCP 内存
evidence-third-process = 再次的进程
evidence-third-held-bytes = 占用内存
evidence-third-held-share = 占 TCP 内存
evidence-not-accepted-ms = 没有接受连接，至少
evidence-port-count = 本地端口
evidence-port-share = 已用比例
evidence-syn-backlog-count = net.ipv4.tcp_max_syn_backlog
evidence-threads-accepting-count = 在 accept() 中的线程
evidence-threads-device-count = 等磁盘的线程
evidence-threads-lock-count = 等锁的线程
evidence-threads-other-count = 其他线程
evidence-threads-polling-count = 等事件的线程
evidence-threads-running-count = 运行中的线程
evidence-threads-sleeping-count = 休眠的线程
evidence-threads-stopped-count = 被停止的线程
evidence-threads-transfer-count = 在读写的线程
evidence-time-wait-count = 处于 TIME-WAIT
evidence-aborted-count = 被丢弃
evidence-asked-bytes = 至少请求了
evidence-autotuned-bits-per-s = 自动调整可允许
evidence-backlog-count = 容量
evidence-backlog-drop-count = 丢弃
evidence-backoff-count = 加倍次数
evidence-buffer-bytes = 缓冲区
evidence-buffer-share = 占缓冲区
evidence-busy-us = 有数据可发的时间
evidence-ceiling-bits-per-s = 允许的速率
evidence-ceiling-low-bits-per-s = 至少允许的速率
evidence-closed-window-count = 通告零窗口
evidence-collapsed-count = 被合并的 skb
evidence-cookie-count = cookie
evidence-host-queue-count = 仍在本机队列
evidence-idle-ms = 没有动静
evidence-is-at-limit = 此刻已触顶
evidence-is-under-pressure = 此刻处于内存压力
evidence-last-received-ms = 距上次收到数据
evidence-last-sent-ms = 距上次发送数据
evidence-limit-bytes = 上限
evidence-limited-share = 其中等待的比例
evidence-listen-drop-count = 监听套接字共丢弃
evidence-max-bytes = 调大到
evidence-max-orphan-count = 允许的孤儿连接
evidence-memory-bytes = 整机内存
evidence-needless-share = 早已到达的比例
evidence-orphan-count = 现有孤儿连接
evidence-out-of-order-pruned-count = 乱序数据被丢弃
evidence-overflow-count = 丢弃的连接
evidence-page-count = 页数
evidence-path-rate-bits-per-s = 路径带宽
evidence-path-rtt-us = 路径往返时延
evidence-path-share = 占路径带宽
evidence-pressure-count = 次数
evidence-pressure-limit-bytes = 内存压力起点
evidence-pressure-ms = 处于内存压力的时间
evidence-prune-count = 占满次数
evidence-rate-at-20ms-bits-per-s = 20 ms 时的速率
evidence-checksum-error-count = 因校验和错误而丢弃
evidence-commit = 提交
evidence-fault = 已知缺陷
evidence-kernel = 内核
evidence-reached-bits-per-s = 达到过的速率
evidence-received-dropped-count = 收到后丢弃
evidence-received-pruned-count = 收到后清除
evidence-received-share = 每个收到的报文段
evidence-refused-count = 拒绝拆分的次数
evidence-retransmitted-share = 重传比例
evidence-sent-count = 发出的报文段
evidence-set-because = 依据
evidence-set-send-buffer-count = 被设置的发送缓冲区
evidence-set-receive-buffer-count = 被设置的接收缓冲区
evidence-setting-bytes = 参数值
evidence-socket-count = 连接数
evidence-somaxconn-count = net.core.somaxconn
evidence-spurious-timeout-count = 多余的超时
evidence-no-route-drop-count = 没有回程路由的 SYN
evidence-syn-queue-drop-count = 丢弃的 SYN
evidence-syncookies-mode = net.ipv4.tcp_syncookies
evidence-syn-queue-full-count = 半连接队列满的次数
evidence-tcp-memory-bytes = TCP 内存
evidence-unread-bytes = 未读
evidence-waiting-bytes = 等待发送
evidence-waiting-count = 等待中
evidence-wanted-closed-count = 想通告零窗口
evidence-window-drop-count = 零窗口期间到达
