// Decodes columns of numbers from text.

import type { Column } from '../format.js';

/** Bytes of a base64 text. Throws if it is invalid. */
export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
    const native = Uint8Array as unknown as { fromBase64?: (text: string) => Uint8Array<ArrayBuffer> };
    if (typeof native.fromBase64 === 'function') return native.fromBase64(base64);
    const text = atob(base64);
    const bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
    return bytes;
}

const WIDTH: Readonly<Record<string, number>> = { u8: 1, u16: 2, u32: 4, f32: 4, f64: 8 };

/** The `rows` values of a column; NaN if unknown. Throws if the text has another number of values. */
export function decode(column: Column, rows: number): Float64Array {
    const colon = column.indexOf(':');
    const type = column.slice(0, colon);
    const width = Object.hasOwn(WIDTH, type) ? (WIDTH[type] as number) : 0;
    if (colon < 0 || width === 0) throw new Error(`no such column type: ${type}`);
    const bytes = bytesOf(column.slice(colon + 1));
    if (bytes.length !== rows * width) throw new Error(`a column of ${rows} rows has ${bytes.length} bytes of ${type}`);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const out = new Float64Array(rows);
    switch (type) {
        case 'u8':
            for (let i = 0; i < rows; i++) out[i] = known(bytes[i] as number, 0xff);
            break;
        case 'u16':
            for (let i = 0; i < rows; i++) out[i] = known(view.getUint16(i * 2, true), 0xffff);
            break;
        case 'u32':
            for (let i = 0; i < rows; i++) out[i] = known(view.getUint32(i * 4, true), 0xffff_ffff);
            break;
        case 'f32':
            for (let i = 0; i < rows; i++) out[i] = view.getFloat32(i * 4, true);
            break;
        default:
            for (let i = 0; i < rows; i++) out[i] = view.getFloat64(i * 8, true);
    }
    return out;
}

function known(value: number, unknown: number): number {
    return value === unknown ? NaN : value;
}

/** As `decode`, for times, each later by `shift` seconds. */
export function decodeTimes(column: Column, rows: number, shift: number): Float64Array {
    const times = decode(column, rows);
    if (shift !== 0) for (let i = 0; i < rows; i++) times[i] = (times[i] as number) + shift;
    return times;
}

/** As `decode`; for an absent column, every row is `value`. */
export function decodeOr(column: Column | undefined, rows: number, value: number): Float64Array {
    return column === undefined ? new Float64Array(rows).fill(value) : decode(column, rows);
}
