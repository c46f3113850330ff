// Builds the page: `node web/build.mjs MODULE FOLDER`; the same sources give the same bytes.
// FOLDER/tcpwhy.html is the page in one file. FOLDER/host is the same page for a static host, from which
// browsers can install it.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { constants, gzipSync } from 'node:zlib';

// Uses the tools of the viewer.
const { build } = createRequire(new URL('../viewer/package.json', import.meta.url))('esbuild');

const root = fileURLToPath(new URL('..', import.meta.url));
const [modulePath, folder] = process.argv.slice(2);
/** Most bytes of the page as sent by a static host, compressed. */
const limit = 2_350_000;
const languages = readdirSync(`${root}crates/tcpwhy-report/locales`).sort();
const icon = 'icon.svg';
/** The sample whose answer the page shows before a capture is opened. */
const shown = 'send-buffer';
/** The most instructive samples, and the case of the book for each. */
const samples = {
    'send-buffer': 'sndbuf-16k',
    'receive-window': 'rcvbuf-set-crossdc',
    'nagle-delayed-ack': 'nagle-delack',
    'slow-reader': 'slow-reader',
    loss: 'loss1-lan',
    policer: 'policer',
    'request-response': 'request-response',
    'syn-retry': 'syn-lost',
};
/** Address of a case of the book, with `{case}` in it. Without it, the page has no links. */
const caseBook = process.env.TCPWHY_CASES;
const caseAt = (name) => caseBook?.replace('{case}', name) ?? null;

async function bundled(entry, define = {}, format = 'iife') {
    const { outputFiles } = await build({
        absWorkingDir: root,
        entryPoints: [entry],
        define,
        bundle: true,
        minify: true,
        write: false,
        format,
        target: ['chrome109', 'firefox115', 'safari16'],
        charset: 'utf8',
        legalComments: 'none',
        logLevel: 'warning',
    });
    return outputFiles[0].text;
}

/** Messages of a language: those of the page, and of units. They use only Fluent's simplest form. */
function messages(language) {
    const folder = `${root}crates/tcpwhy-report/locales/${language}/`;
    const found = {};
    for (const file of readdirSync(folder).sort()) {
        for (const line of readFileSync(folder + file, 'utf8').split('\n')) {
            const [, id, text] = /^([a-z][\w-]*) = (.+)$/.exec(line) ?? [];
            if (/^(web|unit|viewer-cop|viewer-language-name)/.test(id ?? ''))
                found[id] = text.replace(/\{ \$([\w-]+) \}/g, '{$1}');
        }
    }
    return found;
}

/** Text for a data or code element that cannot end the element. */
const inScript = (text) => text.replaceAll('<', '\\u003c');
const digest = (text) => `sha256-${createHash('sha256').update(text).digest('base64')}`;
const hash = (text) => `'${digest(text)}'`;

const version = /^version = "(.+)"$/m.exec(readFileSync(`${root}Cargo.toml`, 'utf8'))[1];
const script = await bundled('web/src/main.ts');
const worker = await bundled('web/src/worker.ts');
const style = await bundled('web/src/style.css');
for (const text of [script, worker, style]) {
    if (/<\/(script|style)|<!--/i.test(text)) throw new Error('the bundle cannot stand in a page');
}
const moduleBytes = readFileSync(modulePath);
const module = gzipSync(moduleBytes, { level: constants.Z_BEST_COMPRESSION }).toString('base64');
const captures = Object.fromEntries(Object.keys(samples).map((name) => [name, readFileSync(`${root}samples/${name}.pcap.gz`)]));
const words = Object.fromEntries(languages.map((language) => [language, messages(language)]));
// The page's own module explains the samples, so that its pictures equal the report that a click opens.
const maker = Buffer.from(await bundled('web/pictures.ts', {}, 'esm')).toString('base64');
const { pictures } = await import(`data:text/javascript;base64,${maker}`);
const contents = JSON.stringify({
    name: 'tcpwhy',
    version,
    messages: words,
    samples: Object.entries(samples).map(([name, about]) => ({ name, case: caseAt(about) })),
    cases: caseAt('index'),
    pictures: pictures(moduleBytes, words, captures, shown),
});
const data = (id, text) => `<script type="application/octet-stream" id="${id}">${text}</script>\n`;
/**
 * The page. A WebAssembly module may be compiled and the page's own worker may run; requests are forbidden.
 * For the copy of a host, the browser may load the parts needed for installing: `manifest` and the script
 * that caches the page.
 */
function page(manifest) {
    const own = manifest ? " 'self'" : '';
    const policy = `default-src 'none'; script-src ${hash(script)} 'wasm-unsafe-eval'; worker-src blob:${own}; style-src ${hash(style)}; img-src data:${own}; connect-src 'none'; ${manifest ? "manifest-src 'self'; " : ''}base-uri 'none'; form-action 'none'`;
    return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>tcpwhy</title>
${manifest ? `<link rel="icon" href="${icon}">\n<link rel="manifest" href="${manifest}">` : '<link rel="icon" href="data:,">'}
<style>${style}</style>
</head>
<body>
<noscript><main><h1>tcpwhy</h1><p>This page explains packet captures on your own machine. It needs JavaScript.</p></main></noscript>
<script type="application/json" id="tcpwhy-contents">${inScript(contents)}</script>
<script type="text/plain" id="tcpwhy-worker">${worker}</script>
${data('tcpwhy-module', module)}${Object.entries(captures)
    .map(([name, capture]) => data(`sample-${name}`, capture.toString('base64')))
    .join('')}<script>${script}</script>
</body>
</html>
`;
}

const alone = page();
const size = gzipSync(alone).length;
console.log(`${folder}/tcpwhy.html: ${alone.length} bytes, ${size} compressed`);
if (size > limit) throw new Error(`at most ${limit} bytes compressed are allowed`);

// Files of a host besides the page, all under relative names, so that the folder may be anywhere.
const hosted = {
    './': page('manifest.webmanifest'),
    'manifest.webmanifest': `${JSON.stringify({
        name: 'tcpwhy',
        description: words.en['web-title'],
        id: './',
        start_url: './',
        scope: './',
        display: 'standalone',
        icons: [{ src: icon, type: 'image/svg+xml', sizes: 'any' }],
    })}\n`,
    [icon]: readFileSync(`${root}web/${icon}`, 'utf8'),
};
const files = Object.fromEntries(Object.entries(hosted).map(([name, text]) => [name, digest(text)]));
const offline = await bundled('web/src/offline.ts', {
    FILES: JSON.stringify(files),
    EDITION: JSON.stringify(`${version} ${digest(Object.values(files).join())}`),
});

mkdirSync(`${folder}/host`, { recursive: true });
writeFileSync(`${folder}/tcpwhy.html`, alone);
for (const [name, text] of Object.entries({ ...hosted, 'offline.js': offline })) {
    writeFileSync(`${folder}/host/${name === './' ? 'index.html' : name}`, text);
}
