import { generateKeyPairSync } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ExchangeEndpoint } from '../../../../../lib/server/auth/exchange/exchange-endpoint.js';
import { DocumentError } from '../../../../../lib/server/auth/errors.js';
import { buildAuthSettings } from '../../../../../lib/server/settings/auth/auth-options.js';
import type { TokenExchangeSettings } from '../../../../../lib/server/settings/auth/exchange-options.js';
import type { RequestedToken } from '../../../../../lib/server/context/token-exchange.js';
import { TokenEndpointError } from '../../../../../lib/core/oauth/token-endpoint/token-endpoint.error.js';
import { TestServer } from '../../../support/http-server.js';

const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token';
const ADA = 'the-token-of-ada';

interface Asked {
  readonly path: string | undefined;
  readonly method: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly form: { readonly [name: string]: string };
}

let server: TestServer;
let origin: string;
let asked: Asked[];
let status: number;
let answer: object | string;
/** Nothing where there is none. */
let metadata: object | undefined;

beforeEach(async () => {
  server = await TestServer.start();
  origin = new URL(server.url).origin;
  asked = [];
  status = 200;
  answer = { access_token: 'for-billing', token_type: 'Bearer', issued_token_type: ACCESS_TOKEN };
  metadata = { issuer: origin, token_endpoint: `${origin}/token` };
  server.handle((request, response) => void handle(request, response));
});

afterEach(() => server.stop());

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { url: path, method, headers } = request;
  asked.push({ path, method, headers, form: Object.fromEntries(new URLSearchParams(await text(request))) });
  response.setHeader('content-type', 'application/json');
  if (method === 'GET') {
    response.writeHead(metadata === undefined ? 500 : 200).end(JSON.stringify(metadata ?? {}));
    return;
  }
  response.writeHead(status, { location: `${origin}/elsewhere` });
  response.end(typeof answer === 'string' ? answer : JSON.stringify(answer));
}

const { exchange: CLIENT } = buildAuthSettings({
  exchange: { clientId: 'desk', clientSecret: 'hush', cacheSize: 1 },
}) as { exchange: TokenExchangeSettings };

const createTold = (timeoutMs = 2000) =>
  new ExchangeEndpoint({ ...CLIENT, timeoutMs, tokenEndpoint: `${origin}/token` });

const createFound = () => new ExchangeEndpoint({ ...CLIENT, timeoutMs: 2000, issuer: origin });

const failureOf = (endpoint: ExchangeEndpoint, wanted: RequestedToken = {}): Promise<unknown> =>
  endpoint.exchange(ADA, wanted).then(
    () => 'It does not fail',
    (error: unknown) => error,
  );

