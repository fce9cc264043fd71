import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Client, Transport } from '@modelcontextprotocol/client';
import { initialize, perRequest } from '../../support/clients/json-rpc.js';
import { CALLER } from '../../support/records/recorded-traces.js';
import { connect, WAYS } from '../telemetry/recorded-desk.js';
import { until } from '../../support/until.js';
import { bootAuditedDesk, DeskHandlers, type AuditedDesk } from './audited-desk.js';

describe.each(Object.entries(WAYS))('The audit of a client that comes by %s', (way, open) => {
  let desk: AuditedDesk;
  let client: Client;
  let transport: Transport;

  beforeAll(async () => {
    desk = await bootAuditedDesk();
    transport = await open(desk);
    client = await connect(transport);
    // What was sent before is taken then.
    await client.ping();
  });

  beforeEach(() => {
    desk.events.length = 0;
  });

  afterAll(async () => {
    await client.close();
    await desk.close();
  });

  it('has one event for a call, with who, what and what came of it (OPS-03)', async () => {
    await client.callTool({ name: 'echo', arguments: { text: 'hello' } });
    expect(desk.events).toHaveLength(1);
    const event = await desk.find({ method: 'tools/call' });
    expect(event).toMatchObject({
      type: 'request',
      server: 'default',
      transport: TRANSPORTS[way],
      method: 'tools/call',
      target: 'echo',
      outcome: 'ok',
      protocolVersion: '2025-11-25',
      usedScopes: [],
      missingScopes: [],
    });
    expect(event.id).toMatch(/^[\da-f-]{36}$/);
    expect(event.time).toBeInstanceOf(Date);
    expect(event.durationMs).toBeGreaterThan(0);
    expect(event.requestBytes).toBeGreaterThan(60);
    expect(event.answerBytes).toBeGreaterThan(60);
    expect(event.arguments).toBeUndefined();
    expect(event.caller.address).toBe(way === 'stdio' || way === 'in-process' ? undefined : '127.0.0.1');
  });

  it.each([
    ['refuse', 'tool_error'],
    ['crash', 'tool_error'],
    ['fail', 'error'],
  ])('tells the outcome of the tool "%s" (OPS-03)', async (name, outcome) => {
    await client.callTool({ name }).catch(() => undefined);
    const event = await desk.find({ target: name });
    expect(event.outcome).toBe(outcome);
    expect(event.errorCode).toBe(name === 'fail' ? -32010 : undefined);
  });

  it('has the incident that the client is told (OPS-03)', async () => {
    const { content } = await client.callTool({ name: 'crash' });
    const { incident } = await desk.find({ target: 'crash' });
    expect(incident).toMatch(/^[\da-f]{12}$/);
    expect(JSON.stringify(content)).toContain(incident);
  });

  it('has events for lists, reads, prompts, completions, subscriptions and pings (OPS-03)', async () => {
    await client.listTools();
    await client.readResource({ uri: 'desk://tickets/7' });
    await client.getPrompt({ name: 'greet', arguments: { name: 'Ada' } });
    await client.complete({
      ref: { type: 'ref/prompt', name: 'greet' },
      argument: { name: 'name', value: 'A' },
    });
    await client.subscribeResource({ uri: 'desk://rules' });
    await client.ping();
    expect(desk.events.map(({ method, target, outcome }) => [method, target, outcome])).toEqual([
      ['tools/list', undefined, 'ok'],
      ['resources/read', 'desk://tickets/7', 'ok'],
      ['prompts/get', 'greet', 'ok'],
      ['completion/complete', 'greet', 'ok'],
      ['resources/subscribe', 'desk://rules', 'ok'],
      ['ping', undefined, 'ok'],
    ]);
  });

  it('has an event for a question to the client, with what the user said (OPS-03)', async () => {
    await client.callTool({ name: 'ask' });
    const question = await desk.find({ type: 'input_request' });
    expect(question).toMatchObject({ method: 'elicitation/create', outcome: 'ok', action: 'decline' });
    expect(question.answerBytes).toBeGreaterThan(0);
    expect(await desk.find({ target: 'ask' })).toMatchObject({ outcome: 'ok', session: question.session });
  });

  it('tells what was cancelled, and who cancelled it (OPS-03)', async () => {
    const giveUp = new AbortController();
    const { waiting } = desk.app.get(DeskHandlers);
    const called = client.callTool({ name: 'wait' }, { signal: giveUp.signal });
    await until(() => desk.app.get(DeskHandlers).waiting > waiting, 'the call');
    giveUp.abort('enough');
    await called.catch(() => undefined);
    const call = await desk.find({ target: 'wait' });
    expect(call).toMatchObject({ outcome: 'cancelled', answerBytes: 0 });
    const told = await desk.find({ method: 'notifications/cancelled' });
    expect(told).toMatchObject({ type: 'notification', outcome: 'ok', requestId: call.requestId });
  });

  it('takes what meets a limit for refused (OPS-03)', async () => {
    await client.callTool({ name: 'limit' }).catch(() => undefined);
    expect(await desk.find({ target: 'limit' })).toMatchObject({
      outcome: 'refused',
      reason: 'rate_limited',
    });
  });

  it('has what an unknown method or tool was answered with (OPS-03)', async () => {
    await client.callTool({ name: 'nothing' }).catch(() => undefined);
    expect(await desk.find({ target: 'nothing' })).toMatchObject({ outcome: 'error', errorCode: -32602 });
  });
});

