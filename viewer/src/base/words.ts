// The words of the reader's language. They come with the data: the catalogues of the product hold them.

/** Messages by id, with `{name}` where arguments go. */
export type Messages = Readonly<Record<string, string>>;

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

    /** The message `id`; a missing message or argument shows in the text. */
    text(id: string, args: Readonly<Record<string, string>> = {}): string {
        if (!this.has(id)) return `⟨${id}⟩`;
        return (this.#messages[id] as string).replace(/\{([a-z][\w-]*)\}/gi, (whole, name: string) =>
            Object.hasOwn(args, name) ? (args[name] as string) : whole,
        );
    }

    /** Name of a limit with its detail: `application: idle`. `send_buffer` is named by `limit-send-buffer`. */
    limit(limit: string, detail: string | null = null): string {
        const name = this.#name('limit', limit);
        if (detail === null) return name;
        return this.text('limit-with-detail', { limit: name, detail: this.#name('detail', detail) });
    }

    #name(kind: string, id: string): string {
        const message = `${kind}-${id.replaceAll('_', '-')}`;
        return this.has(message) ? this.text(message) : id;
    }
}
