# 限制因素及其形态的名称，以及各自的结论句。

limit-unobserved = 未抓到
limit-handshake = 握手
limit-loss-recovery = 丢包重传
limit-receive-window = 接收窗口
limit-ack-delay = ACK 延迟
limit-application = 应用
limit-tail-rtt = 最后一轮在途数据
limit-path = 路径
limit-send-buffer = 发送缓冲区
limit-slow-start = 慢启动
limit-congestion-window = 拥塞窗口

limit-with-detail = { $limit }：{ $detail }

detail-syn-rto = SYN 重传
detail-fast = 快速重传
detail-rto = 超时重传
detail-tlp = 尾部丢包探测
detail-spurious = 误重传
detail-zero-window = 零窗口
detail-slow-reader = 读得慢
detail-small-buffer = 缓冲区小
detail-capped = 已到自动调整上限
detail-no-window-scale = 无窗口缩放
detail-ramp = 还在增长
detail-nagle = Nagle
detail-delayed-ack = 延迟确认
detail-think = 处理耗时
detail-idle = 空闲
detail-peer-turn = 等对端
detail-close-wait = 对端已关，本端未关
detail-paced-writes = 自身节奏
detail-queue = 持续排队
detail-policer = 限速丢包
detail-post-loss = 丢包后恢复中
detail-post-mark = ECN 标记后恢复中
detail-delay-exit = 过早退出慢启动
detail-paced = 发送端 pacing
detail-other = 无法确定

# 结论句：$seconds 为受限时长，$total 为总时长，$share 为占比。句末的句号自动添加。
verdict-none = 没有值得调整的瓶颈
verdict-unobserved = 总共 { $total }，其中 { $seconds }（{ $share }）从抓包看不出受限原因
verdict-handshake = 总共 { $total }，建连花了 { $seconds }（{ $share }）
verdict-handshake-syn-rto = SYN 发生重传，总共 { $total }，建连花了 { $seconds }（{ $share }）
verdict-loss-recovery = 总共 { $total }，丢包重传花了 { $seconds }（{ $share }）
verdict-loss-recovery-fast = 总共 { $total }，丢包后快速重传花了 { $seconds }（{ $share }）
verdict-loss-recovery-rto = 总共 { $total }，等超时重传花了 { $seconds }（{ $share }）
verdict-loss-recovery-tlp = 总共 { $total }，尾部丢包靠 TLP 探测恢复，花了 { $seconds }（{ $share }）
verdict-loss-recovery-spurious = 并没有丢包，误重传却花了 { $seconds }（总共 { $total }，占 { $share }）
verdict-receive-window = 总共 { $total }，其中 { $seconds }（{ $share }）受限于接收窗口
verdict-receive-window-zero-window = 总共 { $total }，其中 { $seconds }（{ $share }）接收端通告零窗口，发送端只能干等
verdict-receive-window-slow-reader = 接收端应用读得太慢，窗口打不开：总共 { $total }，其中 { $seconds }（{ $share }）受此限制
verdict-receive-window-small-buffer = 接收缓冲区太小：总共 { $total }，其中 { $seconds }（{ $share }）卡在接收窗口上
verdict-receive-window-capped = 接收窗口已到自动调整上限：总共 { $total }，其中 { $seconds }（{ $share }）受此限制
verdict-receive-window-no-window-scale = 没有协商窗口缩放，接收窗口最大 64 KiB：总共 { $total }，其中 { $seconds }（{ $share }）受此限制
verdict-receive-window-ramp = 总共 { $total }，其中 { $seconds }（{ $share }）接收窗口还在增长
verdict-ack-delay = 总共 { $total }，等待被推迟的 ACK 花了 { $seconds }（{ $share }）
verdict-ack-delay-nagle = 总共 { $total }，小包被 Nagle 算法压住 { $seconds }（{ $share }）
verdict-ack-delay-delayed-ack = 总共 { $total }，小包等对端的延迟确认花了 { $seconds }（{ $share }）
verdict-application = 总共 { $total }，其中 { $seconds }（{ $share }）发送端应用没有数据可发
verdict-application-think = 发送端应用处理慢：总共 { $total }，其中 { $seconds }（{ $share }）在等它响应
verdict-application-idle = 总共 { $total }，其中 { $seconds }（{ $share }）发送端应用空闲
verdict-application-peer-turn = 总共 { $total }，其中 { $seconds }（{ $share }）数据已发完，在等对端
verdict-application-close-wait = 数据早已发完，连接又空挂了 { $seconds }（总共 { $total }，占 { $share }）
verdict-neutral-application-idle = 没有受到限制：总共 { $total }，其中 { $seconds }（{ $share }）处于空闲
verdict-neutral-application-think = 没有受到限制：总共 { $total }，其中 { $seconds }（{ $share }）是发送端在两次请求之间的停顿
verdict-neutral-application-peer-turn = 没有受到限制：总共 { $total }，其中 { $seconds }（{ $share }）在等待对端
verdict-neutral-application-close-wait = 没有受到限制：数据已发完，连接又保持了 { $seconds }（总共 { $total }，占 { $share }）
verdict-neutral-application-paced-writes = 没有受到限制：总共 { $total }，其中 { $seconds }（{ $share }）由发送端自己决定速度
verdict-application-paced-writes = 发送端应用写得慢：总共 { $total }，其中 { $seconds }（{ $share }）速度由应用决定
verdict-tail-rtt = 总共 { $total }，最后一轮在途数据花了 { $seconds }（{ $share }）
verdict-path = 总共 { $total }，其中 { $seconds }（{ $share }）路径已跑满
verdict-path-queue = 路径已跑满且持续排队：总共 { $total }，其中 { $seconds }（{ $share }）受此限制
verdict-path-policer = 路径上有限速设备，超速即丢包：总共 { $total }，其中 { $seconds }（{ $share }）受此限制
verdict-send-buffer = 发送缓冲区太小：总共 { $total }，其中 { $seconds }（{ $share }）受此限制
verdict-slow-start = 总共 { $total }，慢启动占了 { $seconds }（{ $share }）
verdict-congestion-window = 总共 { $total }，其中 { $seconds }（{ $share }）受限于拥塞窗口
verdict-congestion-window-post-loss = 拥塞窗口因丢包减小：总共 { $total }，其中 { $seconds }（{ $share }）受此限制
verdict-congestion-window-post-mark = 拥塞窗口因 ECN 标记而减小：总共 { $total }，其中 { $seconds }（{ $share }）受此限制
verdict-congestion-window-delay-exit = 时延上升使慢启动提前结束：总共 { $total }，其中 { $seconds }（{ $share }）受限于拥塞窗口
verdict-congestion-window-paced = 总共 { $total }，其中 { $seconds }（{ $share }）发送端按自己估计的路径带宽匀速发送
verdict-congestion-window-other = 总共 { $total }，其中 { $seconds }（{ $share }）受限于拥塞窗口或发送缓冲区（无法确定）

# 结论句之后单独成句的数字。
number-flight = 在途数据 { $value }
number-window = 窗口 { $value }
number-rtt = RTT { $value }
number-rtt-queued = RTT { $value }（不排队时 { $least }）
number-retransmitted = 重传 { $value }（{ $share }）

decider-sender-capture = 在发送端抓包
decider-syn = 抓到 SYN 的包
decider-timestamps = 两端都开启 TCP 时间戳
decider-live-sampling = 在发送端实时采样内核的套接字状态
decider-longer-capture = 更长时间的抓包
