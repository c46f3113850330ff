# tcpwhy predict：改动会给抓到的传输带来什么。

predict-head = { $sender } → { $receiver }：{ $bytes }，用时 { $time }
predict-no-limit = 无
predict-as-it-was = 受限于：{ $cause }。不作改动的重建：{ $time }（{ $fit }，{ $worlds } 次模拟传输）。
predict-fit-good = 吻合良好
predict-fit-fair = 大致吻合
predict-fit-poor = 吻合较差
predict-rate-drawn = 数据包看不出路径有多快：速率是抽取的。
predict-then = { $what }：{ $then }（{ $low } 到 { $high }），现在 { $now }。下一个限制：{ $next }
predict-endless = { $what }：模拟的传输不会结束
predict-together = 以上全部
predict-nothing = 这个连接没有可以模拟的改法：试试 --set，例如 --set path.rtt=100ms
