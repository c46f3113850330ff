// Runs test/unit: bundled by esbuild, because Node does not read TypeScript.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const out = `${root}.test/unit`;
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const tests = readdirSync(`${root}test/unit`).filter((name) => name.endsWith('.test.ts'));
await build({
    absWorkingDir: root,
    entryPoints: tests.map((name) => `test/unit/${name}`),
    outdir: out,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap: 'inline',
    // Tests name files of the repository relative to test/unit.
    define: { 'import.meta.url': JSON.stringify(new URL('../test/unit/x.mjs', import.meta.url).href) },
});
const run = spawnSync(
    process.execPath,
    ['--test', '--enable-source-maps', ...tests.map((name) => `${out}/${name.replace(/\.ts$/, '.mjs')}`)],
    { stdio: 'inherit' },
);
process.exit(run.status ?? 1);
