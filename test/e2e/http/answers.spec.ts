import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Tool, type McpContext } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { WaitingTools } from '../../support/applications/waiting-tools.js';
import type { Answer } from '../../support/clients/call.js';
import { initialize, perRequest } from '../../support/clients/json-rpc.js';
import { sendHttp } from '../../support/clients/raw-http.js';

@Injectable()
class AnsweringTools {
  @Tool({ description: 'Says nothing first' })
  quiet(): string {
    return 'done';
  }

  @Tool({ description: 'Reports first' })
  report(_: object, context: McpContext): string {
    context.progress(1, 2);
    context.progress(2, 2);
    return 'done';
  }
}

const progressing = (name: string) => ({ name, _meta: { progressToken: 'p' } });
const mediaType = ({ headers }: Answer) => String(headers['content-type']).split(';')[0];

describe.each(ADAPTERS)('the kinds of answers on %s', (adapter) => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootServer({ adapter, providers: [AnsweringTools, WaitingTools] });
  });

  afterAll(() => desk.close());

  /** Calls a tool on both wires; `null` sends no Accept at all. */
  async function call(params: { name: string }, accept: string | null): Promise<Answer[]> {
    const session = await initialize(desk.url);
    const headers = { accept: accept ?? undefined };
    return [
      await session.request('tools/call', params, headers),
      await perRequest(desk.url).request('tools/call', params, { headers }),
    ];
  }

  it.each([
    'application/json, text/event-stream',
    'text/event-stream, application/json',
    'APPLICATION/JSON, TEXT/EVENT-STREAM',
    'application/json;q=0.1, text/event-stream;q=0.9',
    'application/json',
    'application/*',
    '*/*',
    'text/html, */*;q=0.1',
    null,
  ])('are JSON under Accept %j where nothing is emitted first (HTTP-02)', async (accept) => {
    for (const answer of await call({ name: 'quiet' }, accept)) {
      expect([answer.status, mediaType(answer)]).toEqual([200, 'application/json']);
      expect(answer.result).toMatchObject({ content: [{ type: 'text', text: 'done' }] });
    }
  });

  it.each(['application/json, text/event-stream', 'text/event-stream', 'text/*', '*/*', null])(
    'are streams under Accept %j where something is emitted first (HTTP-02)',
    async (accept) => {
      for (const answer of await call(progressing('report'), accept)) {
        expect([answer.status, mediaType(answer)]).toEqual([200, 'text/event-stream']);
        expect(answer.notifications.map(({ params }) => params?.['progress'])).toEqual([1, 2]);
        expect(answer.result).toMatchObject({ content: [{ type: 'text', text: 'done' }] });
      }
    },
  );

  it('are streams that end with the response (HTTP-02)', async () => {
    const session = await initialize(desk.url);
    const stream = await session.start('tools/call', progressing('report')).stream();
    await stream.ended;
    expect(stream.messages.at(-1)).toHaveProperty('result');
    expect(stream.messages).toHaveLength(3);
  });

  it('are streams as soon as something is emitted, not when all is done (HTTP-02)', async () => {
    const gate = `lazy ${adapter}`;
    const params = { ...progressing('wait'), arguments: { gate } };
    const stream = await perRequest(desk.url).start('tools/call', params).stream();
    await stream.nextNotification('notifications/progress');
    expect(stream.isEnded).toBe(false);

    desk.app.get(WaitingTools).gates.at(gate).open();
    expect(await stream.nextMessage()).toHaveProperty('result');
  });

  it.each(['application/json', 'application/json;charset=utf-8', 'application/json, text/event-stream;q=0'])(
    'are JSON under Accept %j, which takes nothing else, whatever is emitted (HTTP-02)',
    async (accept) => {
      for (const answer of await call(progressing('report'), accept)) {
        expect([answer.status, mediaType(answer)]).toEqual([200, 'application/json']);
        expect(answer.notifications).toEqual([]);
        expect(answer.result).toMatchObject({ content: [{ type: 'text', text: 'done' }] });
      }
    },
  );

  it.each(['text/event-stream', 'text/*', 'application/json;q=0, text/event-stream'])(
    'are streams under Accept %j, which takes nothing else, when nothing is emitted (HTTP-02)',
    async (accept) => {
      for (const answer of await call({ name: 'quiet' }, accept)) {
        expect([answer.status, mediaType(answer)]).toEqual([200, 'text/event-stream']);
        expect(answer.result).toMatchObject({ content: [{ type: 'text', text: 'done' }] });
      }
    },
  );

  it.each(['text/html', 'image/png, text/plain', 'application/xml', '*/*;q=0'])(
    'are 406 under Accept %j, which takes neither (HTTP-02)',
    async (accept) => {
      for (const answer of await call({ name: 'quiet' }, accept)) expect(answer.status).toBe(406);
    },
  );

  it.each(['application/json', 'text/html'])(
    'are 406 to a GET under Accept %j, which takes no stream (HTTP-02)',
    async (accept) => {
      const session = await initialize(desk.url);
      const answer = await sendHttp(desk.url, { headers: { ...session.headers, accept } });
      expect(answer.status).toBe(406);
    },
  );
});
