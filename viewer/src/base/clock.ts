// Wall-clock times in the reader's time zone, with its offset from UTC, for comparison with logs.

/** Date and time, such as `2026-11-20` and `14:02:11.532`. */
export interface WallClock {
    readonly date: string;
    readonly time: string;
    /** Offset on that day, such as `UTC+01:00`; `UTC` in that zone. */
    readonly offset: string;
    /** The same instant as `2026-11-20T13:02:11.532Z`. */
    readonly utc: string;
}

function two(value: number): string {
    return String(value).padStart(2, '0');
}

/** `seconds` after `startNs` (nanoseconds since the epoch, as digits if a number is not exact); null if that
 *  is not a date. */
export function wallClock(startNs: string | number, seconds = 0): WallClock | null {
    const milliseconds = Math.floor(Number(startNs) / 1e6 + seconds * 1e3);
    const at = new Date(milliseconds);
    if (Number.isNaN(at.getTime())) return null;
    const minutes = -at.getTimezoneOffset();
    const away = Math.abs(minutes);
    return {
        date: `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`,
        time: `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}.${String(at.getMilliseconds()).padStart(3, '0')}`,
        offset: away === 0 ? 'UTC' : `UTC${minutes < 0 ? '-' : '+'}${two(Math.floor(away / 60))}:${two(away % 60)}`,
        utc: at.toISOString(),
    };
}

/** `2026-11-20 14:02:11.532 – 14:02:16.617 UTC+01:00`; the date appears once if both are on one day. */
export function wallClockRange(startNs: string | number, seconds: number): string | null {
    const from = wallClock(startNs);
    const to = wallClock(startNs, seconds);
    if (!from || !to) return null;
    const end = from.date === to.date ? to.time : `${to.date} ${to.time}`;
    // Daylight saving time may begin in between.
    return from.offset === to.offset
        ? `${from.date} ${from.time} – ${end} ${to.offset}`
        : `${from.date} ${from.time} ${from.offset} – ${end} ${to.offset}`;
}
