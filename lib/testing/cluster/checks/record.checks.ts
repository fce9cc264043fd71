import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { ClusterPosition } from '../../../index.js';
import { type ClusterChecks, until } from './checked-member.js';

const SHORT_MS = 300;

const later = (ms = 60_000) => Date.now() + ms;

/** The guarantees for records and swaps. */
export const RECORD_CHECKS: ClusterChecks = {
  'has no record that was never written': async ({ join }) => {
    const { connection } = await join();
    assert.equal(await connection.find('unknown'), undefined);
  },

  'changes a record and appends an entry atomically': async ({ join }) => {
    const [member, reader] = [await join(), await join()];
    const change = {
      key: 'record',
      set: { level: 'info', text: 'ä\n' },
      stamp: ['at', 'since'],
      expires: later(),
    };
    const { epoch, number } = await member.connection.append('entry', change);
    await until(() => reader.entries.length > 0, 'the entry');
    const at = `${epoch}:${number}`;
    assert.deepEqual(
      { ...(await reader.connection.find('record')) },
      { level: 'info', text: 'ä\n', at, since: at },
    );
  },

  'stamps a field once, until it is unset': async ({ join }) => {
    const { connection } = await join();
    const stamp = { key: 'record', stamp: ['at'], expires: later() };
    const findAt = async (): Promise<string | undefined> => (await connection.find('record'))?.at;
    const format = ({ epoch, number }: ClusterPosition): string => `${epoch}:${number}`;
    const first = format(await connection.append('first', stamp));
    await connection.append('again', stamp);
    assert.equal(await findAt(), first);
    await connection.append('unset', { key: 'record', unset: ['at'], expires: later() });
    assert.equal(await findAt(), undefined);
    const last = format(await connection.append('last', stamp));
    assert.equal(await findAt(), last);
  },

  'changes many records with concurrently appended entries': async ({ join }) => {
    const { connection } = await join();
    const keys = Array.from({ length: 50 }, (_, index) => `record-${index}`);
    await Promise.all(
      keys.map((key) => connection.append(key, { key, set: { key }, stamp: ['at'], expires: later() })),
    );
    const records = await Promise.all(keys.map((key) => connection.find(key)));
    assert.deepEqual(
      records.map((record) => record?.key),
      keys,
    );
    assert.equal(new Set(records.map((record) => record?.at)).size, keys.length);
  },

  'sets and unsets fields, and has no record without fields': async ({ join }) => {
    const { connection, entries } = await join();
    await connection.change({ key: 'record', set: { a: '1', b: '' }, expires: later() });
    await connection.change({ key: 'record', set: { c: '3' }, unset: ['a', 'unknown'], expires: later() });
    assert.deepEqual({ ...(await connection.find('record')) }, { b: '', c: '3' });
    await connection.change({ key: 'record', unset: ['b', 'c'], expires: later() });
    assert.equal(await connection.find('record'), undefined);
    assert.deepEqual(entries, []);
  },

  'replaces a record if a change is whole, and does not shorten its lifetime': async ({ join }) => {
    const { connection } = await join();
    await connection.change({ key: 'record', set: { a: '1', b: '2' }, stamp: ['at'], expires: later() });
    await connection.append('entry', {
      key: 'record',
      isWhole: true,
      set: { b: '3' },
      expires: later(SHORT_MS),
    });
    assert.deepEqual({ ...(await connection.find('record')) }, { b: '3' });
    await delay(2 * SHORT_MS);
    assert.deepEqual({ ...(await connection.find('record')) }, { b: '3' });
    await connection.change({ key: 'record', isWhole: true, expires: later() });
    assert.equal(await connection.find('record'), undefined);
  },

  'stamps a record with the newest position if it is changed without an entry': async ({ join }) => {
    const { connection } = await join();
    const { epoch, number } = await connection.append('entry');
    await connection.change({ key: 'record', stamp: ['at'], expires: later() });
    assert.deepEqual({ ...(await connection.find('record')) }, { at: `${epoch}:${number}` });
  },

  'removes an expired record, and does not shorten the lifetime of others': async ({ join }) => {
    const { connection } = await join();
    await connection.change({ key: 'short', set: { a: '1' }, expires: later(SHORT_MS) });
    await connection.change({ key: 'long', set: { a: '1' }, expires: later() });
    await connection.change({ key: 'long', set: { b: '2' }, expires: later(SHORT_MS) });
    await connection.swap({ key: 'long', field: 'c', to: '3', expires: later(SHORT_MS) });
    await until(async () => (await connection.find('short')) === undefined, 'the end of the record');
    await delay(SHORT_MS);
    assert.deepEqual({ ...(await connection.find('long')) }, { a: '1', b: '2', c: '3' });
  },

  "extends a record's lifetime": async ({ join }) => {
    const { connection } = await join();
    await connection.change({ key: 'record', set: { a: '1' }, expires: later(SHORT_MS) });
    await connection.change({ key: 'record', set: { b: '2' }, expires: later() });
    await delay(2 * SHORT_MS);
    assert.deepEqual({ ...(await connection.find('record')) }, { a: '1', b: '2' });
  },

  'swaps a field that has the expected value': async ({ join }) => {
    const { connection } = await join();
    const swap = (from: string | undefined, to: string | undefined) =>
      connection.swap({ key: 'record', field: 'field', from, to, expires: later() });
    assert.equal(await swap('one', 'two'), undefined);
    assert.equal(await swap(undefined, 'one'), 'one');
    assert.equal(await swap(undefined, 'two'), 'one');
    assert.equal(await swap('one', 'two'), 'two');
    assert.equal(await swap('one', undefined), 'two');
    assert.equal(await swap('two', undefined), undefined);
    assert.equal(await connection.find('record'), undefined);
  },

  'lets one of several concurrent swaps win': async ({ join }) => {
    const members = [await join(), await join(), await join()];
    const swaps = members.map(({ id, connection }) =>
      connection.swap({ key: 'record', field: 'holder', to: id, expires: later() }),
    );
    const [winner, ...others] = await Promise.all(swaps);
    assert.ok(members.some(({ id }) => id === winner));
    assert.ok(others.every((other) => other === winner));
  },
};
