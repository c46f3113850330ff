// Sources of charts and diagnoses: the page itself, and its server if there is one.

import type { Capture, ChartAnswer, Connection, ConnectionChart, Language, ViewData } from '../format.js';
import { decode } from './columns.js';
import { HalfModel } from './half.js';

/** The data of one connection. */
export interface Known {
    readonly connection: Connection | undefined;
    readonly chart: ConnectionChart | undefined;
}

/** Throws unless `value` looks like data for this viewer. */
export function checkData(value: unknown): ViewData {
    const data = value as ViewData;
    if (typeof value !== 'object' || value === null || data.format !== 'tcpwhy-view/1') throw new Error('not tcpwhy-view/1');
    return data;
}

/** Finds connections, and requests more detail. */
export class Source {
    readonly #charts = new Map<number, ConnectionChart>();
    readonly #documents = new Map<string, Connection>();
    readonly #models = new WeakMap<ConnectionChart, HalfModel[]>();

    constructor(
        readonly data: ViewData,
        private readonly load: (url: string) => Promise<Response> = (url) => fetch(url),
    ) {
        for (const chart of data.charts) this.#charts.set(chart.connection, chart);
        this.#remember(data.documents);
    }

    #remember(documents: ViewData['documents']): void {
        for (const [language, document] of Object.entries(documents)) {
            for (const connection of document.connections) this.#documents.set(`${language} ${connection.id}`, connection);
        }
    }

    /** Whether finer detail can be requested. */
    get hasServer(): boolean {
        return this.data.server !== null;
    }

    /** The page's data of connection `id`. */
    known(id: number, language: Language): Known {
        return { connection: this.#documents.get(`${language} ${id}`), chart: this.#charts.get(id) };
    }

    /** The end whose data is shown first for connection `id`, as in the overview. */
    principal(id: number): string | undefined {
        const { overview } = this.data;
        return overview.from[decode(overview.id, overview.rows).indexOf(id)];
    }

    /** The captures that were read. */
    captures(language: Language): readonly Capture[] {
        return this.data.documents[language].captures;
    }

    /** Ids of the connections that can be shown without a request. */
    ids(): number[] {
        return [...new Set([...this.#charts.keys(), ...[...this.#documents.keys()].map((key) => Number(key.split(' ')[1]))])];
    }

    /** These ids in the order of the overview; with a server, all ids. */
    ordered(): number[] {
        const { overview } = this.data;
        const held = new Set(this.ids());
        const listed = [...decode(overview.id, overview.rows)].filter((id) => this.hasServer || held.has(id));
        return listed.length > 0 ? listed : [...held];
    }

    /** Directions of a chart, decoded once. */
    models(chart: ConnectionChart): HalfModel[] {
        let models = this.#models.get(chart);
        if (!models) {
            models = chart.halves.map((half) => new HalfModel(half, this.data));
            this.#models.set(chart, models);
        }
        return models;
    }

    /** Requests the chart of a connection, or of a stretch of it in more detail. */
    async ask(id: number, from?: number, to?: number): Promise<ConnectionChart> {
        if (!this.data.server) throw new Error('no server');
        const query = new URLSearchParams({ connection: String(id) });
        if (from !== undefined) query.set('from', String(from));
        if (to !== undefined) query.set('to', String(to));
        const answer = await this.load(`${this.data.server.chart}?${query}`);
        if (!answer.ok) throw new Error(`${answer.status}`);
        const body = (await answer.json()) as ChartAnswer;
        this.#remember(body.documents);
        if (from === undefined) this.#charts.set(id, body.chart);
        return body.chart;
    }
}
