import { Injectable } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { Gate } from '../../../../support/applications/gate.js';
import { Resource, Tool } from '../../../../../lib/server/decorators/handler.decorators.js';
import type { McpContext } from '../../../../../lib/server/context/mcp-context.interface.js';
import { McpNotifier } from '../../../../../lib/server/notifications/mcp-notifier.js';
import { PER_REQUEST_META, DuplexClient } from '../../../support/duplex-client.js';

const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';
const LOG_LEVEL = 'io.modelcontextprotocol/logLevel';
let gate: Gate;

@Injectable()
class CallingHandlers {
  @Tool()
  count(_arguments: object, context: McpContext): string {
    context.progress(1, 2, 'half');
    context.log('info', 'counting');
    return 'counted';
  }

  @Tool()
  async wait(_arguments: object, context: McpContext): Promise<string> {
    await gate.pass(context.signal);
    context.progress(1);
    return 'waited';
  }

  @Tool()
  async ask(_arguments: object, context: McpContext): Promise<string> {
    const schema = z.object({ name: z.string() });
    const answer = await context.elicit({ message: 'Who are you?', schema });
    return answer.action === 'accept' ? answer.content.name : answer.action;
  }

  @Tool()
  async think(_arguments: object, context: McpContext): Promise<string> {
    const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: 'Think' } }];
    const { model } = await context.sample({ messages, maxTokens: 10 });
    return model;
  }

  @Tool()
  async look(_arguments: object, context: McpContext): Promise<string> {
    const roots = await context.listRoots();
    return roots.map(({ uri }) => uri).join();
  }

  @Resource({ uri: 'desk://state' })
  state(): string {
    return 'open';
  }
}

