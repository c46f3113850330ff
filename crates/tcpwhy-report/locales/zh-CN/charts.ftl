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
