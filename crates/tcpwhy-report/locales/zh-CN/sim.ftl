# tcpwhy sim：模拟的传输。

sim-took = { $bytes } 用了 { $time }，{ $rate }（模拟，Linux { $kernel }）
sim-settings = 已设置：{ $list }
sim-range =
    范围：{ $low } 到 { $high }，中位数 { $median }（换用其他丢包和主机运行 { $runs } 次，模拟器自身误差 5%；下面是第一次）{ $stalled ->
        [0] {""}
       *[other] ；{ $stalled } 次没有结束
    }
sim-heading-held = 发送端受什么限制
sim-sender = 发送端：发送 { $segments } 个数据段，其中重传 { $again } 个，超时 { $timeouts } 次；拥塞窗口最大 { $window } 段
sim-receiver = 接收端：发送 { $segments } 个数据段，其中重传 { $again } 个，超时 { $timeouts } 次；拥塞窗口最大 { $window } 段
sim-buffers = 结束时的缓冲区：发送端的发送缓冲区 { $send }，接收端的接收缓冲区 { $receive }
sim-there = 去往接收端的路径：{ $frames } 个帧，丢失 { $lost } 个，队列或限速设备（policer）丢弃 { $dropped } 个
sim-back = 返回的路径：{ $frames } 个帧，丢失 { $lost } 个，队列或限速设备（policer）丢弃 { $dropped } 个

sim-score-times = { $simulated }，内核 { $kernel }
sim-score-range = ，范围 { $low } 到 { $high }
sim-score-noise = （内核自身的重复误差 { $share }）
sim-score-as-it-was = 原样：{ $transfers } 个中 { $within } 个误差在 10% 以内（{ $within-share }），{ $near } 个在 3% 以内，中位数 { $median }
sim-score-cause = 去掉 { $cause }：{ $transfers } 个中 { $within } 个误差在 10% 以内（{ $within-share }），{ $near } 个在 3% 以内，中位数 { $median }
sim-score-repeatable = 内核自身重复误差在 5% 以内的：{ $transfers } 个中 { $within } 个误差在 10% 以内（{ $within-share }），中位数 { $median }
sim-score-counts = 重传、丢弃和超时次数与内核相近：{ $all } 个中 { $near } 个
sim-score-drawn = 随机丢包：{ $transfers } 个中 { $in-range } 个落在各随机种子的范围内（{ $share }）；中位数误差在 10% 以内的有 { $within } 个
sim-score-all = 全部：{ $transfers } 个中 { $within } 个误差在 10% 以内（{ $within-share }），{ $near } 个在 3% 以内（{ $near-share }），中位数 { $median }
sim-score-ranges = ；{ $ranges } 个范围中 { $hold } 个包含真值，宽度 ×{ $width }
sim-score-distance = ；原因占比相差 { $distance }（中位数）
sim-score-refused = ；{ $count } 个未模拟
