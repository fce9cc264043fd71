import assert from 'node:assert/strict';
import type { ClusterPosition } from '../../../index.js';
import { type ClusterChecks, until } from './checked-member.js';

const list = (count: number, name: string) => Array.from({ length: count }, (_, index) => `${name}${index}`);

/** The log's guarantees. */
export const LOG_CHECKS: ClusterChecks = {
  'delivers each entry once and in the same order to all processes, including the one that appended it':
    async ({ join }) => {
      const members = [await join(), await join()];
      const appended = members.flatMap(({ connection }, index) =>
        list(50, `${index}-`).map((text) => connection.append(text)),
      );
      const positions = await Promise.all(appended);
      await until(() => members.every(({ entries }) => entries.length >= 100), 'all entries');
      const [one, other] = members;
      assert.deepEqual(one?.entries, other?.entries);
      assert.equal(new Set(one?.texts).size, 100);
      const byNumber = new Map(one?.entries.map(({ position, text }) => [position.number, text]));
      assert.deepEqual(
        positions.map((position) => byNumber.get(position.number)),
        [...list(50, '0-'), ...list(50, '1-')],
      );
    },

  'preserves the order in which one process appends without waiting': async ({ join }) => {
    const [member, reader] = [await join(), await join()];
    await Promise.all(list(1000, '').map((text) => member.connection.append(text)));
    await until(() => reader.entries.length >= 1000, 'all entries');
    assert.deepEqual(reader.texts, list(1000, ''));
  },

  'has increasing positions, with an epoch of letters and digits': async ({ join }) => {
    const { connection, entries } = await join();
    const begin = connection.position;
    for (const text of list(5, '')) await connection.append(text);
    await until(() => entries.length === 5, 'all entries');
    entries.reduce<ClusterPosition | undefined>((before, { position }) => {
      assert.match(position.epoch, /^[a-z0-9]+$/);
      assert.ok(Number.isSafeInteger(position.number));
      assert.ok(before === undefined || (before.epoch === position.epoch && before.number < position.number));
      return position;
    }, begin);
    assert.deepEqual(connection.position, entries.at(-1)?.position);
  },

  'delivers only entries that are appended after a process has joined': async ({ join }) => {
    const early = await join();
    const position = await early.connection.append('before');
    const late = await join();
    assert.ok((late.connection.position?.number ?? 0) >= position.number);
    await early.connection.append('after');
    await until(() => late.entries.length > 0, 'the entry after');
    assert.deepEqual(late.texts, ['after']);
  },

  'delivers strings unchanged': async ({ join }) => {
    const { connection, entries } = await join();
    const texts = ['', '0', '{"a":1}\n\r\n\t', '\0 äöü 漢字 😀', 'x'.repeat(300_000)];
    for (const text of texts) await connection.append(text);
    await until(() => entries.length === texts.length, 'all texts');
    assert.deepEqual(
      entries.map(({ text }) => text),
      texts,
    );
    const [first] = entries;
    const read = await connection.read(first?.position as ClusterPosition, 10);
    assert.deepEqual(
      read?.map(({ text }) => text),
      texts.slice(1),
    );
  },

  'reads a limited number of entries after a position': async ({ join }) => {
    const { connection } = await join();
    const begin = connection.position as ClusterPosition;
    const positions = await Promise.all(list(25, '').map((text) => connection.append(text)));
    const pages: string[][] = [];
    for (let after = begin; ;) {
      const page = await connection.read(after, 10);
      assert.ok(page !== undefined);
      if (page.length === 0) break;
      pages.push(page.map(({ text }) => text));
      after = page.at(-1)?.position as ClusterPosition;
    }
    assert.deepEqual(
      pages.map(({ length }) => length),
      [10, 10, 5],
    );
    assert.deepEqual(pages.flat(), list(25, ''));
    assert.deepEqual(await connection.read(positions.at(-1) as ClusterPosition, 10), []);
  },

  'recognizes a position that is no longer in the log': async ({ join }) => {
    const { connection } = await join();
    const { epoch, number: at } = await connection.append('entry');
    assert.equal(await connection.read({ epoch: 'another', number: at }, 10), undefined);
    assert.equal(await connection.read({ epoch, number: at + 1_000_000 }, 10), undefined);
  },
};
