// Starts the viewer on the data that the page holds.

import { App } from './app.js';
import { checkData } from './data/source.js';

function start(): void {
    const element = document.getElementById('tcpwhy-data');
    const root = document.getElementById('tcpwhy-root') ?? document.body.appendChild(document.createElement('div'));
    try {
        new App(checkData(JSON.parse(element?.textContent ?? 'null')), root);
    } catch (error) {
        // Without data there are no words in any language but this one.
        const text = document.createElement('p');
        text.textContent = `This report cannot be read: ${error instanceof Error ? error.message : String(error)}`;
        root.replaceChildren(text);
    }
}

if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', start);
else start();
