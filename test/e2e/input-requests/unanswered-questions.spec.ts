import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Tool, ToolError, type McpContext } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import type { EventStream } from '../../support/clients/event-stream.js';
import { initialize, type SessionClient } from '../../support/clients/json-rpc.js';
import { within } from '../../support/until.js';
import { ABLE, accept, answer, nextQuestion, nextResponse, textOf } from './conversation.js';
import { NAME } from './wordings.js';

const LIMIT = { type: 'object', properties: { timeoutMs: { type: 'integer' } } } as const;

@Injectable()
class TimedTools {
  @Tool({ description: 'Asks one question', inputSchema: LIMIT })
  async ask(options: { timeoutMs?: number }, context: McpContext): Promise<string> {
    return JSON.stringify(await context.elicit({ ...NAME, ...options }));
  }

  @Tool({ description: 'Does without an answer that does not come' })
  async cope(_: object, context: McpContext): Promise<string> {
    const answered = await context.elicit(NAME).catch((error: unknown) => error);
    if (!(answered instanceof ToolError)) throw answered;
    return JSON.stringify(await context.elicit({ ...NAME, message: 'Really, who?', timeoutMs: 10_000 }));
  }
}

describe.each(ADAPTERS)('A question without an answer, on %s', (adapter) => {
  let desk: RunningApp;
  let session: SessionClient;

  beforeAll(async () => {
    desk = await bootServer({
      adapter,
      options: { inputRequests: { timeoutMs: 50 } },
      providers: [TimedTools],
    });
  });

  beforeEach(async () => {
    session = await initialize(desk.url, { capabilities: ABLE });
  });

  afterAll(() => desk.close());

  const start = (name: string, given: object = {}): Promise<EventStream> =>
    session.start('tools/call', { name, arguments: given }).stream();

  it('is given up in time: the client is told, and the tool fails (CANC-03)', async () => {
    const stream = await start('ask');
    await within(stream.ended, 'the end of the stream');
    const [question, cancelled, response] = stream.messages;
    expect(question?.method).toBe('elicitation/create');
    const reason = 'The client did not respond to "elicitation/create" in time';
    expect(cancelled).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: question?.id, reason },
    });
    expect(response?.result).toMatchObject({ isError: true, content: [{ text: reason }] });
    expect(stream.messages).toHaveLength(3);
  });

  it('may be given up sooner than others are (CANC-03)', async () => {
    const stream = await start('ask', { timeoutMs: 1 });
    await within(stream.ended, 'the end of the stream');
    expect(stream.messages.map(({ method }) => method)).toEqual([
      'elicitation/create',
      'notifications/cancelled',
      undefined,
    ]);
  });

  it('may be waited for longer than others are (CANC-03)', async () => {
    const stream = await start('ask', { timeoutMs: 10_000 });
    const question = await nextQuestion(stream);
    const other = await start('ask');
    await within(other.ended, 'the end of the other stream');
    await answer(session, question, accept({ name: 'Ada' }));
    expect(textOf(await nextResponse(stream))).toBe('{"action":"accept","content":{"name":"Ada"}}');
  });

  it('is dropped: a late answer is no answer to the next question either (CANC-02) (CANC-03)', async () => {
    const stream = await start('cope');
    const first = await nextQuestion(stream);
    const second = await nextQuestion(stream);
    expect(second.id).not.toBe(first.id);
    const late = await answer(session, first, accept({ name: 'Late' }));
    expect([late.status, late.text]).toEqual([202, '']);
    await answer(session, second, accept({ name: 'Ada' }));
    expect(textOf(await nextResponse(stream))).toBe('{"action":"accept","content":{"name":"Ada"}}');
  });
});
