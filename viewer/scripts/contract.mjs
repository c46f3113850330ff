// Writes src/format.ts from contract.json, which a test of crate tcpwhy-view compares with its Rust types.
// With --check: fails if it differs.

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compile } from 'json-schema-to-typescript';

const folder = fileURLToPath(new URL('..', import.meta.url));
const target = `${folder}src/format.ts`;
const schema = JSON.parse(readFileSync(`${folder}contract.json`, 'utf8'));

/** References the type of a field with its own description, because the generator would otherwise copy the
 *  type. */
function named(value) {
    if (value === null || typeof value !== 'object') return value;
    if (Array.isArray(value)) return value.map(named);
    if (value.$ref && value.description) return { description: value.description, tsType: value.$ref.split('/').at(-1) };
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, named(inner)]));
}

const text = await compile(named(schema), 'ViewData', {
    bannerComment:
        '// Made by viewer/build from contract.json, that is from crates/tcpwhy-view/src/data/contract.rs: change that.\n',
    additionalProperties: false,
    unreachableDefinitions: true,
    style: { singleQuote: true, tabWidth: 4, printWidth: 130 },
});
// Removes the generator's notes about references, and lengths that the types already express.
const types = text
    .replace(/^ *\* This interface was referenced by .*\n *\* via the .*\n/gm, '')
    .replace(/^ *\* @(min|max)Items \d+\n/gm, '')
    .replace(/^ *\/\*\*\n( *\*\n)* *\*\/\n/gm, '')
    .replace(/\n *\*(\n *\*\/\n)/g, '$1');

if (process.argv.includes('--check')) {
    if (types !== readFileSync(target, 'utf8')) {
        console.error('viewer/src/format.ts is not what viewer/contract.json says: run viewer/build and commit it');
        process.exit(1);
    }
} else writeFileSync(target, types);
