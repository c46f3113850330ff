# 图表：无脚本时的页面、静态图，以及与查看器共用的名称。

page-title = { $name }：是什么拖慢了 TCP
page-no-script = 图表需要 JavaScript，而它已被禁用；数据见下文。

chart-requests = 请求
chart-limits = 受限于
chart-sequence = 序列号
chart-window = 窗口与在途数据
chart-rtt = 往返时延
chart-socket = 发送端套接字
chart-throughput = 吞吐量
chart-description = { $direction }：{ $verdict }
chart-axis-time = 距第一个包的秒数

series-data = 数据
series-ack = 已确认
series-edge = 窗口右沿
series-flight = 在途数据
series-pipe = 路径上的数据（SACK）
series-window = 接收窗口
series-cwnd = 拥塞窗口（至少）
series-socket-cwnd = 拥塞窗口
series-buffer = 发送缓冲区
series-queued = 排队内存
series-unsent = 尚未发送
series-unused = 已通告但未使用
series-rtt = 往返时延
series-rtt-min = 最小往返时延
series-acked = 有效吞吐
series-sent = 发送
series-resent = 重传

line-plateau = 在途数据止于 { $bytes }
line-bdp = 带宽 × RTT { $bytes }
line-window-max = 最大窗口 { $bytes }

mark-retransmission-fast = 快速重传
mark-retransmission-rto = 超时重传
mark-retransmission-tlp = 尾部丢包探测（TLP）
mark-retransmission-other = 重传
mark-out-of-order = 乱序
mark-duplicate-frame = 重复抓取
mark-zero-window = 零窗口
mark-probe = 窗口探测
mark-keep-alive = 保活探测
mark-sack = SACK
mark-dsack = 重复接收（D-SACK）
mark-syn = SYN
mark-fin = FIN
mark-rst = RST

chart-proof-path = { $rate }：路径已无更多容量
chart-proof-queue = RTT { $median }，无排队时 { $low }：其余是瓶颈处的排队
chart-proof-policer = 限速设备（policer）丢弃超出速率的数据：有丢包而无排队
chart-proof-nothing-to-send = 有 { $time } 保持平坦：程序没有数据可发
chart-proof-exchanges = 服务器 { $server }，网络 { $network }，客户端 { $client }
chart-proof-ack-delay = 每一步都在等待迟来的 ACK
chart-proof-slow-start = 在途字节每个往返翻倍：慢启动占了大部分时间
chart-proof-congestion-window = 在途字节随拥塞窗口变化，远低于接收窗口 { $window }
chart-proof-post-loss = 重传 { $n } 个报文段（最上一行）：每次丢包后允许的在途字节减少
chart-proof-loss = 重传 { $n } 个报文段（最上一行）：恢复用去 { $time }
chart-proof-slow-reader = 接收程序读取过慢：其窗口有 { $time } 过小或关闭
chart-proof-receive-window = 在途字节已达接收窗口 { $window }：接收端不允许更多
chart-proof-own-pace = 窗口中有 { $unused } 从未用上：程序没有写入更多数据
chart-proof-peer-window = 窗口中有 { $unused } 从未用上：TCP 之上的协议窗口止于 { $flight }
chart-proof-send-buffer = 窗口中有 { $unused } 从未用上：发送缓冲区在 { $flight } 时已满
