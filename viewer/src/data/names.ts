// Names beside addresses, if requested.

import type { ViewData } from '../format.js';
import { splitEnd } from './groups.js';

type Named = Pick<ViewData, 'names' | 'server_names'>;

/** `10.0.0.1`, or with its name `10.0.0.1 [db.example]`. */
export function namedHost({ names = {} }: Named, address: string): string {
    return Object.hasOwn(names, address) ? `${address} [${names[address]}]` : address;
}

/** The names of `end` in connection `id`, each once: `www.example, edge-7.example`; empty if it has none. */
export function namesOf({ names = {}, server_names = {} }: Named, end: string, id: number): string {
    const { host } = splitEnd(end);
    const called = Object.hasOwn(server_names, id) ? server_names[id] : undefined;
    const all = called?.end === end ? [called.name] : [];
    const resolved = Object.hasOwn(names, host) ? names[host] : undefined;
    if (resolved !== undefined && resolved.toLowerCase() !== all[0]?.toLowerCase()) all.push(resolved);
    return all.join(', ');
}

/** `10.0.0.1:443`, or with its names `10.0.0.1:443 [www.example, edge-7.example]`; names longer than `most`
 *  are cut, addresses never. */
export function namedEnd(named: Named, end: string, id: number, most = Infinity): string {
    const names = namesOf(named, end, id);
    if (names === '') return end;
    return `${end} [${names.length > most ? `${names.slice(0, most - 1)}…` : names}]`;
}
