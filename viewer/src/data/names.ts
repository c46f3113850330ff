// Names beside addresses, where they were asked for.

import type { ViewData } from '../format.js';
import { splitEnd } from './groups.js';

type Named = Pick<ViewData, 'names' | 'server_names'>;

/** `10.0.0.1`, or with its name `10.0.0.1 [db.example]`. */
export function namedHost({ names = {} }: Named, address: string): string {
    return Object.hasOwn(names, address) ? `${address} [${names[address]}]` : address;
}

/** `10.0.0.1:443`, or with its names in connection `id` `10.0.0.1:443 [www.example, edge-7.example]`, each once. */
export function namedEnd({ names = {}, server_names = {} }: Named, end: string, id: number): string {
    const { host } = splitEnd(end);
    const called = Object.hasOwn(server_names, id) ? server_names[id] : undefined;
    const all = called?.end === end ? [called.name] : [];
    const resolved = Object.hasOwn(names, host) ? names[host] : undefined;
    if (resolved !== undefined && resolved.toLowerCase() !== all[0]?.toLowerCase()) all.push(resolved);
    return all.length > 0 ? `${end} [${all.join(', ')}]` : end;
}
