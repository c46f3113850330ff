//! Titles of random scenarios.

use super::cause::RandomCause;

impl RandomCause {
    /// Titles in English and in Chinese.
    pub(super) const fn titles(self) -> (&'static str, &'static str) {
        match self {
            Self::SendBuffer => ("send buffer", "发送缓冲区"),
            Self::ReceiveBuffer => ("receive buffer", "接收缓冲区"),
            Self::SlowReader => ("slow reader", "读得慢"),
            Self::PacedWriter => ("paced writer", "匀速写入"),
            Self::Path => ("path", "链路带宽"),
            Self::Loss => ("loss", "丢包"),
            Self::Nagle => ("Nagle and delayed ACKs", "Nagle 加延迟确认"),
            Self::StallingReader => ("stalling reader", "读一阵停一阵"),
            Self::NoWindowScale => ("no window scaling", "无窗口缩放"),
            Self::Turns => ("requests and pauses", "一问一答有停顿"),
            Self::CappedWindow => ("capped window", "接收窗口有上限"),
            Self::Policer => ("policer", "限速丢包"),
            Self::Phases => ("paced writer, then send buffer", "先匀速写入，后受发送缓冲区限制"),
            Self::Credit => ("window of a protocol", "协议自己的窗口"),
            Self::Blocks => ("blocks that wait for answers", "分块发送等应答"),
            Self::Pipeline => ("answers to requests sent ahead", "应答预先发来的请求"),
            Self::NagleTail => ("large and small write under Nagle", "大小两次写入加 Nagle"),
            Self::Forwarder => ("forwarder with a small send buffer", "转发程序的发送缓冲区小"),
            Self::RestingWriter => ("writes of any size with rests", "时写时停、大小不一"),
            Self::Heartbeats => ("heartbeats", "心跳"),
            Self::Goodbye => ("goodbye after silence", "安静之后道别"),
            Self::Reset => ("reset in mid-transfer", "传输中途复位"),
            Self::Unanswered => ("request without answer", "请求无人应答"),
            Self::MergedLoss => ("losses of merged packets", "合并包丢失"),
            Self::SlowLine => ("slow line", "低速线路"),
            Self::WebSocket => ("WebSocket", "WebSocket"),
            Self::LongPoll => ("long polls", "长轮询"),
            Self::Subscription => ("subscription", "订阅推送"),
            Self::Calls => ("calls over HTTP/2", "HTTP/2 调用"),
            Self::Chat => ("chat", "聊天"),
        }
    }
}
