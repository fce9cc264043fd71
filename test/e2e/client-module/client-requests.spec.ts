import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Progress } from '@modelcontextprotocol/client';
import { until } from '../../support/until.js';
import { bootCustomer, bootShop, WIRES, type Customer, type RunningShop } from './shop.app.js';

describe.each(WIRES)('An injected client (%j)', (negotiation) => {
  let server: RunningShop;
  let customer: Customer;

  beforeEach(async () => {
    server = await bootShop();
    customer = await bootCustomer({ url: server.url, negotiation });
  });
  afterEach(async () => {
    await customer.app.close();
    await server.close();
  });

  it('connects with its first use (CLI-18)', async () => {
    const { client } = customer;
    expect(client.state).toBe('idle');
    await expect(client.callTool('add', { a: 1, b: 2 })).resolves.toMatchObject({
      structuredContent: { sum: 3 },
    });
    expect(client.state).toBe('connected');
  });

  it('connects once for all who use it at once (CLI-18)', async () => {
    const states: string[] = [];
    customer.client.state$.subscribe((state) => states.push(state));
    const calls = [1, 2, 3].map((b) => customer.client.callTool('add', { a: 1, b }));
    await Promise.all(calls);
    expect(states).toEqual(['idle', 'connecting', 'connected']);
  });

  it('lists what the server has (CLI-18)', async () => {
    const { client } = customer;
    expect((await client.listTools()).map(({ name }) => name)).toContain('add');
    expect((await client.listResources()).map(({ uri }) => uri)).toEqual(['shop://stock']);
    expect((await client.listResourceTemplates()).map(({ uriTemplate }) => uriTemplate)).toEqual([
      'shop://goods/{name}',
    ]);
    expect((await client.listPrompts()).map(({ name }) => name)).toEqual(['greeting']);
  });

  it('reads resources, fills prompts in and completes their arguments (CLI-18)', async () => {
    const { client } = customer;
    await expect(client.readResource('shop://goods/pears')).resolves.toMatchObject({
      contents: [{ text: 'a box of pears' }],
    });
    await expect(client.getPrompt('greeting', { who: 'Ada' })).resolves.toMatchObject({
      messages: [{ content: { text: 'Greet Ada' } }],
    });
    const completion = { ref: { prompt: 'greeting' }, argument: { name: 'who', value: 'A' } };
    await expect(client.complete(completion)).resolves.toMatchObject({ values: ['Ada', 'Alan'] });
  });

  it('tells of progress (CLI-18)', async () => {
    const told: Progress[] = [];
    await customer.client.callTool('count', {}, { onProgress: (progress) => told.push(progress) });
    expect(told).toEqual([
      { progress: 1, total: 2, message: 'half' },
      { progress: 2, total: 2, message: 'all' },
    ]);
  });

  it('gives the failure of a tool as its result (CLI-18)', async () => {
    await expect(customer.client.callTool('fail')).resolves.toMatchObject({ isError: true });
  });

  it('has the server stop what nobody waits for (CLI-18)', async () => {
    const stop = new AbortController();
    const call = customer.client.callTool('wait', {}, { signal: stop.signal });
    await until(() => server.shop.seen.includes('wait'), 'the call');
    stop.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
    await until(() => server.shop.seen.includes('cancelled'), 'the end of the call');
  });

  it('gives up what takes too long (CLI-18)', async () => {
    let timeoutMs = 50;
    // On a slow machine a call may not have begun when it is given up.
    await until(async () => {
      const call = customer.client.callTool('wait', {}, { timeoutMs });
      await expect(call).rejects.toMatchObject({ code: 'REQUEST_TIMEOUT' });
      timeoutMs *= 2;
      return server.shop.seen.includes('wait');
    }, 'a call that begins');
    await until(() => server.shop.seen.includes('cancelled'), 'the end of the call');
  });

  it('gives the official client for the rest (CLI-18)', async () => {
    const official = await customer.client.official();
    expect(official.getServerVersion()).toMatchObject({ name: 'shop' });
  });

  it('ends with the application (CLI-18)', async () => {
    const { app, client } = customer;
    await client.ping();
    const states: string[] = [];
    let isComplete = false;
    client.state$.subscribe({ next: (state) => states.push(state), complete: () => (isComplete = true) });
    await app.close();
    expect(states).toEqual(['connected', 'closed']);
    expect(isComplete).toBe(true);
    await expect(client.listTools()).rejects.toMatchObject({ code: 'client_closed' });
    expect(server.shop.notifier.sessions).toHaveLength(0);
  });
});
