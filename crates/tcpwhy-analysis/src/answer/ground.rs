//! What decided about a part of the answer.

macro_rules! grounds {
    ($($(#[$doc:meta])+ $variant:ident = $id:literal,)+) => {
        /// Which choice decided about a part of the answer.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Ground {
            $($(#[$doc])+ $variant,)+
        }

        impl Ground {
            /// All of them, list by list in the order in which they are asked.
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
    /// It is the only one to speak of.
    OnlyConnection = "only_connection",
    /// It shows the gravest problem best.
    WorstProblem = "worst_problem",
    /// It carried most, and nothing is wrong.
    LargestConnection = "largest_connection",

    // Its direction.
    /// The connection failed: the direction that carried most.
    MostOfFailed = "most_of_failed",
    /// The direction that lost much of the connection's time, else the one that carried most.
    PrincipalDirection = "principal_direction",

    // What explains its time.
    /// It failed.
    Failed = "failed",
    /// Words overlapped its data, and allowed more of it.
    WindowAboveTcp = "window_above_tcp",
    /// It waited for words, and its ends speak in another way than by requests and answers.
    OtherPattern = "other_pattern",
    /// It has no requests with their answers, so a limit explains it.
    NoRequests = "no_requests",
    /// The server's late answers are the problem.
    LateAnswers = "late_answers",
    /// The round trips of many requests are the problem.
    ManyTurns = "many_turns",
    /// Another problem: a limit explains it.
    LimitOfProblem = "limit_of_problem",
    /// Sending took most of the time of the requests, so a limit explains it.
    TransfersTookMost = "transfers_took_most",
    /// The server took most, but within its answers: a limit explains that.
    PausesWithinAnswers = "pauses_within_answers",
    /// A cause with a fix took much of the time in which somebody waited for the requests.
    CauseWithFix = "cause_with_fix",
    /// Somebody took most of the time of the requests.
    PartyTookMost = "party_took_most",

    // What to change about it.
    /// The server's time is worth a look at its program.
    WorthProfiling = "worth_profiling",
    /// The server's time is too short to change anything.
    QuickServer = "quick_server",
    /// The change to the requests would bring little.
    LittleGain = "little_gain",
    /// A finding proposes a fix.
    FixFound = "fix_found",
    /// The client took its time.
    ClientsOwnTime = "clients_own_time",
    /// Nothing shows whose time it was.
    NobodysTime = "nobodys_time",
    /// Round trips or transfers took most, and nothing proposes less.
    NothingProposed = "nothing_proposed",
    /// It failed, and the packets do not show what to change.
    FailedUnexplained = "failed_unexplained",
    /// Nothing held it back.
    NotHeldBack = "not_held_back",
    /// Nobody observed what held it back.
    Unobserved = "unobserved",
    /// It waited for its peer.
    PeersTurn = "peers_turn",
    /// It mostly rested.
    Rests = "rests",
    /// A limit without a setting.
    NoSetting = "no_setting",

    // What to change about a problem.
    /// A scan: its client should be asked.
    ScanningClient = "scanning_client",
    /// Nobody waited for these connections.
    Probes = "probes",
    /// The service answers late: profile it.
    ServiceAnswersLate = "service_answers_late",
    /// The example's findings propose a fix.
    FixOfExample = "fix_of_example",
    /// The packets do not show what to change.
    ProblemUnexplained = "problem_unexplained",

    // What is wrong with a connection where no problem is.
    /// A finding about the connection as a whole cost a second.
    CostlyFinding = "costly_finding",
    /// A change would make more than a second of it a third faster.
    WorthRemoving = "worth_removing",
    /// A limit that a change could take away was the main reason.
    MostlyLimited = "mostly_limited",

    // The lines.
    /// The capture's clock is wrong for most connections: no time means anything.
    ClockWrong = "clock_wrong",
    /// There is one connection.
    ConnectionExplained = "connection_explained",
    /// There is one connection, and it failed before anybody sent data.
    FailureUnsent = "failure_unsent",
    /// There is a problem.
    ProblemNamed = "problem_named",
    /// There is no problem, and yet something is wrong with a connection.
    ConcernNamed = "concern_named",
    /// Nothing is wrong.
    NothingWrong = "nothing_wrong",
    /// It failed, and there is nothing to change about its time.
    EndInsteadOfFix = "end_instead_of_fix",
    /// What to change about the connection.
    ConnectionAdvised = "connection_advised",
    /// What to change about the connection that failed before anybody sent data.
    FailureAdvised = "failure_advised",
    /// What to change about the problem.
    ProblemAdvised = "problem_advised",
    /// What to change about that connection.
    ConcernAdvised = "concern_advised",
    /// Nothing is wrong, and one connection is worth reading.
    WorthALook = "worth_a_look",
    /// There is nothing to change.
    NothingToChange = "nothing_to_change",
}
