import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { McpCatalog } from 'nestjs-mcp';
import { ADAPTERS } from '../../support/applications/boot.js';
import { until } from '../../support/until.js';
import { bootShop, type RunningShop } from '../client-module/shop.app.js';
import { bootGateway, FRONTS, NOTES, textOf, type FrontClient, type RunningGateway } from './gateway.app.js';

const [, [, connect]] = FRONTS as [unknown, (typeof FRONTS)[number]];

/** A server that accepts connections and never responds. */
async function startSilence(): Promise<{ server: Server; url: string }> {
  const server = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp` };
}

describe.each(ADAPTERS)('A gateway on %s, of whose servers some fail', (adapter) => {
  let shop: RunningShop;
  let silence: Awaited<ReturnType<typeof startSilence>>;
  let gateway: RunningGateway;
  let client: FrontClient;

  const status = (name: string) => gateway.gateway.servers.find((one) => one.name === name);
  const add = () => client.callTool({ name: 'shop_add', arguments: { a: 1, b: 2 } });

  beforeAll(async () => {
    shop = await bootShop();
    silence = await startSilence();
    gateway = await bootGateway({
      adapter,
      servers: {
        shop: { url: shop.url, circuit: { failures: 2, resetMs: 60_000 }, reconnect: { waitMs: 1000 } },
        notes: { ...NOTES, callTimeoutMs: 4000, reconnect: { initialDelayMs: 10 } },
        silent: { url: silence.url, reconnect: { waitMs: 300 } },
        gone: { url: 'http://127.0.0.1:1/mcp', reconnect: false },
        missing: { command: 'no-such-program-at-all', reconnect: false },
      },
    });
    await gateway.ready('shop', 'notes');
    client = (await connect(gateway.url)) as FrontClient;
  });
  afterAll(async () => {
    await client.close();
    await gateway.close();
    await shop.close();
    silence.server.closeAllConnections();
    silence.server.close();
  });

  it('starts without them, and offers the others (GATE-02)', async () => {
    await until(
      () => status('gone')?.state === 'failing' && status('missing')?.state === 'failing',
      () => JSON.stringify(gateway.gateway.servers),
    );
    expect(status('silent')?.state).not.toBe('ready');
    expect(status('missing')?.problem).toContain('no-such-program-at-all');
    expect(await add()).toMatchObject({ structuredContent: { sum: 3 } });
  });

  it('restarts a process that ends, and calls it again (GATE-02)', async () => {
    const before = textOf(await client.callTool({ name: 'notes_pid' }));
    expect(await client.callTool({ name: 'notes_crash' })).toMatchObject({ isError: true });
    expect(await add()).toMatchObject({ structuredContent: { sum: 3 } });
    const after = await until(
      async () => {
        const result = await client.callTool({ name: 'notes_pid' });
        return result.isError === true ? undefined : textOf(result);
      },
      'another process',
      30_000,
    );
    expect(after).not.toBe(before);
  });

  it('ends a call that hangs, while others run (GATE-02)', async () => {
    const hanging = client.callTool({ name: 'notes_hang' });
    expect(await add()).toMatchObject({ structuredContent: { sum: 3 } });
    expect(await hanging).toMatchObject({ isError: true });
  });

  it('refuses at once what fails repeatedly, and names the server alone (GATE-02)', async () => {
    const catalog = gateway.app.get(McpCatalog);
    await shop.close();
    const texts: (string | undefined)[] = [];
    await until(
      async () => {
        const result = await add().catch((error: unknown) => ({ content: [{ text: String(error) }] }));
        texts.push(textOf(result));
        return status('shop')?.circuit === 'open';
      },
      () => JSON.stringify([status('shop'), texts]),
      60_000,
    );
    expect(await add()).toMatchObject({ isError: true });
    expect(texts.join()).not.toContain('127.0.0.1');
    expect(textOf(await add())).toBe('The server "shop" is not available: try again later');
    expect(catalog.tools.find('shop_add')).toBeDefined();
    expect(textOf(await client.callTool({ name: 'notes_write', arguments: { text: 'x' } }))).toBe('wrote x');
  });
});

describe('A gateway that closes while a process starts', () => {
  it('ends the process (GATE-02)', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gateway-'));
    const file = join(folder, 'pid');
    const code =
      'require("fs").writeFileSync(process.argv[1], String(process.pid)); setInterval(() => undefined, 1000)';
    const gateway = await bootGateway({
      servers: { slow: { command: process.execPath, args: ['-e', code, file] } },
    });
    const pid = await until(() => readFile(file, 'utf8').catch(() => ''), 'the process', 20_000);
    await gateway.close();
    const isGone = () => {
      try {
        return !process.kill(Number(pid), 0);
      } catch {
        return true;
      }
    };
    expect(await until(isGone, 'the end of the process', 20_000)).toBe(true);
    await rm(folder, { recursive: true });
  });
});