const TRANSPORTS: Readonly<Record<string, string>> = {
  'streamable HTTP': 'http',
  'HTTP+SSE': 'http',
  stdio: 'stdio',
  'in-process': 'in-process',
};

describe('The audit of a server', () => {
  let desk: AuditedDesk;

  beforeAll(async () => {
    desk = await bootAuditedDesk({ audit: { redact: (value, { target }) => ({ [`of ${target}`]: value }) } });
  });

  beforeEach(() => {
    desk.events.length = 0;
  });

  afterAll(() => desk.close());

  it('has the handshake, and the beginning and end of its session (OPS-03)', async () => {
    const session = await initialize(desk.url);
    await session.delete();
    const [listed] = desk.events;
    expect(desk.events.map(({ type, method, reason }) => [type, method, reason])).toEqual([
      ['request', 'initialize', undefined],
      ['session_begun', undefined, undefined],
      ['notification', 'notifications/initialized', undefined],
      ['session_ended', undefined, 'The client ended the session'],
    ]);
    expect(new Set(desk.events.map(({ session: name }) => name)).size).toBe(1);
    expect(listed?.session).toMatch(/^[\da-f]{16}$/);
    expect(JSON.stringify(desk.events)).not.toContain(session.id);
  });

  it('shows arguments as the redactor gives them (OPS-03)', async () => {
    const client = perRequest(desk.url);
    await client.request('tools/call', { name: 'echo', arguments: { text: 'secret' } });
    await client.request('resources/read', { uri: 'desk://rules' });
    expect((await desk.find({ target: 'echo' })).arguments).toEqual({ 'of echo': { text: 'secret' } });
    expect((await desk.find({ target: 'desk://rules' })).arguments).toEqual({
      'of desk://rules': { uri: 'desk://rules' },
    });
  });

  it('names the trace of the caller, and the size of the request as it came (OPS-03)', async () => {
    const _meta = { traceparent: CALLER.traceparent };
    const answer = await perRequest(desk.url).request('tools/call', {
      name: 'echo',
      arguments: { text: 'ä' },
      _meta,
    });
    const event = await desk.find({ target: 'echo' });
    expect(event.traceId).toBe(CALLER.traceId);
    expect(event.answerBytes).toBe(Buffer.byteLength(JSON.stringify(answer.response)));
  });

  it('has an event for each request of a batch (OPS-03)', async () => {
    const session = await initialize(desk.url, { version: '2025-03-26' });
    desk.events.length = 0;
    const one = { jsonrpc: '2.0', id: 'a', method: 'tools/call', params: { name: 'refuse' } };
    await session.post([one, { jsonrpc: '2.0', id: 'b', method: 'ping' }]);
    expect(desk.events.map(({ requestId, outcome }) => `${requestId} ${outcome}`).toSorted()).toEqual([
      'a tool_error',
      'b ok',
    ]);
    const event = await desk.find({ requestId: 'a' });
    expect(event.requestBytes).toBe(Buffer.byteLength(JSON.stringify(one)));
  });

  it('makes no event while nobody subscribes (OPS-03)', async () => {
    let redactions = 0;
    const silent = await bootAuditedDesk({ subscribes: false, audit: { redact: () => (redactions += 1) } });
    await perRequest(silent.url).request('tools/call', { name: 'echo', arguments: { text: 'a' } });
    expect(redactions).toBe(0);
    const subscription = silent.audit.events$.subscribe();
    await perRequest(silent.url).request('tools/call', { name: 'echo', arguments: { text: 'a' } });
    expect(redactions).toBe(1);
    subscription.unsubscribe();
    await perRequest(silent.url).request('tools/call', { name: 'echo', arguments: { text: 'a' } });
    expect(redactions).toBe(1);
    await silent.close();
  });
});
