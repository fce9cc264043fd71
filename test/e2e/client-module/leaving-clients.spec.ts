import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable, type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Tool, type McpContext } from 'nestjs-mcp';
import {
  McpClientModule,
  McpClients,
  type HttpClientOptions,
  type McpCaller,
} from 'nestjs-mcp/client-module';
import { firstValueFrom, Subject } from 'rxjs';
import { CALLERS } from '../../support/applications/protected-desk.js';
import { until } from '../../support/until.js';
import { bootShop, type RunningShop } from './shop.app.js';

@Injectable()
class Bakery {
  readonly baked = new Subject<string>();
  isCancelled = false;

  @Tool({ task: 'optional', pollIntervalMs: 50 })
  async bake(_: object, { signal }: McpContext): Promise<string> {
    signal.addEventListener('abort', () => {
      this.isCancelled = true;
      this.baked.next('nothing');
    });
    return firstValueFrom(this.baked);
  }

  @Tool()
  async knead(): Promise<string> {
    return firstValueFrom(this.baked);
  }
}

function createCaller(name: 'ada' | 'bob'): McpCaller {
  return {
    auth: {
      claims: { iss: 'https://login.example.com', sub: name },
      exchange: () => Promise.resolve(CALLERS[name].token),
    },
  };
}

const WAYS: readonly { readonly negotiation: HttpClientOptions['negotiation']; readonly task: boolean }[] = [
  { negotiation: { pin: '2026-07-28' }, task: false },
  { negotiation: 'legacy', task: true },
];

describe.each(WAYS)("A caller's client that makes room ($negotiation)", ({ negotiation, task }) => {
  let server: RunningShop;
  let bakery: Bakery;
  let app: INestApplicationContext;
  let clients: McpClients;

  const boot = async (callers: HttpClientOptions['callers']) => {
    const shop = { name: 'shop', url: server.url, negotiation, callers };
    const root = { module: class Root {}, imports: [McpClientModule.forRoot([shop])] };
    app = await NestFactory.createApplicationContext(root, { logger: false, abortOnError: false });
    clients = app.get(McpClients);
  };

  /** Has a client follow a task. */
  const bake = async (signal?: AbortSignal) => {
    const client = clients.forCaller('shop', createCaller('ada'));
    let isTask = false;
    const call = client.callTool('bake', {}, { task, signal, onStatus: () => (isTask = true) });
    call.catch(() => undefined);
    await until(() => isTask && bakery.baked.observed, 'the task');
    return { client, call };
  };

  beforeEach(async () => {
    server = await bootShop({ auth: { bearer: Object.values(CALLERS) }, tasks: true }, [Bakery]);
    bakery = server.app.get(Bakery);
  });
  afterEach(async () => {
    await app.close();
    await server.close();
  });

  it('follows its tasks to their results, and is closed then (CLI-18)', async () => {
    await boot({ maximum: 1 });
    const { client, call } = await bake();
    clients.forCaller('shop', createCaller('bob'));
    bakery.baked.next('bread');
    await expect(call).resolves.toMatchObject({ content: [{ text: 'bread' }] });
    await until(() => client.state === 'closed', 'the end of the client');
  });

  it('takes nothing new while it follows them (CLI-18)', async () => {
    await boot({ maximum: 1 });
    const { client, call } = await bake();
    await client.listTools();
    clients.forCaller('shop', createCaller('bob'));
    const refused = { code: 'client_closed' };
    await expect(client.callTool('whoami')).rejects.toMatchObject(refused);
    await expect(client.ping()).rejects.toMatchObject(refused);
    await expect(client.connect()).rejects.toMatchObject(refused);
    await expect(client.official()).rejects.toMatchObject(refused);
    await expect(client.listTools()).rejects.toMatchObject(refused);
    bakery.baked.next('bread');
    await expect(call).resolves.toMatchObject({ content: [{ text: 'bread' }] });
  });

  it('follows them where nobody has asked for it for a while, too (CLI-18)', async () => {
    await boot({ idleTimeoutMs: 50 });
    const { client, call } = await bake();
    await until(async () => {
      const outcome = await client.ping().catch((error: { code?: string }) => error.code);
      return outcome === 'client_closed';
    }, 'the end of its time');
    bakery.baked.next('bread');
    await expect(call).resolves.toMatchObject({ content: [{ text: 'bread' }] });
  });

  it('cancels a task that is given up (CLI-18)', async () => {
    await boot({ maximum: 1 });
    const stop = new AbortController();
    const { client, call } = await bake(stop.signal);
    clients.forCaller('shop', createCaller('bob'));
    stop.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
    await until(() => bakery.isCancelled, 'the end of the task');
    await until(() => client.state === 'closed', 'the end of the client');
  });

  it('makes a connection for a call that waits for one (CLI-18)', async () => {
    await boot({ maximum: 1 });
    const call = clients.forCaller('shop', createCaller('ada')).callTool('whoami');
    clients.forCaller('shop', createCaller('bob'));
    await expect(call).resolves.toMatchObject({ content: [{ text: 'ada' }] });
  });

  it('sees through what was begun with the official client (CLI-18)', async () => {
    await boot({ maximum: 1 });
    const client = clients.forCaller('shop', createCaller('ada'));
    const official = await client.official();
    const call = official.callTool({ name: 'knead' });
    call.catch(() => undefined);
    await until(() => bakery.baked.observed, 'the call');
    await clients.forCaller('shop', createCaller('bob')).callTool('whoami');
    bakery.baked.next('dough');
    await expect(call).resolves.toMatchObject({ content: [{ text: 'dough' }] });
    await until(() => client.state === 'closed', 'the end of the client');
  });

  it('is closed with the application, whatever it follows (CLI-18)', async () => {
    await boot({ maximum: 1 });
    const { client, call } = await bake();
    clients.forCaller('shop', createCaller('bob'));
    await app.close();
    expect(client.state).toBe('closed');
    await expect(call).rejects.toMatchObject({ code: 'client_closed' });
  });
});
