# tcpwhy buffers：套接字缓冲区实际能得到多少。

buffers-name-send = 发送缓冲区
buffers-name-receive = 接收缓冲区

# 开头三行。
buffers-head-set-send = { $option } { $asked } → { $reported }：在途数据最多约 { $flight }。
buffers-head-set-receive = { $option } { $asked } → { $reported }：接收窗口最大约 { $flight }。
buffers-head-clamped-send = { $option } { $asked } → { $clamped }（{ $sysctl }）→ { $reported }：在途数据最多约 { $flight }。
buffers-head-clamped-receive = { $option } { $asked } → { $clamped }（{ $sysctl }）→ { $reported }：接收窗口最大约 { $flight }。
buffers-head-auto-send = 发送缓冲区由内核自动调节：起始 { $first }，最大 { $most }，在途数据约 { $flight }。
buffers-head-auto-receive = 接收缓冲区由内核自动调节：起始 { $first }，最大 { $most }，窗口约 { $flight }。
buffers-head-no-path = 往返时延 1 ms 时最高 { $short }，10 ms 时 { $middle }，100 ms 时 { $long }。
buffers-head-rate = 往返时延 { $rtt } 时最高 { $rate }。
buffers-head-covered = 往返时延 { $rtt } 时可达 { $rate }，能跑满 { $bandwidth }（在途数据 { $product }）。
buffers-head-doubtful = 往返时延 { $rtt } 时 { $low }～{ $rate }：能否跑满 { $bandwidth } 不能确定（在途数据 { $product }）。
buffers-head-too-small = 往返时延 { $rtt } 时最高 { $rate }：{ $bandwidth } 的 { $share }（跑满需在途数据 { $product }）。
buffers-head-change = 要跑满链路：{ $changes }。
buffers-head-better-unset = 不设 { $option } 的话，自动调节可以到 { $flight }。
buffers-head-no-remedy = 没有哪个参数能跑满这条链路。
buffers-head-nothing = 不需要改动。
buffers-head-foreign = { $system } 如何处理 { $option } 只知道一部分：没有实测过它的规则。

buffers-heading-what = { $name }（{ $option }）
buffers-heading-changes = 怎样跑满链路
buffers-heading-notes = 需要知道
buffers-heading-why = 推导过程：{ $name }
buffers-heading-by-rtt = 不同往返时延下的最高速率：{ $name }
buffers-heading-by-request = 不同 { $option } 下的最高速率，往返时延 { $rtt }

buffers-row-asked = 申请
buffers-row-when = 设置时机
buffers-row-clamped = 被 { $sysctl } 截断
buffers-row-not-clamped = 上限 { $sysctl }
buffers-row-reported = getsockopt 返回
buffers-row-first = 起始
buffers-row-most = 自动调节上限
buffers-row-initial-flight = 起始在途数据
buffers-row-flight = 最多在途数据
buffers-row-scale = 窗口缩放因子
buffers-row-syn = SYN 或 SYN-ACK 中的窗口
buffers-row-initial-window = 起始窗口
buffers-row-window = 最大窗口
buffers-row-usable = 其中整段可用
buffers-row-rate = 往返时延 { $rtt } 时的速率
buffers-row-product = 带宽 × 往返时延
buffers-row-autotuned = 自动调节可达
buffers-row-ends-autotuning = 设置后关闭自动调节
buffers-value-scale = { $scale }（窗口最大 { $cap }）
buffers-value-clamped = 剩 { $clamped }
buffers-value-not-clamped = { $cap }，未触及
buffers-value-autotuned = { $buffer }，在途数据 { $flight }
buffers-value-range = { $value }（{ $low }～{ $high }）
buffers-value-from = { $value }（至少 { $low }）
buffers-asked-mark = 申请值
buffers-auto-label = 自动调节

buffers-figure-exact = { $value }
buffers-figure-point = { $value }（{ $ground }）
buffers-figure-range = { $value }（{ $low }～{ $high }，{ $ground }）
buffers-figure-open = { $value }（至少 { $low }，{ $ground }）
buffers-ground-exact = 精确
buffers-ground-measured = 实测模型
buffers-ground-assumed = 假设

buffers-when-before-connect = 在 connect() 之前
buffers-when-on-listener = 在监听套接字上
buffers-when-after-connect = 在 connect() 或 accept() 之后、收发数据之前
buffers-when-after-data = 在收发数据期间

buffers-change-unset-sndbuf = 不要设置 { $option }
buffers-change-unset-rcvbuf = 不要设置 { $option }
buffers-change-ask-sndbuf = 把 { $option } 设为至少 { $bytes }
buffers-change-ask-rcvbuf = 把 { $option } 设为至少 { $bytes }
buffers-change-ask-early = 在 connect() 之前或在监听套接字上设置 { $option }
buffers-change-raise = 把 { $sysctl } 调到 { $bytes }
buffers-change-raise-third = 把 { $sysctl } 的第三个值调到 { $bytes }
buffers-change-enable = 把 { $sysctl } 设为 1
buffers-or = 或者
buffers-label = { $name }：

