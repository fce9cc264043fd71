import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { McpNotifier, Resource, Tool, type McpContext } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { EventStream } from '../../support/clients/event-stream.js';
import { Gates } from '../../support/applications/gate.js';
import { HANDSHAKE_VERSIONS, initialize, type SessionClient } from '../../support/clients/json-rpc.js';
import type { JsonObject } from '../../support/clients/message.js';
import { openHttp } from '../../support/clients/raw-http.js';
import { until, within } from '../../support/until.js';

const GATE = { type: 'object', properties: { gate: { type: 'string' } }, required: ['gate'] } as const;

@Injectable()
class CancelledHandlers {
  readonly gates = new Gates();
  readonly reasons: Record<string, unknown> = {};
  readonly ends: string[] = [];

  @Tool({ description: 'Waits and heeds the signal', inputSchema: GATE })
  async heed({ gate }: { gate: string }, context: McpContext): Promise<string> {
    context.progress(1);
    await this.wait(gate, context.signal, true);
    return 'done';
  }

  @Tool({ description: 'Waits and does not care', inputSchema: GATE })
  async ignore({ gate }: { gate: string }, context: McpContext): Promise<string> {
    await this.wait(gate, context.signal, false);
    context.progress(2);
    context.log('emergency', 'still at work');
    this.ends.push(gate);
    return 'done anyway';
  }

  @Resource({ uri: 'desk://slow' })
  async slow(_: object, context: McpContext): Promise<string> {
    await this.wait('resource', context.signal, true);
    return 'text';
  }

  private async wait(gate: string, signal: AbortSignal, heeds: boolean): Promise<void> {
    signal.addEventListener('abort', () => {
      this.reasons[gate] = signal.reason;
    });
    await this.gates.at(gate).pass(heeds ? signal : undefined);
  }
}

let counter = 0;

