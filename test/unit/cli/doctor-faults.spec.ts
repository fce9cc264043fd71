import { afterEach, describe, expect, it } from '@jest/globals';
import type { DoctorOptions } from '../../../cli/doctor/doctor-options.js';
import type { Finding } from '../../../lib/core/doctor/finding.js';
import { examineEndpoint, selectIds } from '../../support/examine-endpoint.js';
import { FixtureEndpoint, type Incoming, type Traits } from '../../support/fixture-endpoint.js';
import { CARD_FAULTS, CARD_WARNINGS, CATALOG_FAULTS, CATALOG_WARNINGS, CATALOGS } from './card-faults.js';
import { answer, AUTHORIZATION_FAULTS, BOUND, ENDPOINT_FAULTS, TOKEN_FAULTS, writeToken } from './faults.js';
import { READING_FAULTS } from './reading-faults.js';

let endpoint: FixtureEndpoint;

afterEach(() => endpoint.stop());

async function start(traits: Traits, host?: string): Promise<void> {
  endpoint = await FixtureEndpoint.start(traits, host);
}

function examineIt(options?: Partial<DoctorOptions>): Promise<readonly Finding[]> {
  return examineEndpoint(endpoint.url, options);
}

const TOKEN = 'opaque-token-of-the-fixture';

