import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Injectable } from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { McpModule, Tool } from 'nestjs-mcp';
import { ADAPTERS, bootApp, type AppOptions, type RunningApp } from '../../support/applications/boot.js';
import { SELF_SIGNED } from '../../support/self-signed.js';
import { within } from '../../support/until.js';

@Injectable()
class DiceTools {
  @Tool({ description: 'Rolls' })
  roll(): string {
    return 'four';
  }
}

/** Boots as applications do that have nothing closed by force. */
function boot(options: Pick<AppOptions, 'adapter' | 'nest'>): Promise<RunningApp> {
  return bootApp({
    imports: [McpModule.forRoot({ serverInfo: { name: 'dice', version: '1.0.0' } })],
    providers: [DiceTools],
    ...options,
    nest: { forceCloseConnections: false, ...options.nest },
  });
}

describe.each([
  ...ADAPTERS.map((name) => ({ name, isTls: false })),
  ...ADAPTERS.map((name) => ({ name: `${name} with TLS`, isTls: true })),
])('app.close() on $name', ({ name, isTls }) => {
  const sockets: Socket[] = [];
  let dice: RunningApp | undefined;

  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await dice?.close();
  });

  async function open(): Promise<RunningApp> {
    const https = isTls ? { httpsOptions: SELF_SIGNED } : {};
    const fastify = isTls ? new FastifyAdapter({ https: SELF_SIGNED }) : new FastifyAdapter();
    dice = await boot({ adapter: name.startsWith('fastify') ? fastify : 'express', nest: https });
    return dice;
  }

  async function hold(port: number): Promise<Socket> {
    const socket = isTls
      ? connectTls({ port, host: '127.0.0.1', ca: SELF_SIGNED.cert, servername: 'localhost' })
      : connect(port, '127.0.0.1');
    sockets.push(socket);
    await once(socket, isTls ? 'secureConnect' : 'connect');
    return socket;
  }

  const close = () => within(dice?.close() ?? Promise.resolve(), 'the application to close', 2000);

  it('does not wait for connections that never carried a request (MOD-12)', async () => {
    const { port } = await open();
    const held = await Promise.all([hold(port), hold(port), hold(port)]);
    const ends = held.map((socket) => once(socket.resume(), 'close'));
    await close();
    await within(Promise.all(ends), 'the end of the connections');
    expect(held.map(({ destroyed }) => destroyed)).toEqual([true, true, true]);
  });

  if (isTls) return;

  it('does not wait for the spare connection of an official client that has closed (MOD-12)', async () => {
    const { url } = await open();
    const client = new Client({ name: 'player', version: '1.0.0' });
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    const { content } = await client.callTool({ name: 'roll', arguments: {} });
    expect(content).toEqual([{ type: 'text', text: 'four' }]);
    await client.close();
    await close();
  });
});

describe('app.close() over HTTP/2', () => {
  it('does not wait for connections that never carried a request (MOD-12)', async () => {
    const dice = await boot({ adapter: new FastifyAdapter({ http2: true }) as never });
    const socket = connect(dice.port, '127.0.0.1');
    try {
      await once(socket, 'connect');
      const end = once(socket.resume(), 'close');
      await within(dice.close(), 'the application to close', 2000);
      await within(end, 'the end of the connection');
      expect(socket.destroyed).toBe(true);
    } finally {
      socket.destroy();
    }
  });
});
