import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { McpAudit, RequireScope, Tool, type McpContext } from 'nestjs-mcp';
import { GuardedOffice, search, searchNames } from '../../support/applications/large-catalog.js';
import {
  authorize,
  bootDesk,
  CALLERS,
  WAYS,
  type Caller,
} from '../../support/applications/protected-desk.js';
import type { RunningApp } from '../../support/applications/boot.js';
import { RoleVisibility, Role } from '../../support/applications/hidden-desk.js';
import { namesOf } from '../../support/clients/entries.js';
import { perRequest, post } from '../../support/clients/json-rpc.js';
import type { Answer } from '../../support/clients/call.js';
import { until } from '../../support/until.js';

const EVERYTHING = 'office records customer shreds tells secret';

/** What a caller can tell an answer by, without the name that was asked for. */
function describeAnswer({ status, headers, response }: Answer, name: string): string {
  return JSON.stringify([status, headers['www-authenticate'], { ...response, id: 0 }]).replaceAll(name, '…');
}

describe.each(WAYS)('Tool search for callers $wire on $adapter', ({ adapter, connect }) => {
  let office: RunningApp;
  let ada: Caller;
  let bob: Caller;
  let stranger: Caller;

  beforeAll(async () => {
    const catalog = { search: true };
    office = await bootDesk(adapter, {
      auth: { bearer: Object.values(CALLERS), filterLists: true },
      options: { catalog },
      providers: [GuardedOffice],
    });
    [ada, bob, stranger] = await Promise.all([
      connect(office.url, CALLERS.ada.token),
      connect(office.url, CALLERS.bob.token),
      connect(office.url),
    ]);
  });

  afterAll(() => office.close());

  const find = async (caller: Caller) => new Set(await searchNames(caller, EVERYTHING, { limit: 25 }));

  it('shows each what lists would, by scopes and by who may see it (XTN-07)', async () => {
    const ofAll = ['closeTicket', 'hours', 'news', 'sendInvoice', 'shredAll'];
    expect(await find(ada)).toEqual(new Set([...ofAll, 'secrets', 'shred']));
    expect(await find(bob)).toEqual(new Set(ofAll));
    expect(await find(stranger)).toEqual(new Set(['news']));
  });

  it('is listed for all who see lists, those without a token too (XTN-07)', async () => {
    for (const caller of [ada, bob, stranger]) {
      const result = await caller('tools/list').result();
      expect(namesOf(result, 'tools')).toEqual(['search_tools', 'call_tool']);
    }
  });

  it('counts nothing in its pages that the caller does not see (XTN-07)', async () => {
    const page = await search(bob, EVERYTHING, { limit: 3 });
    const rest = await search(bob, EVERYTHING, { limit: 3, cursor: page['nextCursor'] });
    expect(new Set([...namesOf(page, 'tools'), ...namesOf(rest, 'tools')])).toEqual(await find(bob));
    expect(rest).not.toHaveProperty('nextCursor');
  });

  it('answers a call of what is hidden as one of what there is not (XTN-07)', async () => {
    const call = (name: string) => bob('tools/call', { name: 'call_tool', arguments: { name } }).answer();
    expect(describeAnswer(await call('secrets'), 'secrets')).toBe(
      describeAnswer(await call('nobody'), 'nobody'),
    );
    const seen = await ada('tools/call', { name: 'call_tool', arguments: { name: 'secrets' } }).result();
    expect(seen['content']).toEqual([{ type: 'text', text: 'secret' }]);
  });

  it('asks for the scopes of the tool that is called, as that would itself (XTN-07)', async () => {
    const passedOn = await bob('tools/call', { name: 'call_tool', arguments: { name: 'shred' } }).answer();
    const direct = await bob('tools/call', { name: 'shred' }).answer();
    expect(describeAnswer(passedOn, '')).toBe(describeAnswer(direct, ''));
    expect(JSON.stringify([passedOn.status, passedOn.headers['www-authenticate']])).toContain('desk:write');
    const allowed = await ada('tools/call', { name: 'call_tool', arguments: { name: 'shred' } }).result();
    expect(allowed['content']).toEqual([{ type: 'text', text: 'shredded' }]);
  });

  it('asks strangers for a token for what is not public (XTN-07)', async () => {
    const closed = await stranger('tools/call', {
      name: 'call_tool',
      arguments: { name: 'payroll' },
    }).answer();
    expect(closed.status).toBe(401);
    const open = await stranger('tools/call', { name: 'call_tool', arguments: { name: 'news' } }).result();
    expect(open['content']).toEqual([{ type: 'text', text: 'no news' }]);
  });
});

