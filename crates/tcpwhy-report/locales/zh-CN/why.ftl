# 时间线上每一段的判断依据：`why-` 加依据名（下划线换成连字符）。$length 为该段时长；其余数值跟在句后。

# 由间隔前后的包直接看出。
why-handshake-under-way = 正在建立连接：SYN 与 SYN-ACK 还在路上。
why-syn-repeated = SYN 或 SYN-ACK 没有得到应答，发生了重传。
why-fast-retransmit = 重复 ACK 或 SACK 表明有丢包；已重传，此段持续到之前发出的数据全部得到确认。
why-timer-ran-out = 一直没有 ACK，直到重传定时器超时；此段持续到重传的数据得到确认。
why-hole-never-filled = 接收端报告缺了数据，直到最后也没有抓到补上它的重传。
why-probe-of-tail = 最后几个报文段没有得到确认，由尾部丢包探测（TLP）重传。
why-nothing-lost = 数据其实已经到达却又重传：接收端报告收到了两次。
why-nothing-in-flight = { $length } 内没有数据可发：应用没有再写入。
why-answer-awaited = 对端说完之后已没有数据可发：应用有 { $length } 没有写入。
why-peer-awaited = 已没有数据可发，接下来由对端发言：本端等了它 { $length }。
why-peer-had-closed = 对端已关闭，数据全部得到确认，应用却让本端又保持打开 { $length }。
why-small-segment-held = 不足一个 MSS 的报文段在等前一个的 ACK（Nagle 算法）：此段是这个 ACK 至少需要的一个往返。
why-ack-held-back = 小报文段所等的 ACK 比一个往返晚了 { $length }：接收端推迟了它（延迟确认）。
why-data-not-captured = 接收端确认了抓包中没有的数据，或者抓包从连接中途开始。
why-acks-not-captured = 没有抓到对这些数据的 ACK，无从得知在途数据量。
why-last-flight = 数据已全部发出：最后的报文段和它们的 ACK 还在路上。

# 窗口用尽时的形态。
why-window-zero = 接收端通告了零窗口。
why-window-shrinks = 通告窗口已用尽，而且还在缩小：接收端应用没有读走到达的数据。
why-window-unscaled = 通告窗口已用尽，而它最大只有 65,535 字节：没有协商窗口缩放。
why-window-grows = 通告窗口已用尽；窗口已是迄今最大，且还在增长：自动调整正在打开它。
why-window-capped = 通告窗口已用尽；自动调整把它打开之后就不再增长：已到上限。
why-window-small = 通告窗口已用尽；数据有人读走，窗口却始终不变：接收缓冲区太小。

# 路径。
why-queue-never-empties = 每个报文段回显的 ACK 都比当时应已到达发送端的最新 ACK 更旧：它在队列里等过，在发送端或在路上。
why-queue-in-slow-start = 在途数据还在增长，但 ACK 连续不断、往返时延高于路径所需：慢启动已占满路径并形成排队。
why-queue-under-pacer = 发送端不停地按 pacing 发送，往返时延超出其探测所能解释的程度：瓶颈处有排队。
why-queue-served-evenly = 单个报文段间隔均匀，ACK 连续不断，往返时延高于路径所需：瓶颈正在消化排队。
why-queue-under-full-buffer = ACK 连续不断，往返时延高于路径所需：不论还有哪个缓冲区或窗口用满，路径已经占满。
why-more-than-path-holds = 发送端每次发送时，在途数据都超过路径的容量：多出的在排队，再多也只会让队列更长。
why-queue-standing = 往返时延高于路径所需，又没有迹象表明发送端缺数据：瓶颈处有排队。
why-queue-under-last-flight = 最后一轮在途数据经过排队：ACK 连续不断，往返时延高于路径所需。
why-even-spacing = 单个报文段以恒定节奏发出，一个往返内有许多个：由网卡、整形器或发送端 pacing 隔开。

# 拥塞窗口。
why-flight-opens = 在途数据比上次丢包或空闲以来的最大值又多出一半以上，或者这是最初几个往返：慢启动正在打开拥塞窗口。
why-repairs-all-around = 大部分时间都在修复丢包：两次修复之间发出的，是缩小后的拥塞窗口所允许的数据。
why-pacer-slowed-by-loss = 发送端不停地按 pacing 发送，但在丢包之后，比路径此前所承载的要慢。
why-small-segments-leave = 几乎每次突发都以不满的段结束。在发送队列里等待的写入会合并成满段，因此没有数据在等：应用按自己的节奏写出小块数据。
why-pacer-never-probes = 发送端不停地按 pacing 发送，却从未试探路径能否承载更多；若还有数据要发，pacing 的发送端会这样做（BBR：每八个往返多发四分之一）。
why-pacer-through-repairs = 发送端重传了丢失的数据，交付速率与之前相同：丢包没有造成损失，速率由它自己对路径的估计决定。
why-pacer-at-its-estimate = 发送端不停地按 pacing 发送，也没有因丢包变慢：速率由它自己对路径的估计决定。
why-released-evenly-after-loss = 丢包缩小了拥塞窗口之后，ACK 均匀地放出单个报文段。
why-released-by-thirds-after-loss = 在途数据已达丢包以来的最大值。没有触发发送的 ACK 在此不说明问题：窗口小时，发送端可能等到空出三分之一才发（tcp_tso_should_defer）。
why-window-grows-back = 此前有丢包，又看不出别的限制：被丢包缩小的拥塞窗口正在恢复。
why-window-grows-back-after-mark = 队列曾给包打过标记（ECN），此后没有丢包，也看不出别的限制：发送端缩小过的拥塞窗口（CWR）正在恢复。
why-slow-growth-without-loss = 没有丢包，在途数据却只是持续而缓慢地增长：慢启动已因别的原因结束，通常是时延上升（HyStart）。
why-undetermined = 数据由 ACK 放出，但看不出等它们的是拥塞窗口还是已满的发送缓冲区。

