// A report page around given data, as the binary writes it, for data that did not come from a binary
// (fixtures).
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const dist = new URL('../../crates/tcpwhy-view/bundle/', import.meta.url);

/** The page as text. `json` is the data; `<` in it cannot end the script. `connect` allows requests to its
 *  server. */
export function page(json, { connect = false } = {}) {
    const script = readFileSync(new URL('viewer.js', dist), 'utf8');
    const style = readFileSync(new URL('viewer.css', dist), 'utf8');
    const hash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    const policy = `default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; img-src data:; base-uri 'none'; form-action 'none'${connect ? "; connect-src 'self'" : ''}`;
    return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>tcpwhy</title><style>${style}</style></head>
<body><div id="tcpwhy-root"></div><script type="application/json" id="tcpwhy-data">${json.replaceAll('<', '\\u003c')}</script><script>${script}</script></body></html>
`;
}
