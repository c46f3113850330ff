import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Note, notesJson, parseNotes } from '../../src/data/notes.js';

const note: Note = {
    connection: 3,
    sender: 1,
    stretch: { start: 1.2, end: 1.4 },
    text: 'x',
    written: '2026-11-20T13:02:11.532Z',
};

test('nothing in a note gets out of its element, and what is written is read back', () => {
    const hostile = { ...note, text: '</script><script>alert(1)</script><!-- \u2028\u2029 & ]]>', stretch: null };
    const json = notesJson([note, hostile]);
    assert.doesNotMatch(json, /[<>&\u2028\u2029]/);
    assert.deepEqual(parseNotes(json), [note, hostile]);
});

test('what is no note is left out', () => {
    assert.deepEqual(parseNotes('{'), []);
    assert.deepEqual(parseNotes('{}'), []);
    const bad = [
        1,
        null,
        { ...note, connection: 'x' },
        { ...note, sender: 2 },
        { ...note, stretch: { start: 'a', end: 1 } },
        { ...note, stretch: 5 },
        { ...note, text: 7 },
    ];
    assert.deepEqual(parseNotes(JSON.stringify([...bad, note])), [note]);
});