describe('The doctor', () => {
  it('finds nothing wrong with a healthy endpoint (KIT-03)', async () => {
    await start({});
    const findings = await examineIt();
    expect(selectIds(findings, 'warning', 'error')).toEqual([]);
    expect(findings.length).toBeGreaterThan(15);
  });

  it.each([{}, { sessionId: null }])('warns of a tool that hosts refuse: %j (CAT-01)', async (traits) => {
    await start({ ...traits, tools: [{ name: 'find', inputSchema: { type: 'object', anyOf: [] } }] });
    expect(selectIds(await examineIt(), 'warning', 'error')).toEqual(['catalog']);
  });

  it('warns of tools that change something for anyone (KIT-03) (ROUTE-01)', async () => {
    const [publicUrl, inputSchema] = [
      new URL('https://desk.example.com/mcp'),
      { type: 'object', properties: {} },
    ];
    const tools = [true, false].map((readOnlyHint) => {
      return { name: readOnlyHint ? 'read' : 'write', inputSchema, annotations: { readOnlyHint } };
    });
    await start({ tools });
    expect(selectIds(await examineIt(), 'warning', 'error')).toEqual([]);
    const findings = await examineIt({ publicUrl });
    expect(findings.find(({ id }) => id === 'open-tools')).toMatchObject({
      status: 'warning',
      found: 'Anyone may call 1 tool that changes something: "write"',
    });
    const proven = await examineIt({ publicUrl, headers: { authorization: `Bearer ${TOKEN}` } });
    expect(proven.map(({ id }) => id)).not.toContain('open-tools');
  });

  it('finds nothing wrong with a healthy endpoint that asks for a token (KIT-03)', async () => {
    await start({ token: TOKEN });
    expect(selectIds(await examineIt(), 'warning', 'error')).toEqual([]);
    expect(selectIds(await examineIt({ token: TOKEN }), 'warning', 'error')).toEqual([]);
  });

  it.each([
    ...ENDPOINT_FAULTS,
    ...READING_FAULTS,
    ...AUTHORIZATION_FAULTS,
    ...CARD_FAULTS,
    ...CATALOG_FAULTS,
  ])('finds $what, and nothing else (KIT-03)', async ({ ids, traits, timeoutMs = 5000 }) => {
    await start(traits);
    const findings = await examineIt({ timeoutMs });
    expect(selectIds(findings, 'error')).toEqual(ids);
    expect(findings.find(({ status }) => status === 'error')?.fix).not.toBe('');
  });

  it.each(CARD_WARNINGS)('warns of a server card $what (XTN-05)', async ({ ids, traits }) => {
    await start(traits);
    const findings = await examineIt();
    expect(selectIds(findings, 'warning', 'error')).toEqual(ids);
  });

  it.each(CATALOG_WARNINGS)('warns of a catalog $what (XTN-05)', async ({ ids, traits }) => {
    await start(traits);
    expect(selectIds(await examineIt(), 'warning', 'error')).toEqual(ids);
  });

  it.each(CATALOGS)('finds the card in the catalog of its origin (XTN-05)', async (traits) => {
    await start(traits);
    const findings = await examineIt({ headers: { 'x-gateway': 'secret' } });
    expect(selectIds(findings, 'warning', 'error')).toEqual([]);
    expect(selectIds(findings, 'ok')).toContain('ai-catalog');
    const asked = endpoint.requests.filter(({ path }) => path === '/.well-known/ai-catalog.json');
    expect(asked.map(({ headers }) => headers['x-gateway'])).toEqual([undefined]);
  });

  it('says nothing of a card where there is none, and sends no token for one (XTN-05)', async () => {
    await start({ token: TOKEN });
    const findings = await examineIt({ token: TOKEN });
    expect(findings.map(({ id }) => id)).not.toContain('server-card');
    const asked = endpoint.requests.filter(({ path }) => path === '/mcp/server-card');
    expect(asked.map(({ headers }) => headers.authorization)).toEqual([undefined]);
  });

  it.each(TOKEN_FAULTS)('finds $what, and nothing else (KIT-03)', async ({ ids, traits, claims }) => {
    await start(traits);
    const right = { iss: endpoint.origin, aud: endpoint.url, scope: 'desk:read' };
    const token = claims === undefined ? 'unknown-token' : writeToken({ ...right, ...claims });
    const findings = await examineIt({ token });
    expect(selectIds(findings, 'error')).toEqual(ids);
    expect(JSON.stringify(findings)).not.toContain(token);
  });

  it('warns of a token that a server takes though it is for others (KIT-03)', async () => {
    const token = writeToken({ aud: 'https://elsewhere.test' });
    await start({ token });
    expect(selectIds(await examineIt({ token }), 'warning')).toEqual([
      'token-issuer',
      'token-audience',
      'token-scope',
    ]);
  });

  it.each([
    ['metadata that says nothing of proofs', { resource: () => ({}) }, ['dpop']],
    ['bound tokens that nobody gives', { server: () => ({}) }, ['dpop-servers']],
    ['nothing', {}, []],
  ])('warns of %s where tokens can be bound to keys (KIT-03) (XTN-03)', async (_, traits, ids) => {
    await start({ ...BOUND, ...traits });
    expect(selectIds(await examineIt(), 'warning', 'error')).toEqual(ids);
  });

  it.each([undefined, TOKEN])(
    'finds nothing wrong with a server whose tokens are fixed, and explains that: %s (KIT-03)',
    async (token) => {
      await start({
        token: TOKEN,
        challenge: () => 'Bearer',
        takeOver: ({ path }, response) =>
          path.startsWith('/.well-known/') && (response.writeHead(404).end(), true),
      });
      const findings = await examineIt({ token });
      expect(selectIds(findings, 'warning', 'error')).toEqual([]);
      expect(selectIds(findings, 'skipped')).toEqual(token === undefined ? ['token'] : []);
      expect(findings.find(({ id }) => id === 'metadata')).toMatchObject({
        status: 'ok',
        found: 'No login is offered, as is usual with fixed tokens: give each client a token',
      });
    },
  );

  it.each([
    ['that the challenge names', {}],
    ['at the well-known places', { challenge: () => 'Bearer' }],
  ])('says that a guard refuses the metadata %s (KIT-03)', async (_, traits) => {
    await start({
      token: TOKEN,
      ...traits,
      takeOver: ({ path }, response) =>
        path.startsWith('/.well-known/oauth-protected') && (response.writeHead(401).end(), true),
    });
    expect((await examineIt()).find(({ id }) => id === 'metadata')).toMatchObject({
      status: 'error',
      fix: expect.stringContaining('exempt its URLs from global guards'),
    });
  });

  it('warns of a login without metadata, which its challenge promises (KIT-03)', async () => {
    await start({
      token: TOKEN,
      takeOver: ({ path }, response) =>
        path.startsWith('/.well-known/') && (response.writeHead(404).end(), true),
    });
    expect(selectIds(await examineIt(), 'error')).toEqual(['metadata']);
  });

  it('finds plain http, and sends no token by it (KIT-03)', async () => {
    await start({ token: TOKEN }, '127.0.0.2');
    const findings = await examineIt({ token: TOKEN });
    expect(selectIds(findings, 'error')).toEqual(expect.arrayContaining(['tls', 'token']));
    expect(endpoint.requests.filter(({ headers }) => headers.authorization !== undefined)).toEqual([]);
  });

  it('says why strangers are refused with 403, and blames no token for it (KIT-03)', async () => {
    const error = { code: -32600, message: 'Invalid request: "Host" is not allowed' };
    const body = JSON.stringify({ jsonrpc: '2.0', error });
    await start(answer(({ path }) => path === '/mcp', 403, { 'content-type': 'application/json' }, body));
    const findings = await examineIt({ token: TOKEN });
    expect(selectIds(findings, 'error')).toEqual(['challenge']);
    expect(findings.find(({ id }) => id === 'challenge')?.found).toContain('"Host" is not allowed');
  });

  it('does not show what it sent, be it sent back (KIT-03)', async () => {
    const secret = 'secret-of-the-gateway';
    await start({ token: TOKEN, challenge: () => `Bearer resource_metadata="/${TOKEN}/${secret}"` });
    const findings = await examineIt({ token: TOKEN, headers: { 'x-gateway': secret } });
    expect(selectIds(findings, 'error')).toEqual(['challenge-metadata']);
    expect(JSON.stringify(findings)).not.toMatch(new RegExp(`${TOKEN}|${secret}`));
  });

  it('sends the headers that it is given to the endpoint and its card alone, the token to the endpoint (KIT-03)', async () => {
    await start({ token: TOKEN });
    await examineIt({ token: TOKEN, headers: { 'x-gateway': 'secret' } });
    const listPathsWith = (name: string) =>
      new Set(endpoint.requests.filter(({ headers }) => headers[name] !== undefined).map(({ path }) => path));
    expect(listPathsWith('x-gateway')).toEqual(new Set(['/mcp', '/mcp/server-card']));
    expect(listPathsWith('authorization')).toEqual(new Set(['/mcp']));
    expect(endpoint.requests.filter(({ path }) => path === '/keys')).toHaveLength(1);
  });

  it.each<[string, (request: Incoming) => boolean, string]>([
    ['every revision', () => false, '"mcp-method", "mcp-name", "last-event-id"'],
    ['sessions alone', ({ rpc }) => rpc === 'server/discover', '"last-event-id"'],
    ['sessions without a stream', ({ method }) => method === 'GET', '"mcp-method", "mcp-name"'],
  ])('names what pages may not send to a server of %s (KIT-03)', async (_, isRefused, missing) => {
    await start({
      cors: { allowed: 'authorization, content-type, mcp-session-id', exposed: 'mcp-session-id' },
      takeOver: (request, response) => {
        if (isRefused(request)) response.writeHead(405).end();
        return isRefused(request);
      },
    });
    const { found } = (await examineIt()).find(({ id }) => id === 'cors-preflight') ?? {};
    expect(found).toBe(`The preflight does not allow "mcp-protocol-version", ${missing}`);
  });

  it.each<[string, Traits]>([
    ['keeps none', { sessionId: null }],
    ['lets nobody see whether it keeps any', { token: TOKEN }],
  ])('wants no page to send the id of a session to a server that %s (KIT-03)', async (_, traits) => {
    const sent = 'authorization, content-type, mcp-protocol-version, mcp-method, mcp-name';
    await start({ cors: { allowed: sent, exposed: 'www-authenticate' }, ...traits });
    expect(selectIds(await examineIt(), 'warning', 'error')).toEqual([]);
  });

  describe('with an "Authorization" of another scheme', () => {
    const authorization = 'ApiKey key-of-the-gateway';

    /** Lets nobody in without the key but who asks whether pages may call. */
    const gateway: Traits = {
      takeOver: ({ method, headers }, response) => {
        if (method === 'OPTIONS' || headers.authorization === authorization) return false;
        const challenge = `Bearer error_description="no ${headers.authorization?.split(' ')[1] ?? 'key'}"`;
        response.writeHead(401, { 'www-authenticate': challenge }).end();
        return true;
      },
    };

    it('looks at all that lies behind it, and knocks without it (KIT-03)', async () => {
      await start(gateway);
      const findings = await examineIt({ headers: { authorization } });
      expect(findings).toContainEqual(
        expect.objectContaining({
          id: 'token',
          status: 'ok',
          found: 'The "Authorization" header is accepted',
        }),
      );
      expect(selectIds(findings, 'ok')).toEqual(
        expect.arrayContaining(['discover', 'handshake', 'session-end', 'origin', 'host', 'cors-exposed']),
      );
      const knocks = endpoint.requests.filter(({ headers }) => headers.authorization === undefined);
      expect(knocks.map(({ rpc }) => rpc)).toContain('initialize');
    });

    it('tells that it is refused, and shows nothing of it (KIT-03)', async () => {
      await start(gateway);
      const findings = await examineIt({ headers: { authorization: 'ApiKey wrong-key' } });
      const { status, found } = findings.find(({ id }) => id === 'token') ?? {};
      expect([status, found]).toEqual(['error', expect.stringMatching(/rejected with 401.*"no \[hidden\]"/)]);
      expect(JSON.stringify(findings)).not.toContain('wrong-key');
    });

    it('tells that nobody asks for it (KIT-03)', async () => {
      await start({});
      const findings = await examineIt({ headers: { authorization } });
      expect(selectIds(findings, 'warning', 'error')).toEqual([]);
      expect(findings.find(({ id }) => id === 'token')?.found).toContain('but one was sent');
    });

    it('sends the token where there is one, and not that (KIT-03)', async () => {
      await start({ token: TOKEN });
      const findings = await examineIt({ token: TOKEN, headers: { authorization } });
      expect(selectIds(findings, 'warning', 'error')).toEqual([]);
      expect(endpoint.requests.map(({ headers }) => headers.authorization)).not.toContain(authorization);
    });
  });

  it('follows no redirect, and only warns of one to https (KIT-03)', async () => {
    await start({
      takeOver: (_request, response, origin) => {
        response.writeHead(308, { location: origin.replace('http:', 'https:') }).end();
        return true;
      },
    });
    const findings = await examineIt();
    expect(findings.at(-1)).toMatchObject({ id: 'redirect', status: 'warning' });
    expect(endpoint.requests).toHaveLength(1);
  });
});
