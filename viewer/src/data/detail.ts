// Chooses the level of detail to draw: that of the page, or of a stretch requested from the server.

import type { Range } from '../base/scale.js';

/** A stretch of time in some level of detail. */
export interface Level {
    readonly from: number;
    readonly to: number;
    /** Width of its bins in seconds; 0 means exact. */
    readonly bin: number;
}

/** Bins wider than this many pixels look coarse. */
export const COARSE_PIXELS = 3;

/** Whether bins of `bin` seconds are visible if `time` is `pixels` wide. */
export function isCoarse(bin: number, time: Range, pixels: number): boolean {
    return bin > 0 && (bin / (time.end - time.start)) * pixels > COARSE_PIXELS;
}

/** The finest of `levels` that covers `time`; undefined if none does. */
export function finest<T extends Level>(levels: readonly T[], time: Range): T | undefined {
    let best: T | undefined;
    for (const level of levels) {
        // The server rounds the requested seconds.
        const slack = (time.end - time.start) * 1e-6;
        if (level.from > time.start + slack || level.to < time.end - slack) continue;
        if (!best || level.bin < best.bin) best = level;
    }
    return best;
}

/** The stretch to request around `time`: with its width on both sides, so that panning does not cause another
 *  request at once. */
export function toAsk(time: Range, bounds: Range): Range {
    const width = time.end - time.start;
    return { start: Math.max(bounds.start, time.start - width), end: Math.min(bounds.end, time.end + width) };
}
