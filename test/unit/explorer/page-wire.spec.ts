import { afterEach, describe, expect, it } from '@jest/globals';
import { examine } from '../../../cli/doctor/doctor.command.js';
import type { Finding } from '../../../lib/core/doctor/finding.js';
import { examineServer } from '../../../explorer/examination/examine-server.js';
import { PAGE_CHECKS } from '../../../explorer/examination/page-checks.js';
import { createPageWire } from '../../../explorer/examination/page-wire.js';
import { FixtureEndpoint, type Traits } from '../../support/fixture-endpoint.js';
import { CARD_FAULTS, CATALOG_FAULTS } from '../cli/card-faults.js';
import { answer, AUTHORIZATION_FAULTS, ENDPOINT_FAULTS, TOKEN_FAULTS, writeToken } from '../cli/faults.js';
import { READING_FAULTS } from '../cli/reading-faults.js';

const TOKEN = 'opaque-token-of-the-fixture';
const names = new Set(PAGE_CHECKS.map(({ id }) => id));

/** What only a page sees, or does not see: a redirect that it is kept from, another origin, and a body that is no gzip. */
const SEEN_OTHERWISE = new Set([
  'a redirect to the path with a slash',
  'a "resource_metadata" of another origin',
  'a compressed stream',
]);

const running: FixtureEndpoint[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((endpoint) => endpoint.stop()));
});

const start = async (traits: Traits): Promise<FixtureEndpoint> => {
  const endpoint = await FixtureEndpoint.start(traits);
  running.push(endpoint);
  return endpoint;
};

const surround = ({ url, origin }: FixtureEndpoint, token?: string, timeoutMs = 5000) => ({
  endpoint: new URL(url),
  issuers: [origin],
  login: { token, isBound: false, send: (input: string | URL, init?: RequestInit) => fetch(input, init) },
  timeoutMs,
});

const examineAsPage = (endpoint: FixtureEndpoint, token?: string, timeoutMs?: number) =>
  examineServer(surround(endpoint, token, timeoutMs), '1.0.0', new AbortController().signal);

const examineFromShell = async (endpoint: FixtureEndpoint, token?: string, timeoutMs = 5000) => {
  const origin = 'http://localhost:6274';
  const url = new URL(endpoint.url);
  const { findings } = await examine({ url, token, json: false, timeoutMs, headers: {}, origin });
  return findings.filter(({ id }) => names.has(id));
};

const OPTION = /\. If clients use a different URL.*$/;

/** Leaves out what differs from one server to the next, what to do about tokens, and options of the command line. */
const compare = (findings: readonly Finding[], { origin }: FixtureEndpoint) =>
  findings.map(({ id, status, found, fix }) => ({
    id,
    status,
    found: found
      .replaceAll(origin, 'origin')
      .replaceAll(new URL(origin).port, 'port')
      // The two examinations may look at the clock in different seconds.
      .replace(/ \d+ seconds/, ' some seconds'),
    fix: id === 'token' ? '' : fix.replaceAll(origin, 'origin').replace(OPTION, ''),
  }));

