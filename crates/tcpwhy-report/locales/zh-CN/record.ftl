# 包与内核自述的录制：`tcpwhy record`，以及 `explain` 对它的说明。

record-done = 已在 { $time } 内录制 { $packets } 个包、{ $connections } 个连接的 { $samples } 个样本：{ $path }（{ $size }）
record-done-ring = 已在 { $time } 内录制 { $packets } 个包、{ $connections } 个连接的 { $samples } 个样本；保留：{ $first } 至 { $path }（{ $size }）
record-done-output = 已在 { $time } 内录制 { $packets } 个包、{ $connections } 个连接的 { $samples } 个样本
record-dropped = 内核丢弃了 { $drops } 个包（{ $share }），因为到达速度超过写入速度：请用 FILTER 或 -i 缩小范围
record-ring-small = 这样小的环保留不了多少：它的每个文件都以所有套接字的状态开头；--ring { $size } 有更多空间
record-triggered = { $when }：{ $process } { $local } → { $peer }；再录制 { $time }
record-no-right = 在 { $interface } 上抓包需要 CAP_NET_RAW 权限：请以 root 运行，或用 --no-packets 只录制内核样本
record-no-right-capture = 在 { $interface } 上抓包需要 CAP_NET_RAW 权限：请以 root 运行，或 `sudo tcpdump -i { $interface } -s 128 -w - tcp | tcpwhy -`
record-no-interface = 没有名为 { $interface } 的网络接口：`ip link` 可列出现有接口，any 表示全部
record-interface-down = 网络接口 { $interface } 未启用：`ip link set { $interface } up`
record-no-ring = 无法在 { $interface } 上抓包：{ $error }

# 对录制文件的说明。
record-was-dropped = 录制期间内核丢弃了 { $drops } 个包（{ $share }）：缺失的包可能看起来像抓包点之前的丢包
record-left-out = 录制中有 { $count } 个套接字早在其第一个包之前就已结束，内核对它们的说法没有保留：请分段分析，例如环的各个文件
record-unknown = 内核自述中有 { $count } 条记录无法读取：已损坏、版本不同，或来自字节序不同的机器
heading-kernel = 内核的说法
kernel-label-packets = 抓包
kernel-label-samples = 内核
kernel-label-clocks = tcp_info
kernel-clocks = busy { $busy }，rwnd_limited { $window }，sndbuf_limited { $buffer }
kernel-agrees = 同一段 { $time } 内，抓包与内核样本一致。
kernel-decides = 同一段 { $time } 内，抓包与内核样本不一致：以内核为准。
kernel-too-little = 同一段 { $time } 内，抓包与内核样本不一致：以抓包为准。
kernel-disagrees = 同一段 { $time } 内，抓包与内核样本在 { $share } 的时间里不一致。
# 内核与抓包不一致之处。每一类原因包括它的所有形式。
kernel-kind-network = 网络
kernel-kind-send-buffer = 发送缓冲区
kernel-kind-receive-window = 接收窗口
kernel-kind-application = 应用
kernel-kind-small-write = 小块写入
kernel-kind-pacing = 程序设置的发送速率
kernel-word-decides = 在两者都覆盖的 { $time } 里，按内核：{ $more }占 { $kernel }，{ $less }占 { $less-kernel }；仅按抓包：分别占 { $packets } 和 { $less-packets }。以内核为准。{ $why }
kernel-word-too-little = 在两者都覆盖的 { $time } 里，按内核：{ $more }占 { $kernel }，{ $less }占 { $less-kernel }；仅按抓包：分别占 { $packets } 和 { $less-packets }。内核只观察到 { $all } 中的 { $watched }，因此以抓包为准。
# 为什么单看数据包看不出来。
kernel-why-network = 未发送的数据在等待拥塞窗口或发送节奏（pacing），而抓包中看不到这两者。
kernel-why-send-buffer = 发送缓冲区已满：从抓包看，在 send() 中等待的程序与没有数据可发的程序一样。
kernel-why-receive-window = 未发送的数据在等待接收窗口，而抓包中看不到未发送的数据。
kernel-why-application = 发送队列是空的，而从抓包看不出程序是否还有数据要发。
kernel-why-small-write = 不足一个报文段的数据在等待 ACK，而抓包中看不到未发送的数据。
kernel-why-pacing = 程序设置了 SO_MAX_PACING_RATE，而抓包中看不到它。
kernel-clocks-miss-send-buffer = sndbuf_limited 漏掉了发送缓冲区的大部分时间：只有当一次发送清空了未发送数据、且写入方已在等待时，这个时钟才会启动。
kernel-clocks-miss-window = 这里的 rwnd_limited 并不是接收窗口的时间：使用会平滑发送（pacing）的拥塞控制（BBR）时，这个时钟不准。
kernel-receiver = 只看到接收端的套接字，无法得知是什么限制了发送端。
kernel-socket = { $end }：{ $process }，{ $samples } 个样本
# 页面上的表格。
kernel-column-samples = { $time }，样本数：{ $samples }
kernel-column-watched = 观察了 { $time }
kernel-row-busy = 有数据待发或在途
kernel-clock-doubted = 此处不可靠
kernel-no-clock = 没有对应的时钟
record-is-none = { $file } 不是 tcpwhy 的录制，其中没有内核记录：`tcpwhy { $file }` 可分析其中的包
record-is-no-capture = { $file } 不是 tcpwhy 的录制：{ $why }

# 带注释重写的抓包（`--annotate`）。
annotate-connection = 连接 { $n }：{ $verdict }
annotate-connection-silent = 连接 { $n }
annotate-stretch = { $direction }：{ $limit }，持续 { $time }
annotate-stretch-kernel = { $direction }：{ $limit }，持续 { $time }；内核的说法：{ $kernel }
annotate-done = 已写入 { $path }（{ $size }）：{ $connections } 个连接上的 { $comments } 条注释；在 Wireshark 中过滤：frame.comment contains "tcpwhy:"
annotate-left-out = 有 { $count } 个连接没有注释：数量太多，无法全部保存；可用过滤选项挑选
annotate-one-capture = --annotate 只重写一个抓包：请只指定一个
