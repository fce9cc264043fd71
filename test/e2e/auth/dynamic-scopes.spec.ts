import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { RunningApp } from '../../support/applications/boot.js';
import { PROJECT_CALLERS, ProjectHandlers, ran } from '../../support/applications/project-desk.js';
import { bootDesk, METADATA, PUBLISHED, textOf, WAYS } from '../../support/applications/protected-desk.js';
import type { JsonObject } from '../../support/clients/message.js';

const tool = (name: string, args: JsonObject = {}) => ({ name, arguments: args });
const complete = (argument: string, settled: JsonObject) => ({
  ref: { type: 'ref/resource', uri: 'project://{project}/tickets/{id}' },
  argument: { name: argument, value: '' },
  context: { arguments: settled },
});

type Request = readonly [what: string, method: string, params: JsonObject, scope: string];

/** Each request with what it needs. */
const GUARDED: readonly Request[] = [
  ['a tool', 'tools/call', tool('open', { project: 'alpha' }), 'project:alpha:read'],
  [
    'a tool with a fixed scope besides',
    'tools/call',
    tool('annotate', { project: 'alpha' }),
    'desk:write project:alpha:write',
  ],
  [
    'a tool with a function',
    'tools/call',
    tool('move', { from: 'alpha', to: 'alpha' }),
    'project:alpha:write',
  ],
  ['a resource of a template', 'resources/read', { uri: 'project://alpha/tickets/7' }, 'project:alpha:read'],
  ['a prompt', 'prompts/get', tool('plan', { project: 'alpha' }), 'desk:plan project:alpha:read'],
  [
    'suggestions',
    'completion/complete',
    complete('id', { project: 'alpha' }),
    'project:alpha:read project:alpha:search',
  ],
];

const IN_SESSIONS: readonly Request[] = [
  ['a subscription', 'resources/subscribe', { uri: 'project://alpha/tickets/7' }, 'project:alpha:read'],
  ['the end of one', 'resources/unsubscribe', { uri: 'project://alpha/tickets/7' }, 'project:alpha:read'],
];

const challengeFor = (scope: string): string =>
  `Bearer error="insufficient_scope", scope="${scope}", resource_metadata="${METADATA}", ` +
  'error_description="The token lacks a required scope"';

/** Values that end a scope, a part of it, a quoted text or a header, and what is no single plain value. */
const HOSTILE: readonly unknown[] = [
  'alpha desk:admin',
  'alpha:admin',
  'alpha" error="',
  'alpha\\',
  'alpha\r\nset-cookie: a=b',
  'alpha\u0000',
  'älpha',
  '',
  'a'.repeat(257),
];

