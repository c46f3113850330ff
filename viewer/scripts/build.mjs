// Bundles src/main.ts and src/style.css into crates/tcpwhy-view/bundle, the same bytes from the same sources.

import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const limit = 200_000;

await build({
    absWorkingDir: root,
    entryPoints: { viewer: 'src/main.ts' },
    outdir: '../crates/tcpwhy-view/bundle',
    bundle: true,
    minify: true,
    format: 'iife',
    target: ['chrome109', 'firefox115', 'safari16'],
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'warning',
});
await build({
    absWorkingDir: root,
    entryPoints: { viewer: 'src/style.css' },
    outdir: '../crates/tcpwhy-view/bundle',
    bundle: true,
    minify: true,
    target: ['chrome109', 'firefox115', 'safari16'],
    charset: 'utf8',
    logLevel: 'warning',
});

let total = 0;
for (const name of ['viewer.js', 'viewer.css']) {
    const { size } = await stat(new URL(`../../crates/tcpwhy-view/bundle/${name}`, import.meta.url));
    total += size;
    console.log(`${name} ${size} bytes`);
}
if (total > limit) {
    console.error(`the bundle has ${total} bytes, at most ${limit} are allowed`);
    process.exit(1);
}
