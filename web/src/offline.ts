// The service worker of a host's copy. It caches the page, so that it opens without a network once it was
// opened or installed. It is the only part that makes requests: for the files named here, from its own host,
// if there is a new version. It never gets a capture: those stay in the page.

/** Inserted by the build: the files of the page with their digests, and the name of this set of files. */
declare const FILES: Readonly<Record<string, string>>;
declare const EDITION: string;

interface LifeEvent extends Event {
    waitUntil(done: Promise<unknown>): void;
}

interface AskEvent extends Event {
    readonly request: Request;
    respondWith(answer: Promise<Response>): void;
}

/** Interface of a service worker; the page's type library contains only windows. */
const scope = self as unknown as {
    readonly registration: { readonly scope: string };
    skipWaiting(): Promise<void>;
    addEventListener(type: 'install' | 'activate', act: (event: LifeEvent) => void): void;
    addEventListener(type: 'fetch', act: (event: AskEvent) => void): void;
};

/** Other copies on the same host have their own caches. */
const mine = `tcpwhy ${scope.registration.scope} `;
const cacheName = mine + EDITION;
const addresses = new Map(Object.keys(FILES).map((file) => [new URL(file, scope.registration.scope).href, file]));
addresses.set(new URL('index.html', scope.registration.scope).href, './');

scope.addEventListener('install', (event) => {
    const keep = async (): Promise<void> => {
        const cache = await caches.open(cacheName);
        // A host may already have this script but not yet its page: then the next visit tries again.
        await cache.addAll(Object.entries(FILES).map(([file, integrity]) => new Request(file, { integrity, cache: 'no-cache' })));
        // The page is one file, so versions cannot be mixed.
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
    // Other files in this folder of the host are not part of the page.
    if (file === undefined || event.request.method !== 'GET') return;
    const answer = async (): Promise<Response> => {
        const cache = await caches.open(cacheName);
        // The browser may have deleted the cache.
        return (await cache.match(file)) ?? fetch(event.request);
    };
    event.respondWith(answer());
});
