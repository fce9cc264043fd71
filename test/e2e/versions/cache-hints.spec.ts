import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable, type Type } from '@nestjs/common';
import {
  Prompt,
  Resource,
  ResourceTemplate,
  Tool,
  type InputRequiredResult,
  type McpContext,
  type McpOptions,
} from 'nestjs-mcp';
import { ADAPTERS, type AdapterName, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { initialize, perRequest } from '../../support/clients/json-rpc.js';
import type { JsonObject } from '../../support/clients/message.js';

@Injectable()
class DeskHandlers {
  @Tool({ description: 'One' })
  first(): string {
    return '1';
  }

  @Tool({ description: 'Two' })
  second(): string {
    return '2';
  }

  @Resource({ uri: 'desk://plain' })
  plain(): string {
    return 'text';
  }

  @Resource({ uri: 'desk://own', cache: { ttlMs: 99, scope: 'public' } })
  own(): string {
    return 'text';
  }

  @Resource({ uri: 'desk://rounds' })
  rounds(_request: object, context: McpContext): string | InputRequiredResult {
    if (context.requestState === 'asked') return 'text';
    return { resultType: 'input_required', requestState: 'asked' };
  }

  @ResourceTemplate({ uriTemplate: 'desk://plain/{id}' })
  template(): string {
    return 'text';
  }

  @ResourceTemplate({ uriTemplate: 'desk://own/{id}', cache: { ttlMs: 98, scope: 'private' } })
  ownTemplate(): string {
    return 'text';
  }

  @Prompt()
  ask(): string {
    return 'text';
  }
}

const CACHE = {
  discover: { ttlMs: 1, scope: 'public' },
  tools: { ttlMs: 2, scope: 'public' },
  prompts: { ttlMs: 3, scope: 'private' },
  resources: { ttlMs: 4, scope: 'public' },
  resourceTemplates: { ttlMs: 5, scope: 'private' },
  resourceContents: { ttlMs: 6, scope: 'public' },
} as const;

const CACHEABLE: [string, JsonObject, keyof typeof CACHE][] = [
  ['server/discover', {}, 'discover'],
  ['tools/list', {}, 'tools'],
  ['prompts/list', {}, 'prompts'],
  ['resources/list', {}, 'resources'],
  ['resources/templates/list', {}, 'resourceTemplates'],
  ['resources/read', { uri: 'desk://plain' }, 'resourceContents'],
  ['resources/read', { uri: 'desk://plain/1' }, 'resourceContents'],
];

describe.each(ADAPTERS)('cache hints on %s', (adapter) => {
  let plain: RunningApp;
  let tuned: RunningApp;

  beforeAll(async () => {
    plain = await boot(adapter, DeskHandlers, {});
    tuned = await boot(adapter, DeskHandlers, { cache: CACHE, pageSize: 1 });
  });

  afterAll(async () => {
    await plain.close();
    await tuned.close();
  });

  async function hint(app: RunningApp, method: string, params: JsonObject): Promise<unknown[]> {
    const { result } = await perRequest(app.url).request(method, params);
    return [result?.['ttlMs'], result?.['cacheScope']];
  }

  it.each(CACHEABLE)(
    'say of %s %j that it may not be kept unless told otherwise (VER-05)',
    async (method, params) => {
      expect(await hint(plain, method, params)).toEqual([0, 'private']);
    },
  );

  it.each(CACHEABLE)('say of %s %j what is configured (VER-05)', async (method, params, key) => {
    expect(await hint(tuned, method, params)).toEqual([CACHE[key].ttlMs, CACHE[key].scope]);
  });

  it.each([
    ['desk://own', 99, 'public'],
    ['desk://own/1', 98, 'private'],
  ])('say of %s what the resource itself says (VER-05)', async (uri, ttlMs, scope) => {
    expect(await hint(plain, 'resources/read', { uri })).toEqual([ttlMs, scope]);
    expect(await hint(tuned, 'resources/read', { uri })).toEqual([ttlMs, scope]);
  });

  it('are the same on every page of a list (VER-05)', async () => {
    const { result } = await perRequest(tuned.url).request('tools/list');
    expect(await hint(tuned, 'tools/list', { cursor: result?.['nextCursor'] })).toEqual([2, 'public']);
  });

  it.each<[string, JsonObject]>([
    ['tools/call', { name: 'first' }],
    ['prompts/get', { name: 'ask' }],
  ])('are not on %s, which nobody may keep (VER-05)', async (method, params) => {
    expect(await hint(tuned, method, params)).toEqual([undefined, undefined]);
  });

  it.each([
    ['desk://plain', { inputResponses: {} }],
    ['desk://own', { inputResponses: {} }],
    ['desk://own/1', { inputResponses: { name: { action: 'decline' } } }],
  ])('say of %s that it may not be kept when read with answers (VER-05)', async (uri, answers) => {
    expect(await hint(tuned, 'resources/read', { uri, ...answers })).toEqual([0, 'private']);
  });

  it('say that what was read with a state may not be kept (VER-05)', async () => {
    const first = await perRequest(tuned.url).request('resources/read', { uri: 'desk://rounds' });
    const { resultType, requestState } = first.result ?? {};
    expect(resultType).toBe('input_required');
    expect(await hint(tuned, 'resources/read', { uri: 'desk://rounds', requestState })).toEqual([
      0,
      'private',
    ]);
  });

  it('are not in sessions (VER-05)', async () => {
    const session = await initialize(tuned.url);
    for (const [method, params] of CACHEABLE.slice(1)) {
      const { result } = await session.request(method, params);
      expect(Object.keys(result ?? {})).not.toEqual(expect.arrayContaining(['ttlMs']));
      expect(result).not.toHaveProperty('cacheScope');
    }
  });
});

function boot(adapter: AdapterName, handlers: Type, options: Partial<McpOptions>): Promise<RunningApp> {
  return bootServer({ adapter, options, providers: [handlers] });
}
