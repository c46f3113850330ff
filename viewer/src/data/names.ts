// Names beside addresses, where they were asked for.

import type { ViewData } from '../format.js';
import { splitEnd } from './groups.js';

type Named = Pick<ViewData, 'names'>;

/** `10.0.0.1`, or with its name `10.0.0.1 [db.example]`. */
export function namedHost({ names = {} }: Named, address: string): string {
    return Object.hasOwn(names, address) ? `${address} [${names[address]}]` : address;
}

/** `10.0.0.1:443`, or with the name of its address `10.0.0.1:443 [db.example]`. */
export function namedEnd({ names = {} }: Named, end: string): string {
    const { host } = splitEnd(end);
    return Object.hasOwn(names, host) ? `${end} [${names[host]}]` : end;
}
