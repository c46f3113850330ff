// Messages in the reader's language. They are part of the data, from the catalogues of the product.

import { isolated } from './isolate.js';

/** Messages by id, with `{name}` for arguments. */
export type Messages = Readonly<Record<string, string>>;

/** Characters that need no space between them: Chinese ones and full-width punctuation. */
const CHINESE = '[\\u3000-\\u303f\\u3400-\\u9fff\\uf900-\\ufaff\\uff00-\\uffef\\u{20000}-\\u{323af}]';
const BEGINS = new RegExp(`^${CHINESE}`, 'u');
const BEGINS_AFTER_SPACE = new RegExp(`^ ${CHINESE}`, 'u');
const ENDS = new RegExp(`${CHINESE}$`, 'u');
const ENDS_BEFORE_SPACE = new RegExp(`${CHINESE} $`, 'u');

/** A placeholder for an argument; the group captures its name. */
const PLACE = /\{([a-z][\w-]*)\}/i;

/** `message` with its arguments. Between Chinese text of the message and of an argument, the space is
 *  removed, as in the terminal (`seams.rs`). */
function filledIn(message: string, args: Readonly<Record<string, string>>): string {
    let out = '';
    let words = '';
    message.split(PLACE).forEach((part, i) => {
        // The split text alternates between message text and argument names.
        if (i % 2 === 0) {
            words = part;
            out += i > 0 && ENDS.test(out) && BEGINS_AFTER_SPACE.test(part) ? part.slice(1) : part;
        } else {
            const value = Object.hasOwn(args, part) ? isolated(args[part] as string) : `{${part}}`;
            if (ENDS_BEFORE_SPACE.test(words) && BEGINS.test(value)) out = out.slice(0, -1);
            out += value;
        }
    });
    return out;
}

/** One language's messages. */
export class Words {
    readonly #messages: Messages;

    constructor(
        readonly language: string,
        messages: Messages,
    ) {
        this.#messages = messages;
    }

    /** Whether there is a message `id`. */
    has(id: string): boolean {
        return Object.hasOwn(this.#messages, id);
    }

    /** The message `id`; a missing message or argument is visible in the text. */
    text(id: string, args: Readonly<Record<string, string>> = {}): string {
        if (!this.has(id)) return `⟨${id}⟩`;
        return filledIn(this.#messages[id] as string, args);
    }

    /** Name of a limit with its detail: `application: idle`. The message of `send_buffer` is
     *  `limit-send-buffer`. What the application did has its own colour, whose id stands for limit and
     *  detail. */
    limit(limit: string, detail: string | null = null): string {
        if (!this.has(`limit-${limit.replaceAll('_', '-')}`) && this.has(`detail-${limit.replaceAll('_', '-')}`))
            return this.limit('application', detail ?? limit);
        const name = this.#name('limit', limit);
        if (detail === null) return name;
        return this.text('limit-with-detail', { limit: name, detail: this.#name('detail', detail) });
    }

    #name(kind: string, id: string): string {
        const message = `${kind}-${id.replaceAll('_', '-')}`;
        return this.has(message) ? this.text(message) : id;
    }
}
