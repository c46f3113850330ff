// Starts the viewer with the data in the page.

import { App } from './app.js';
import { checkData } from './data/source.js';

function start(): void {
    const element = document.getElementById('tcpwhy-data');
    const root = document.getElementById('tcpwhy-root') ?? document.body.appendChild(document.createElement('div'));
    try {
        new App(checkData(JSON.parse(element?.textContent ?? 'null')), root);
    } catch (error) {
        // Without data, messages exist in English only.
        const text = document.createElement('p');
        text.textContent = `This report cannot be read: ${error instanceof Error ? error.message : String(error)}`;
        root.replaceChildren(text);
    }
}

if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', start);
else start();
