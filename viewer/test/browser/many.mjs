// An overview of thousands of connections.
import { data } from './lib.mjs';

/** An overview of three connections, repeated `times` times, with details of one. `verdicts` are theirs in
 *  turn. */
export function many(times, verdicts = [0, 5, 255]) {
    const value = data('several');
    const { overview } = value;
    const column = (of) =>
        `f64:${Buffer.from(new Float64Array(Array.from({ length: 3 * times }, (_, i) => of(i))).buffer).toString('base64')}`;
    const again = (list) => Array.from({ length: 3 * times }, (_, i) => list[i % 3]);
    const first = value.charts[0].connection;
    value.charts = value.charts.slice(0, 1);
    for (const document of Object.values(value.documents))
        document.connections = document.connections.filter((one) => one.id === first);
    Object.assign(overview, {
        connections: 3 * times,
        rows: 3 * times,
        id: column((i) => (i === 0 ? first : 1000 + i)),
        from: again(overview.from),
        to: again(overview.to),
        start_s: column((i) => i / 10),
        duration_s: column((i) => 1 + (i % 7)),
        transfer_s: column((i) => 1 + (i % 7)),
        bytes: column((i) => 10_000 * (1 + (i % 5))),
        bytes_back: column(() => 0),
        goodput_bits_per_s: column(() => 1e6),
        retransmitted_bytes: column(() => 0),
        verdict: column((i) => verdicts[i % verdicts.length]),
        verdict_s: column(() => 1),
        lost_s: column((i) => 3 * times - i),
        is_saving_predicted: column((i) => i % 2),
        severity: column(() => 2),
        detail: column((i) => (i === 0 ? 1 : 0)),
        service: column((i) => i % value.services.length),
        // One in ten was refused, as the first problem states.
        failure: column((i) => (i % 10 === 3 ? value.failures.indexOf('refused') : NaN)),
        failed_problem: column((i) => (i % 10 === 3 ? 0 : NaN)),
        slow_problem: column(() => NaN),
        exchanges: column(() => 1),
        bins: column((i) => 2 ** (20 + (i % 5))),
        interactive: column(() => 0),
        probe: column(() => 0),
        capture: column((i) => i % 3),
    });
    return value;
}
