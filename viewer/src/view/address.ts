// The fragment of the address: `#c3&t=1.2-1.4` shows connection 3 from 1.2 s to 1.4 s.

import type { Range } from '../base/scale.js';
import { decoded, encoded, type ListAddress, listParts, withListPart } from './list.js';

/** A view that can be shared as a link. The report decides undefined values. */
export interface Address {
    /** Id of the connection; undefined shows the overview, or the only connection. */
    readonly connection?: number | undefined;
    /** Endpoint whose data is shown (0 or 1). */
    readonly sender?: number | undefined;
    /** Visible stretch, seconds from the start of the connection. */
    readonly time?: Range | undefined;
    /** Stretch between the two cursors. */
    readonly marked?: Range | undefined;
    /** Id of the limit that is highlighted. */
    readonly limit?: string | undefined;
    readonly language?: string | undefined;
    readonly theme?: 'light' | 'dark' | undefined;
    /** Number of the pair that a comparison shows, from 0. */
    readonly pair?: number | undefined;
    /** Names (of `Folds`) of the parts whose open state differs from the initial one. */
    readonly folds?: readonly string[] | undefined;
    /** Words of the filter of packets. */
    readonly filter?: string | undefined;
    /** Filters and order of the overview's list. */
    readonly list?: ListAddress | undefined;
}

const NUMBER = '\\d+(?:\\.\\d+)?(?:e-?\\d+)?';

function whole(text: string): number | undefined {
    return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

function timeRange(text: string): Range | undefined {
    const match = new RegExp(`^(${NUMBER})-(${NUMBER})$`).exec(text);
    if (!match) return undefined;
    const start = Number(match[1]);
    const end = Number(match[2]);
    return Number.isFinite(start) && Number.isFinite(end) && start < end ? { start, end } : undefined;
}

/** Parses the fragment of an address. Unreadable parts are ignored. */
export function parseAddress(fragment: string): Address {
    let address: Address = {};
    let list: ListAddress = {};
    for (const part of fragment.replace(/^#/, '').split('&')) {
        const [, key, value] = /^(\w+?)=(.*)$/.exec(part) ?? [];
        const connection = /^c(\d{1,9})$/.exec(part);
        if (connection) address = { ...address, connection: Number(connection[1]) };
        else if (key === 't' && value !== undefined) address = { ...address, time: timeRange(value) };
        else if (key === 'ab' && value !== undefined) address = { ...address, marked: timeRange(value) };
        else if (key === 'from' && value !== undefined) {
            const sender = whole(value);
            if (sender === 0 || sender === 1) address = { ...address, sender };
        } else if (key === 'limit' && /^[a-z_]{1,40}$/.test(value ?? '')) address = { ...address, limit: value };
        else if (key === 'lang' && /^[a-zA-Z-]{1,20}$/.test(value ?? '')) address = { ...address, language: value };
        else if (key === 'theme' && (value === 'light' || value === 'dark')) address = { ...address, theme: value };
        else if (key === 'pair' && whole(value ?? '')) address = { ...address, pair: Number(value) - 1 };
        else if (key === 'packets' && decoded(value ?? '')) address = { ...address, filter: decoded(value ?? '') };
        else if (key === 'open' && value !== undefined) {
            const folds = value.split('.').filter((name) => /^[\w-]{1,60}$/.test(name));
            if (folds.length > 0) address = { ...address, folds };
        } else if (key !== undefined && value !== undefined) list = withListPart(list, key, value);
    }
    return Object.keys(list).length > 0 ? { ...address, list } : address;
}

/** Number of digits with which the ends of `range` are exact to 0.1 % of its width. */
function digits(range: Range): number {
    const width = range.end - range.start;
    return width > 0 ? Math.max(0, Math.min(9, Math.ceil(3 - Math.log10(width)))) : 9;
}

function rangeText(range: Range): string {
    const places = digits(range);
    const text = (value: number): string => String(Number(Math.max(0, value).toFixed(places)));
    return `${text(range.start)}-${text(range.end)}`;
}

/** The fragment from which `parseAddress` restores the address. */
export function formatAddress(address: Address): string {
    const parts: string[] = [];
    if (address.connection !== undefined) parts.push(`c${address.connection}`);
    if (address.sender !== undefined) parts.push(`from=${address.sender}`);
    if (address.time) parts.push(`t=${rangeText(address.time)}`);
    if (address.marked) parts.push(`ab=${rangeText(address.marked)}`);
    if (address.limit !== undefined) parts.push(`limit=${address.limit}`);
    if (address.list) parts.push(...listParts(address.list));
    if (address.pair) parts.push(`pair=${address.pair + 1}`);
    if (address.filter) parts.push(`packets=${encoded(address.filter)}`);
    if (address.folds && address.folds.length > 0) parts.push(`open=${address.folds.join('.')}`);
    if (address.language !== undefined) parts.push(`lang=${address.language}`);
    if (address.theme !== undefined) parts.push(`theme=${address.theme}`);
    return parts.length === 0 ? '' : `#${parts.join('&')}`;
}