describe('ExchangeEndpoint', () => {
  it('asks as RFC 8693 says, and gives the answer (OBO-01)', async () => {
    answer = { ...(answer as object), expires_in: 300 };
    const wanted = { audience: 'billing', resource: 'https://billing.example.com/', scopes: ['a', 'b'] };
    expect(await createTold().exchange(ADA, wanted)).toEqual({
      accessToken: 'for-billing',
      tokenType: 'bearer',
      issuedTokenType: ACCESS_TOKEN,
      expiresInSeconds: 300,
      refreshToken: undefined,
      scopes: undefined,
    });
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({ path: '/token', method: 'POST' });
    expect(asked[0]?.headers.authorization).toBe(`Basic ${btoa('desk:hush')}`);
    expect(asked[0]?.form).toEqual({
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token: ADA,
      subject_token_type: ACCESS_TOKEN,
      requested_token_type: ACCESS_TOKEN,
      audience: 'billing',
      resource: 'https://billing.example.com/',
      scope: 'a b',
    });
  });

  it('leaves to the authorization server what is not said (OBO-01)', async () => {
    await createTold().exchange(ADA, {});
    expect(Object.keys(asked[0]!.form).toSorted()).toEqual([
      'grant_type',
      'requested_token_type',
      'subject_token',
      'subject_token_type',
    ]);
  });

  it.each([undefined, ACCESS_TOKEN, 'urn:ietf:params:oauth:token-type:jwt'])(
    'takes a bearer token of the type %s (OBO-01)',
    async (issued) => {
      answer = { access_token: 'for-billing', token_type: 'bearer', issued_token_type: issued };
      expect(await createTold().exchange(ADA, {})).toMatchObject({ accessToken: 'for-billing' });
    },
  );

  it.each([
    ['bearer', 'urn:ietf:params:oauth:token-type:saml2'],
    ['bearer', 'urn:ietf:params:oauth:token-type:id_token'],
    ['N_A', ACCESS_TOKEN],
    ['N_A', 'urn:ietf:params:oauth:token-type:saml2'],
  ])('refuses what cannot be sent as a bearer token: %s, %s (OBO-01)', async (type, issued) => {
    answer = { access_token: 'for-billing', token_type: type, issued_token_type: issued };
    const failure = await failureOf(createTold());
    expect(failure).toBeInstanceOf(TokenEndpointError);
    expect(failure).toMatchObject({
      status: 200,
      error: 'invalid_response',
      description: 'the response contains no bearer token',
    });
  });

  it('says why none is given (OBO-01)', async () => {
    status = 400;
    answer = { error: 'invalid_target', error_description: 'no such service' };
    expect(await failureOf(createTold())).toMatchObject({
      name: 'TokenEndpointError',
      status: 400,
      error: 'invalid_target',
      description: 'no such service',
    });
  });

  it.each([301, 302, 307, 308])('sends no token after a redirect of status %d (OBO-01)', async (redirect) => {
    status = redirect;
    expect(await failureOf(createTold())).toMatchObject({ status: redirect, error: 'invalid_response' });
    expect(asked.map(({ path }) => path)).toEqual(['/token']);
  });

  it.each([204, 205, 304])(
    'takes the status %d, which has no body, for a refusal (OBO-01)',
    async (bodiless) => {
      status = bodiless;
      answer = '';
      expect(await failureOf(createTold())).toMatchObject({
        name: 'TokenEndpointError',
        status: bodiless,
        error: 'invalid_response',
      });
    },
  );

  it('waits no longer than it may, and names no query (OBO-01)', async () => {
    server.handle(() => undefined);
    const endpoint = new ExchangeEndpoint({
      ...CLIENT,
      timeoutMs: 100,
      tokenEndpoint: `${origin}/token?code=hush`,
    });
    const failure = await failureOf(endpoint);
    expect(failure).toBeInstanceOf(DocumentError);
    expect(failure).toMatchObject({
      message: `"${origin}/token" did not respond within 100 ms`,
      status: undefined,
      cause: { name: 'TimeoutError' },
    });
  });

  it('says why the endpoint cannot be reached (OBO-01)', async () => {
    await server.stop();
    expect(await failureOf(createTold())).toMatchObject({
      name: 'DocumentError',
      message: `"${origin}/token" cannot be reached: ECONNREFUSED`,
    });
  });

  it('reads no more than is sane (SAFE-02)', async () => {
    answer = 'x'.repeat(512 * 1024 + 1);
    const message = `"${origin}/token" sent more than 524288 bytes in one response`;
    expect(await failureOf(createTold())).toMatchObject({ name: 'DocumentError', message });
  });

  describe('that has to be found', () => {
    const WELL_KNOWN = '/.well-known/oauth-authorization-server';

    it('asks for the metadata once (OBO-01)', async () => {
      const endpoint = createFound();
      await Promise.all([endpoint.exchange(ADA, {}), endpoint.exchange(ADA, { audience: 'billing' })]);
      await endpoint.exchange(ADA, {});
      expect(asked.map(({ path }) => path)).toEqual([WELL_KNOWN, '/token', '/token', '/token']);
    });

    it('asks for the metadata again after it could not be had (OBO-01)', async () => {
      const endpoint = createFound();
      const well = metadata;
      metadata = undefined;
      expect(await failureOf(endpoint)).toMatchObject({
        name: 'DocumentError',
        message: `"${origin}${WELL_KNOWN}" responded with status 500`,
      });
      metadata = well;
      expect(await endpoint.exchange(ADA, {})).toMatchObject({ accessToken: 'for-billing' });
    });

    it.each([301, 307, 308, 404, 405, 410])(
      'may move: it is looked up again after the status %d (OBO-01)',
      async (gone) => {
        const endpoint = createFound();
        status = gone;
        answer = '';
        expect(await failureOf(endpoint)).toMatchObject({ status: gone });
        status = 200;
        answer = { access_token: 'for-billing', token_type: 'Bearer' };
        metadata = { ...metadata, token_endpoint: `${origin}/moved` };
        await endpoint.exchange(ADA, {});
        expect(asked.map(({ path }) => path)).toEqual([WELL_KNOWN, '/token', WELL_KNOWN, '/moved']);
      },
    );

    it('is looked up again where there was no whole answer (OBO-01)', async () => {
      const endpoint = createFound();
      answer = 'x'.repeat(512 * 1024 + 1);
      expect(await failureOf(endpoint)).toBeInstanceOf(DocumentError);
      answer = { access_token: 'for-billing', token_type: 'Bearer' };
      await endpoint.exchange(ADA, {});
      expect(asked.map(({ path }) => path)).toEqual([WELL_KNOWN, '/token', WELL_KNOWN, '/token']);
    });

    it.each([200, 400, 401, 403, 429, 500, 503])(
      'is not looked up again for a refusal of status %d (OBO-01)',
      async (refusal) => {
        const endpoint = createFound();
        status = refusal;
        answer = { error: 'invalid_target' };
        expect(await failureOf(endpoint)).toMatchObject({ status: refusal });
        await failureOf(endpoint);
        expect(asked.map(({ path }) => path)).toEqual([WELL_KNOWN, '/token', '/token']);
      },
    );

    it('authenticates in the way that the metadata lists (OBO-01)', async () => {
      metadata = { ...metadata, token_endpoint_auth_methods_supported: ['client_secret_post'] };
      await createFound().exchange(ADA, {});
      expect(asked[1]?.headers.authorization).toBeUndefined();
      expect(asked[1]?.form).toMatchObject({ client_id: 'desk', client_secret: 'hush' });
    });

    it.each(['client_secret_post', { 0: 'client_secret_post', length: 1 }, null])(
      'does not mind a list that is none: %j (OBO-01)',
      async (methods) => {
        metadata = { ...metadata, token_endpoint_auth_methods_supported: methods };
        await createFound().exchange(ADA, {});
        expect(asked[1]?.headers.authorization).toBe(`Basic ${btoa('desk:hush')}`);
      },
    );

    it('says what to do where the metadata names none (OBO-01)', async () => {
      metadata = { issuer: origin };
      expect(await failureOf(createFound())).toMatchObject({
        message: `the metadata of "${origin}" does not contain a "token_endpoint": set "auth.exchange.tokenEndpoint"`,
      });
    });

    it('says that an issuer is needed where there is none (OBO-01)', async () => {
      const endpoint = new ExchangeEndpoint({ ...CLIENT, timeoutMs: 2000 });
      expect(await failureOf(endpoint)).toMatchObject({
        message:
          'the issuer "" is not an "https:" URL, so its metadata cannot be fetched: configure its endpoints, or add its host to "auth.insecureHosts"',
      });
    });
  });

  it.each([
    [undefined, 'issuer', '/token'],
    ['https://login.example.com', 'issuer', undefined],
    ['https://login.example.com', 'token_endpoint', '/token'],
  ] as const)(
    'has assertions of %s, whose audience is the %s, be for one of them (OBO-01) (PEER-04)',
    async (issuer, assertionAudience, path) => {
      const { privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const privateKey = key.export({ format: 'jwk' }) as { readonly [member: string]: unknown };
      const given = { tokenEndpoint: `${origin}/token`, ...(issuer && { issuer }) };
      const { clientSecret: _secret, ...client } = CLIENT;
      await new ExchangeEndpoint({ ...client, ...given, privateKey, assertionAudience }).exchange(ADA, {});
      const [, payload = ''] = asked[0]!.form['client_assertion']!.split('.');
      const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { readonly aud: unknown };
      expect(claims.aud).toBe(path === undefined ? issuer : `${origin}${path}`);
    },
  );
});
