import { afterEach, describe, expect, it } from '@jest/globals';
import { connect } from '../bench/session.js';
import type { RawResponse } from '../../cli/bench/wire/raw-response.js';
import { formatPost } from '../support/clients/request-text.js';
import { until } from '../support/until.js';
import {
  expectEndured,
  formatBody,
  formatDetached,
  formatInitialize,
  HeapProgram,
  readSession,
  send,
} from './heap-program.js';
import { openMany, type RawClient } from './raw-client.js';

const MEGABYTE = 1_000_000;
const ADA = 'ada-token-0123456789';
const EVE = 'eve-token-0123456789';
const TEST_MS = 120_000;
/** As many values as a body may have, in nearly as many bytes as it may have. */
const DEAR = [...Array.from({ length: 12_000 }, () => ({})), 'x'.repeat(4.1 * MEGABYTE)];
/** As much as a client may declare. */
const DECLARED = {
  experimental: { x: { a: [...Array.from({ length: 12_000 }, () => ({})), 'x'.repeat(29_000)] } },
};

/** What an attacker who has a token brings. */
const asEve = { authorization: `Bearer ${EVE}` };

describe('A process with 256 MB of heap', () => {
  let program: HeapProgram;

  afterEach(() => program.stop('SIGKILL'));

  it.each([
    ['an open server', undefined, {}, undefined],
    ['strangers on a server with a public tool', [ADA, EVE], {}, ADA],
    ['one caller', [ADA, EVE], asEve, ADA],
  ])(
    'survives thousands of sessions of clients that declare much: %s (FAIR-02)',
    async (_who, tokens, headers, bystander) => {
      program = await HeapProgram.start(tokens);
      const texts = Array.from({ length: 1000 }, () => formatPost(formatInitialize(DECLARED), headers));
      await expectEndured(program, () => sendAll(program.port, texts), bystander);
    },
    TEST_MS,
  );

  it.each(['with a session', 'without a session'])(
    'survives calls in flight that are as large as they may be, %s (FAIR-02)',
    async (kind) => {
      program = await HeapProgram.start([ADA, EVE]);
      const call = { name: 'wait', arguments: { DEAR } };
      const format = async (): Promise<string> => {
        if (kind !== 'with a session') return formatDetached('tools/call', call, asEve);
        const session = await openSession(program.port, asEve);
        const params = { ...call, _meta: { progressToken: 1 } };
        return formatPost(formatBody('tools/call', params), { 'mcp-session-id': session, ...asEve });
      };
      await expectEndured(
        program,
        async () => {
          const clients = await openMany(program.port, 40);
          for (const client of clients) await begin(client, await format());
          expect(countStatuses(clients)[429]).toBeGreaterThan(0);
          for (const client of clients) client.reset();
        },
        ADA,
      );
    },
    TEST_MS,
  );

  it.each([
    ['whose calls do not end', 'wait', 300],
    ['of large answers that nobody reads', 'recite', 20],
  ])(
    'survives batches %s (FAIR-02)',
    async (_what, name, batches) => {
      program = await HeapProgram.start([ADA, EVE]);
      const calls = Array.from({ length: 100 }, (_, id) => ({
        ...{ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: {} } },
      }));
      await expectEndured(
        program,
        async () => {
          const clients = await openMany(program.port, batches);
          for (const client of clients) {
            const session = await openSession(program.port, asEve, '2025-03-26');
            client.write(formatPost(JSON.stringify(calls), { 'mcp-session-id': session, ...asEve }));
            if (name === 'recite') await until(() => client.statuses.length > 0, 'an answer', 30_000);
            client.socket.pause();
          }
          for (const client of clients) client.reset();
        },
        ADA,
      );
    },
    TEST_MS,
  );

  it(
    'takes no junk in "_meta", and says so (FAIR-02)',
    async () => {
      program = await HeapProgram.start();
      const params = { name: 'wait', arguments: {}, _meta: { DEAR } };
      const answers = await sendAll(program.port, [await formatInSession(program.port, params)]);
      expect(answers[0]?.body.toString()).toContain('65536 characters');
    },
    TEST_MS,
  );

  it(
    'survives tasks that are over and whose calls were large (FAIR-02)',
    async () => {
      program = await HeapProgram.start([ADA, EVE]);
      const text = formatDetached('tools/call', { name: 'nod', arguments: { DEAR } }, asEve);
      await expectEndured(
        program,
        async () => {
          const answers = await sendAll(
            program.port,
            Array.from({ length: 60 }, () => text),
            1,
          );
          expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(30);
        },
        ADA,
      );
    },
    TEST_MS,
  );

  it(
    'survives tasks that are over and whose results are large (FAIR-02)',
    async () => {
      program = await HeapProgram.start([ADA, EVE]);
      const text = formatDetached('tools/call', { name: 'report' }, asEve);
      await expectEndured(
        program,
        () =>
          sendAll(
            program.port,
            Array.from({ length: 400 }, () => text),
          ),
        ADA,
      );
    },
    TEST_MS,
  );

  it(
    'survives logs of answers that were delivered, in many sessions of one caller (FAIR-02)',
    async () => {
      program = await HeapProgram.start([ADA, EVE]);
      const params = { name: 'recite', arguments: {}, _meta: { progressToken: 1 } };
      const recite = async (): Promise<void> => {
        const session = await openSession(program.port, asEve);
        const headers = { 'mcp-session-id': session, ...asEve };
        await sendAll(program.port, [formatPost(formatBody('tools/call', params), headers)], 1);
      };
      await expectEndured(
        program,
        async () => {
          for (let count = 0; count < 300; count += 1) await recite();
        },
        ADA,
      );
    },
    TEST_MS,
  );

  it.each([
    ['brackets', '['.repeat(4 * MEGABYTE)],
    ['empty objects', `[${'{},'.repeat(1.3 * MEGABYTE)}{}]`],
    ['quotes', `["${'\\"'.repeat(2 * MEGABYTE)}",${'{},'.repeat(10_000)}{}]`],
    [
      'as many names as there may be',
      `{${Array.from({ length: 24_000 }, (_, index) => `"${index}k":{}`).join()}}`,
    ],
  ])(
    'answers others while four connections send megabytes of %s (FAIR-02)',
    async (_what, body) => {
      program = await HeapProgram.start();
      const texts = Array.from({ length: 24 }, () => formatPost(body));
      await expectEndured(program, () => sendAll(program.port, texts));
    },
    TEST_MS,
  );

  it(
    'survives a thousand streams that listen to a thousand resources each (FAIR-02)',
    async () => {
      program = await HeapProgram.start();
      const listen = (stream: number): string => {
        const uris = Array.from({ length: 1000 }, (_, index) => `n:${(1000 * stream + index).toString(36)}`);
        return formatDetached('subscriptions/listen', {
          ...{ notifications: { resourceSubscriptions: uris } },
        });
      };
      await expectEndured(program, async () => {
        const clients = await openMany(program.port, 1000);
        for (const [index, client] of clients.entries()) await begin(client, listen(index));
        expect(countStatuses(clients)[429]).toBeGreaterThan(0);
        for (const client of clients) client.reset();
      });
    },
    TEST_MS,
  );

  it(
    'survives bodies that never come to their end (FAIR-02)',
    async () => {
      program = await HeapProgram.start();
      const text = formatPost(JSON.stringify(DEAR)).slice(0, -1);
      await expectEndured(program, async () => {
        const clients = await openMany(program.port, 40);
        for (const client of clients) await write(client, text);
        await until(() => (countStatuses(clients)[429] ?? 0) > 10, 'refusals', 30_000);
        for (const client of clients) client.reset();
      });
    },
    TEST_MS,
  );
});

