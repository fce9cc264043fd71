import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  createAuthorizedFetch,
  NoTokenYetError,
  StaticTokenSource,
  type AuthorizationChallenge,
  type TokenSource,
} from 'nestjs-mcp/client';
import { Gate } from '../../support/applications/gate.js';
import { json, Party, redirect, status } from '../../support/authorization/party.js';
import { until } from '../../support/until.js';

const REFUSED = status(401, {
  'www-authenticate': 'Bearer resource_metadata="https://desk.example.com/prm"',
});
const SHORT_OF_SCOPE = status(403, {
  'www-authenticate': 'Bearer error="insufficient_scope", scope="desk:read desk:write"',
});

/** A source that gives `token-1`, `token-2` and so on, a new one whenever the last was refused. */
class CountingTokenSource implements TokenSource {
  readonly challenges: AuthorizationChallenge[] = [];
  readonly scopes: (readonly string[])[] = [];
  gate: Gate | undefined;
  #issued = 0;
  #token: string | undefined;

  async token(): Promise<string> {
    if (this.#token === undefined) throw new NoTokenYetError();
    return this.#token;
  }

  async respond(challenge: AuthorizationChallenge): Promise<void> {
    this.challenges.push(challenge);
    await this.gate?.pass();
  }

  async tokenForScopes(scopes: readonly string[]): Promise<string> {
    this.scopes.push(scopes);
    this.#issued += 1;
    this.#token = `token-${this.#issued}`;
    return this.#token;
  }
}

let server: Party;
let source: CountingTokenSource;
let call: typeof fetch;

beforeEach(async () => {
  server = await Party.start();
  source = new CountingTokenSource();
  call = createAuthorizedFetch({ serverUrl: `${server.origin}/mcp`, tokenSource: source });
});
afterEach(() => server.stop());

const post = (body: RequestInit['body'] = '{}'): RequestInit => ({ method: 'POST', body: body ?? null });
const sentTokens = () => server.requests.map(({ headers }) => headers.authorization);
const url = () => `${server.origin}/mcp`;

/** Opens to some tokens. */
function openTo(...tokens: readonly string[]): void {
  server.at('/mcp', (response, seen) => {
    const isOpen = tokens.some((token) => seen.headers.authorization === `Bearer ${token}`);
    (isOpen ? json({ ok: true }) : REFUSED)(response, seen);
  });
}

describe('An authorized fetch (RFC 6750 §2.1)', () => {
  it('calls without a token until the server asks for one, then gets it and calls again (CLI-01) (CLI-12)', async () => {
    openTo('token-1');
    const response = await call(url(), post('{"id":1}'));
    await expect(response.json()).resolves.toEqual({ ok: true });
    expect(sentTokens()).toEqual([undefined, 'Bearer token-1']);
    expect(server.requests.map(({ body }) => body)).toEqual(['{"id":1}', '{"id":1}']);
    expect(source.challenges).toEqual([
      {
        serverUrl: url(),
        status: 401,
        resourceMetadataUrl: 'https://desk.example.com/prm',
        scopes: [],
        error: undefined,
        refusedToken: undefined,
      },
    ]);
  });

  it('brings the token along with every call from then on (CLI-13)', async () => {
    openTo('token-1');
    await call(url(), post());
    await call(new URL(url()), { method: 'DELETE' });
    await call(new Request(`${url()}?session=1`));
    expect(sentTokens()).toEqual([undefined, ...Array<string>(3).fill('Bearer token-1')]);
  });

  it('keeps the headers of the call, but for what it puts in their place (CLI-13)', async () => {
    openTo('fixed');
    const tokenSource = new StaticTokenSource('fixed');
    const headers = { 'mcp-protocol-version': '2025-11-25', authorization: 'Basic of-somebody' };
    await createAuthorizedFetch({ serverUrl: url(), tokenSource })(url(), { headers });
    expect(server.requests[0]?.headers).toMatchObject({
      'mcp-protocol-version': '2025-11-25',
      authorization: 'Bearer fixed',
    });
  });

  it('gets another token for one that is no good any more (CLI-12)', async () => {
    openTo('token-1');
    await call(url(), post());
    openTo('token-2');
    await expect(call(url(), post())).resolves.toHaveProperty('status', 200);
    expect(source.challenges.at(-1)).toMatchObject({ status: 401, refusedToken: 'token-1' });
  });

  it('gives up after one retry for 401 (CLI-12)', async () => {
    openTo('none of them');
    const refusal = call(url(), post());
    await expect(refusal).rejects.toMatchObject({ code: 'retry_exhausted', status: 401 });
    expect(sentTokens()).toEqual([undefined, 'Bearer token-1']);
  });

  it('asks for the scopes that a 403 names, and gives up after one retry (CLI-11) (CLI-12)', async () => {
    server.at('/mcp', SHORT_OF_SCOPE);
    await expect(call(url(), post())).rejects.toMatchObject({
      code: 'retry_exhausted',
      status: 403,
      scopes: ['desk:read', 'desk:write'],
    });
    expect(source.scopes).toEqual([['desk:read', 'desk:write']]);
    expect(sentTokens()).toEqual([undefined, 'Bearer token-1']);
  });

  it('retries once for each of the two statuses in one call (CLI-12)', async () => {
    const replies = [REFUSED, SHORT_OF_SCOPE, REFUSED];
    server.at('/mcp', (response, seen) => replies.shift()?.(response, seen));
    await expect(call(url(), post())).rejects.toMatchObject({ code: 'retry_exhausted', status: 401 });
    expect(sentTokens()).toEqual([undefined, 'Bearer token-1', 'Bearer token-2']);
  });

  it.each([
    ['no challenge', {}],
    ['a challenge of another error', { 'www-authenticate': 'Bearer error="invalid_request"' }],
    ['a challenge that cannot be read', { 'www-authenticate': 'Bearer error="insufficient_scope' }],
    ['a challenge of another scheme', { 'www-authenticate': 'Basic error="insufficient_scope"' }],
  ])('leaves a 403 with %s to the caller (CLI-12)', async (_, headers) => {
    server.at('/mcp', status(403, headers));
    await expect(call(url(), post())).resolves.toHaveProperty('status', 403);
    expect(source.challenges).toEqual([]);
  });

  it('leaves refusals to the caller where its source has nothing else to give (CLI-17)', async () => {
    openTo('another');
    const fixed = createAuthorizedFetch({ serverUrl: url(), tokenSource: new StaticTokenSource('fixed') });
    const response = await fixed(url(), post());
    expect(response.status).toBe(401);
    await expect(response.text()).resolves.toBe('nothing to see here');
    expect(sentTokens()).toEqual(['Bearer fixed']);
  });

  it('gives the caller the error of its source (CLI-01)', async () => {
    const fault = new Error('the vault is shut');
    const tokenSource = { token: () => Promise.reject(fault) };
    await expect(createAuthorizedFetch({ serverUrl: url(), tokenSource })(url())).rejects.toBe(fault);
    expect(server.requests).toEqual([]);
  });
});

describe('An authorized fetch of calls at once', () => {
  it('gets one token for all that were refused alike (CLI-12)', async () => {
    openTo('token-1');
    source.gate = new Gate();
    const calls = Array.from({ length: 5 }, () => call(url(), post()));
    await until(() => server.requests.length === 5, 'five calls');
    source.gate.open();
    const statuses = (await Promise.all(calls)).map(({ status: code }) => code);
    expect(statuses).toEqual([200, 200, 200, 200, 200]);
    expect(source.challenges).toHaveLength(1);
  });

  it('uses the token that another call has brought meanwhile (CLI-12)', async () => {
    openTo('token-1');
    await call(url(), post());
    const late = new Gate();
    server.at('/slow', (response, seen) => {
      void late
        .pass()
        .then(() =>
          (sentTokens().at(-1) === seen.headers.authorization ? json({}) : REFUSED)(response, seen),
        );
    });
    const slow = createAuthorizedFetch({
      serverUrl: url(),
      tokenSource: source,
      alsoAt: [`${server.origin}/slow`],
    });
    const waiting = slow(`${server.origin}/slow`, post());
    await late.reached();
    openTo('token-2');
    await call(url(), post());
    late.open();
    await expect(waiting).resolves.toHaveProperty('status', 200);
    expect(source.challenges).toHaveLength(2);
    expect(sentTokens().at(-1)).toBe('Bearer token-2');
  });

  it('hold no connection while a token is got (CLI-12)', async () => {
    let isFree = false;
    server.at('/mcp', (response, seen) => {
      if (seen.headers.authorization !== undefined) return json({})(response, seen);
      response.writeHead(401).write('wait for it');
      response.on('close', () => {
        isFree = true;
      });
    });
    source.gate = new Gate();
    const waiting = call(url(), post());
    await source.gate.reached();
    await until(() => isFree, 'the end of the connection');
    source.gate.open();
    await expect(waiting).resolves.toHaveProperty('status', 200);
  });

  it('waits for no token once its caller has given up, while others go on (CLI-12)', async () => {
    openTo('token-1');
    source.gate = new Gate();
    const stop = new AbortController();
    const patient = call(url(), post());
    const hasty = call(url(), { ...post(), signal: stop.signal });
    await source.gate.reached();
    await until(() => server.requests.length === 2, 'both calls');
    const reason = new Error('no more time');
    stop.abort(reason);
    await expect(hasty).rejects.toBe(reason);
    source.gate.open();
    await expect(patient).resolves.toHaveProperty('status', 200);
  });
});

describe('The body of an authorized call', () => {
  it.each([
    ['bytes', () => Buffer.from('{"a":1}')],
    ['a form', () => new URLSearchParams('{"a":1}')],
    ['a blob', () => new Blob(['{"a":1}'])],
  ])('is sent again where it is %s (CLI-12)', async (_, build) => {
    openTo('token-1');
    await expect(call(url(), post(build()))).resolves.toHaveProperty('status', 200);
    const [first, second] = server.requests;
    expect(second?.body).toBe(first?.body);
    expect(second?.body).not.toBe('');
  });

  it('is sent again where it is that of a request (CLI-12)', async () => {
    openTo('token-1');
    await expect(call(new Request(url(), { method: 'POST', body: 'once more' }))).resolves.toHaveProperty(
      'status',
      200,
    );
    expect(server.requests.map(({ body }) => body)).toEqual(['once more', 'once more']);
  });

  it('is not sent again where it was a stream, which the error says (CLI-12)', async () => {
    openTo('token-1');
    const init = { method: 'POST', body: new Blob(['gone']).stream(), duplex: 'half' } as RequestInit;
    const refusal = call(url(), init);
    await expect(refusal).rejects.toMatchObject({ code: 'body_not_replayable' });
    expect(server.requests).toHaveLength(1);
    await expect(call(url(), post())).resolves.toHaveProperty('status', 200);
    expect(source.challenges).toHaveLength(1);
  });
});

describe('Redirects of authorized calls', () => {
  it.each([301, 302, 303, 307, 308])('are not followed: %d (CLI-10) (CLI-13)', async (code) => {
    server.at('/mcp', redirect('/mcp/moved', code));
    await expect(call(url(), post())).rejects.toMatchObject({
      code: 'redirect_refused',
      location: `${server.origin}/mcp/moved`,
    });
    expect(server.paths).toEqual(['/mcp']);
  });
});
