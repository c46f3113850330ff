//! Grounds: the choices that decided about each part of an answer.

macro_rules! grounds {
    ($($(#[$doc:meta])+ $variant:ident = $id:literal,)+) => {
        /// The choice that decided about a part of an answer.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Ground {
            $($(#[$doc])+ $variant,)+
        }

        impl Ground {
            /// All grounds, list by list in the order in which they are tried.
            pub const ALL: [Self; [$($id),+].len()] = [$(Self::$variant),+];

            /// Stable id in `snake_case`.
            pub const fn id(self) -> &'static str {
                match self {
                    $(Self::$variant => $id,)+
                }
            }
        }
    };
}

grounds! {
    // The connection.
    /// The capture has no other connection to report.
    OnlyConnection = "only_connection",
    /// The connection is the best example of the most severe problem.
    WorstProblem = "worst_problem",
    /// The connection carried most data, and nothing is wrong.
    LargestConnection = "largest_connection",

    // Its direction.
    /// The connection failed, so the direction with most data is reported.
    MostOfFailed = "most_of_failed",
    /// The direction lost much of the connection's time, or carried most data.
    PrincipalDirection = "principal_direction",

    // Explanation of its time.
    /// The connection failed.
    Failed = "failed",
    /// Messages of the peer overlapped the data, and allowed more of it.
    WindowAboveTcp = "window_above_tcp",
    /// The direction waited for messages, and the traffic pattern is not requests and answers.
    OtherPattern = "other_pattern",
    /// The connection has no requests with answers, so a limit explains its time.
    NoRequests = "no_requests",
    /// The server's late answers are the problem.
    LateAnswers = "late_answers",
    /// The round trips of many requests are the problem.
    ManyTurns = "many_turns",
    /// Another problem, so a limit explains the time.
    LimitOfProblem = "limit_of_problem",
    /// Sending took most of the time of the requests, so a limit explains it.
    TransfersTookMost = "transfers_took_most",
    /// The server took most of the time, but within its answers, so a limit explains that.
    PausesWithinAnswers = "pauses_within_answers",
    /// A cause with a fix took much of the time that somebody waited for requests.
    CauseWithFix = "cause_with_fix",
    /// A party took most of the time of the requests.
    PartyTookMost = "party_took_most",

    // Advice about the connection.
    /// The server's time is worth profiling its program.
    WorthProfiling = "worth_profiling",
    /// The server's time is too short to change anything.
    QuickServer = "quick_server",
    /// The change to the requests would bring little.
    LittleGain = "little_gain",
    /// A finding proposes a fix.
    FixFound = "fix_found",
    /// The client took most of the time.
    ClientsOwnTime = "clients_own_time",
    /// Nothing shows the party that took the time.
    NobodysTime = "nobodys_time",
    /// Round trips or transfers took most of the time, and no finding reduces them.
    NothingProposed = "nothing_proposed",
    /// The connection failed, and the packets do not show a change.
    FailedUnexplained = "failed_unexplained",
    /// Nothing slowed the direction.
    NotHeldBack = "not_held_back",
    /// The limit was not observed.
    Unobserved = "unobserved",
    /// The direction waited for its peer.
    PeersTurn = "peers_turn",
    /// The sender mostly had nothing to send.
    Rests = "rests",
    /// No setting removes the limit.
    NoSetting = "no_setting",

    // Advice about a problem.
    /// A scan, so the operator of the client should be asked.
    ScanningClient = "scanning_client",
    /// Nobody waited for these connections.
    Probes = "probes",
    /// The service answers late and should be profiled.
    ServiceAnswersLate = "service_answers_late",
    /// The example's findings propose a fix.
    FixOfExample = "fix_of_example",
    /// The packets do not show a change.
    ProblemUnexplained = "problem_unexplained",

    // Concerns about a connection if there is no problem.
    /// A finding about the connection as a whole cost at least one second.
    CostlyFinding = "costly_finding",
    /// A change would make a connection of more than one second 1.3 times as fast.
    WorthRemoving = "worth_removing",
    /// A removable limit was the main reason.
    MostlyLimited = "mostly_limited",

    // The lines.
    /// The capture's clock is wrong for all connections, so its times are invalid.
    ClockWrong = "clock_wrong",
    /// There is one connection.
    ConnectionExplained = "connection_explained",
    /// There is one connection, and it failed before anybody sent data.
    FailureUnsent = "failure_unsent",
    /// There is a problem.
    ProblemNamed = "problem_named",
    /// There is no problem, but a concern about a connection.
    ConcernNamed = "concern_named",
    /// Nothing is wrong.
    NothingWrong = "nothing_wrong",
    /// The connection failed, and no change would affect its time.
    EndInsteadOfFix = "end_instead_of_fix",
    /// Advice about the connection.
    ConnectionAdvised = "connection_advised",
    /// Advice about the connection that failed before anybody sent data.
    FailureAdvised = "failure_advised",
    /// Advice about the problem.
    ProblemAdvised = "problem_advised",
    /// Advice about the connection with the concern.
    ConcernAdvised = "concern_advised",
    /// Nothing is wrong, but one connection is worth reading.
    WorthALook = "worth_a_look",
    /// There is nothing to change.
    NothingToChange = "nothing_to_change",
}
