import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createAuthorizedFetch } from 'nestjs-mcp/client';
import { DiscoveringTokenSource, SECRET } from '../../support/authorization/discovering-token-source.js';
import { Landscape, PATHS } from '../../support/authorization/landscape.js';
import {
  json,
  redirect,
  status,
  type Party,
  type Reply,
  type SeenRequest,
} from '../../support/authorization/party.js';

const [FIRST] = PATHS.candidates;
const TOKEN = 'the-token-of-the-client';

let land: Landscape;
let call: () => Promise<Response>;

beforeEach(async () => {
  land = await Landscape.start();
  const tokenSource = new DiscoveringTokenSource(land.serverUrl);
  const authorized = createAuthorizedFetch({ serverUrl: land.serverUrl, tokenSource });
  call = () => authorized(land.serverUrl, { method: 'POST', body: '{}' });
  land.server.at(PATHS.pathForm, json(land.resourceMetadata()));
  land.issuer.at(FIRST, json(land.serverMetadata()));
  land.issuer.at('/tenant/tokens', json({ access_token: TOKEN, token_type: 'Bearer' }));
  land.stranger.at('/*', json({ access_token: TOKEN, token_type: 'Bearer' }));
});
afterEach(() => {
  expectSecretsAtHome();
  return land.stop();
});

/** Asks for a token by a header, and takes it when it comes. */
function challenge(header: string, code = 401): void {
  const ask = status(code, { 'www-authenticate': header });
  land.server.at('/mcp', (response, seen) => {
    (seen.headers.authorization === `Bearer ${TOKEN}` ? json({ ok: true }) : ask)(response, seen);
  });
}

/** The secret is for the token endpoint, the token for the server; nobody else, and no other path of theirs, has seen them. */
function expectSecretsAtHome(): void {
  const seenBy = (party: Party, secret: string) =>
    party.requests.filter((seen) => JSON.stringify(seen).includes(secret)).map(({ path }) => path);
  expect(new Set(seenBy(land.issuer, SECRET))).toEqual(
    new Set(seenBy(land.issuer, SECRET).map(() => '/tenant/tokens')),
  );
  expect(new Set(seenBy(land.server, TOKEN))).toEqual(new Set(seenBy(land.server, TOKEN).map(() => '/mcp')));
  expect([seenBy(land.server, SECRET), seenBy(land.issuer, TOKEN)]).toEqual([[], []]);
  expect([seenBy(land.stranger, SECRET), seenBy(land.stranger, TOKEN)]).toEqual([[], []]);
}

const formOf = ({ body }: SeenRequest) => Object.fromEntries(new URLSearchParams(body));
const tokenRequests = () => land.issuer.requests.filter(({ method }) => method === 'POST').map(formOf);

