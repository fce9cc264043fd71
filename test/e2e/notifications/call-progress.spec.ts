import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Prompt, Resource, Tool, type McpContext } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import type { Answer } from '../../support/clients/call.js';
import { initialize, perRequest } from '../../support/clients/json-rpc.js';
import type { JsonObject } from '../../support/clients/message.js';

type Step = [progress: number, total?: number, message?: string];

const STEPS: Readonly<Record<string, Step[]>> = {
  bare: [[1], [2.5]],
  full: [
    [0, 10, 'begun'],
    [10, 10, 'done'],
  ],
  unsteady: [[1], [1], [0.5], [Number.NaN], [Number.POSITIVE_INFINITY], [2]],
  negative: [[-5], [-1], [0]],
};

@Injectable()
class DeskHandlers {
  @Tool({
    description: 'Reports',
    inputSchema: { type: 'object', properties: { steps: { type: 'string' } }, required: ['steps'] },
  })
  report({ steps }: { steps: string }, context: McpContext): string {
    for (const step of STEPS[steps] ?? []) context.progress(...step);
    return 'done';
  }

  @Resource({ uri: 'desk://slow' })
  slow(_: object, context: McpContext): string {
    context.progress(1);
    return 'text';
  }

  @Prompt()
  slowPrompt(_: object, context: McpContext): string {
    context.progress(1);
    return 'text';
  }
}

describe.each(ADAPTERS)('progress on %s', (adapter) => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootServer({ adapter, providers: [DeskHandlers] });
  });

  afterAll(() => desk.close());

  /** Asks on both wires. */
  async function ask(method: string, params: JsonObject): Promise<Answer[]> {
    const session = await initialize(desk.url);
    return [await session.request(method, params), await perRequest(desk.url).request(method, params)];
  }

  const call = (steps: string, progressToken?: unknown) =>
    ask('tools/call', {
      name: 'report',
      arguments: { steps },
      ...(progressToken !== undefined && { _meta: { progressToken } }),
    });
  const reports = ({ notifications }: Answer) =>
    notifications.map(({ method, params }) => ({ method, ...params }));
  const progress = ({ notifications }: Answer) => notifications.map(({ params }) => params?.['progress']);

  it.each(['token', '', '7', 7, 0, -1])(
    'carries the token %j as it was sent (PROG-01)',
    async (progressToken) => {
      for (const answer of await call('bare', progressToken)) {
        expect(reports(answer)).toEqual([
          { method: 'notifications/progress', progressToken, progress: 1 },
          { method: 'notifications/progress', progressToken, progress: 2.5 },
        ]);
      }
    },
  );

  it('carries total and message where they are given (PROG-01)', async () => {
    for (const answer of await call('full', 'p')) {
      expect(answer.notifications.map(({ params }) => params)).toEqual([
        { progressToken: 'p', progress: 0, total: 10, message: 'begun' },
        { progressToken: 'p', progress: 10, total: 10, message: 'done' },
      ]);
    }
  });

  it('is emitted for no request without a token, and is no error (PROG-01)', async () => {
    for (const answer of await call('full')) {
      expect(answer.notifications).toEqual([]);
      expect(answer.headers['content-type']).toMatch(/^application\/json/);
      expect(answer.result?.['content']).toEqual([{ type: 'text', text: 'done' }]);
    }
  });

  it.each([1.5, null, true, {}, ['p']])(
    'is emitted for no request with the token %j (PROG-01)',
    async (token) => {
      for (const answer of await call('bare', token)) expect(answer.notifications).toEqual([]);
    },
  );

  it('only ever increases (PROG-01)', async () => {
    for (const answer of await call('unsteady', 'p')) expect(progress(answer)).toEqual([1, 2]);
    for (const answer of await call('negative', 'p')) expect(progress(answer)).toEqual([-5, -1, 0]);
  });

  it('counts for each request by itself (PROG-01)', async () => {
    const session = await initialize(desk.url);
    const params = { name: 'report', arguments: { steps: 'bare' }, _meta: { progressToken: 'same' } };
    const answers = await Promise.all([1, 2, 3].map(() => session.request('tools/call', params)));
    expect(answers.map(progress)).toEqual([
      [1, 2.5],
      [1, 2.5],
      [1, 2.5],
    ]);
  });

  it.each<[string, JsonObject]>([
    ['resources/read', { uri: 'desk://slow' }],
    ['prompts/get', { name: 'slowPrompt' }],
  ])('is emitted by %s too (PROG-01)', async (method, params) => {
    for (const answer of await ask(method, { ...params, _meta: { progressToken: 'p' } })) {
      expect(progress(answer)).toEqual([1]);
      expect(answer.result).toBeDefined();
    }
  });
});
