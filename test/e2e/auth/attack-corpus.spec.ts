import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Tool } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { byRsa, Forger, type Forgery } from '../../support/authorization/forger.js';
import { TestIssuer } from '../../support/authorization/issuer.js';
import { perRequest, PER_REQUEST_VERSION } from '../../support/clients/json-rpc.js';
import { metaKey } from '../../support/clients/message.js';
import { authorize, bootDesk, METADATA, RESOURCE } from '../../support/applications/protected-desk.js';
import { sendBytes, sendHttp } from '../../support/clients/raw-http.js';
import { until } from '../../support/until.js';
import type { Attack, Sent } from './attacks/attack.js';
import { ATTACKS_ON_ALGORITHMS } from './attacks/on-algorithms.js';
import { ATTACKS_ON_CLAIMS } from './attacks/on-claims.js';
import { ATTACKS_ON_KEYS } from './attacks/on-keys.js';
import { ATTACKS_ON_SHAPES } from './attacks/on-shapes.js';
import { ATTACKS_ON_TRANSPORT } from './attacks/on-transport.js';

/** The corpus, one row for each attack. */
const ATTACKS: readonly Attack[] = [
  ...ATTACKS_ON_ALGORITHMS,
  ...ATTACKS_ON_KEYS,
  ...ATTACKS_ON_SHAPES,
  ...ATTACKS_ON_CLAIMS,
  ...ATTACKS_ON_TRANSPORT,
];

/** Tokens that differ from the attacks in nothing but what is wrong with these. */
const GOOD: readonly (readonly [string, (forger: Forger) => Forgery])[] = [
  ['of the kind ES256', () => ({})],
  ['of the kind RS256', ({ rsa }) => ({ header: { alg: 'RS256', kid: 'issuer-rsa' }, signer: byRsa(rsa) })],
  ['without "kid"', () => ({ header: { kid: undefined } })],
  ['without "typ"', () => ({ header: { typ: undefined } })],
  ['of a type in full', () => ({ header: { typ: 'application/AT+JWT' } })],
  ['with headers that nobody must understand', () => ({ header: { jku: 'x', 'https://x.example': 1 } })],
  ['for several audiences', () => ({ claims: { aud: ['urn:other', RESOURCE] } })],
  ['for our audience with a slash', () => ({ claims: { aud: `${RESOURCE}/` } })],
  ['for our audience in another case', () => ({ claims: { aud: 'HTTPS://Desk.Example.com:443/mcp' } })],
  ['with a fraction of a second', () => ({ claims: { exp: Date.now() / 1000 + 60.5 } })],
  ['that began', () => ({ claims: { nbf: 0 } })],
];

const CHALLENGE = `Bearer resource_metadata="${METADATA}"`;

/** What is no HTTP, and heads that are too long, Node refuses by itself; a form is no type of ours. */
const REFUSED_BEFORE: { readonly [name: string]: number } = {
  'a token in a form': 415,
  'a header that goes on in the next line': 400,
  'a token that goes on in the next line': 400,
  'a token with the end of a line': 400,
  'a token with a null byte': 400,
  'a space before the colon': 400,
  'a name that looks alike': 400,
  'a token too long for Node': 431,
};

const META = { [metaKey('protocolVersion')]: PER_REQUEST_VERSION, [metaKey('clientCapabilities')]: {} };
const CALL = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'enter', _meta: META } };
const HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': PER_REQUEST_VERSION,
  'mcp-method': 'tools/call',
  'mcp-name': 'enter',
};

/** Keys that are made up are asked for in each test, so that each is refused for good. */
const COOLDOWN_MS = 1;

@Injectable()
class Vault {
  entries = 0;

  @Tool({ description: 'Lets somebody in' })
  enter(): string {
    this.entries += 1;
    return 'entered';
  }
}

