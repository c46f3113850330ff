// Bundles src/main.ts and src/style.css into crates/tcpwhy-view/bundle; the same sources give the same bytes.
// With --check it writes nothing, and fails if the bundle differs.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const bundle = fileURLToPath(new URL('../../crates/tcpwhy-view/bundle', import.meta.url));
const limit = 236_000;

const common = {
    absWorkingDir: root,
    outdir: bundle,
    write: false,
    bundle: true,
    minify: true,
    target: ['chrome109', 'firefox115', 'safari16'],
    charset: 'utf8',
    logLevel: 'warning',
};
const built = await Promise.all([
    build({ ...common, entryPoints: { viewer: 'src/main.ts' }, format: 'iife', legalComments: 'none' }),
    build({ ...common, entryPoints: { viewer: 'src/style.css' } }),
]);

function fail(line) {
    console.error(line);
    process.exit(1);
}

let total = 0;
for (const { path, contents } of built.flatMap((one) => one.outputFiles)) {
    total += contents.length;
    console.log(`${basename(path)} ${contents.length} bytes`);
    if (existsSync(path) && readFileSync(path).equals(contents)) continue;
    if (process.argv.includes('--check'))
        fail('crates/tcpwhy-view/bundle is not what viewer/src builds to: run viewer/build and commit it');
    // Writing a file, even with the same bytes, makes cargo recompile the crate that embeds it.
    writeFileSync(path, contents);
}
if (total > limit) fail(`the bundle has ${total} bytes, at most ${limit} are allowed`);
