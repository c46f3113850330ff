# `tcpwhy FILE --format markdown`: a report of at most 60 lines for tickets and chats.
# `$made`, `$more`, `$command` and the `$name` of a heading become code.

markdown-heading = tcpwhy: { $name }
markdown-heading-merged = tcpwhy: { $name } and { $more ->
        [one] 1 more capture
       *[other] { $more } more captures
    }
markdown-fix = Fix
markdown-fix-rival = Or
markdown-fix-at = ({ $place }): { $fix }
markdown-code-more = { $count ->
        [one] 1 more line
       *[other] { $count } more lines
    }: { $command }
markdown-code-others = For { $count ->
        [one] another language or server
       *[other] { $count } other languages and servers
    }: { $command }
markdown-capture = Capture
markdown-more = { $count } more
markdown-problem = { $server }: { $what }
markdown-made = Made by { $made } from { $packets } packets. More: { $more }
markdown-made-from = Made by { $made } from { $packets } packets, starting { $start }. More: { $more }
markdown-made-of-captures = Made by { $made }. More: { $more }

markdown-column-limit = Limit
markdown-column-time = Time
markdown-column-share = Share
markdown-column-confidence = Confidence
markdown-column-rank = No.
markdown-column-problem = Problem
markdown-column-connections = Connections
markdown-column-lost = Time lost
markdown-column-example = Example
markdown-column-captures = Captures
