// Quantities in readable form, rounded by the same table as in the terminal report.

import { BIT_RATES, LACKING, PERCENT, SIZES, THREE_DIGITS, TIMES, TWO_DIGITS } from './unit_table.js';
import type { Words } from './words.js';

function threeDigits(value: number): string {
    const size = Math.abs(value);
    if (size >= THREE_DIGITS[0]) return value.toFixed(0);
    if (size >= THREE_DIGITS[1]) return value.toFixed(1);
    if (size >= THREE_DIGITS[2]) return value.toFixed(2);
    if (size === 0) return '0';
    const text = value.toFixed(3).replace(/0+$/, '').replace(/\.$/, '');
    return text === '' || text === '-' || text === '-0' ? '0' : text;
}

function twoDigits(value: number): string {
    const size = Math.abs(value);
    if (size >= TWO_DIGITS[0]) return value.toFixed(0);
    if (size >= TWO_DIGITS[1]) return value.toFixed(1);
    return threeDigits(value);
}

function scaled(value: number, steps: readonly string[]): string {
    let step = 0;
    while (Math.abs(value) >= 1000 - LACKING && step + 1 < steps.length) {
        value /= 1000;
        step++;
    }
    const number = step === 0 && Number.isInteger(value) ? value.toFixed(0) : threeDigits(value);
    return `${number} ${steps[step]}`;
}

/** Decimal places that distinguish multiples of `step`. */
function places(step: number): number {
    return Math.max(0, Math.min(9, Math.ceil(-Math.log10(step) - 1e-9)));
}

/** `1,234,567`. */
export function count(value: number): string {
    return Math.round(value)
        .toString()
        .replace(/\B(?=(\d{3})+$)/g, ',');
}

/** `text` with non-breaking spaces between numbers and units. */
export function unbroken(text: string): string {
    return text.replace(/(\d) (?=(?:[kMGTP]?B|[kMGT]?bit\/s|[nµm]?s|min|h|秒|字节)(?![a-z]))/g, '$1\u00a0');
}

/** Formats quantities in the units of a language. */
export class Units {
    readonly #words: Words;

    constructor(words: Words) {
        this.#words = words;
    }

    /** `512 B`, `16.4 kB`, `22.0 MB`. */
    bytes(bytes: number): string {
        const whole = Math.round(bytes);
        if (Math.abs(whole) < 1000) return this.#words.text('unit-bytes', { n: String(whole) });
        return scaled(whole, SIZES);
    }

    /** Label of an axis whose ticks are `step` apart: `1.584 MB`, `1.586 MB`. */
    bytesTick(bytes: number, step: number): string {
        if (bytes === 0) return this.bytes(0);
        return this.#tick(bytes, step, SIZES) ?? this.bytes(bytes);
    }

    /** Label of an axis whose ticks are `step` apart. */
    rateTick(bitsPerSecond: number, step: number): string {
        return this.#tick(bitsPerSecond, step, BIT_RATES) ?? this.rate(bitsPerSecond);
    }

    /** Label of an axis whose ticks are `step` apart. */
    secondsTick(seconds: number, step: number): string {
        if (seconds === 0 || seconds >= 100 || seconds < 1e-6) return this.seconds(seconds);
        const [unit, size] =
            seconds >= 0.9995
                ? (['seconds', 1] as const)
                : seconds >= 0.9995e-3
                  ? (['milliseconds', 1e-3] as const)
                  : (['microseconds', 1e-6] as const);
        return this.#words.text(`unit-${unit}`, { n: (seconds / size).toFixed(places(step / size)) });
    }

    #tick(value: number, step: number, units: readonly string[]): string | null {
        const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.abs(value) * (1 + 1e-9)) / 3));
        if (!(power >= 1)) return null;
        return `${(value / 1000 ** power).toFixed(places(step / 1000 ** power))} ${units[power]}`;
    }

    /** `7.03 Mbit/s`. */
    rate(bitsPerSecond: number): string {
        return scaled(bitsPerSecond, BIT_RATES);
    }

    /** `850 µs`, `20.1 ms`, `24.0 s`, `3 min 20 s`. */
    seconds(seconds: number): string {
        return this.#duration(seconds, threeDigits);
    }

    /** As `seconds`, with two significant digits, for estimates. */
    roughSeconds(seconds: number): string {
        return this.#duration(seconds, twoDigits);
    }

    /** As `seconds`, for a part in a column: if its whole has two units (`2 min 1 s`), the part has two,
     *  too. */
    secondsInColumn(part: number, whole: number): string {
        const rounded = Math.round(part);
        if (!(part <= whole) || whole < TIMES[3] || rounded < 60) return this.seconds(part);
        const two = (id: string, small: number, step: number): string =>
            this.#words.text(id, { large: String(Math.floor(small / step)), small: String(small % step) });
        if (whole >= TIMES[5] && rounded >= 86_400) return two('unit-days-hours', Math.round(part / 3600), 24);
        if (whole >= TIMES[4] && rounded >= 3600) return two('unit-hours-minutes', Math.round(part / 60), 60);
        return two('unit-minutes-seconds', rounded, 60);
    }

    #duration(seconds: number, digits: (value: number) => string): string {
        if (!Number.isFinite(seconds)) return this.#words.text('unknown');
        const sign = seconds < 0 ? '-' : '';
        const s = Math.abs(seconds);
        const one = (id: string, n: string): string => sign + this.#words.text(id, { n });
        const two = (id: string, large: number, small: number): string =>
            sign + this.#words.text(id, { large: String(large), small: String(small) });
        if (s === 0) return one('unit-seconds', '0');
        if (s < TIMES[0]) return one('unit-nanoseconds', digits(s * 1e9));
        if (s < TIMES[1]) return one('unit-microseconds', digits(s * 1e6));
        if (s < TIMES[2]) return one('unit-milliseconds', digits(s * 1e3));
        if (s < TIMES[3]) return one('unit-seconds', digits(s));
        if (s < TIMES[4]) return two('unit-minutes-seconds', Math.floor(Math.round(s) / 60), Math.round(s) % 60);
        const minutes = Math.round(s / 60);
        if (s < TIMES[5]) return two('unit-hours-minutes', Math.floor(minutes / 60), minutes % 60);
        const hours = Math.round(s / 3600);
        return two('unit-days-hours', Math.floor(hours / 24), hours % 24);
    }

    /** `96%`, `0.4%`, `<0.1%`; never 100% for less than all. */
    share(share: number): string {
        const percent = share * 100;
        if (percent <= 0) return '0%';
        if (percent < PERCENT[0]) return '<0.1%';
        if (percent < PERCENT[1]) return `${percent.toFixed(1)}%`;
        if (percent > PERCENT[2] && percent < PERCENT[3]) return `${percent.toFixed(1)}%`;
        if (percent > PERCENT[2] && percent < 100) return '>99.9%';
        return `${percent.toFixed(0)}%`;
    }

    /** A time on the axis, with the decimals for ticks `step` seconds apart: `2.54 s`, `2.5405 s`. */
    instant(seconds: number, step: number): string {
        const digits = places(step);
        if (Math.abs(seconds) >= 120) {
            const minutes = Math.floor(seconds / 60);
            const rest = (seconds - minutes * 60).toFixed(digits);
            return `${minutes}:${rest.padStart(digits > 0 ? digits + 3 : 2, '0')}`;
        }
        return this.#words.text('unit-seconds', { n: seconds.toFixed(digits) });
    }
}
