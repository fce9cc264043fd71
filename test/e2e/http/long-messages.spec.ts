import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Tool, type McpContext } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { initialize, perRequest } from '../../support/clients/json-rpc.js';
import { SseClient } from '../../support/clients/sse-client.js';

/** Messages take as long as the machine needs; clients know whether they still come. */
const MAY_TAKE_MS = 60_000;

/** More than may wait for a reader, and than the buffers of both sockets take. */
const LONG = 'x'.repeat(6_000_000);

@Injectable()
class LongWindedTools {
  @Tool({ description: 'Answers at length' })
  answer(): string {
    return LONG;
  }

  @Tool({ description: 'Reports at length, turns before it answers' })
  async report(_: object, context: McpContext): Promise<string> {
    context.progress(1, 2, LONG);
    for (let turns = 0; turns < 5; turns += 1) await new Promise((resolve) => setImmediate(resolve));
    return 'reported';
  }

  @Tool({ description: 'Asks at length' })
  async ask(_: object, context: McpContext): Promise<string> {
    const { model } = await context.sample({
      maxTokens: 1,
      messages: [{ role: 'user', content: { type: 'image', mimeType: 'image/png', data: LONG } }],
    });
    return model;
  }
}

describe.each(ADAPTERS)('messages that alone are more than may wait for a reader, on %s', (adapter) => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootServer({ adapter, options: { sse: true }, providers: [LongWindedTools] });
  });

  afterAll(() => desk.close());

  it(
    'reach a client that reads the stream of its call (HTTP-08)',
    async () => {
      const params = { name: 'report', _meta: { progressToken: 1 } };
      for (const client of [await initialize(desk.url), perRequest(desk.url)]) {
        const { notifications, result } = await client.request('tools/call', params);
        expect(String(notifications[0]?.params?.['message'])).toHaveLength(LONG.length);
        expect(result).toMatchObject({ content: [{ text: 'reported' }] });
      }
    },
    MAY_TAKE_MS,
  );

  it(
    'reach a client that is asked (HTTP-08)',
    async () => {
      const session = await initialize(desk.url, { capabilities: { sampling: {} } });
      const call = session.start('tools/call', { name: 'ask' });
      const stream = await call.stream();
      const { id } = await stream.nextMessage(({ method }) => method === 'sampling/createMessage');
      const result = { role: 'assistant', content: { type: 'text', text: 'a picture' }, model: 'm' };
      await session.post({ jsonrpc: '2.0', id, result });
      expect((await stream.nextMessage(({ result: given }) => given !== undefined)).result).toMatchObject({
        content: [{ text: 'm' }],
      });
    },
    MAY_TAKE_MS,
  );

  it(
    'reach a client of HTTP+SSE, again and again (HTTP-08) (SSE-01)',
    async () => {
      const client = await SseClient.connect(`${desk.origin}/sse`);
      for (let count = 0; count < 2; count += 1) {
        expect(await client.callTool('answer')).toHaveLength(LONG.length);
      }
      await client.close();
    },
    MAY_TAKE_MS,
  );
});
