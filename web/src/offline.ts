// The service worker of a host's copy: it keeps the page, so that it opens without a network once it was opened or installed. It is
// the only part that asks for anything, and that for the files named here, of its own host, when there is a new version. It never
// sees a capture: those stay in the page.

/** Put in by the build: the files of the page with their digests, and what names this set of them. */
declare const FILES: Readonly<Record<string, string>>;
declare const EDITION: string;

interface LifeEvent extends Event {
    waitUntil(done: Promise<unknown>): void;
}

interface AskEvent extends Event {
    readonly request: Request;
    respondWith(answer: Promise<Response>): void;
}

/** What a service worker can do; the page's library of types knows only windows. */
const scope = self as unknown as {
    readonly registration: { readonly scope: string };
    skipWaiting(): Promise<void>;
    addEventListener(type: 'install' | 'activate', act: (event: LifeEvent) => void): void;
    addEventListener(type: 'fetch', act: (event: AskEvent) => void): void;
};

/** Other copies on the same host have caches of their own. */
const mine = `tcpwhy ${scope.registration.scope} `;
const cacheName = mine + EDITION;
const addresses = new Map(Object.keys(FILES).map((file) => [new URL(file, scope.registration.scope).href, file]));
addresses.set(new URL('index.html', scope.registration.scope).href, './');

scope.addEventListener('install', (event) => {
    const keep = async (): Promise<void> => {
        const cache = await caches.open(cacheName);
        // A host may have this script and not yet the page that it belongs to: then the next visit tries again.
        await cache.addAll(Object.entries(FILES).map(([file, integrity]) => new Request(file, { integrity, cache: 'no-cache' })));
        // The page is one file: no version can be mixed with another.
        await scope.skipWaiting();
    };
    event.waitUntil(keep());
});

scope.addEventListener('activate', (event) => {
    const tidy = async (): Promise<void> => {
        const old = (await caches.keys()).filter((name) => name.startsWith(mine) && name !== cacheName);
        await Promise.all(old.map((name) => caches.delete(name)));
    };
    event.waitUntil(tidy());
});

scope.addEventListener('fetch', (event) => {
    const { origin, pathname } = new URL(event.request.url);
    const file = addresses.get(origin + pathname);
    // Anything else in this folder of the host is no part of the page.
    if (file === undefined || event.request.method !== 'GET') return;
    const answer = async (): Promise<Response> => {
        const cache = await caches.open(cacheName);
        // The browser may have thrown the cache away.
        return (await cache.match(file)) ?? fetch(event.request);
    };
    event.respondWith(answer());
});