describe('DuplexConnection, between request and answer', () => {
  let desk: DuplexClient;

  beforeEach(async () => {
    gate = new Gate();
    desk = await DuplexClient.open(CallingHandlers);
  });

  afterEach(() => desk.close());

  function listen(id: string | number, notifications: object): void {
    desk.send({ id, method: 'subscriptions/listen', params: { notifications, _meta: PER_REQUEST_META } });
  }

  function call(id: string | number, name: string, meta: object = {}): void {
    desk.send({ id, method: 'tools/call', params: { name, _meta: meta } });
  }

  const order = () => desk.messages.map(({ id, method }) => method ?? id);

  it('sends progress and log entries of a call over the one connection, before its answer (NOTE-06)', async () => {
    await desk.initialize();
    call(1, 'count', { progressToken: 'a' });
    await desk.answer(1);
    expect(order()).toEqual(['initialize', 'notifications/progress', 'notifications/message', 1]);
    call(2, 'count', { ...PER_REQUEST_META, [LOG_LEVEL]: 'info', progressToken: 'b' });
    await desk.answer(2);
    expect(order().slice(4)).toEqual(['notifications/progress', 'notifications/message', 2]);
    expect(
      desk.notifications.map(({ params }) => (params as { progressToken?: string }).progressToken),
    ).toEqual(['a', undefined, 'b', undefined]);
  });

  it('sends what belongs to no request over the one connection too (NOTE-06)', async () => {
    await desk.initialize();
    await desk.request(1, 'resources/subscribe', { uri: 'desk://state' });
    desk.app.get(McpNotifier, { strict: false }).resourceUpdated('desk://state');
    expect(await desk.asks('notifications/resources/updated')).toMatchObject({
      params: { uri: 'desk://state' },
    });
    await desk.request(2, 'resources/unsubscribe', { uri: 'desk://state' });
    desk.app.get(McpNotifier, { strict: false }).resourceUpdated('desk://state');
    await desk.request(3, 'ping');
    expect(desk.notifications).toHaveLength(1);
  });

  it('sends no notification but log entries, and asks nothing, before the handshake is confirmed (SESS-01)', async () => {
    await desk.initialize({ confirm: false, capabilities: { elicitation: {} } });
    const notifier = desk.app.get(McpNotifier, { strict: false });
    notifier.toolsListChanged();
    notifier.log('info', 'early');
    call(1, 'count', { progressToken: 1 });
    await desk.answer(1);
    expect(desk.notifications.map(({ method }) => method)).toEqual([
      'notifications/message',
      'notifications/message',
    ]);
    expect(await desk.request(2, 'tools/call', { name: 'ask' })).toMatchObject({ result: { isError: true } });
    desk.send({ method: 'notifications/initialized' });
    notifier.toolsListChanged();
    expect(await desk.asks('notifications/tools/list_changed')).toBeDefined();
    expect(order()).not.toContain('elicitation/create');
  });

  it.each([
    ['in a session', {}],
    ['alone', PER_REQUEST_META],
  ])('cancels a request %s by its id, and does not answer it (CANC-01)', async (_, meta) => {
    await desk.initialize();
    call(7, 'wait', { ...meta, progressToken: 1 });
    await gate.reached();
    const params = { requestId: 7, reason: 'enough', ...(meta === PER_REQUEST_META && { _meta: meta }) };
    desk.send({ method: 'notifications/cancelled', params }, { method: 'notifications/cancelled', params });
    await desk.connection.drain();
    expect(order()).toEqual(['initialize']);
    expect(await desk.request(7, 'ping')).toHaveProperty('result');
  });

  it('does not let a notification of the stateless wire speak for the session (SESS-01)', async () => {
    await desk.initialize({ confirm: false });
    desk.send({ method: 'notifications/initialized', params: { _meta: PER_REQUEST_META } });
    expect(desk.connection.session?.isLive).toBe(false);
  });

  it('tells several subscriptions apart by their ids, and ends each when it is cancelled (STDIO-01, NOTE-08)', async () => {
    listen('a', { resourceSubscriptions: ['desk://state'] });
    listen(2, { toolsListChanged: true, resourceSubscriptions: ['desk://state'] });
    expect(desk.notifications.map(({ method }) => method)).toEqual(
      Array(2).fill('notifications/subscriptions/acknowledged'),
    );
    const notifier = desk.app.get(McpNotifier, { strict: false });
    const tags = () => desk.notifications.map(({ params }) => (params as { _meta: object })._meta);
    notifier.resourceUpdated('desk://state');
    notifier.toolsListChanged();
    expect(tags().slice(2)).toEqual([{ [SUBSCRIPTION]: 'a' }, { [SUBSCRIPTION]: 2 }, { [SUBSCRIPTION]: 2 }]);

    desk.send({ method: 'notifications/cancelled', params: { requestId: 'a' } });
    await desk.callAlone(3, 'count');
    notifier.resourceUpdated('desk://state');
    expect(tags().slice(5)).toEqual([{ [SUBSCRIPTION]: 2 }]);
    expect(desk.connection.size).toBe(1);
  });

  it.each([
    ['ask', 'elicitation/create', { action: 'accept', content: { name: 'Ada' } }, 'Ada'],
    [
      'think',
      'sampling/createMessage',
      { role: 'assistant', content: { type: 'text', text: '…' }, model: 'thinker' },
      'thinker',
    ],
    ['look', 'roots/list', { roots: [{ uri: 'file:///desk' }] }, 'file:///desk'],
  ])('%s: puts "%s" to the client, and takes its answer (STDIO-01)', async (name, method, result, text) => {
    await desk.initialize({ capabilities: { elicitation: {}, sampling: {}, roots: {} } });
    call(1, name);
    const { id } = await desk.asks(method);
    desk.send({ id: 'unknown', result }, { id, result }, { id, result });
    expect(await desk.answer(1)).toMatchObject({ result: { content: [{ text }] } });
  });

  it('puts no request to a client of the stateless wire, whose call asks in rounds (STDIO-01)', async () => {
    const capabilities = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } };
    const answer = await desk.callAlone(1, 'ask', capabilities);
    expect(answer).toMatchObject({ result: { resultType: 'input_required' } });
    expect(order()).toEqual([1]);
  });
});