describe('Tool search', () => {
  @Injectable()
  class Closed {
    @RequireScope('desk:write')
    @Tool({ description: 'Counts the calls', inputSchema: { type: 'object' } })
    whoami(_arguments: object, { auth, method, params }: McpContext): object {
      return {
        sub: auth.claims?.sub,
        method,
        params: { name: params['name'], arguments: params['arguments'] },
      };
    }

    @Role('ada')
    @Tool({ description: 'Counts the secrets' })
    roles(): string {
      return 'roles';
    }
  }

  it('does not open a server that has nothing public (XTN-07)', async () => {
    const office = await bootDesk('express', {
      options: { catalog: { search: true } },
      providers: [Closed],
    });
    const { status } = await perRequest(office.url).request('tools/list');
    expect(status).toBe(401);
    const call = { name: 'search_tools', arguments: { query: 'counts' } };
    expect((await perRequest(office.url).request('tools/call', call)).status).toBe(401);
    await office.close();
  });

  it('passes calls on as calls of the tool itself (XTN-07)', async () => {
    const office = await bootDesk('express', {
      options: { catalog: { search: true } },
      providers: [Closed],
    });
    const audited: unknown[] = [];
    office.app.get(McpAudit).events$.subscribe(({ target, outcome }) => audited.push([target, outcome]));
    const { request } = perRequest(office.url, { headers: authorize(CALLERS.ada.token) });
    const params = { name: 'call_tool', arguments: { name: 'whoami', arguments: { of: 7 } } };
    const { result } = await request('tools/call', params);
    await until(() => audited.length > 0, 'the audit of the call');
    expect(audited).toEqual([['whoami', 'ok']]);
    expect(result?.['structuredContent']).toEqual({
      sub: 'ada',
      method: 'tools/call',
      params: { name: 'whoami', arguments: { of: 7 } },
    });
    await office.close();
  });

  it('is seen whatever a provider says who sees handlers, and asks that of what it finds (XTN-07)', async () => {
    const office = await bootDesk('express', {
      options: { catalog: { search: true, visibility: RoleVisibility } },
      providers: [Closed, RoleVisibility],
    });
    const asBob = perRequest(office.url, { headers: authorize(CALLERS.bob.token) });
    const asAda = perRequest(office.url, { headers: authorize(CALLERS.ada.token) });
    expect(await searchNames(asBob.start, 'counts')).toEqual(['whoami']);
    expect(new Set(await searchNames(asAda.start, 'counts'))).toEqual(new Set(['roles', 'whoami']));
    const { asked } = office.app.get(RoleVisibility);
    expect(asked).not.toContain('tool search_tools');
    await office.close();
  });

  it('does not tell that something is pinned which the caller does not see (XTN-07)', async () => {
    const office = await bootDesk('express', {
      options: { catalog: { search: { pinned: ['secrets'] } } },
      providers: [GuardedOffice],
    });
    const { request } = perRequest(office.url, { headers: authorize(CALLERS.bob.token) });
    const call = (name: string) => request('tools/call', { name: 'call_tool', arguments: { name } });
    expect(describeAnswer(await call('secrets'), 'secrets')).toBe(
      describeAnswer(await call('nobody'), 'nobody'),
    );
    await office.close();
  });

  it('tells batches of a hidden tool nothing either (XTN-07)', async () => {
    const office = await bootDesk('express', {
      options: { stateless: true, catalog: { search: true, visibility: RoleVisibility } },
      providers: [Closed, RoleVisibility],
    });
    const headers = { 'mcp-protocol-version': '2025-03-26', ...authorize(CALLERS.bob.token) };
    const call = async (name: string) => {
      const params = { name: 'call_tool', arguments: { name } };
      const { status, text } = await post(
        office.url,
        [{ jsonrpc: '2.0', id: 1, method: 'tools/call', params }],
        headers,
      );
      return `${status} ${text}`.replaceAll(name, '…');
    };
    expect(await call('roles')).toBe(await call('nobody'));
    await office.close();
  });
});