# 应用。
why-own-rhythm = 发送有固定周期，往返时延和路径都无法解释：是应用自己的定时器。
why-mostly-unreleased = 虽有数据在途，大部分发送却不在 ACK 之后：窗口有余，数据写入时才发出。
why-unreleased-send = 虽有数据在途，这些发送却都不在 ACK 之后：窗口有余，数据写入时才发出。
why-burst-of-unreleased = 这一串发送的最后一次不在 ACK 之后：窗口有余，数据写入时才发出。
why-sends-by-chance = 发送与 ACK 的间距和随机出现的一样：不是由 ACK 放出的。
why-path-rests-before-sends = 每次数据跟在 ACK 之后，路径都先空闲过：发送端在等自己的定时器。
why-never-prompt = 数据从未像握手所显示的那样紧跟 ACK：发送端在等自己的定时器。
why-less-in-rhythm = 在途数据少于曾经允许的量，节奏均匀，没有丢包和排队，ACK 也没有停顿：只剩下应用。
why-path-left-idle = 在途数据少于曾经允许的量，也没有像缓冲区用满时那样留下未用的窗口，而路径还能承载更多：只是没有那么多数据。
why-no-wake-level = 有些发送开始时在途数据较多；另一些时候在途数据较少，有 ACK 到达，却什么也没发。等待缓冲区的写入方总在同一水位继续，所以这里是应用没有数据可发。
why-peer-releases = 数据紧跟在对端的下一条消息之后，而不是跟在 ACK 之后：应用在等这条消息。
why-peer-grants = 数据紧跟在对端的小消息之后，而不是跟在 ACK 之后。这些消息用来放行更多数据，HTTP/2、SSH、SFTP 都这样做。
why-peer-grants-whole-turns = 发送端每次都在同样的字节数处停下，收到对端的几个字节后才继续：对端的协议一次只放行这么多。
why-peer-grants-throughout = 数据已全部送达，发送端在等对端的下一条小消息。它的等待大多是在等这种放行消息。
why-far-below-flight = 窗口有余而未用，在途数据又远少于从前：缓冲区不会这样缩小。

# 发送缓冲区。
why-room-left-unused = ACK 一再腾出余量，却要等到后面的 ACK 才继续发送：缓冲区已满，写入方要等空出三分之一才被唤醒。
why-unused-now-and-then = ACK 已腾出余量，却等到后面的 ACK 才继续发送，此前也时有发生：当时没有数据可发。
why-flight-below-window = 在途数据低于拥塞窗口曾经允许的量，接收窗口也有余：套接字里没有更多数据可发。
why-buffer-under-pacer = 发送端按 pacing 发送，在途数据少于曾经允许的量，而路径还能承载更多：发送缓冲区里没有更多数据。
why-flat-flight = 没有丢包和排队，在途数据十个往返保持不变，而拥塞窗口本会增长。

# 纵观整个方向才看得出的。
why-window-over-queue = 窗口用满，但大部分时间路径上有排队：窗口再大也只会让排队更长。
why-sender-at-unknown-distance = 抓包位于接收端且没有握手，其中也没有任何信息能给出往返时延：无从判断发送端是在等 ACK，还是没有数据可发。在发送端抓包，或抓到握手，就能判断。
why-clock-contradicted = 抓包的时钟与两端的 TCP 时间戳不一致：抓包主机成批地给包打时间戳，或者时钟跳变，这个连接里的时间都不可靠。
why-more-missing-than-captured = 这个方向上抓包缺失的数据比抓到的还多，因此不给出原因。
why-lost-to-policer = 丢包、修复以及之后缩小的窗口都由限速设备（policer）造成：刚丢包之后，没有数据快于它的速率。
why-lost-to-full-queue = 丢包来自已满的队列，而数据始终以接近最高的速率到达：限制在路径，不在修复。
why-acks-queued = 两端的时间戳表明，每次往返的大部分时间里，ACK 在发往发送端的途中排队；数据的方向还有余量。
why-rate-of-full-path = 数据几乎始终以同一速率到达，从未更快，而在途数据多于路径本身所能容纳：多出的部分在排队，所以限制在路径，不管在它之上还有什么满了。

# 抓包同样允许的另一种限制：支持它的理由。
alternative-application = 恰好以这种节奏写入的应用，看起来也一样。
alternative-send-buffer = 已满的发送缓冲区也会在同样的时刻放出同样的数据。
alternative-congestion-window = 保持不变的拥塞窗口也会允许同样的在途数据。
alternative-receive-window = 接收端通告的窗口大小未知：窗口可能已经用尽。

# tcpwhy --why
moment-number = { $n } 号连接，{ $transfer }
moment-at = { $time }（{ $clock }）时：{ $limit }，{ $from } 至 { $to }（{ $length }），置信度 { $confidence }
moment-flip = 如果 { $name }（{ $value } { $unit }，人为选定的数值）{ $way ->
    [lower] 减小
   *[higher] 增大
}三分之一，结论会变为：{ $limit }。
moment-flip-none = 无需改动
moment-no-flip = 人为选定的数值各自改变三分之一，结论都不变。
moment-before = 之前：{ $limit }，{ $from } 至 { $to }（{ $length }）
moment-after = 之后：{ $limit }，{ $from } 至 { $to }（{ $length }）
moment-label-value = { $label } { $value }
moment-outside = { $time } 不在 { $from } → { $to } 的时间之内（{ $first } 到 { $last }）
moment-outside-all = { $time } 不在任何传输过数据的连接之内
