import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { GivenClaims } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { Gate } from '../../support/applications/gate.js';
import { bootDesk } from '../../support/applications/protected-desk.js';
import { buildInitialize } from '../../support/clients/json-rpc.js';
import { formatHead } from '../../support/clients/request-text.js';
import { measureHeap } from '../../support/heap.js';
import { until } from '../../support/until.js';

const CLIENTS = 8;
/** More than Node reads of a body that nobody asks for, each byte of it as a chunk of its own. */
const BODY = JSON.stringify(buildInitialize()).padEnd(40_000);
const CHUNKS = `${[...BODY].map((byte) => `1\r\n${byte}\r\n`).join('')}0\r\n\r\n`;
/** What is certainly read of it. */
const READ_BYTES = 50_000;
/** As much as Node may keep of a body by itself, and as much as it reads at once. */
const MOST_HEAP_BYTES = CLIENTS * (16_384 + 65_536);

describe.each(ADAPTERS)('Bodies of chunks of one byte, on %s', (adapter) => {
  let desk: RunningApp;
  const sockets: Socket[] = [];

  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await desk.close();
  });

  it('take no more than their bytes while tokens are checked, and come whole (FAIR-02)', async () => {
    const gate = new Gate();
    const validate = async (token: string): Promise<GivenClaims> => {
      await gate.pass();
      return { sub: token, scopes: [] };
    };
    desk = await bootDesk(adapter, { auth: { validator: { validate } } });
    const arrived: Socket[] = [];
    desk.app.getHttpServer().on('connection', (socket: Socket) => arrived.push(socket));
    const answers: string[] = [];
    for (let client = 0; client < CLIENTS; client += 1) {
      const socket = connect(desk.port, '127.0.0.1').setEncoding('latin1');
      sockets.push(socket);
      socket.on('data', (text: string) => (answers[client] = (answers[client] ?? '') + text));
      await once(socket, 'connect');
    }
    const before = measureHeap();
    for (const [client, socket] of sockets.entries()) {
      const headers = {
        authorization: `Bearer token-of-client-${client}`,
        accept: 'application/json',
        'content-type': 'application/json',
        'transfer-encoding': 'chunked',
      };
      socket.write(formatHead('POST', headers) + CHUNKS);
    }
    const isRead = () => arrived.length === CLIENTS && arrived.every((one) => one.bytesRead > READ_BYTES);
    await until(isRead, 'the server to read');
    const ownBytes = sockets.reduce((sum, { writableLength }) => sum + writableLength, 0);
    expect(measureHeap() - before - ownBytes).toBeLessThan(MOST_HEAP_BYTES);
    gate.open();
    const countServed = () => answers.filter((answer) => answer.includes('serverInfo')).length;
    await until(() => countServed() === CLIENTS, 'all answers');
  });
});