describe('A challenge (RFC 9110 §11.6.1)', () => {
  it('of an honest server leads to a token and to an answer (CLI-02) (CLI-13)', async () => {
    challenge(`Bearer resource_metadata="${land.server.origin}${PATHS.pathForm}", scope="desk:read"`);
    await expect(call()).resolves.toHaveProperty('status', 200);
    expect(tokenRequests()).toEqual([
      { client_secret: SECRET, scope: 'desk:read', resource: land.serverUrl },
    ]);
  });

  it('injects nothing into the token request by its scope (CLI-11)', async () => {
    challenge(String.raw`Bearer scope="desk:read&client_secret=stolen desk:write#x \"quoted\" a=b"`);
    await expect(call()).resolves.toHaveProperty('status', 200);
    const [form] = tokenRequests();
    expect(Object.keys(form ?? {})).toEqual(['client_secret', 'scope', 'resource']);
    expect(form?.['client_secret']).toBe(SECRET);
    expect(form?.['scope']).toBe('desk:read&client_secret=stolen desk:write#x a=b');
  });

  it('counts with its metadata where the header has challenges of other schemes (CLI-02)', async () => {
    const { origin } = land.server;
    challenge(
      `Basic realm="a, Bearer resource_metadata=\\"${land.stranger.origin}/\\"", Negotiate abc==, Bearer resource_metadata="${origin}${PATHS.pathForm}"`,
    );
    await expect(call()).resolves.toHaveProperty('status', 200);
    expect(land.stranger.requests).toEqual([]);
  });

  it.each([
    [
      'a parameter twice',
      (good: string, bad: string) => `Bearer resource_metadata="${good}", resource_metadata="${bad}"`,
    ],
    [
      'a parameter in another case',
      (good: string, bad: string) => `Bearer resource_metadata="${good}", Resource_Metadata="${bad}"`,
    ],
    [
      'metadata in a text of another scheme',
      (_: string, bad: string) => `Basic realm="Bearer resource_metadata=${bad}" x, Bearer realm=a b`,
    ],
  ])('with %s is as good as none (CLI-02) (PEER-03)', async (_, build) => {
    const good = `${land.server.origin}${PATHS.pathForm}`;
    challenge(build(good, `${land.stranger.origin}${PATHS.pathForm}`));
    await expect(call()).resolves.toHaveProperty('status', 200);
    expect(land.server.paths).toContain(PATHS.pathForm);
    expect(land.stranger.requests).toEqual([]);
  });

  it('counts once: the first of two that name metadata (CLI-02)', async () => {
    const { server, stranger } = land;
    challenge(
      `Bearer resource_metadata="${server.origin}${PATHS.pathForm}", Bearer resource_metadata="${stranger.origin}/"`,
    );
    await expect(call()).resolves.toHaveProperty('status', 200);
    expect(stranger.requests).toEqual([]);
  });

  it.each(['http://desk.example.com/', 'javascript:alert(1)', 'file:///etc/passwd'])(
    'that names %j ends the call, and nothing else is tried (CLI-03) (CLI-10)',
    async (url) => {
      challenge(`Bearer resource_metadata="${url}"`);
      await expect(call()).rejects.toMatchObject({ code: 'insecure_endpoint', role: 'resource_metadata' });
      expect(land.asked).toEqual(['server /mcp']);
    },
  );

  it("that names a stranger's metadata is followed, and the metadata must be about the server (CLI-05)", async () => {
    const { stranger } = land;
    stranger.at(
      '/metadata',
      json({ resource: `${stranger.origin}/mcp`, authorization_servers: [stranger.origin] }),
    );
    challenge(`Bearer resource_metadata="${stranger.origin}/metadata"`);
    await expect(call()).rejects.toMatchObject({ code: 'resource_mismatch' });
    expect(stranger.paths).toEqual(['/metadata']);
  });
});

describe('A server whose authorization server changes faces', () => {
  const ways: readonly [string, (stranger: string) => Reply][] = [
    ['names the issuer of another', () => json(land.serverMetadata({ issuer: land.server.origin }))],
    ['redirects to another', (stranger) => redirect(`${stranger}${FIRST}`, 307)],
  ];

  it.each(ways)('gets no secret sent anywhere where it %s (CLI-04) (CLI-10)', async (_, build) => {
    challenge('Bearer');
    land.issuer.at(FIRST, build(land.stranger.origin));
    await expect(call()).rejects.toMatchObject({ name: expect.stringMatching(/Mismatch|Failed/) });
    expect(land.stranger.requests).toEqual([]);
  });

  it.each([301, 302, 303, 307, 308])(
    'gets no secret sent on where its token endpoint redirects: %d (CLI-10)',
    async (code) => {
      challenge('Bearer');
      land.issuer.at('/tenant/tokens', redirect(`${land.stranger.origin}/tokens`, code));
      await expect(call()).rejects.toThrow(`no token but ${code}`);
      expect(land.stranger.requests).toEqual([]);
    },
  );

  it.each([301, 302, 303, 307, 308])(
    'gets no token sent on where the server redirects: %d (CLI-10) (CLI-13)',
    async (code) => {
      challenge('Bearer');
      await call();
      land.server.at('/mcp', redirect(`${land.stranger.origin}/mcp`, code));
      await expect(call()).rejects.toMatchObject({ code: 'redirect_refused' });
      expect(land.stranger.requests).toEqual([]);
    },
  );

  it('learns no token by asking again and again (CLI-12)', async () => {
    land.server.at('/mcp', status(401, { 'www-authenticate': 'Bearer' }));
    await expect(call()).rejects.toMatchObject({ code: 'retry_exhausted' });
    expect(tokenRequests()).toHaveLength(1);
    expect(land.server.paths.filter((path) => path === '/mcp')).toHaveLength(2);
  });
});