buffers-note-autotuning-off = 设置 { $option } 之后，这个套接字的缓冲区不再自动调节。
buffers-note-max-does-not-limit-autotuning = { $max } 不限制自动调节，它只截断 { $option }；自动调节的上限是 { $third } 的第三个值。
buffers-note-clamped = 申请 { $asked }，{ $max } 只放行 { $clamped }。setsockopt 不报错，只有 getsockopt 看得出来。
buffers-note-more-than-the-buffer = 在途数据比缓冲区还大：只有新建 skb 时才检查缓冲区，而一个 skb 最多装 64 kB。
buffers-note-open-tail = 开着 Nagle 算法、每次写入又不是报文段（{ $mss } 字节）的整数倍时，未发出的尾部会不断接纳后续写入而不检查缓冲区：在途数据可能远超 { $buffer }。设置 TCP_NODELAY 就不会这样。
buffers-note-scale-wastes = 窗口缩放因子按缓冲区的一半选定，最多只能表示 { $cap }，而缓冲区本来可以给得更多。取 2 的幂就不浪费。
buffers-note-frozen = 设置得太晚：自动调节已关闭，窗口又不再重新计算，于是不管缓冲区多大，窗口都停在约 { $window }。
buffers-note-driver-decides = 缓冲区有多少能变成窗口，取决于网卡驱动为每个报文段占用的内存；在活动连接上看 window_clamp 与 SO_RCVBUF 之比。
buffers-note-adv-win-scale-ignored = 设置了 net.ipv4.tcp_adv_win_scale，但它从 Linux 6.6 起不再起作用。
buffers-note-whole-segments = 只能发送完整的报文段，窗口有一部分用不上。

buffers-linux = Linux { $version }
buffers-settings-host = 本机参数
buffers-settings-file = { $path } 中的参数
buffers-settings-defaults = 内核默认参数
buffers-premises = { $system }，{ $settings }，MTU { $mtu } 字节，每次写入 { $write }。

buffers-axis-rtt = 往返时延
buffers-axis-rate = 速率
buffers-axis-request = 申请的 { $option }
buffers-legend-set = 按申请值
buffers-legend-auto = 自动调节
buffers-legend-bandwidth = 链路带宽

buffers-rule-clamp-by-max = 申请值按无符号数处理，超过上限就截断，不报错。
buffers-rule-force-skips-max = FORCE 选项需要 CAP_NET_ADMIN，不受上限约束。
buffers-rule-doubled = 内核为自身开销把它加倍，并保证最小值。
buffers-rule-locked = 设置过的缓冲区被锁定，自动调节不再改动它。
buffers-rule-rcvbuf-start = 自动调节从 tcp_rmem 的第二个值开始。
buffers-rule-rcvbuf-growth = 随着应用读取而增长，最大到 tcp_rmem 的第三个值。
buffers-rule-rcvbuf-fixed = 接收缓冲区的自动调节已关闭。
buffers-rule-sndbuf-start = 连接建立时按两个初始拥塞窗口留出空间（BBR 为三个）。
buffers-rule-sndbuf-growth = 随拥塞窗口增长，最大到 tcp_wmem 的第三个值。
buffers-rule-segment-size = 满长报文段等于 MTU 减去 IPv4、TCP 首部和时间戳。
buffers-rule-size-goal = 一个 skb 收集若干完整报文段，受分段卸载和对端窗口的一半限制。
buffers-rule-skb-overhead = 每个 skb 除了数据还要计入自身内存。
buffers-rule-in-flight-fill = 排队量小于缓冲区时就新建 skb；已发送未确认的数据也算在内。
buffers-rule-in-flight-poll = 每次写入前先 poll 的程序，要等三分之一的缓冲区空出来才被唤醒。
buffers-rule-nagle-tail = 开着 Nagle 算法时，不满一段的尾部留着不发，并直接接纳下一次写入而不检查缓冲区。
buffers-rule-adv-win-scale = 6.5 及以前由 tcp_adv_win_scale 决定缓冲区有多少作为窗口。
buffers-rule-scaling-ratio = 从 6.6 起，窗口占缓冲区的比例等于所收报文段中数据占内存的比例。
buffers-rule-initial-ratio = 收到满长报文段之前先用一个固定比例。
buffers-rule-segment-reserve = 窗口里留出一个报文段不用。
buffers-rule-clamp-frozen = 在这个版本里，设置过的缓冲区一直保持连接建立时的窗口。
buffers-rule-window-frozen = 在收发数据期间设置会关闭自动调节，窗口就停在当时的大小。
buffers-rule-clamp-follows = 从 7.1 起，任何时候设置缓冲区都会重新计算窗口。
buffers-rule-window-scale = 缩放因子在构造 SYN 或 SYN-ACK 时一次选定。
buffers-rule-wire-cap = 16 位窗口字段加缩放因子最多能表示这么多。
buffers-rule-syn-window = SYN 和 SYN-ACK 里的窗口不缩放。
buffers-rule-initial-window = 窗口增长之前，就是取整到报文段的起始窗口。
buffers-rule-ack-queued = 发出 ACK 时，触发它的报文段还在缓冲区里。
buffers-rule-largest-window = 应用读得够快时，窗口会增长到缓冲区和缩放因子允许的大小。
buffers-rule-whole-segments = 只发完整报文段；报文段大小不超过最大窗口的一半。
buffers-rule-window-per-rtt = 每个往返时延发送并确认一个窗口。
buffers-rule-bandwidth-delay = 在途数据达到带宽乘以往返时延时，链路就跑满了。
