import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filterOf, type Subject } from '../../src/data/filter.js';

function packet(
    values: Partial<Record<'number' | 'time' | 'seq' | 'ack' | 'len' | 'window', number>>,
    text = '',
    isForward = true,
    limit = 'send buffer',
): Subject {
    return { value: (field) => values[field] ?? NaN, isForward, text: () => text.toLowerCase(), limit: () => limit };
}

const data = packet(
    { number: 12, time: 1.5, seq: 2896, len: 1448, window: 65_280 },
    'ACK PSH fast retransmit retransmission_fast TSval=7',
);

test('words have to occur, all of them', () => {
    for (const query of [
        'psh',
        'PSH ack',
        'retrans buffer',
        'tsval=7',
        '12',
        '#12',
        '2,896',
        '→',
        '->',
        'len>1000',
        'len > 1000',
        'LEN>=1,448 time<2',
        'seq=2896 -syn',
        '-<-',
    ]) {
        assert.equal(filterOf(query)?.(data), true, query);
    }
    for (const query of ['syn', 'psh syn', '13', '←', '<-', 'len>1448', 'len!=1448', '-psh', '-→', 'time>2', 'time<1.5']) {
        assert.equal(filterOf(query)?.(data), false, query);
    }
});

test('and, or, not, commas and the prefix of Wireshark', () => {
    for (const query of [
        'len>1000 and time<2',
        'len > 1000 && tcp.len < 2000',
        'syn or psh',
        'syn || len>1000 and ack',
        'not syn',
        '!syn and !fin',
        'not not psh',
        'psh, ack',
        'psh、ack',
        'psh and',
        'psh or',
    ]) {
        assert.equal(filterOf(query)?.(data), true, query);
    }
    for (const query of ['len>1000 and time>2', 'syn or fin', 'not psh', '!psh', 'syn, psh', 'not syn and fin']) {
        assert.equal(filterOf(query)?.(data), false, query);
    }
    assert.equal(filterOf('and'), null);
    assert.equal(filterOf('not '), null);
});

test('what is not known fits no comparison', () => {
    assert.equal(filterOf('ack>0')?.(data), false);
    assert.equal(filterOf('ack<=0')?.(data), false);
    assert.equal(filterOf('ack!=5')?.(data), false);
});

test('nothing asked is no filter', () => {
    assert.equal(filterOf(''), null);
    assert.equal(filterOf('   '), null);
});

test('the name of an event does not find what was sent during a limit of that name', () => {
    const events = new Set(['重传', '快速重传']);
    const during = packet({}, 'ACK', true, 'loss_recovery 丢包重传');
    assert.equal(filterOf('重传', events)?.(during), false);
    assert.equal(filterOf('丢包重传', events)?.(during), true);
    assert.equal(filterOf('丢包', events)?.(during), true);
    assert.equal(filterOf('重传', events)?.(packet({}, '快速重传 重传', true, '拥塞窗口')), true);
    assert.equal(filterOf('-重传', events)?.(during), true);
});
