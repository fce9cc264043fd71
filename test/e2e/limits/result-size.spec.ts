import { Injectable } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Prompt, Resource, Tool, type CallToolResult } from 'nestjs-mcp';
import { z } from 'zod';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { entriesOf } from '../../support/clients/entries.js';
import { HANDSHAKE_VERSIONS, initialize, perRequest } from '../../support/clients/json-rpc.js';
import { publishedClient } from '../../support/clients/task-wires.js';

const LIMIT = 4096;
const OWN_LIMIT = 2048;
const List = z.object({ rows: z.array(z.string()) });

@Injectable()
class WordyHandlers {
  /** How often a result was made text. */
  serialized = 0;

  @Tool()
  long() {
    return 'é'.repeat(LIMIT);
  }

  @Tool({ resultBytes: OWN_LIMIT })
  own() {
    return 'x'.repeat(LIMIT);
  }

  @Tool({ resultBytes: 10 * LIMIT })
  more() {
    return 'x'.repeat(2 * LIMIT);
  }

  @Tool({ outputSchema: List })
  rows() {
    return { rows: Array.from({ length: 1000 }, (_, index) => `row ${index}`) };
  }

  @Tool({ outputSchema: List })
  few() {
    return { rows: ['one'] };
  }

  @Tool({ task: 'required' })
  task() {
    return 'x'.repeat(2 * LIMIT);
  }

  @Tool()
  counted(): CallToolResult {
    const toJSON = (): object => {
      this.serialized += 1;
      return { text: 'short' };
    };
    return { content: [{ type: 'text', text: 'short', _meta: { size: { toJSON } } } as never] };
  }

  @Resource({ uri: 'desk://long' })
  resource() {
    return 'x'.repeat(2 * LIMIT);
  }

  @Prompt()
  prompt() {
    return 'x'.repeat(2 * LIMIT);
  }
}

describe.each(ADAPTERS)('The limit of results, on %s', (adapter) => {
  let desk: RunningApp;

  beforeAll(async () => {
    const options = { limits: { resultBytes: LIMIT }, tasks: true };
    desk = await bootServer({ adapter, options, providers: [WordyHandlers] });
  });

  afterAll(() => desk.close());

  const call = (name: string) => perRequest(desk.url).request('tools/call', { name, arguments: {} });

  it.each([
    ['long', LIMIT],
    ['own', OWN_LIMIT],
  ])('cuts the text of "%s" to %d bytes, and says so (OPS-04)', async (name, limit) => {
    const { status, headers, result } = await call(name);
    expect(status).toBe(200);
    expect(Number(headers['content-length'])).toBeLessThanOrEqual(limit);
    expect(Number(headers['content-length'])).toBeGreaterThan(limit / 2);
    const [text, notice] = entriesOf(result, 'content').map((block) => String(block['text']));
    expect(text).toMatch(/^[éx]+$/);
    expect(notice).toMatch(/^\[The result takes \d+ bytes, but only \d+ may be sent: .* request less/);
    expect(result?.['isError']).toBeUndefined();
  });

  it('lets a tool say that it may send more (OPS-04)', async () => {
    const { result } = await call('more');
    expect(result).toMatchObject({ content: [{ text: 'x'.repeat(2 * LIMIT) }] });
  });

  it('refuses structured content, which stays valid by its schema (OPS-04) (MOD-08)', async () => {
    const { result } = await call('rows');
    expect(result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('request less') }],
    });
    expect(result).not.toHaveProperty('structuredContent');
    expect((await call('few')).result).toMatchObject({ structuredContent: { rows: ['one'] } });
  });

  it.each(HANDSHAKE_VERSIONS)('holds in sessions of %s (OPS-04)', async (version) => {
    const session = await initialize(desk.url, { version });
    const { headers, result } = await session.request('tools/call', { name: 'long', arguments: {} });
    expect(Number(headers['content-length'])).toBeLessThanOrEqual(LIMIT);
    expect(result).toMatchObject({ content: [{}, { text: expect.stringContaining('request less') }] });
  });

  it('holds for what a task comes to (OPS-04)', async () => {
    const client = publishedClient(desk.url);
    const { taskId } = await client.create('task');
    const task = await client.reach(taskId, 'completed');
    expect(JSON.stringify(task).length).toBeLessThan(LIMIT + 1000);
    expect(task).toMatchObject({
      result: { content: [{}, { text: expect.stringContaining('request less') }] },
    });
  });

  it.each([
    ['resources/read', { uri: 'desk://long' }, 'The resource contents take'],
    ['prompts/get', { name: 'prompt' }, 'The prompt messages take'],
  ])('refuses what %s would give, with the sizes (OPS-04)', async (method, params, says) => {
    expect(await perRequest(desk.url).request(method, params)).toMatchObject({
      error: {
        code: -32603,
        message: expect.stringMatching(new RegExp(`^${says} \\d+ bytes, but only ${LIMIT} may be sent`)),
        data: { bytes: expect.any(Number), maxBytes: LIMIT },
      },
    });
  });

  it('makes no text of a result a second time that is short enough (OPS-04)', async () => {
    const handlers = desk.app.get(WordyHandlers);
    handlers.serialized = 0;
    await call('counted');
    expect(handlers.serialized).toBe(1);
  });
});
