import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { RunningApp } from '../../support/applications/boot.js';
import { perRequest } from '../../support/clients/json-rpc.js';
import type { JsonObject } from '../../support/clients/message.js';
import {
  authorize,
  bootDesk,
  CALLERS,
  METADATA,
  textOf,
  WAYS,
} from '../../support/applications/protected-desk.js';
import { AUTH, DeskHandlers, HelpHandlers, ran, ReportsExtension } from './help-desk.app.js';

const { ada, bob, eve } = CALLERS;
const MISSING = `Bearer resource_metadata="${METADATA}", scope="desk:write desk:read"`;
const PROVIDERS = [HelpHandlers, DeskHandlers, ReportsExtension];
const ASK = { ref: { type: 'ref/prompt', name: 'ask' }, argument: { name: 'topic', value: '' } };
const PLAN = { ref: { type: 'ref/prompt', name: 'plan' }, argument: { name: 'day', value: '' } };

type Row = readonly [string, JsonObject];
const OPEN: readonly Row[] = [
  ['tools/call', { name: 'hours' }],
  ['tools/call', { name: 'count' }],
  ['resources/read', { uri: 'help://rules' }],
  ['resources/read', { uri: 'help://topics/rain' }],
  ['prompts/get', { name: 'ask' }],
  ['completion/complete', ASK],
  ['tools/list', {}],
  ['prompts/list', {}],
  ['resources/list', {}],
  ['resources/templates/list', {}],
];
const OPEN_IN_SESSIONS: readonly Row[] = [
  ['ping', {}],
  ['logging/setLevel', { level: 'error' }],
  ['resources/subscribe', { uri: 'help://rules' }],
  ['resources/unsubscribe', { uri: 'help://rules' }],
];
const CLOSED: readonly Row[] = [
  ['tools/call', { name: 'list' }],
  ['tools/call', { name: 'exception' }],
  ['tools/call', { name: 'missing' }],
  ['resources/read', { uri: 'desk://tickets' }],
  ['resources/read', { uri: 'desk://nowhere' }],
  ['prompts/get', { name: 'plan' }],
  ['prompts/get', { name: 'missing' }],
  ['completion/complete', PLAN],
  ['reports/list', {}],
];
const CLOSED_IN_SESSIONS: readonly Row[] = [
  ['tools/call', {}],
  ['resources/subscribe', { uri: 'desk://tickets' }],
  ['resources/subscribe', { uri: 'desk://nowhere' }],
  ['resources/unsubscribe', { uri: 'desk://tickets' }],
];

describe.each(WAYS)('A protected server with public handlers $wire on $adapter', (way) => {
  const { adapter, connect, wire } = way;
  const inSession = wire === 'in a session';
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootDesk(adapter, { auth: AUTH, providers: PROVIDERS });
  });

  beforeEach(() => void (ran.length = 0));

  afterAll(() => desk.close());

  const ask = async (method: string, params: JsonObject, token?: string) =>
    (await connect(desk.url, token))(method, params).answer();

  it.each(inSession ? [...OPEN, ...OPEN_IN_SESSIONS] : [...OPEN, ['server/discover', {}] as const])(
    'answers %s %j without a token (STEP-06)',
    async (method, params) => {
      const { status, headers, error } = await ask(method, params);
      expect([status, headers['www-authenticate'], error]).toEqual([200, undefined, undefined]);
    },
  );

  it.each(inSession ? [...CLOSED, ...CLOSED_IN_SESSIONS] : CLOSED)(
    'asks for a token at %s %j, whether there is such a thing or not (STEP-06, AUTH-14)',
    async (method, params) => {
      const { status, headers, response } = await ask(method, params);
      expect([status, headers['www-authenticate']]).toEqual([401, MISSING]);
      expect(response).toMatchObject(
        method === 'tools/call'
          ? { result: { isError: true, content: [{ type: 'text', text: 'Unauthorized' }] } }
          : { error: { code: -32600, message: 'Unauthorized' } },
      );
      expect(ran).toEqual([]);
    },
  );

  it('has handlers that know who comes with a token, and who with none (STEP-06, AUTH-10)', async () => {
    expect(textOf((await ask('tools/call', { name: 'hours' })).result ?? {})).toBe('9 to 17 for anybody');
    const known = await ask('tools/call', { name: 'hours' }, eve.token);
    expect(textOf(known.result ?? {})).toBe('9 to 17 for eve');
  });

  it('refuses a bad token where none would do (STEP-06, AUTH-14)', async () => {
    const client = perRequest(desk.url, { headers: authorize('not-a-token') });
    const { status, headers } = await client.request('tools/call', { name: 'hours' });
    expect([status, headers['www-authenticate']]).toEqual([401, `${MISSING}, error="invalid_token"`]);
  });

  it('asks for a token, then for a scope, where a public handler finds that it needs one (STEP-02)', async () => {
    const anonymous = await ask('tools/call', { name: 'details' });
    expect([anonymous.status, anonymous.headers['www-authenticate']]).toEqual([401, MISSING]);
    const known = await ask('tools/call', { name: 'details' }, bob.token);
    expect(known.status).toBe(403);
    expect(known.headers['www-authenticate']).toContain('error="insufficient_scope", scope="desk:write"');
    expect((await ask('tools/call', { name: 'details' }, ada.token)).status).toBe(200);
  });

  it('asks for the scopes of the rest (STEP-06)', async () => {
    const { status, headers } = await ask('tools/call', { name: 'exception' }, bob.token);
    expect(status).toBe(403);
    expect(headers['www-authenticate']).toContain('scope="desk:write"');
    expect((await ask('tools/call', { name: 'list' }, bob.token)).status).toBe(200);
  });

  it('says of an unknown method what it is (STEP-06)', async () => {
    const { status, error } = await ask('tools/unknown', {});
    expect([status, error?.code]).toEqual([inSession ? 200 : 404, -32601]);
  });
});
