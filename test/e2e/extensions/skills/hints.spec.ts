import { afterEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { RequireScope, Resource, Skill, Tool, type McpOptions } from 'nestjs-mcp';
import { PAGES } from '../apps/board.app.js';
import { ADAPTERS, type RunningApp } from '../../../support/applications/boot.js';
import { bootServer } from '../../../support/applications/server.js';
import { authorize, CALLERS, PUBLISHED } from '../../../support/applications/protected-desk.js';
import { perRequest } from '../../../support/clients/json-rpc.js';

@Injectable()
class Open {
  @Skill({ description: 'For everybody' })
  open(): string {
    return 'Hello';
  }
}

@Injectable()
class Beside {
  @Resource({ uri: 'desk://secret', visible: () => false })
  secret(): string {
    return 'hush';
  }

  @Tool({ ui: 'board.html', visible: () => false })
  show() {}
}

@Injectable()
class Hidden {
  @Skill({ description: 'For nobody', visible: () => false })
  hidden(): string {
    return 'Hush';
  }
}

@Injectable()
class Scoped {
  @RequireScope('desk:write')
  @Skill({ description: 'For some' })
  scoped(): string {
    return 'Hush';
  }
}

let server: RunningApp;

afterEach(() => server.close());

describe.each(ADAPTERS)('What caches are told of skills, on %s', (adapter) => {
  it.each<{ what: string; providers: (new () => object)[]; filterLists?: boolean; scope: string }>([
    { what: 'everybody sees all of them', providers: [Open], scope: 'public' },
    { what: 'other resources are hidden, or apps', providers: [Open, Beside], scope: 'public' },
    { what: 'scopes are required', providers: [Open, Scoped], scope: 'public' },
    { what: 'one is hidden from some', providers: [Open, Hidden], scope: 'private' },
    { what: 'lists are filtered', providers: [Open, Scoped], filterLists: true, scope: 'private' },
  ])(
    'is the same by the list as by each: $scope if $what (XTN-01)',
    async ({ providers, scope, filterLists }) => {
      const auth = { bearer: Object.values(CALLERS), ...PUBLISHED, ...(filterLists && { filterLists }) };
      const cache = { skills: { ttlMs: 1000, scope: 'public' } } satisfies McpOptions['cache'];
      server = await bootServer({ adapter, providers, options: { auth, cache, apps: { directory: PAGES } } });
      const client = perRequest(server.url, { headers: authorize(CALLERS.ada.token) });
      const hint = { ttlMs: 1000, cacheScope: scope };
      expect((await client.request('skills/list')).result).toMatchObject(hint);
      const { result } = await client.request('skills/get', { uri: 'skill://open/SKILL.md' });
      expect(result).toMatchObject(hint);
    },
  );
});
