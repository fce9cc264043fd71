import { Injectable } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { Gate } from '../../../../support/applications/gate.js';
import { within } from '../../../../support/until.js';
import { Tool } from '../../../../../lib/server/decorators/handler.decorators.js';
import type { McpContext } from '../../../../../lib/server/context/mcp-context.interface.js';
import type { Listener } from '../../../../../lib/server/notifications/listener-registry.js';
import { PER_REQUEST_META, DuplexClient } from '../../../support/duplex-client.js';
import { getParts } from '../../../../support/applications/get-parts.js';

let gate: Gate;

@Injectable()
class UnendingTools {
  @Tool()
  async wait(): Promise<string> {
    await gate.pass();
    return 'waited';
  }

  @Tool()
  async ask(_arguments: object, context: McpContext): Promise<string> {
    const { action } = await context.elicit({ message: 'Well?', schema: z.object({}) });
    return action;
  }
}

describe('The end of a DuplexConnection', () => {
  const never = new AbortController().signal;
  let desk: DuplexClient;

  beforeEach(async () => {
    gate = new Gate();
    desk = await DuplexClient.open(UnendingTools);
  });

  afterEach(() => desk.close());

  function finish({ graceMs = 60_000, signal = never } = {}): Promise<void> {
    return within(desk.connection.finish({ reason: 'The input has ended', graceMs, signal }), 'the end');
  }

  it('is at once where nothing runs, and ends the session (STDIO-02)', async () => {
    await desk.initialize();
    await finish();
    expect([...desk.sessions.all()]).toEqual([]);
  });

  it('waits for calls that run (STDIO-02)', async () => {
    await desk.initialize();
    desk.send({ id: 1, method: 'tools/call', params: { name: 'wait' } });
    desk.send({ id: 2, method: 'tools/call', params: { name: 'wait', _meta: PER_REQUEST_META } });
    const end = finish();
    gate.open();
    await end;
    for (const id of [1, 2])
      expect(await desk.answer(id)).toMatchObject({ result: { content: [{ text: 'waited' }] } });
  });

  it('ends its own subscriptions with their result alone, and nobody else (STDIO-02, NOTE-08)', async () => {
    const params = { notifications: { toolsListChanged: true }, _meta: PER_REQUEST_META };
    desk.send({ id: 1, method: 'subscriptions/listen', params });
    const others: string[] = [];
    getParts(desk.app).notifications.listeners.add({
      request: {} as NonNullable<Listener['request']>,
      subscriptionId: 1,
      filter: {},
      send: () => void others.push('sent'),
      finish: () => void others.push('finished'),
    });
    await finish();
    expect(desk.messages.slice(1)).toMatchObject([
      { id: 1, result: { resultType: 'complete', _meta: { 'io.modelcontextprotocol/subscriptionId': 1 } } },
    ]);
    expect(others).toEqual([]);
  });

  it('gives up what the client was asked: nobody is left to answer (STDIO-02)', async () => {
    await desk.initialize({ capabilities: { elicitation: {} } });
    desk.send({ id: 1, method: 'tools/call', params: { name: 'ask' } });
    await desk.asks('elicitation/create');
    await finish();
    expect(await desk.answer(1)).toMatchObject({
      result: { isError: true, content: [{ text: 'The client is gone' }] },
    });
  });

  it.each([
    ['the time is over', { graceMs: 10 }],
    ['a signal says so', { signal: AbortSignal.abort() }],
  ])('fails calls that still run when %s, and tells their client (STDIO-02)', async (_, options) => {
    await desk.initialize();
    desk.send({ id: 1, method: 'tools/call', params: { name: 'wait' } });
    desk.send({ id: 2, method: 'tools/call', params: { name: 'wait', _meta: PER_REQUEST_META } });
    await gate.reached();
    await finish(options);
    for (const id of [1, 2]) {
      expect(await desk.answer(id)).toMatchObject({
        error: { message: expect.stringContaining('shutting down') },
      });
    }
    expect([...desk.sessions.all()]).toEqual([]);
  });
});
