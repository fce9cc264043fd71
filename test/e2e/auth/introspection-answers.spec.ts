import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { IntrospectionOptions } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { authorize, bootDesk, RESOURCE } from '../../support/applications/protected-desk.js';
import { json, Party, status } from '../../support/authorization/party.js';
import { perRequest } from '../../support/clients/json-rpc.js';

const ISSUER = 'https://login.example.com';
const NOW = Math.floor(Date.now() / 1000);

/** What the authorization server says of a token that is good. */
const GOOD = { active: true, iss: ISSUER, sub: 'ada', aud: RESOURCE, token_type: 'Bearer', exp: NOW + 300 };

type Row = readonly [what: string, said: { readonly [member: string]: unknown }];

const TAKEN: readonly Row[] = [
  ['that it is good', {}],
  ['nothing of its issuer, its type and its end', { iss: undefined, token_type: undefined, exp: undefined }],
  ['its type in another case', { token_type: 'bearer' }],
  ['several audiences', { aud: ['urn:other', RESOURCE] }],
  ['that it ended four seconds ago, as clocks differ', { exp: NOW - 4 }],
  ['that it begins in five seconds, as clocks differ', { nbf: NOW + 5 }],
];

const REFUSED: readonly Row[] = [
  ['that it is not active', { active: false }],
  ['that another issuer gave it', { iss: 'https://other.example.com' }],
  ['that no text names its issuer', { iss: [ISSUER] }],
  ['that it is of another type', { token_type: 'DPoP' }],
  ['that no text names its type', { token_type: ['Bearer'] }],
  ['that it is bound to a key', { cnf: { jkt: 'thumbprint' } }],
  ['that it tells a client who logged in', { nonce: 'n' }],
  ['that it gets further tokens', { token_use: 'refresh' }],
  ['that it ended five seconds ago', { exp: NOW - 5 }],
  ['that it ends at no number', { exp: 'tomorrow' }],
  ['that it begins in six seconds', { nbf: NOW + 6 }],
  ['that it is for another resource', { aud: 'https://mail.example.com/mcp' }],
  ['that it is for nobody', { aud: [] }],
  ['nothing of whom it is for', { aud: undefined }],
  ['a subject that is no text', { sub: 7 }],
];

const UNCLEAR: readonly Row[] = [
  ['nothing of whether it is active', { active: undefined }],
  ['that it is active in a text', { active: 'true' }],
  ['that it is active in a number', { active: 1 }],
];

describe.each(ADAPTERS)('A token of which the authorization server says, to a server on %s,', (adapter) => {
  let party: Party;
  let canary: Party;
  let strict: RunningApp;
  let lenient: RunningApp;

  beforeAll(async () => {
    [party, canary] = [await Party.start(), await Party.start()];
    canary.at('/*', json(GOOD));
    strict = await boot({});
    lenient = await boot({ unsafeAllowMissingAudience: true });
  });

  afterEach(() => void jest.restoreAllMocks());

  afterAll(async () => {
    for (const server of [strict, lenient]) await server.close();
    for (const one of [party, canary]) await one.stop();
  });

  function boot(options: Partial<IntrospectionOptions>): Promise<RunningApp> {
    const endpoint = `${party.origin}/introspect`;
    const introspection = { endpoint, clientId: 'desk', clientSecret: 'secret', ...options };
    return bootDesk(adapter, {
      auth: { resourceUri: RESOURCE, authorizationServers: [ISSUER], introspection },
    });
  }

  /** Brings a token that nobody has seen; the clock stands still while it is looked at. */
  async function bring({ url }: RunningApp, said: Row[1]): Promise<number> {
    party.at('/introspect', json({ ...GOOD, ...said }));
    const clock = jest.spyOn(Date, 'now').mockReturnValue(NOW * 1000);
    const client = perRequest(url, { headers: authorize(randomUUID()) });
    const answer = await client.request('tools/list');
    clock.mockRestore();
    return answer.status;
  }

  it.each(TAKEN)('%s is taken (AUTH-13)', async (_what, said) => {
    expect(await bring(strict, said)).toBe(200);
  });

  it.each(REFUSED)('%s is refused (AUTH-13, AUTH-14)', async (_what, said) => {
    expect(await bring(strict, said)).toBe(401);
    expect(await bring(strict, {})).toBe(200);
  });

  it.each<[string, unknown, number]>([
    ['nothing of whom it is for', undefined, 200],
    ['that it is for nobody', [], 200],
    ['that it is for another resource', 'https://mail.example.com/mcp', 401],
    ['that it is for what is no text', 7, 401],
  ])('%s (%j) gets %i where an audience may be missing (AUTH-13)', async (_what, aud, expected) => {
    expect(await bring(lenient, { aud })).toBe(expected);
  });

  it.each(UNCLEAR)('%s is neither taken nor refused: 429 (AUTH-13) (FAIR-09)', async (_what, said) => {
    const app = await boot({});
    expect(await bring(app, said)).toBe(429);
    await app.close();
  });

  it.each([301, 302, 307, 308])(
    'to ask elsewhere, with %i, cannot be checked: nobody else gets it (AUTH-13, SAFE-01)',
    async (code) => {
      const app = await boot({});
      party.at('/introspect', status(code, { location: `${canary.origin}/introspect` }));
      const client = perRequest(app.url, { headers: authorize(randomUUID()) });
      expect((await client.request('tools/list')).status).toBe(429);
      expect(canary.requests).toEqual([]);
      await app.close();
    },
  );

  it('nothing, because of the token itself, keeps no other from being asked about (AUTH-13, SAFE-01)', async () => {
    const app = await boot({});
    party.at('/introspect', status(400));
    const refused = perRequest(app.url, { headers: authorize(randomUUID()) });
    expect((await refused.request('tools/list')).status).toBe(429);
    expect(await bring(app, {})).toBe(200);
    await app.close();
  });

  it.each([302, 400, 403, 500, 503])(
    'nothing, with %i, however many such tokens come: 429 and when to come back, never 5xx (FAIR-09)',
    async (code) => {
      const app = await boot({});
      party.at('/introspect', status(code));
      for (let count = 0; count < 6; count += 1) {
        const client = perRequest(app.url, { headers: authorize(randomUUID()) });
        const { status: answered, headers, error } = await client.request('tools/list');
        expect([answered, headers['retry-after'], headers['www-authenticate'], error?.code]).toEqual([
          ...[429, '1', undefined, -32023],
        ]);
      }
      await app.close();
    },
  );
});