describe('The doctor of the page', () => {
  it.each([
    { what: 'a healthy server', traits: {} },
    { what: 'a healthy server without sessions', traits: { sessionId: null } },
    { what: 'a healthy server that asks for a token', traits: { token: TOKEN } },
    ...[
      ...ENDPOINT_FAULTS,
      ...READING_FAULTS,
      ...AUTHORIZATION_FAULTS,
      ...CARD_FAULTS,
      ...CATALOG_FAULTS,
    ].filter(({ what }) => !SEEN_OTHERWISE.has(what)),
  ])('finds what the command line finds: $what (WAY-02)', async ({ traits, ...fault }) => {
    const timeoutMs = 'timeoutMs' in fault ? fault.timeoutMs : undefined;
    const [one, other] = [await start(traits), await start(traits)];
    const found = compare(await examineAsPage(one, undefined, timeoutMs), one);
    expect(found).toEqual(compare(await examineFromShell(other, undefined, timeoutMs), other));
  });

  it.each(TOKEN_FAULTS)('finds what the command line finds: $what (WAY-02)', async ({ traits, claims }) => {
    const [one, other] = [await start(traits), await start(traits)];
    const write = ({ origin, url }: FixtureEndpoint) =>
      claims === undefined
        ? 'unknown-token'
        : writeToken({ iss: origin, aud: url, scope: 'desk:read', ...claims });
    const found = await examineAsPage(one, write(one));
    expect(compare(found, one)).toEqual(compare(await examineFromShell(other, write(other)), other));
    expect(JSON.stringify(found)).not.toContain(write(one));
  });

  it('sends the token to the endpoint alone (WAY-02)', async () => {
    const endpoint = await start({ token: TOKEN });
    await examineAsPage(endpoint, TOKEN);
    const paths = endpoint.requests.filter(({ headers }) => headers.authorization).map(({ path }) => path);
    expect(new Set(paths)).toEqual(new Set(['/mcp']));
    expect(endpoint.requests.map(({ path }) => path)).toContain('/keys');
  });

  it('finds the same if the token is taken (WAY-02)', async () => {
    const [one, other] = [await start({ token: TOKEN }), await start({ token: TOKEN })];
    const found = compare(await examineAsPage(one, TOKEN), one);
    expect(found).toEqual(compare(await examineFromShell(other, TOKEN), other));
    expect(found).toContainEqual(expect.objectContaining({ id: 'token', found: 'The token is accepted' }));
  });

  it('follows no redirect of the endpoint, which may lead to another service (WAY-02)', async () => {
    const moved = answer(({ method, path }) => method === 'GET' && path === '/mcp', 302, {
      location: '/elsewhere',
    });
    const endpoint = await start({ token: TOKEN, ...moved });
    const found = await examineAsPage(endpoint, TOKEN);
    expect(found.find(({ id }) => id === 'stream')).toMatchObject({
      status: 'error',
      found: expect.stringContaining('is redirected; the redirect was not followed'),
    });
    expect(endpoint.requests.map(({ path }) => path)).not.toContain('/elsewhere');
  });

  it('asks nobody whom its policy does not name, and says so as a warning (WAY-02)', async () => {
    const stranger = await start({ token: TOKEN });
    const endpoint = await start({
      token: TOKEN,
      resource: () => ({ authorization_servers: [stranger.origin] }),
    });
    const found = await examineAsPage(endpoint);
    expect(found).toContainEqual({
      id: 'server-metadata',
      status: 'warning',
      found: `The metadata of "${stranger.origin}" could not be read: it is at an origin to which this page does not send requests`,
      fix: expect.stringContaining('command line'),
    });
    expect(found.filter(({ status }) => status === 'error')).toEqual([]);
    expect(stranger.requests).toEqual([]);
  });

  it('fetches no keys from elsewhere, and says nothing of them (WAY-02)', async () => {
    const stranger = await start({ token: TOKEN });
    const endpoint = await start({ token: TOKEN, server: () => ({ jwks_uri: `${stranger.origin}/keys` }) });
    const found = await examineAsPage(endpoint);
    expect(found.map(({ id }) => id)).not.toContain('server-keys');
    expect(found.filter(({ status }) => status === 'warning' || status === 'error')).toEqual([]);
    expect(stranger.requests).toEqual([]);
  });

  it('ends at the first message if nobody answers (WAY-02)', async () => {
    const endpoint = await start({
      takeOver: (request, response) => (response.destroy(), request.path === '/mcp'),
    });
    const found = await examineAsPage(endpoint);
    expect(found.at(-1)).toMatchObject({
      id: 'redirect',
      status: 'error',
      found: 'The server cannot be reached from this browser',
    });
  });

  it('says which time-out it waited for (WAY-02)', async () => {
    const endpoint = await start({ takeOver: ({ method }) => method === 'POST' });
    const found = await examineAsPage(endpoint, undefined, 200);
    expect(found.at(-1)).toMatchObject({ found: 'The server did not respond within 200 ms' });
  });

  it('ends between two checks if its user leaves, and ends the sessions that it opened (WAY-02)', async () => {
    const leaving = new AbortController();
    const endpoint = await start({
      takeOver: ({ rpc }) => {
        if (rpc === 'server/discover') leaving.abort(new Error('left'));
        return false;
      },
    });
    const examined = examineServer(surround(endpoint), '1.0.0', leaving.signal);
    await expect(examined).rejects.toThrow('left');
    expect(endpoint.requests.at(-1)?.method).toBe('DELETE');
  });
});

describe('createPageWire()', () => {
  it('follows a redirect of a document within its origin, and reads no more than its bound (WAY-02)', async () => {
    const moved = answer(({ path }) => path === '/old', 302, { location: '/new' });
    const endpoint = await start({
      takeOver: (request, response, origin) => {
        if (request.path === '/new') return (response.end('x'.repeat(600_000)), true);
        return moved.takeOver?.(request, response, origin) ?? false;
      },
    });
    const wire = createPageWire(surround(endpoint));
    const { status, isComplete, body } = await wire.send(new URL('/old', endpoint.origin), { method: 'GET' });
    expect([status, isComplete]).toEqual([200, false]);
    expect(body.length).toBeGreaterThan(512 * 1024);
  });
});
