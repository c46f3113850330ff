// Extracts the data of a report page on standard input:
// `tcpwhy … --html - | node scripts/data.mjs > test/fixtures/three.json`.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

/** The data element's text. */
export function dataOf(page) {
    const element = page.indexOf('id="tcpwhy-data"');
    const start = page.indexOf('>', element) + 1;
    return page.slice(start, page.indexOf('</script>', start));
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
    process.stdout.write(dataOf(readFileSync(0, 'utf8')));
}
