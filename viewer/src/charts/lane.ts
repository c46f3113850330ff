// The lane above the time–sequence chart: a tick for every event, at any zoom and wherever its bytes are.

import { lowerBound, upperBound } from '../base/search.js';
import type { Words } from '../base/words.js';
import type { Theme } from '../canvas/theme.js';
import { chartFont } from './axis.js';
import type { Frame } from './frame.js';

interface Row {
    readonly id: string;
    readonly kinds: readonly string[];
    readonly colour: (theme: Theme) => string;
}

const ROWS: readonly Row[] = [
    {
        id: 'resent',
        kinds: ['retransmission_fast', 'retransmission_rto', 'retransmission_tlp', 'retransmission_other'],
        colour: (theme) => theme.resent,
    },
    { id: 'sack', kinds: ['sack', 'dsack'], colour: (theme) => theme.sack },
    { id: 'order', kinds: ['out_of_order', 'duplicate_frame'], colour: (theme) => theme.outOfOrder },
    { id: 'window', kinds: ['zero_window'], colour: (theme) => theme.zero },
    { id: 'probe', kinds: ['probe'], colour: (theme) => theme.control },
    { id: 'control', kinds: ['syn', 'fin', 'keep_alive'], colour: (theme) => theme.control },
    { id: 'reset', kinds: ['rst'], colour: (theme) => theme.resent },
];

const HEIGHT = 13;

/** Rows that show how a zero window ended. */
export const OF_ZERO_WINDOW: ReadonlySet<string> = new Set(['window', 'probe', 'reset']);

/**
 * Draws the lane's rows and returns their height. Rows without an event on the connection, and rows that are
 * not in `shown`, are omitted.
 */
export function paintLane(frame: Frame, words: Words, shown: ReadonlySet<string> | null = null): number {
    const { ink, on, half, grid, theme, left, top } = frame;
    let offset = 0;
    for (const row of ROWS) {
        const sets = row.kinds.flatMap((kind) => half.marks.get(kind) ?? []);
        if (sets.length === 0 || shown?.has(row.id) === false) continue;
        const middle = top + offset + HEIGHT / 2;
        frame.later(() => {
            chartFont(on);
            on.fillStyle = theme.inkSoft;
            on.textAlign = 'right';
            on.textBaseline = 'middle';
            on.fillText(words.text(`viewer-lane-${row.id}`), left - 6, middle, left - 8);
        });
        const counts = new Float64Array(grid.count);
        for (const set of sets) {
            // The last packet of a connection is exactly at the end.
            const end = upperBound(set.t, grid.start(grid.count));
            // A merged mark may begin before the stretch, but few are long.
            for (let i = Math.max(0, lowerBound(set.t, grid.start(0)) - 64); i < end; i++) {
                const first = Math.min(grid.column(set.t[i] as number), grid.count - 1);
                const last = grid.column(set.tEnd[i] as number);
                if (last < 0) continue;
                const share = (set.count[i] as number) / (last - first + 1);
                for (let column = Math.max(0, first); column <= Math.min(last, grid.count - 1); column++) {
                    counts[column] = (counts[column] as number) + share;
                }
            }
        }
        // Ticks are at least two pixels wide, and taller if a column has more events.
        const colour = row.colour(theme);
        for (let column = 0; column < grid.count; column++) {
            const n = counts[column] as number;
            if (n === 0) continue;
            const height = Math.min(HEIGHT - 2, 6 + Math.log2(1 + n) * 1.5);
            ink.rect(grid.x(column) - 0.5, top + offset + HEIGHT - 1 - height, 2, height, colour);
        }
        offset += HEIGHT;
    }
    return offset === 0 ? 0 : offset + 4;
}