describe.each(ADAPTERS)('cancellation on %s', (adapter) => {
  let desk: RunningApp;
  let tools: CancelledHandlers;
  let session: SessionClient;
  let gate: string;

  beforeAll(async () => {
    desk = await bootServer({ adapter, providers: [CancelledHandlers] });
    tools = desk.app.get(CancelledHandlers);
  });

  beforeEach(async () => {
    session = await initialize(desk.url);
    gate = `${adapter} ${(counter += 1)}`;
  });

  afterAll(() => desk.close());

  const cancel = (requestId: unknown, rest: JsonObject = {}) =>
    session.notify('notifications/cancelled', { requestId, ...rest });

  const isAborted = (name = gate) => until(() => name in tools.reasons, `the abort of ${name}`);

  it.each(HANDSHAKE_VERSIONS)('aborts the handler in %s and answers nothing (CANC-01)', async (version) => {
    session = await initialize(desk.url, { version });
    const call = session.start('tools/call', { name: 'heed', arguments: { gate } });
    await tools.gates.at(gate).reached();
    const answer = await cancel(call.id);
    expect([answer.status, answer.text]).toEqual([202, '']);
    await isAborted();
    expect((await call.answer()).response).toBeUndefined();
  });

  it('ends a call that has not begun to stream with an empty stream (CANC-01)', async () => {
    const call = session.start('tools/call', { name: 'heed', arguments: { gate } });
    await tools.gates.at(gate).reached();
    await cancel(call.id);
    const stream = await call.stream();
    await within(stream.ended, 'the end of the stream');
    expect([stream.status, stream.messages]).toEqual([200, []]);
  });

  it('ends a stream that has begun without a response (CANC-01)', async () => {
    const params = { name: 'heed', arguments: { gate }, _meta: { progressToken: 1 } };
    const call = session.start('tools/call', params);
    const stream = await call.stream();
    await stream.nextNotification('notifications/progress');
    await cancel(call.id);
    await within(stream.ended, 'the end of the stream');
    expect(stream.messages).toHaveLength(1);
  });

  it('suppresses the response and all else of a handler that does not care (CANC-01)', async () => {
    const standing = await session.openStream();
    const params = { name: 'ignore', arguments: { gate }, _meta: { progressToken: 1 } };
    const call = session.start('tools/call', params);
    await tools.gates.at(gate).reached();
    await cancel(call.id);
    const answer = await call.answer();
    tools.gates.at(gate).open();
    await until(() => tools.ends.includes(gate), 'the end of the handler');
    expect([answer.response, answer.notifications]).toEqual([undefined, []]);
    desk.app.get(McpNotifier).log('emergency', 'sentinel');
    await standing.nextMessage(({ params: given }) => given?.['data'] === 'sentinel');
    expect(standing.messages).toHaveLength(1);
    await standing.close();
  });

  it('cancels a read too (CANC-01)', async () => {
    const call = session.start('resources/read', { uri: 'desk://slow' });
    await tools.gates.at('resource').reached();
    await cancel(call.id);
    expect((await call.answer()).response).toBeUndefined();
    await isAborted('resource');
  });

  it('tells the handler the reason (CANC-01)', async () => {
    const call = session.start('tools/call', { name: 'heed', arguments: { gate } });
    await tools.gates.at(gate).reached();
    await cancel(call.id, { reason: 'The user changed their mind' });
    await isAborted();
    expect(String(tools.reasons[gate])).toContain('The user changed their mind');
  });

  it('lets the id be used again (CANC-01)', async () => {
    const headers = { accept: 'application/json, text/event-stream', ...session.headers };
    const call = (name: string) =>
      openHttp(desk.url, {
        json: {
          jsonrpc: '2.0',
          id: 'again',
          method: 'tools/call',
          params: { name: 'heed', arguments: { gate: name } },
        },
        headers,
      });
    const first = call(gate);
    await tools.gates.at(gate).reached();
    await cancel('again');
    await new EventStream(await first).ended;

    const second = call(`${gate} again`);
    tools.gates.at(`${gate} again`).open();
    expect((await second).statusCode).toBe(200);
  });

  it('does nothing for an id that is unknown, of another type, or of no type at all (CANC-01)', async () => {
    const call = session.start('tools/call', { name: 'heed', arguments: { gate } });
    await tools.gates.at(gate).reached();
    for (const id of ['unknown', String(call.id), 0, -1, null, undefined, {}, [call.id]]) {
      const answer = await cancel(id);
      expect([answer.status, answer.text]).toEqual([202, '']);
    }
    tools.gates.at(gate).open();
    expect((await call.answer()).result?.['content']).toEqual([{ type: 'text', text: 'done' }]);
    expect(tools.reasons).not.toHaveProperty(gate);
  });

  it('does nothing for a request that is answered (CANC-01, CANC-02)', async () => {
    tools.gates.at(gate).open();
    const call = session.start('tools/call', { name: 'heed', arguments: { gate } });
    expect((await call.answer()).result?.['content']).toEqual([{ type: 'text', text: 'done' }]);
    const answers = [await cancel(call.id), await cancel(call.id)];
    expect(answers.map(({ status }) => status)).toEqual([202, 202]);
    expect(tools.reasons).not.toHaveProperty(gate);
    expect((await session.request('ping')).result).toEqual({});
  });

  it('that crosses a response leaves either a whole answer or none (CANC-02)', async () => {
    for (let round = 0; round < 30; round += 1) {
      const name = `${gate} ${round}`;
      const call = session.start('tools/call', { name: 'heed', arguments: { gate: name } });
      await tools.gates.at(name).reached();
      tools.gates.at(name).open();
      const [answer, cancelled] = await Promise.all([call.answer(), cancel(call.id)]);
      expect(cancelled.status).toBe(202);
      expect([undefined, call.id]).toContain(answer.response?.id);
      expect(answer.error).toBeUndefined();
    }
    expect((await session.request('ping')).result).toEqual({});
  });

  it('takes a late response of the client as any other (CANC-02)', async () => {
    const answer = await session.post({
      jsonrpc: '2.0',
      id: 'long-gone',
      error: { code: -1, message: 'no' },
    });
    expect([answer.status, answer.text]).toEqual([202, '']);
    expect((await session.request('ping')).result).toEqual({});
  });
});
