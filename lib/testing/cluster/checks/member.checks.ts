import assert from 'node:assert/strict';
import { type ClusterChecks, until } from './checked-member.js';

const SHORT_MS = 300;
const LONG_MS = 60_000;

/** The guarantees for processes: leases, messages, membership, and leaving. */
export const MEMBER_CHECKS: ClusterChecks = {
  'grants a lease to one process at a time': async ({ join }) => {
    const [one, other] = [await join(), await join()];
    assert.equal(await one.connection.lease('work', LONG_MS), true);
    assert.equal(await one.connection.lease('work', LONG_MS), true);
    assert.equal(await other.connection.lease('work', LONG_MS), false);
    assert.equal(await other.connection.lease('other-work', LONG_MS), true);
    await other.connection.release('work');
    assert.equal(await other.connection.lease('work', LONG_MS), false);
    await one.connection.release('work');
    assert.equal(await other.connection.lease('work', LONG_MS), true);
  },

  'grants a lease to another process when it has expired': async ({ join }) => {
    const [one, other] = [await join(), await join()];
    assert.equal(await one.connection.lease('work', SHORT_MS), true);
    await until(() => other.connection.lease('work', LONG_MS), 'the lease');
    assert.equal(await one.connection.lease('work', LONG_MS), false);
  },

  'sends messages to one process, in order': async ({ join }) => {
    const [one, other] = [await join(), await join()];
    for (const text of ['1', '2 ä\n', '3']) assert.equal(await one.connection.send(text, other.id), 1);
    await until(() => other.messages.length === 3, 'the messages');
    assert.deepEqual(other.messages, ['1', '2 ä\n', '3']);
    assert.deepEqual(one.messages, []);
  },

  'sends a message to all processes': async ({ join }) => {
    const members = [await join(), await join(), await join()];
    assert.equal(await members[0]?.connection.send('to all'), 3);
    await until(() => members.every(({ messages }) => messages.length > 0), 'the message');
    assert.ok(members.every(({ messages }) => messages.join() === 'to all'));
  },

  'does not send to a process that is not connected': async ({ join }) => {
    const [one, other] = [await join(), await join()];
    assert.equal(await one.connection.send('text', 'nobody'), 0);
    await other.connection.close();
    assert.equal(await one.connection.send('text', other.id), 0);
  },

  'lists the connected processes': async ({ join }) => {
    const [one, other] = [await join(), await join()];
    assert.deepEqual((await one.connection.members()).toSorted(), [one.id, other.id].toSorted());
    await other.connection.close();
    assert.deepEqual(await one.connection.members(), [one.id]);
  },

  'sends nothing more to a process that has left, and accepts nothing more from it': async ({ join }) => {
    const [one, other] = [await join(), await join()];
    await other.connection.close();
    await other.connection.close();
    assert.equal(other.connection.isConnected, false);
    await one.connection.append('after');
    await until(() => one.entries.length > 0, 'the entry');
    assert.deepEqual(other.entries, []);
    await assert.rejects(other.connection.append('text'));
    await assert.rejects(other.connection.find('record'));
    await assert.rejects(other.connection.members());
  },

  'separates servers': async ({ join }) => {
    const [one, other] = [await join(), await join('-other')];
    await one.connection.append('entry', { key: 'record', set: { a: '1' }, expires: Date.now() + LONG_MS });
    assert.equal(await one.connection.lease('work', LONG_MS), true);
    assert.equal(await one.connection.send('to all'), 1);
    assert.equal(await other.connection.find('record'), undefined);
    assert.equal(await other.connection.lease('work', LONG_MS), true);
    assert.deepEqual(await other.connection.members(), [other.id]);
    assert.equal(await other.connection.send('text', one.id), 0);
    await other.connection.append('of the other');
    await until(() => other.entries.length > 0, 'the entry of the other server');
    assert.deepEqual(other.texts, ['of the other']);
    assert.deepEqual(other.messages, []);
  },

  'reports its connection and its statistics': async ({ join }) => {
    const { connection, entries } = await join();
    assert.equal(connection.isConnected, true);
    await connection.append('entry');
    await until(() => entries.length > 0, 'the entry');
    const { lagMs, ...others } = connection.figures;
    assert.ok(lagMs !== undefined && lagMs >= 0);
    assert.deepEqual(others, { reconnections: 0, replayed: 0, gaps: 0 });
  },
};
