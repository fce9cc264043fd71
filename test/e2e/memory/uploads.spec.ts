import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { MemoryBudget } from '../../../lib/server/memory/memory-budget.js';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { GreetingTool } from '../../support/applications/greeting-tool.js';
import { bootServer } from '../../support/applications/server.js';
import { perRequest } from '../../support/clients/json-rpc.js';
import { measureHeap } from '../../support/heap.js';
import { until } from '../../support/until.js';
import { getParts } from '../../support/applications/get-parts.js';

const MAXIMUM_BYTES = 1_000_000;
const UPLOADS = 4;
const PIECE_BYTES = 50;
/** All uploads together take nearly everything, and no more. */
const PIECES = 4_600;

const HEAD =
  'POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n' +
  'Accept: application/json, text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n';
/** How much comes byte by byte, and what may be taken for it at most. */
const BYTES = 300_000;
const MOST_HEAP_BYTES = 3 * BYTES;
const PIECE = `${PIECE_BYTES.toString(16)}\r\n${' '.repeat(PIECE_BYTES)}\r\n`;

describe.each(ADAPTERS)('Bodies that come in little pieces, on %s', (adapter) => {
  let desk: RunningApp;
  const sockets: Socket[] = [];

  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await desk.close();
  });

  async function boot(): Promise<MemoryBudget> {
    const memory = { maxBytes: MAXIMUM_BYTES, maxBytesPerAddress: MAXIMUM_BYTES };
    desk = await bootServer({ adapter, options: { memory }, providers: [GreetingTool] });
    return getParts(desk.app).foundation.memory;
  }

  it('take no more than their bytes, though each comes by itself (FAIR-02)', async () => {
    const budget = await boot();
    const send = async (bytes: number): Promise<void> => {
      const socket = connect(desk.port, '127.0.0.1');
      sockets.push(socket);
      await once(socket, 'connect');
      const before = budget.used;
      socket.write(HEAD);
      for (let sent = 0; sent < bytes; sent += 1000) socket.write('1\r\n \r\n'.repeat(1000));
      await until(() => socket.writableLength === 0 && budget.used > before + bytes, 'the bytes to come');
    };
    await send(1000);
    const before = measureHeap();
    await send(BYTES);
    expect(measureHeap() - before).toBeLessThan(MOST_HEAP_BYTES);
  });

  it('leave room for small calls, though they have hardly begun (FAIR-02) (FAIR-03)', async () => {
    const budget = await boot();
    const refusals: unknown[] = [];
    while (refusals.length === 0) {
      const socket = connect(desk.port, '127.0.0.1');
      sockets.push(socket);
      socket.once('data', (answer) => refusals.push(answer));
      const { used } = budget;
      socket.write(HEAD);
      await until(() => refusals.length > 0 || budget.used > used, 'the upload to be counted or refused');
    }
    const { status } = await perRequest(desk.url).request('tools/call', { name: 'greet', arguments: {} });
    expect(status).toBe(200);
  });

  it('leave room for small calls, however many there are (FAIR-02) (FAIR-03)', async () => {
    const budget = await boot();
    let refused = '';
    for (let upload = 0; upload < UPLOADS; upload += 1) {
      const socket = connect(desk.port, '127.0.0.1');
      sockets.push(socket);
      socket.on('data', (answer) => (refused += String(answer)));
      await once(socket, 'connect');
      socket.write(HEAD);
      for (let piece = 0; piece < PIECES; piece += 100) socket.write(PIECE.repeat(100));
    }
    await until(
      () => refused !== '' || budget.used > 0.98 * MAXIMUM_BYTES,
      'the uploads to take what they get',
    );
    const { status } = await perRequest(desk.url).request('tools/call', { name: 'greet', arguments: {} });
    expect([status, refused]).toEqual([200, expect.stringContaining(' 429 ')]);
  });
});