describe.each(WAYS)('Scopes by arguments $wire on $adapter', ({ adapter, connect, wire }) => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootDesk(adapter, {
      auth: { ...PUBLISHED, bearer: Object.values(PROJECT_CALLERS) },
      providers: [ProjectHandlers],
    });
  });

  beforeEach(() => void (ran.length = 0));

  afterAll(() => desk.close());

  async function ask(caller: keyof typeof PROJECT_CALLERS, method: string, params: JsonObject) {
    return (await connect(desk.url, PROJECT_CALLERS[caller].token))(method, params).answer();
  }

  it.each(wire === 'in a session' ? [...GUARDED, ...IN_SESSIONS] : GUARDED)(
    'are asked for by one challenge before anything runs: %s (XTN-04)',
    async (_what, method, params, scope) => {
      const { status, headers } = await ask('none', method, params);
      expect([status, headers['www-authenticate']]).toEqual([403, challengeFor(scope)]);
      expect(ran).toEqual([]);
      const allowed = await ask('alpha', method, params);
      expect([allowed.status, allowed.error, allowed.result?.['isError']]).toEqual([
        200,
        undefined,
        undefined,
      ]);
    },
  );

  it('are those of the values, and no others (XTN-04)', async () => {
    const { status, headers } = await ask('alpha', 'tools/call', tool('open', { project: 'beta' }));
    expect([status, headers['www-authenticate']]).toEqual([403, challengeFor('project:beta:read')]);
    const moved = await ask('alpha', 'tools/call', tool('move', { from: 'alpha', to: 'beta' }));
    expect(moved.headers['www-authenticate']).toBe(challengeFor('project:alpha:write project:beta:write'));
    expect(ran).toEqual([]);
  });

  it.each(HOSTILE)('are never made of a value that breaks out of them: %j (XTN-04)', async (project) => {
    const { status, error, headers } = await ask('desk', 'tools/call', tool('annotate', { project }));
    expect([status, error?.code, headers['www-authenticate']]).toEqual([200, -32602, undefined]);
    expect(error?.message).toContain('"project" is part of a scope');
    expect(error?.message).not.toContain('alpha');
    expect(ran).toEqual([]);
  });

  it('refuse what a function makes of such a value, too (XTN-04)', async () => {
    const args = { from: 'alpha', to: 'beta desk:admin' };
    const { error } = await ask('alpha', 'tools/call', tool('move', args));
    expect([error?.code, ran]).toEqual([-32602, []]);
    expect(error?.message).toContain('the call requires a scope with invalid characters');
  });

  it.each([{ project: 'alpha desk:admin' }, { project: 7 }, {}])(
    'tell nothing of the arguments to whoever may not call at all: %j (XTN-04)',
    async (args) => {
      const { status, headers } = await ask('none', 'tools/call', tool('annotate', args));
      expect([status, headers['www-authenticate']]).toEqual([403, challengeFor('desk:write')]);
    },
  );

  it('are judged by arguments that are valid (XTN-04)', async () => {
    const { status, result } = await ask('alpha', 'tools/call', tool('open', { project: 7 }));
    expect([status, result?.['isError']]).toEqual([200, true]);
    expect(textOf(result!)).toContain('project');
    expect(ran).toEqual([]);
  });

  it('may depend on who calls (XTN-04)', async () => {
    const read = (caller: keyof typeof PROJECT_CALLERS) =>
      ask(caller, 'resources/read', { uri: 'desk://mine' });
    expect((await read('none')).headers['www-authenticate']).toBe(challengeFor('desk:of:eve'));
    expect((await read('alpha')).status).toBe(200);
  });

  it.each([
    ['gone', 'There is no such project'],
    ['broken', 'Internal error (incident'],
    ['void', 'Internal error (incident'],
  ])('refuse a call if the function fails: %s (XTN-04)', async (project, text) => {
    const { result } = await ask('alpha', 'tools/call', tool('look', { project }));
    expect([result?.['isError'], ran]).toEqual([true, []]);
    expect(textOf(result!)).toContain(text);
    expect((await ask('none', 'tools/call', tool('look', { project: 'alpha' }))).status).toBe(200);
  });

  it('are not needed for the argument that is completed, and settled for all others (XTN-04)', async () => {
    const projects = await ask('none', 'completion/complete', complete('project', {}));
    expect([projects.status, ran]).toEqual([200, ['projects']]);
    const ids = await ask('alpha', 'completion/complete', complete('id', {}));
    expect([ids.error?.code, ran]).toEqual([-32602, ['projects']]);
  });

  it('are named again with those that the handler asks for, one after the other (XTN-04)', async () => {
    const publish = tool('publish', { project: 'alpha' });
    const needed = 'desk:write project:alpha:read desk:publish';
    const first = await ask('reader', 'tools/call', publish);
    expect([first.status, first.headers['www-authenticate']]).toEqual([403, challengeFor(needed)]);
    const second = await ask('publisher', 'tools/call', publish);
    expect(second.headers['www-authenticate']).toBe(challengeFor(`${needed} project:alpha:publish`));
    const { result } = await ask('alpha', 'tools/call', tool('publish', { project: 'alpha' }));
    expect(textOf(result!)).toBe('alpha');
  });

  it('are in no list that is the same for all calls (XTN-04)', async () => {
    const response = await fetch(`${desk.origin}/.well-known/oauth-protected-resource/mcp`);
    const metadata = (await response.json()) as JsonObject;
    const { result } = await ask('none', 'tools/list', {});
    const seen = JSON.stringify([metadata, result]);
    expect(metadata['scopes_supported']).toEqual(['desk:write', 'desk:plan']);
    expect(seen).not.toMatch(/project:/);
    const tools = result?.['tools'] as readonly JsonObject[];
    const schemes = Object.fromEntries(tools.map((one) => [one['name'], one['securitySchemes']]));
    expect([schemes['open'], schemes['annotate']]).toEqual([
      undefined,
      [{ type: 'oauth2', scopes: ['desk:write'] }],
    ]);
  });

  it('of a caller without a token are not looked at (XTN-04)', async () => {
    const response = await fetch(desk.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: tool('look') }),
    });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).not.toContain('project');
  });
});