/** Sends texts over some connections, each as soon as what was sent before is answered. */
async function sendAll(port: number, texts: readonly string[], connections = 4): Promise<RawResponse[]> {
  const answers: RawResponse[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    const connection = await connect({ port });
    while (next < texts.length) answers.push(await send(connection, texts[next++] ?? ''));
    connection.destroy();
  };
  await Promise.all(Array.from({ length: connections }, work));
  return answers;
}

/** Sends a text as fast as the server takes it. */
async function write(client: RawClient, text: string): Promise<void> {
  client.write(text);
  await until(() => client.socket.writableLength === 0, 'a reader', 30_000);
}

/** Sends a text, and waits until its answer begins. */
async function begin(client: RawClient, text: string): Promise<void> {
  client.write(text);
  await until(() => client.statuses.length > 0, 'an answer', 30_000);
}

function countStatuses(clients: readonly RawClient[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const status of clients.flatMap(({ statuses }) => statuses))
    counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** Shakes hands and confirms it; gives the id of the session. */
async function openSession(port: number, headers: object, version?: string): Promise<string> {
  const connection = await connect({ port });
  const handshake = formatPost(formatInitialize({}, version), { ...headers });
  const session = readSession(await send(connection, handshake));
  const confirmation = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' });
  await send(connection, formatPost(confirmation, { 'mcp-session-id': session, ...headers }));
  connection.destroy();
  return session;
}

async function formatInSession(port: number, params: object): Promise<string> {
  return formatPost(formatBody('tools/call', params), { 'mcp-session-id': await openSession(port, {}) });
}
