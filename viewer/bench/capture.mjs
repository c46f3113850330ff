// Writes the capture of one transfer with a given number of packets, headers only, captured at the sender.
// The congestion window is a sawtooth over a round trip of 20 ms. A fast retransmit with SACK repairs every
// loss.
//   node capture.mjs PACKETS FILE
import { closeSync, openSync, writeSync } from 'node:fs';

const [packets, path] = [Number(process.argv[2]), process.argv[3]];
const MSS = 1448;
const RTT = 0.02;
const HEADER = 16 + 14 + 20 + 32;
const CHUNK = 20_000;

const file = openSync(path, 'w');
const buffer = Buffer.alloc(CHUNK * (HEADER + 8 + 12));
let at = 0;

function flush() {
    writeSync(file, buffer, 0, at);
    at = 0;
}

const head = Buffer.alloc(24);
head.writeUInt32LE(0xa1b23c4d, 0);
head.writeUInt16LE(2, 4);
head.writeUInt16LE(4, 6);
head.writeUInt32LE(65_535, 16);
head.writeUInt32LE(1, 20);
writeSync(file, head);

let written = 0;

/** One frame. `from` 0 is the sender of data. */
function frame(time, from, seq, ack, payload, flags, window, options) {
    const tcp = 20 + options.length;
    const length = 14 + 20 + tcp;
    if (at + 16 + length > buffer.length) flush();
    const seconds = Math.floor(time);
    buffer.writeUInt32LE(1_735_689_600 + seconds, at);
    buffer.writeUInt32LE(Math.round((time - seconds) * 1e9), at + 4);
    buffer.writeUInt32LE(length, at + 8);
    buffer.writeUInt32LE(length + payload, at + 12);
    let p = at + 16;
    buffer.fill(0, p, p + 54);
    buffer.writeUInt16BE(0x0800, p + 12);
    p += 14;
    buffer[p] = 0x45;
    buffer.writeUInt16BE(20 + tcp + payload, p + 2);
    buffer[p + 8] = 64;
    buffer[p + 9] = 6;
    buffer.writeUInt32BE(from === 0 ? 0xc000020a : 0xc6336414, p + 12);
    buffer.writeUInt32BE(from === 0 ? 0xc6336414 : 0xc000020a, p + 16);
    p += 20;
    buffer.writeUInt16BE(from === 0 ? 5001 : 46_280, p);
    buffer.writeUInt16BE(from === 0 ? 46_280 : 5001, p + 2);
    buffer.writeUInt32BE(seq % 2 ** 32, p + 4);
    buffer.writeUInt32BE(ack % 2 ** 32, p + 8);
    buffer[p + 12] = (tcp / 4) << 4;
    buffer[p + 13] = flags;
    buffer.writeUInt16BE(window, p + 14);
    Buffer.from(options).copy(buffer, p + 20);
    at = p + tcp;
    written++;
}

const u32 = (value) => [(value >>> 24) & 255, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];
const stamps = (time, echo) => [1, 1, 8, 10, ...u32(Math.floor(time * 1000)), ...u32(Math.floor(echo * 1000))];
const synOptions = (time) => [2, 4, 5, 180, 4, 2, 8, 10, ...u32(Math.floor(time * 1000)), 0, 0, 0, 0, 1, 3, 3, 9];

frame(0, 1, 999, 0, 0, 2, 64_240, synOptions(0));
frame(0.00002, 0, 4_999_999, 1000, 0, 18, 65_160, synOptions(0));
frame(RTT, 1, 1000, 5_000_000, 0, 16, 4000, stamps(RTT, 0));
let time = RTT + 0.0001;
let next = 5_000_000;
let window = 10;
for (let round = 0; written < packets - 2; round++) {
    const isLossy = round % 211 === 210;
    const lost = isLossy ? Math.floor(window / 3) : -1;
    const first = next;
    const gap = Math.min(0.0001, (RTT * 0.8) / window);
    for (let i = 0; i < window; i++) {
        frame(time + i * gap, 0, next, 1000, MSS, 16, 500, stamps(time + i * gap, time - RTT));
        next += MSS;
    }
    for (let i = 1; i < window; i += 2) {
        const when = time + RTT + i * gap;
        const hole = first + lost * MSS;
        if (lost >= 0 && i >= lost) {
            const options =
                i === lost ? [] : [1, 1, 5, 10, ...u32((hole + MSS) % 2 ** 32), ...u32((first + (i + 1) * MSS) % 2 ** 32)];
            frame(when, 1, 1000, hole, 0, 16, 4000, [...stamps(when, time), ...options]);
        } else frame(when, 1, 1000, first + (i + 1) * MSS, 0, 16, 4000, stamps(when, time));
    }
    time += RTT + Math.max(window * gap, 0.0002);
    if (lost >= 0) {
        frame(time, 0, first + lost * MSS, 1000, MSS, 16, 500, stamps(time, time - RTT / 2));
        time += RTT;
        frame(time, 1, 1000, next, 0, 16, 4000, stamps(time, time - RTT));
        time += 0.0001;
        window = Math.max(10, Math.floor(window / 2));
    } else {
        if (window % 2 === 1) frame(time - 0.00001, 1, 1000, next, 0, 16, 4000, stamps(time, time - RTT));
        window = Math.min(240, window + 1);
    }
}
flush();
closeSync(file);
