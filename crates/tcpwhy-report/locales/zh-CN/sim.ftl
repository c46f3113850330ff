# tcpwhy sim：模拟的传输。

sim-took = { $bytes } 用了 { $time }，{ $rate }（模拟，Linux { $kernel }）
sim-settings = 已设置：{ $list }
sim-range =
    换用其他丢包和主机运行 { $runs } 次：{ $low } 到 { $high }，中位数 { $median }{ $stalled ->
        [0] {""}
       *[other] ；{ $stalled } 次没有结束
    }
sim-heading-held = 发送端受什么限制
sim-sender = 发送端：发送 { $segments } 个数据段，其中重传 { $again } 个，超时 { $timeouts } 次；拥塞窗口最大 { $window } 段
sim-receiver = 接收端：发送 { $segments } 个数据段，其中重传 { $again } 个，超时 { $timeouts } 次；拥塞窗口最大 { $window } 段
sim-there = 去往接收端的路径：{ $frames } 个帧，丢失 { $lost } 个，队列或限速设备（policer）丢弃 { $dropped } 个
sim-back = 返回的路径：{ $frames } 个帧，丢失 { $lost } 个，队列或限速设备（policer）丢弃 { $dropped } 个
