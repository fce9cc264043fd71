import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Tool, type McpContext } from 'nestjs-mcp';
import { z } from 'zod';
import type { RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { initialize, perRequest, type SessionClient } from '../../support/clients/json-rpc.js';
import { ABLE, accept, answer, nextQuestion, textOf } from './conversation.js';

const JSON_ONLY = { accept: 'application/json' };

@Injectable()
class NameTools {
  @Tool()
  async greet(_arguments: object, context: McpContext) {
    const asked = await context.elicit({ message: 'Who?', schema: z.object({ name: z.string() }) });
    return asked.action === 'accept' ? `Hello, ${asked.content.name}` : 'Hello';
  }
}

describe('a question to a client that accepts no event stream for its call', () => {
  let app: RunningApp;
  let session: SessionClient;

  beforeAll(async () => {
    app = await bootServer({ providers: [NameTools] });
    session = await initialize(app.url, { capabilities: ABLE });
  });

  afterAll(() => app.close());

  it('fails at once in a session without a standing stream (REV-01)', async () => {
    const outcome = await session.request('tools/call', { name: 'greet' }, JSON_ONLY);
    expect(outcome.result).toMatchObject({ isError: true });
    expect(textOf(outcome)).toContain('accepts no event stream for this call');
  });

  it('goes to the standing stream of a session that has one (REV-02)', async () => {
    const stream = await session.openStream();
    const call = session.start('tools/call', { name: 'greet' }, JSON_ONLY);
    await answer(session, await nextQuestion(stream), accept({ name: 'Ada' }));
    expect(textOf(await call.answer())).toBe('Hello, Ada');
    await stream.close();
  });

  it('needs no stream on the stateless wire (REV-02)', async () => {
    const client = perRequest(app.url, { capabilities: ABLE, headers: JSON_ONLY });
    const { result } = await client.request('tools/call', { name: 'greet' });
    expect(result).toMatchObject({ resultType: 'input_required' });
  });
});
