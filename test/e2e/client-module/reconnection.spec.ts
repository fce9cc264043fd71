import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import 'reflect-metadata';
import type { Server } from 'node:http';
import { Injectable, Module, type INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { McpModule, McpNotifier, Resource, Tool, type McpContext } from 'nestjs-mcp';
import type { McpClientState } from 'nestjs-mcp/client-module';
import { findFreePort } from '../../conformance/find-free-port.js';
import { bootApp } from '../../support/applications/boot.js';
import { until } from '../../support/until.js';
import { bootCustomer, WIRES, type Customer } from './shop.app.js';

@Injectable()
class Counter {
  @Tool()
  greet(): string {
    return 'hello';
  }

  release: () => void = () => undefined;

  @Tool()
  async wait(_: object, context: McpContext): Promise<string> {
    context.progress(1);
    await new Promise<void>((resolve) => (this.release = resolve));
    return 'waited';
  }

  @Resource({ uri: 'counter://now' })
  now(): string {
    return 'now';
  }
}

const RECONNECT = { initialDelayMs: 20, maxDelayMs: 50, maxAttempts: 200, waitMs: 10_000 };

@Module({
  imports: [McpModule.forRoot({ serverInfo: { name: 'counter', version: '1.0.0' } })],
  providers: [Counter],
})
class CounterModule {}

interface CounterServer {
  readonly app: INestApplication;
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

/** Starts a server at a port, which it may take again later; 0 is a free one. */
async function bootCounter(port: number): Promise<CounterServer> {
  const options = { logger: false, abortOnError: false, forceCloseConnections: true } as const;
  const app = await NestFactory.create(CounterModule, new ExpressAdapter(), options);
  await app.listen(port, '127.0.0.1');
  const origin = await app.getUrl();
  return { app, url: `${origin}/mcp`, port: Number(new URL(origin).port), close: () => app.close() };
}

describe.each(WIRES)('An injected client that loses its server (%j)', (negotiation) => {
  let server: CounterServer;
  let customer: Customer;
  let states: McpClientState[];
  let isCut = false;

  /** Fails as it does without a network, once for each time that it is cut. */
  const send: typeof fetch = async (...request) => {
    if (!isCut) return fetch(...request);
    isCut = false;
    throw new TypeError('fetch failed', { cause: new Error('the network is cut') });
  };

  const boot = async (reconnect: object | false = RECONNECT) => {
    server = await bootCounter(await findFreePort());
    customer = await bootCustomer({ url: server.url, negotiation, reconnect, fetch: send });
    states = [];
    customer.client.state$.subscribe((state) => states.push(state));
    await customer.client.callTool('greet');
  };

  const restart = async () => {
    const { port } = server;
    await server.close();
    server = await bootCounter(port);
  };

  beforeEach(() => {
    states = [];
  });
  afterEach(async () => {
    await customer.app.close();
    await server.close();
  });

  it('comes back when it is used, and does again what changes nothing (CLI-18)', async () => {
    await boot();
    await restart();
    await expect(customer.client.listTools()).resolves.toHaveLength(2);
    expect(customer.client.state).toBe('connected');
    await expect(customer.client.callTool('greet')).resolves.toMatchObject({ content: [{ text: 'hello' }] });
    expect(customer.client.state).toBe('connected');
  });

  it('has calls wait until it is back (CLI-18)', async () => {
    await boot();
    const { port } = server;
    await server.close();
    const call = customer.client.listTools();
    await until(() => states.includes('reconnecting'), 'the loss');
    const another = customer.client.callTool('greet');
    server = await bootCounter(port);
    await expect(Promise.all([call, another])).resolves.toHaveLength(2);
    expect(states.slice(0, 4)).toEqual(['idle', 'connecting', 'connected', 'reconnecting']);
  });

  it('fails calls that waited too long, and says so (CLI-18)', async () => {
    const waitMs = 3000;
    await boot({ ...RECONNECT, waitMs });
    await server.close();
    const call = customer.client.listTools();
    await expect(call).rejects.toMatchObject({ code: 'client_unavailable', waitedMs: waitMs });
    await expect(call).rejects.toThrow(
      `could not connect to ${server.url} within ${waitMs} ms: ECONNREFUSED`,
    );
  });

  it('rests after some attempts, and tries again when it is used (CLI-18)', async () => {
    await boot({ ...RECONNECT, maxAttempts: 3 });
    const { port } = server;
    await server.close();
    await expect(customer.client.listTools()).rejects.toMatchObject({ code: 'client_unavailable' });
    await until(() => customer.client.state === 'idle', 'the rest');
    server = await bootCounter(port);
    await expect(customer.client.callTool('greet')).resolves.toBeDefined();
  });

  it('tries once for each use where it is not to come back by itself (CLI-18)', async () => {
    await boot(false);
    await restart();
    // An attempt may meet a connection of the process that is closed, which nobody has noticed yet.
    await until(() => customer.client.callTool('greet').catch(() => false), 'a call that succeeds');
    expect(states).not.toContain('reconnecting');
  });

  it('loses no call without saying so (CLI-18)', async () => {
    await boot();
    let isUnderWay = false;
    const onProgress = () => (isUnderWay = true);
    const call = customer.client.callTool('wait', {}, { timeoutMs: 10_000, onProgress });
    const outcome = call.then(
      () => 'answered',
      ({ code }: { code: unknown }) => code,
    );
    const counter = server.app.get(Counter);
    await until(() => isUnderWay, 'the call');
    (server.app.getHttpServer() as Server).closeAllConnections();
    counter.release();
    // In a session the answer is fetched where the stream of the call broke off; the stateless wire has no such thing.
    expect(await outcome).toBe(negotiation === 'legacy' ? 'answered' : 'connection_lost');
  });

  it('sees through what was begun with the official client before (CLI-18)', async () => {
    await boot();
    let isUnderWay = false;
    const official = await customer.client.official();
    const onprogress = () => (isUnderWay = true);
    const call = official.callTool({ name: 'wait' }, { onprogress });
    call.catch(() => undefined);
    await until(() => isUnderWay, 'the call');
    isCut = true;
    await customer.client.ping();
    expect(states).toContain('reconnecting');
    server.app.get(Counter).release();
    await expect(call).resolves.toMatchObject({ content: [{ text: 'waited' }] });
    await expect(customer.client.official()).resolves.not.toBe(official);
  });

  it('goes on to observe resources, and says that a change may have been missed (CLI-18)', async () => {
    await boot();
    const told: CounterServer[] = [];
    customer.client.subscribe('counter://now').subscribe(() => told.push(server));
    const tell = () => server.app.get(McpNotifier).resourceUpdated('counter://now');
    await until(() => (tell(), told.length > 0), 'an update');
    await restart();
    await until(() => told.includes(server), 'the return');
    told.length = 0;
    expect(await until(() => (tell(), told.length > 0), 'an update after the return')).toBe(true);
  });
});

/** Gives the URL of a server that is gone. */
async function findClosedUrl(): Promise<string> {
  const { url, close } = await bootCounter(0);
  await close();
  return url;
}

describe('An injected client whose server is not there', () => {
  it('fails at once with what no further attempt would change (CLI-18)', async () => {
    const app = await bootApp({ imports: [] });
    const customer = await bootCustomer({ url: app.url, reconnect: RECONNECT });
    await expect(customer.client.callTool('greet')).rejects.toThrow('404');
    expect(customer.client.state).toBe('idle');
    await customer.app.close();
    await app.close();
  });

  it('does not keep the application from its end (CLI-18)', async () => {
    const customer = await bootCustomer({ url: await findClosedUrl(), reconnect: RECONNECT });
    const call = customer.client.callTool('greet');
    await until(() => customer.client.state === 'connecting', 'an attempt');
    await Promise.all([expect(call).rejects.toMatchObject({ code: 'client_closed' }), customer.app.close()]);
  });
});
