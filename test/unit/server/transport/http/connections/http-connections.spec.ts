import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { once } from 'node:events';
import { createServer, get, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { HttpAdapterHost } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { HttpConnections } from '../../../../../../lib/server/transport/http/connections/http-connections.js';

/** Those that never stop are waited for so long, and no longer. */
const LONGEST_MS = 2000;

describe('HttpConnections', () => {
  let server: Server;
  let host: HttpAdapterHost;
  let over: AbortController;
  let pressing: Promise<void> | undefined;

  beforeEach(async () => {
    over = new AbortController();
    server = createServer((_request, response) => void response.end()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const adapter = new ExpressAdapter();
    adapter.setHttpServer(server);
    host = new HttpAdapterHost();
    host.httpAdapter = adapter;
  });

  afterEach(async () => {
    over.abort();
    await pressing;
    server.close();
  });

  /** Opens a connection that stays, and sends one request after the other on others. */
  async function press(): Promise<void> {
    const { port } = server.address() as AddressInfo;
    const idle = connect(port, '127.0.0.1');
    over.signal.addEventListener('abort', () => idle.destroy());
    await once(idle, 'connect');
    pressing = pressOn(port);
  }

  async function pressOn(port: number): Promise<void> {
    while (!over.signal.aborted) {
      const [answer] = await once(get({ port, host: '127.0.0.1', agent: false }), 'response');
      await once(answer.resume(), 'end');
    }
  }

  it('wait once for clients that never stop, however many MCP servers the application has (MOD-12) (MOD-05)', async () => {
    await press();
    const begun = performance.now();
    await new HttpConnections(host).release();
    expect(performance.now() - begun).toBeGreaterThan(LONGEST_MS - 100);
    for (let servers = 1; servers < 3; servers += 1) {
      const released = new HttpConnections(host).release().then(() => 'released');
      const waiting = new Promise((resolve) => setImmediate(resolve, 'waiting'));
      expect(await Promise.race([released, waiting])).toBe('released');
    }
  });

  it('do not wait where nobody is connected (MOD-12)', async () => {
    const looks = jest.spyOn(server, 'getConnections');
    await new HttpConnections(host).release();
    expect(looks).toHaveBeenCalledTimes(1);
  });
});
