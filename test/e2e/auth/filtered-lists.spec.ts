import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Prompt, Public, RequireScope, Resource, ResourceTemplate, Tool } from 'nestjs-mcp';
import { ADAPTERS, type AdapterName, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { authorize, CALLERS, WAYS, type Caller } from '../../support/applications/protected-desk.js';
import { perRequest } from '../../support/clients/json-rpc.js';
import type { JsonObject } from '../../support/clients/message.js';

/** One entry of each kind that everybody may see, one for callers with a token, and one for those who may write. */
@Injectable()
class Desk {
  @Public()
  @Tool()
  open(): string {
    return 'open';
  }

  @Tool()
  known(): string {
    return 'known';
  }

  @RequireScope('desk:write')
  @Tool()
  scoped(): string {
    return 'scoped';
  }

  @Public()
  @Prompt({ name: 'open' })
  openPrompt(): string {
    return 'open';
  }

  @Prompt({ name: 'known' })
  knownPrompt(): string {
    return 'known';
  }

  @RequireScope('desk:write')
  @Prompt({ name: 'scoped' })
  scopedPrompt(): string {
    return 'scoped';
  }

  @Public()
  @Resource({ name: 'open', uri: 'desk://open' })
  openResource(): string {
    return 'open';
  }

  @Resource({ name: 'known', uri: 'desk://known' })
  knownResource(): string {
    return 'known';
  }

  @RequireScope('desk:write')
  @Resource({ name: 'scoped', uri: 'desk://scoped' })
  scopedResource(): string {
    return 'scoped';
  }

  @Public()
  @ResourceTemplate({ name: 'open', uriTemplate: 'open://{id}' })
  openTemplate(): string {
    return 'open';
  }

  @ResourceTemplate({ name: 'known', uriTemplate: 'known://{id}' })
  knownTemplate(): string {
    return 'known';
  }

  @RequireScope('desk:write')
  @ResourceTemplate({ name: 'scoped', uriTemplate: 'scoped://{id}' })
  scopedTemplate(): string {
    return 'scoped';
  }
}

const LISTS = [
  { method: 'tools/list', list: 'tools' },
  { method: 'prompts/list', list: 'prompts' },
  { method: 'resources/list', list: 'resources' },
  { method: 'resources/templates/list', list: 'resourceTemplates' },
] as const;

const WRITER = CALLERS.ada.token;
const READER = CALLERS.bob.token;

interface Start {
  readonly adapter: AdapterName;
  readonly filterLists: boolean;
  readonly pageSize?: number;
}

function start({ adapter, filterLists, pageSize = 1000 }: Start): Promise<RunningApp> {
  const hint = { ttlMs: 60_000, scope: 'public' } as const;
  return bootServer({
    adapter,
    options: {
      auth: { bearer: Object.values(CALLERS), filterLists },
      cache: { tools: hint, prompts: hint, resources: hint, resourceTemplates: hint },
      pageSize,
    },
    providers: [Desk],
  });
}

const namesOf = (result: JsonObject, list: string) =>
  (result[list] as { name: string }[]).map(({ name }) => name);

const CASES = WAYS.flatMap((way) => LISTS.map((list) => ({ ...way, ...list })));

describe.each(CASES)(
  'A filtered answer to "$method" $wire on $adapter',
  ({ adapter, connect, wire, method, list }) => {
    let desk: RunningApp;
    let callers: Record<'writer' | 'reader' | 'stranger', Caller>;

    beforeAll(async () => {
      desk = await start({ adapter, filterLists: true });
      callers = {
        writer: await connect(desk.url, WRITER),
        reader: await connect(desk.url, READER),
        stranger: await connect(desk.url),
      };
    });

    afterAll(() => desk.close());

    it('shows what its caller may use, whoever asked before (STEP-05)', async () => {
      const turns = ['writer', 'stranger', 'reader', 'writer', 'reader', 'stranger'] as const;
      const shown = { writer: ['open', 'known', 'scoped'], reader: ['open', 'known'], stranger: ['open'] };
      for (const who of turns) {
        expect([who, namesOf(await callers[who](method).result(), list)]).toEqual([who, shown[who]]);
      }
    });

    it('is private to its caller whatever the cache hint says (STEP-05) (VER-05)', async () => {
      const hints = wire === 'in a session' ? {} : { ttlMs: 60_000, cacheScope: 'private' };
      for (const call of Object.values(callers)) {
        const { ttlMs, cacheScope } = await call(method).result();
        expect({ ttlMs, cacheScope }).toEqual(hints);
      }
    });
  },
);

describe.each(ADAPTERS)('A list that is read page by page on %s', (adapter) => {
  it.each(LISTS)(
    'of "$method" has no gaps where others are left out (STEP-05, CORE-04)',
    async ({ method, list }) => {
      const desk = await start({ adapter, filterLists: true, pageSize: 1 });
      const client = perRequest(desk.url, { headers: authorize(READER) });
      const first = await client.start(method).result();
      const second = await client.start(method, { cursor: first['nextCursor'] }).result();
      expect([first, second].map((page) => namesOf(page, list))).toEqual([['open'], ['known']]);
      expect(second).not.toHaveProperty('nextCursor');
      await desk.close();
    },
  );

  it.each(LISTS)(
    'of "$method" is whole and as public as it is said to be where nothing is filtered (STEP-05)',
    async ({ method, list }) => {
      const desk = await start({ adapter, filterLists: false });
      const result = await perRequest(desk.url, { headers: authorize(READER) })
        .start(method)
        .result();
      expect(namesOf(result, list)).toEqual(['open', 'known', 'scoped']);
      expect(result).toMatchObject({ ttlMs: 60_000, cacheScope: 'public' });
      await desk.close();
    },
  );
});
