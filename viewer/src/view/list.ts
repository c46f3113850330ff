// The list of connections in the address: `#service=10.0.0.1:80&q=reset&sort=-bytes`.

/** Filters and order of an overview's list. Undefined values mean the initial state. */
export interface ListAddress {
    /** Number of a problem, from 0. */
    readonly problem?: number | undefined;
    /** `address:port` of a server. */
    readonly service?: string | undefined;
    /** First and last bin of a histogram. */
    readonly bins?: { readonly from: number; readonly to: number } | undefined;
    /** One group of a grouping: `host`, and its key. */
    readonly group?: { readonly by: string; readonly key: string } | undefined;
    /** The toggles that are on. */
    readonly only?: readonly string[] | undefined;
    /** Words of the search. */
    readonly query?: string | undefined;
    readonly sort?: { readonly key: string; readonly isDescending: boolean } | undefined;
    /** Grouping of the connections above the list. */
    readonly by?: string | undefined;
}

/** Longer texts do not come from the page itself. */
const LONGEST = 300;
const WORD = /^\w{1,40}$/;

/** The original text of `encodeURIComponent`; undefined for other input. */
export function decoded(value: string): string | undefined {
    if (value.length > 3 * LONGEST) return undefined;
    try {
        const text = decodeURIComponent(value);
        return text === '' || text.length > LONGEST ? undefined : text;
    } catch {
        return undefined;
    }
}

/** Addresses and ports stay readable: a colon and brackets have no meaning in a fragment. */
export function encoded(text: string): string {
    return encodeURIComponent(text.slice(0, LONGEST)).replace(/%3A/g, ':').replace(/%5B/g, '[').replace(/%5D/g, ']');
}

/** `list` with the value of `key=value`; unchanged if the key does not concern the list. */
export function withListPart(list: ListAddress, key: string, value: string): ListAddress {
    const text = decoded(value);
    if (text === undefined) return list;
    switch (key) {
        case 'problem':
            return /^\d{1,5}$/.test(text) ? { ...list, problem: Number(text) - 1 } : list;
        case 'service':
            return { ...list, service: text };
        case 'bins': {
            const [, from, to] = /^(\d{1,3})-(\d{1,3})$/.exec(text) ?? [];
            return from === undefined || Number(from) > Number(to)
                ? list
                : { ...list, bins: { from: Number(from), to: Number(to) } };
        }
        case 'group': {
            const [, by, own] = /^(\w{1,40}):(.+)$/s.exec(text) ?? [];
            return by === undefined || own === undefined ? list : { ...list, group: { by, key: own } };
        }
        case 'only': {
            const only = text.split('.').filter((word) => WORD.test(word));
            return only.length > 0 ? { ...list, only } : list;
        }
        case 'q':
            return { ...list, query: text };
        case 'sort': {
            const [, sign, name] = /^(-?)(\w{1,40})$/.exec(text) ?? [];
            return name === undefined ? list : { ...list, sort: { key: name, isDescending: sign === '-' } };
        }
        case 'by':
            return WORD.test(text) ? { ...list, by: text } : list;
        default:
            return list;
    }
}

/** The parts from which `withListPart` restores the list. */
export function listParts(list: ListAddress): string[] {
    const { problem, service, bins, group, only, query, sort, by } = list;
    const parts: (string | null)[] = [
        problem === undefined ? null : `problem=${problem + 1}`,
        service === undefined ? null : `service=${encoded(service)}`,
        bins === undefined ? null : `bins=${bins.from}-${bins.to}`,
        group === undefined ? null : `group=${encoded(`${group.by}:${group.key}`)}`,
        only === undefined || only.length === 0 ? null : `only=${only.join('.')}`,
        query === undefined || query.trim() === '' ? null : `q=${encoded(query)}`,
        sort === undefined ? null : `sort=${sort.isDescending ? '-' : ''}${sort.key}`,
        by === undefined ? null : `by=${by}`,
    ];
    return parts.filter((part) => part !== null);
}
