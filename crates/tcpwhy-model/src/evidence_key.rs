//! Names of the numbers that support findings and intervals.

/// Generates the enumeration and its ids from one table: variant, id with its unit at the end, meaning.
macro_rules! evidence_keys {
    ($($name:ident = $id:literal, $doc:literal;)*) => {
        /// Name of a piece of evidence. Its texts are in the message catalogues under `evidence-…`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum EvidenceKey {
            $(#[doc = $doc] $name,)*
        }

        impl EvidenceKey {
            /// All keys, ordered by id.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// Stable `snake_case` name with its unit at the end, as in JSON.
            pub const fn id(self) -> &'static str {
                match self {
                    $(Self::$name => $id,)*
                }
            }
        }
    };
}

evidence_keys! {
    AbortedCount = "aborted_count", "Aborted.";
    AcceptWaitUs = "accept_wait_us", "ACK to last SYN-ACK.";
    AckToDataUs = "ack_to_data_us", "From an ACK to the data that answers it.";
    AgreeingChunkCount = "agreeing_chunk_count", "Of them with this burst.";
    AllowedMssBytes = "allowed_mss_bytes", "MSS in the SYNs.";
    AlternativeLimit = "alternative_limit", "Could also be.";
    AnswerWaitUs = "answer_wait_us", "Waited for the answer.";
    AnsweredCount = "answered_count", "Requests answered before.";
    AskedBytes = "asked_bytes", "Asked for, at least.";
    AutotunedBitsPerS = "autotuned_bits_per_s", "Autotuning would allow.";
    AutotuningSetting = "autotuning_setting", "Autotuning ends at.";
    BacklogCount = "backlog_count", "Room for.";
    BacklogDropCount = "backlog_drop_count", "Dropped.";
    BackoffCount = "backoff_count", "Times doubled.";
    BdpBytes = "bdp_bytes", "Bandwidth × RTT.";
    BeyondCount = "beyond_count", "Segments beyond the window.";
    BeyondRepeatedCount = "beyond_repeated_count", "Retransmissions of them.";
    BlockBytes = "block_bytes", "Bytes per block that waits for the one before.";
    BufferBytes = "buffer_bytes", "Buffer.";
    BufferShare = "buffer_share", "Share of the buffer.";
    BurstBytes = "burst_bytes", "Burst.";
    BusyUs = "busy_us", "Time with data to send.";
    BytesEachBytes = "bytes_each_bytes", "Data of each.";
    CapacityBitsPerS = "capacity_bits_per_s", "Capacity seen.";
    CarriedMssBytes = "carried_mss_bytes", "MSS by full segments.";
    CeilingBitsPerS = "ceiling_bits_per_s", "Rate that it allows.";
    CeilingLowBitsPerS = "ceiling_low_bits_per_s", "The same, at least.";
    ChecksumErrorCount = "checksum_error_count", "Dropped for their checksum.";
    ChunkCount = "chunk_count", "Chunks of data with losses.";
    Client = "client", "Client.";
    ClientAloneUs = "client_alone_us", "With the client's change alone.";
    ClientOfferedScaling = "client_offered_scaling", "Scaling offered by the client.";
    ClientUs = "client_us", "Client.";
    ClosedWindowCount = "closed_window_count", "Zero windows advertised.";
    CollapsedCount = "collapsed_count", "Skbs copied and freed.";
    Commit = "commit", "Commit of the kernel.";
    ComparedCount = "compared_count", "Round trips that were compared.";
    ConnectedCount = "connected_count", "Connected.";
    ConnectionCount = "connection_count", "Short connections.";
    ContradictedCount = "contradicted_count", "Round trips that two clocks contradict each other on.";
    CookieCount = "cookie_count", "Cookies.";
    Cut = "cut", "How the connections ended.";
    CutLeastBytes = "cut_least_bytes", "Carried, at least.";
    CutMostBytes = "cut_most_bytes", "Carried, at most.";
    CwndFloorBytes = "cwnd_floor_bytes", "Allowed in flight, at least.";
    DataBytes = "data_bytes", "Data in both directions.";
    DataRttUs = "data_rtt_us", "RTT of data.";
    DelayUs = "delay_us", "ACK delay.";
    DeliveredBytes = "delivered_bytes", "Acknowledged before.";
    DuplicateCount = "duplicate_count", "Copies.";
    EchoCount = "echo_count", "Packets with ECE.";
    EmptyBucketPassesPercent = "empty_bucket_passes_percent", "Other packets that passed with as little in it.";
    EmptyBucketPercent = "empty_bucket_percent", "Losses that came when the bucket was empty.";
    EndedBy = "ended_by", "Until.";
    Fault = "fault", "Known fault.";
    FilledHoleCount = "filled_hole_count", "Holes filled without a retransmission.";
    FittingPassesPercent = "fitting_passes_percent", "Other packets that nothing faster followed.";
    FittingPercent = "fitting_percent", "Losses that nothing faster followed.";
    FlightBeforeBytes = "flight_before_bytes", "In flight before, at most.";
    FlightBytes = "flight_bytes", "In flight.";
    FlightMaxBytes = "flight_max_bytes", "Most in flight.";
    FoundByKeepAlives = "found_by_keep_alives", "Found by keep-alives.";
    GoodputBitsPerS = "goodput_bits_per_s", "Goodput.";
    HadClosedBefore = "had_closed_before", "It had closed before.";
    HalfOpenCount = "half_open_count", "Half open now.";
    HalfWindowBytes = "half_window_bytes", "Segments of half the window.";
    HandshakeRttUs = "handshake_rtt_us", "RTT of the handshake.";
    HeldBytes = "held_bytes", "Memory held.";
    HeldShare = "held_share", "Share of TCP's memory.";
    HoleBytes = "hole_bytes", "Missing at the receiver.";
    HoleOpenUs = "hole_open_us", "Missing for.";
    HopLimit = "hop_limit", "Hop limit (TTL) of later packets.";
    HopsApartCount = "hops_apart_count", "Routers more or fewer than other packets.";
    HostQueueCount = "host_queue_count", "Still in this host's queue.";
    IdleMs = "idle_ms", "Untouched for.";
    IntervalS = "interval_s", "Watched for.";
    IsAnsweredByReset = "is_answered_by_reset", "Answered by a reset.";
    IsAtLimit = "is_at_limit", "At its limit now.";
    IsKeptByClient = "is_kept_by_client", "Sent by the client.";
    IsRecent = "is_recent", "During the interval.";
    IsResetByClient = "is_reset_by_client", "Reset by the client.";
    IsSackPermitted = "is_sack_permitted", "SACK agreed.";
    IsUnderPressure = "is_under_pressure", "Under pressure now.";
    KeepAlivePeriodUs = "keep_alive_period_us", "Keep-alive interval.";
    KeptRampUs = "kept_ramp_us", "Slow start with the window kept.";
    Kernel = "kernel", "Kernel.";
    LargerMssBytes = "larger_mss_bytes", "MSS in the other.";
    LargestArrivedBytes = "largest_arrived_bytes", "Largest segment that arrived.";
    LargestBytes = "largest_bytes", "Largest packet.";
    LastIntervalUs = "last_interval_us", "Last interval.";
    LastReceivedMs = "last_received_ms", "Last data came, ago.";
    LastSentMs = "last_sent_ms", "Last data sent, ago.";
    LateUs = "late_us", "How late, at most.";
    LimitBytes = "limit_bytes", "Limit.";
    LimitedShare = "limited_share", "Share of it waiting.";
    ListenDropCount = "listen_drop_count", "Dropped by listeners in all.";
    LongestAnswerUs = "longest_answer_us", "Longest wait for an earlier answer.";
    LongestUs = "longest_us", "Longest.";
    LossCount = "loss_count", "Losses.";
    LostAckCount = "lost_ack_count", "Retransmissions of data whose acknowledgments were lost.";
    LostBytes = "lost_bytes", "Size that vanishes.";
    LostCount = "lost_count", "Segments that the sender holds for lost.";
    MarkCount = "mark_count", "Marked packets (CE).";
    MarkPercent = "mark_percent", "Share marked.";
    MaxBytes = "max_bytes", "Raised to.";
    MaxOrphanCount = "max_orphan_count", "Orphans allowed.";
    MemoryBytes = "memory_bytes", "Memory of the machine.";
    MinimumRtoUs = "minimum_rto_us", "Minimum retransmission timeout.";
    MissingBytes = "missing_bytes", "Not captured.";
    Mode = "mode", "Mode.";
    MssBytes = "mss_bytes", "MSS.";
    MtuBytes = "mtu_bytes", "MTU that they name.";
    NeedlessShare = "needless_share", "Share that had arrived.";
    Neighbour = "neighbour", "Other flow.";
    NeighbourBitsPerS = "neighbour_bits_per_s", "Its rate.";
    NeighbourPercent = "neighbour_percent", "Its share of all bytes.";
    NetworkUs = "network_us", "Network.";
    NoRouteDropCount = "no_route_drop_count", "SYNs without a route back.";
    NotAcceptedMs = "not_accepted_ms", "Not accepted for, at least.";
    OpenedEveryUs = "opened_every_us", "One every.";
    OrphanCount = "orphan_count", "Orphans now.";
    OthersBitsPerS = "others_bits_per_s", "Rate of the other traffic.";
    OthersPercent = "others_percent", "Share of the other traffic.";
    OutOfOrderPrunedCount = "out_of_order_pruned_count", "Out of order, dropped.";
    OutageUs = "outage_us", "Time without an answer, on all connections.";
    OutlivedCount = "outlived_count", "Packets after the reset.";
    OutlivedUs = "outlived_us", "Sent on for.";
    OverflowCount = "overflow_count", "Connections dropped.";
    OwnBitsPerS = "own_bits_per_s", "Rate of this transfer, with headers.";
    PacketCount = "packet_count", "Packets.";
    PageCount = "page_count", "Pages.";
    PassedBytes = "passed_bytes", "Size that passes.";
    PathRateBitsPerS = "path_rate_bits_per_s", "Path.";
    PathRttUs = "path_rtt_us", "Its round trip.";
    PathShare = "path_share", "Share of the path.";
    PathStallCount = "path_stall_count", "Stalls of the path.";
    PauseCount = "pause_count", "Pauses.";
    PauseUs = "pause_us", "Pause before its next data, median.";
    PeakRateBitsPerS = "peak_rate_bits_per_s", "Highest rate.";
    PerHour = "per_hour", "An hour.";
    PeriodUs = "period_us", "Period of the writes.";
    Pid = "pid", "Process id.";
    PlateauBytes = "plateau_bytes", "In flight, plateau.";
    PlateauRateBitsPerS = "plateau_rate_bits_per_s", "Rate that it allows.";
    PolicedBurstBytes = "policed_burst_bytes", "Burst that the policer allows.";
    PolicedRateBitsPerS = "policed_rate_bits_per_s", "Let through of this connection.";
    PortCount = "port_count", "Local ports.";
    PortShare = "port_share", "Share taken.";
    PressureCount = "pressure_count", "Times.";
    PressureLimitBytes = "pressure_limit_bytes", "Pressure begins at.";
    PressureMs = "pressure_ms", "Time under pressure.";
    ProbeCount = "probe_count", "Probes.";
    Process = "process", "Process.";
    PruneCount = "prune_count", "Times full.";
    QueueDelayUs = "queue_delay_us", "Queueing delay.";
    RampUs = "ramp_us", "Slow start after a pause.";
    RateAt20msBitsPerS = "rate_at_20ms_bits_per_s", "Rate over 20 ms.";
    RateBitsPerS = "rate_bits_per_s", "Rate.";
    RateHighBitsPerS = "rate_high_bits_per_s", "Rate in better times.";
    RateLowBitsPerS = "rate_low_bits_per_s", "Rate in poorer times.";
    ReachedBitsPerS = "reached_bits_per_s", "Rate reached.";
    ReaderRateBitsPerS = "reader_rate_bits_per_s", "Reading rate.";
    ReceivedDroppedCount = "received_dropped_count", "Received, dropped.";
    ReceivedPrunedCount = "received_pruned_count", "Received, pruned.";
    ReceivedShare = "received_share", "Per segment received.";
    ReceiverOfferedSack = "receiver_offered_sack", "SACK offered by the receiver.";
    ReceiverOfferedScaling = "receiver_offered_scaling", "Scaling offered by the receiver.";
    RecentCount = "recent_count", "During that time.";
    RecoveryCount = "recovery_count", "Recoveries.";
    ReductionCount = "reduction_count", "Window reductions (CWR).";
    RefusedCount = "refused_count", "Splits refused.";
    ReorderedCount = "reordered_count", "Reordered segments.";
    RepeatCount = "repeat_count", "Retransmissions of it.";
    RequestBytes = "request_bytes", "Request.";
    RequestCount = "request_count", "Requests.";
    RequestPacket = "request_packet", "First packet of the slowest request.";
    ResetAfterUs = "reset_after_us", "Reset after.";
    ResetBy = "reset_by", "Reset by.";
    RestUs = "rest_us", "Idle time.";
    RestartCount = "restart_count", "Restarts.";
    RetransmittedCount = "retransmitted_count", "Segments retransmitted.";
    RetransmittedPercent = "retransmitted_percent", "Share retransmitted.";
    RetransmittedShare = "retransmitted_share", "Share retransmitted.";
    RetryCount = "retry_count", "SYNs retransmitted.";
    RetryUs = "retry_us", "First SYN to last.";
    RoomUnusedShare = "room_unused_share", "Time with room left unused.";
    RoundCount = "round_count", "Round trips.";
    RoundTripsUs = "round_trips_us", "Round trips together.";
    RttMinUs = "rtt_min_us", "Smallest RTT.";
    RttP95Us = "rtt_p95_us", "RTT, 95th percentile.";
    RttUs = "rtt_us", "RTT.";
    Scale = "scale", "Value.";
    SecondHeldBytes = "second_held_bytes", "Memory held.";
    SecondHeldShare = "second_held_share", "Share of TCP's memory.";
    SecondNeighbour = "second_neighbour", "Second flow.";
    SecondNeighbourBitsPerS = "second_neighbour_bits_per_s", "Its rate.";
    SecondNeighbourPercent = "second_neighbour_percent", "Its share of all bytes.";
    SecondProcess = "second_process", "Next process.";
    SenderOfferedSack = "sender_offered_sack", "SACK offered by the sender.";
    SenderOfferedScaling = "sender_offered_scaling", "Scaling offered by the sender.";
    SentCount = "sent_count", "Segments sent.";
    Server = "server", "Server.";
    ServerAloneUs = "server_alone_us", "With the server's change alone.";
    ServerOfferedScaling = "server_offered_scaling", "Scaling offered by the server.";
    ServerUs = "server_us", "Server.";
    SetBecause = "set_because", "Known because it is.";
    SetReceiveBufferCount = "set_receive_buffer_count", "Receive buffers set.";
    SetSendBufferCount = "set_send_buffer_count", "Send buffers set.";
    Setting = "setting", "Setting.";
    SettingBytes = "setting_bytes", "Setting.";
    SetupRoundTripCount = "setup_round_trip_count", "Round trips to open one.";
    SetupShare = "setup_share", "Share of its time.";
    SetupUs = "setup_us", "Handshake.";
    SetupsShare = "setups_share", "Share of their time.";
    SetupsUs = "setups_us", "Opening them.";
    ShareBitsPerS = "share_bits_per_s", "Rate of this connection.";
    SharedEnd = "shared_end", "End that all of them share.";
    SharingCount = "sharing_count", "Connections that share it.";
    ShrinkCount = "shrink_count", "Times the window shrank.";
    SiblingBitsPerS = "sibling_bits_per_s", "Rate of the other connections between the same hosts.";
    SiblingCount = "sibling_count", "Other connections between the same hosts.";
    SiblingPercent = "sibling_percent", "Their share of all bytes.";
    SilenceUs = "silence_us", "Silence.";
    SilentEnd = "silent_end", "Fell silent.";
    SlowRecoveryCount = "slow_recovery_count", "Recoveries with one repair a round trip.";
    SlowRepairCount = "slow_repair_count", "Segments retransmitted in them.";
    SlowRepairUs = "slow_repair_us", "Time that they took.";
    SmallerMssBytes = "smaller_mss_bytes", "MSS in one SYN.";
    Socket = "socket", "Socket.";
    SocketCount = "socket_count", "Connections.";
    SomaxconnCount = "somaxconn_count", "Net.core.somaxconn.";
    SpuriousCount = "spurious_count", "Spurious retransmissions.";
    SpuriousTimeoutCount = "spurious_timeout_count", "Spurious timeouts.";
    StallCount = "stall_count", "Stalls.";
    StalledUs = "stalled_us", "Stalled in all.";
    StampedBackCount = "stamped_back_count", "Packets with an earlier time than one before them.";
    StrayFrom = "stray_from", "Stray segments from.";
    SuperPacketCount = "super_packet_count", "Super-packets.";
    SurvivedUs = "survived_us", "Longest idle time without harm.";
    SynAckCount = "syn_ack_count", "SYN-ACKs.";
    SynAckRepeatCount = "syn_ack_repeat_count", "SYN-ACKs retransmitted.";
    SynBacklogCount = "syn_backlog_count", "The sysctl `net.ipv4.tcp_max_syn_backlog`.";
    SynCount = "syn_count", "SYNs.";
    SynHopLimit = "syn_hop_limit", "Hop limit (TTL) of the SYN.";
    SynQueueDropCount = "syn_queue_drop_count", "SYNs dropped.";
    SynQueueFullCount = "syn_queue_full_count", "Times the SYN queue was full.";
    SyncookiesMode = "syncookies_mode", "Setting `net.ipv4.tcp_syncookies`.";
    TcpMemoryBytes = "tcp_memory_bytes", "Memory of TCP.";
    ThinkP95Us = "think_p95_us", "Server response time, 95 % within.";
    ThinkUs = "think_us", "Server response time, median.";
    ThirdHeldBytes = "third_held_bytes", "Memory held.";
    ThirdHeldShare = "third_held_share", "Share of TCP's memory.";
    ThirdNeighbour = "third_neighbour", "Third flow.";
    ThirdNeighbourBitsPerS = "third_neighbour_bits_per_s", "Its rate.";
    ThirdNeighbourPercent = "third_neighbour_percent", "Its share of all bytes.";
    ThirdProcess = "third_process", "Next process.";
    ThreadsAcceptingCount = "threads_accepting_count", "Threads in `accept()`.";
    ThreadsDeviceCount = "threads_device_count", "Threads waiting for a disk.";
    ThreadsLockCount = "threads_lock_count", "Threads waiting for a lock.";
    ThreadsOtherCount = "threads_other_count", "Other threads.";
    ThreadsPollingCount = "threads_polling_count", "Threads waiting for events.";
    ThreadsRunningCount = "threads_running_count", "Threads running.";
    ThreadsSleepingCount = "threads_sleeping_count", "Threads sleeping.";
    ThreadsStoppedCount = "threads_stopped_count", "Threads stopped.";
    ThreadsTransferCount = "threads_transfer_count", "Threads reading or writing.";
    TimeWaitCount = "time_wait_count", "In TIME-WAIT.";
    TimeoutCount = "timeout_count", "Timeouts.";
    TogetherBitsPerS = "together_bits_per_s", "Rate of all together.";
    TooBigCount = "too_big_count", "ICMP errors: too large.";
    TransferBytes = "transfer_bytes", "Transferred.";
    TurnBytes = "turn_bytes", "Bytes per round trip.";
    TurnCount = "turn_count", "Request–response round trips.";
    UnacknowledgedBytes = "unacknowledged_bytes", "Unacknowledged.";
    UnansweredCount = "unanswered_count", "Packets without effect.";
    UnnamedCount = "unnamed_count", "More flows.";
    UnnamedPercent = "unnamed_percent", "Their share of all bytes.";
    UnreachableCount = "unreachable_count", "ICMP errors: unreachable.";
    UnreadBytes = "unread_bytes", "Not read.";
    UnreleasedShare = "unreleased_share", "Time before sends that no ACK released.";
    UsualTimeoutUs = "usual_timeout_us", "Usual timeout below it.";
    Value = "value", "Value.";
    WaitUs = "wait_us", "Waited after ACKs.";
    WaitingBytes = "waiting_bytes", "Waiting.";
    WaitingCount = "waiting_count", "Waiting.";
    WantedClosedCount = "wanted_closed_count", "Zero windows wanted.";
    WindowBytes = "window_bytes", "Receive window.";
    WindowDropCount = "window_drop_count", "Arrived during a zero window.";
    WindowMaxBytes = "window_max_bytes", "Largest window.";
    WindowMinBytes = "window_min_bytes", "Smallest window.";
    WindowRateBitsPerS = "window_rate_bits_per_s", "Window / RTT.";
    WithdrawnBytes = "withdrawn_bytes", "Largest shrinkage.";
    WouldDecide = "would_decide", "Would decide.";
    WrongChecksumCount = "wrong_checksum_count", "SYNs with a wrong checksum.";
    ZeroWindowCount = "zero_window_count", "Zero windows.";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_snake_case_and_ascend() {
        for key in EvidenceKey::ALL {
            assert!(key.id().bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_'), "{key:?}");
        }
        assert!(EvidenceKey::ALL.is_sorted_by(|a, b| a.id() < b.id()));
    }
}