/** Gives the status of an attack, and its challenge. */
async function launch({ url, port }: RunningApp, sent: Sent): Promise<[status: number, challenge: string]> {
  if (typeof sent === 'object' && 'lines' in sent) return launchBytes(port, sent.lines);
  const { query, members, form, headers } = normalize(sent);
  const { status, headers: answered } = await sendHttp(`${url}${query}`, {
    method: 'POST',
    headers: { ...HEADERS, ...headers, ...(form && { 'content-type': 'application/x-www-form-urlencoded' }) },
    body: form ?? JSON.stringify({ ...CALL, ...members }),
  });
  return [status, answered['www-authenticate'] ?? ''];
}

function normalize(sent: Exclude<Sent, { lines: string }>) {
  const empty = { query: '', members: {}, form: undefined, headers: {} };
  return typeof sent === 'string' ? { ...empty, headers: authorize(sent) } : { ...empty, ...sent };
}

async function launchBytes(port: number, lines: string): Promise<[number, string]> {
  const body = JSON.stringify(CALL);
  const head = Object.entries({
    ...HEADERS,
    host: '127.0.0.1',
    connection: 'close',
    'content-length': body.length,
  })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
  const answer = await sendBytes(port, `POST /mcp HTTP/1.1\r\n${head}${lines}\r\n${body}`);
  return [
    Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]),
    /^www-authenticate: (.*)\r$/im.exec(answer)?.[1] ?? '',
  ];
}

describe('The corpus of attacks', () => {
  it('has more than sixty that differ (SAFE-02)', () => {
    const names = new Set(ATTACKS.map(([name]) => name));
    expect(names.size).toBe(ATTACKS.length);
    expect(names.size).toBeGreaterThan(60);
  });
});

describe.each(ADAPTERS)('An attack by a token on %s', (adapter) => {
  let issuer: TestIssuer;
  let canary: TestIssuer;
  let forger: Forger;
  let desk: RunningApp;
  let vault: Vault;

  beforeAll(async () => {
    [issuer, canary] = [await TestIssuer.start(), await TestIssuer.start()];
    forger = new Forger(issuer, canary);
    desk = await bootDesk(adapter, {
      auth: {
        resourceUri: RESOURCE,
        authorizationServers: [issuer.url],
        jwt: { clockToleranceSeconds: 0, jwks: { cooldownMs: COOLDOWN_MS } },
      },
      providers: [Vault],
    });
    vault = desk.app.get(Vault);
  });

  afterAll(async () => {
    await desk.close();
    await Promise.all([issuer.stop(), canary.stop()]);
  });

  beforeEach(async () => {
    const begun = performance.now();
    await until(() => performance.now() - begun > COOLDOWN_MS, 'the cool-down after the test before');
  });

  const enter = async (token: string): Promise<number> =>
    (await perRequest(desk.url, { headers: authorize(token) }).request('tools/call', { name: 'enter' }))
      .status;

  it.each(GOOD)('is made as a good token is: %s (AUTH-04, AUTH-07)', async (_, make) => {
    const { entries } = vault;
    expect(await enter(forger.token(make(forger)))).toBe(200);
    expect(vault.entries).toBe(entries + 1);
  });

  it.each(ATTACKS)('is refused: %s (SAFE-02)', async (name, send) => {
    const { entries } = vault;
    const [status, challenge] = await launch(desk, await send(forger));
    const answers = [
      [401, CHALLENGE],
      [REFUSED_BEFORE[name], ''],
    ];
    expect(answers).toContainEqual([status, challenge.slice(0, CHALLENGE.length)]);
    expect(vault.entries).toBe(entries);
  });

  it('is refused: a token that was good a moment ago (SAFE-02, AUTH-05, AUTH-11)', async () => {
    const exp = Math.floor(Date.now() / 1000) + 2;
    const token = forger.token({ claims: { exp } });
    expect([await enter(token), await enter(token)]).toEqual([200, 200]);
    await until(() => Date.now() >= exp * 1000, 'the end of a token');
    const { entries } = vault;
    expect(await enter(token)).toBe(401);
    expect(vault.entries).toBe(entries);
  });

  it('asks nobody but the issuer for keys (SAFE-02, AUTH-12)', async () => {
    for (const [, send] of ATTACKS_ON_KEYS) await launch(desk, await send(forger));
    expect(canary.requests).toEqual([]);
  });
});
