import { generateKeyPairSync } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { jwtVerify } from 'jose';
import type { ClientIdentity } from '../../../../../lib/core/oauth/token-endpoint/client-identity.js';
import {
  requestToken,
  type TokenResponse,
} from '../../../../../lib/core/oauth/token-endpoint/request-token.js';
import { TokenEndpointError } from '../../../../../lib/core/oauth/token-endpoint/token-endpoint.error.js';
import { TestServer } from '../../../support/http-server.js';

const ISSUER = 'https://login.example.com';
const ANSWER = { access_token: 'token-1', token_type: 'Bearer' };
const JSON_TYPE = { 'content-type': 'application/json' };
const CLIENT = { clientId: 'desk', clientSecret: 's3cret' };

let server: TestServer;
let asked: { method: string | undefined; headers: IncomingHttpHeaders; form: object };

beforeEach(async () => {
  server = await TestServer.start();
});
afterEach(() => server.stop());

/** Answers what is asked from now on. */
function answer(body: unknown, status = 200): void {
  const written = typeof body === 'string' ? body : JSON.stringify(body);
  server.handle((asking, response) => void take(asking, response.writeHead(status, JSON_TYPE), written));
}

/** Refuses what is asked from now on, and says what it was. */
function echo(): void {
  server.handle((asking, response) => void refuse(asking, response.writeHead(400, JSON_TYPE)));
}

async function refuse(asking: IncomingMessage, response: ServerResponse): Promise<void> {
  const { authorization = 'nothing' } = asking.headers;
  const description = `cannot read ${authorization} and ${await text(asking)}`;
  response.end(JSON.stringify({ error: 'invalid_client', error_description: description }));
}

async function take(asking: IncomingMessage, response: ServerResponse, written: string): Promise<void> {
  const form = Object.fromEntries(new URLSearchParams(await text(asking)));
  asked = { method: asking.method, headers: asking.headers, form };
  response.end(written);
}

function request(
  client: ClientIdentity = CLIENT,
  parameters: { readonly [name: string]: string | undefined } = {},
  methods?: readonly string[],
): Promise<TokenResponse> {
  return requestToken({
    server: {
      issuer: ISSUER,
      token_endpoint: server.url,
      token_endpoint_auth_methods_supported: methods,
    },
    client,
    grantType: 'client_credentials',
    parameters,
    send: (url, init) => fetch(url, init),
  });
}

describe('requestToken (RFC 6749 §4.4)', () => {
  beforeEach(() => answer(ANSWER));

  it('sends the parameters of the grant, and none that is empty (CLI-15)', async () => {
    await request(CLIENT, { scope: 'desk:read desk:write', resource: undefined, audience: '' });
    expect(asked).toMatchObject({ method: 'POST', headers: { accept: 'application/json' } });
    expect(asked.form).toEqual({ grant_type: 'client_credentials', scope: 'desk:read desk:write' });
  });

  it('shows a secret in a header where the server does not say what it takes (CLI-15)', async () => {
    await request();
    expect(asked.headers.authorization).toBe(`Basic ${Buffer.from('desk:s3cret').toString('base64')}`);
  });

  it('shows a secret in the form where the server takes only that (CLI-15)', async () => {
    await request(CLIENT, {}, ['client_secret_post']);
    expect(asked.headers.authorization).toBeUndefined();
    expect(asked.form).toMatchObject({ client_id: 'desk', client_secret: 's3cret' });
  });

  it('says its name where it has nothing to show, and nothing where it has no name (CLI-16)', async () => {
    await request({ clientId: 'desk' });
    expect(asked.form).toEqual({ grant_type: 'client_credentials', client_id: 'desk' });
    await request({}, { assertion: 'a.b.c' });
    expect(asked.form).toEqual({ grant_type: 'client_credentials', assertion: 'a.b.c' });
    expect(asked.headers.authorization).toBeUndefined();
  });

  it.each([
    ['without a name', undefined, { alg: 'PS256' }],
    ['with the name of the key', 'key-1', { alg: 'PS256', kid: 'key-1' }],
  ])('signs an assertion for the issuer, %s (RFC 7523 §3) (CLI-15)', async (_what, keyId, header) => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    await request({ clientId: 'desk', privateKey: pem, signingAlgorithm: 'PS256', keyId });
    const { client_assertion: assertion } = asked.form as { client_assertion: string };
    const claims = { issuer: 'desk', subject: 'desk', audience: ISSUER };
    expect((await jwtVerify(assertion, publicKey, claims)).protectedHeader).toEqual(header);
  });
});

describe('The answer of a token endpoint (RFC 6749 §5.1)', () => {
  it('has what a token needs, and nothing else (CLI-15)', async () => {
    answer(ANSWER);
    await expect(request()).resolves.toEqual({ accessToken: 'token-1', tokenType: 'bearer' });
  });

  it('has what the server adds to it (CLI-15) (CLI-16)', async () => {
    answer({
      ...ANSWER,
      token_type: 'N_A',
      refresh_token: 'refresh-1',
      issued_token_type: 'urn:ietf:params:oauth:token-type:id-jag',
      expires_in: 60,
      scope: 'desk:read  desk:"write"',
    });
    await expect(request()).resolves.toEqual({
      accessToken: 'token-1',
      tokenType: 'n_a',
      refreshToken: 'refresh-1',
      issuedTokenType: 'urn:ietf:params:oauth:token-type:id-jag',
      expiresInSeconds: 60,
      scopes: ['desk:read'],
    });
  });

  it('is read without what it says of the user, and without a kind of token that is no text (CLI-15)', async () => {
    answer({ ...ANSWER, id_token: 'no JWT', issued_token_type: 5 });
    await expect(request()).resolves.toEqual({ accessToken: 'token-1', tokenType: 'bearer' });
  });

  it.each([
    ['no token', { token_type: 'Bearer' }],
    ['a token of a kind that nobody knows', { ...ANSWER, token_type: 'mac' }],
    ['an end that is no number', { ...ANSWER, expires_in: 'soon' }],
    ['a list', [ANSWER]],
    ['nothing', null],
    ['a page', '<html>'],
  ])('is refused where it is %s, and not shown (CLI-15)', async (_what, body) => {
    answer(body);
    const error = await request().catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(TokenEndpointError);
    expect(error).toEqual(
      expect.objectContaining({
        name: 'TokenEndpointError',
        message: 'The token endpoint responded with status 200 and "invalid_response"',
        status: 200,
        error: 'invalid_response',
        description: 'the response does not follow RFC 6749 §5.1',
      }),
    );
    expect((error as Error).cause).toBeUndefined();
  });
});

describe('The refusal of a token endpoint (RFC 6749 §5.2)', () => {
  it('says why (CLI-15)', async () => {
    answer({ error: 'invalid_client', error_description: 'Who is that?' }, 401);
    await expect(request()).rejects.toMatchObject({
      message: 'The token endpoint responded with status 401 and "invalid_client"',
      status: 401,
      error: 'invalid_client',
      description: 'Who is that?',
    });
  });

  it.each([
    ['no reason', {}],
    ['an empty one', { error: '' }],
    ['one that is no text', { error: 5, error_description: ['no'] }],
    ['null', null],
    ['a page', '<html>'],
  ])('is told as unreadable where it gives %s (CLI-15)', async (_what, body) => {
    answer(body, 503);
    const error = await request().catch((caught: unknown) => caught);
    expect(error).toMatchObject({ status: 503, error: 'invalid_response' });
    expect((error as TokenEndpointError).description).toBeUndefined();
  });

  it.each(['assertion', 'subject_token', 'code', 'code_verifier', 'refresh_token'])(
    'quotes neither the secret nor the %s (CLI-15) (CLI-16)',
    async (name) => {
      answer({ error: 'no s3cret', error_description: 'sent: pa55, s3cret, pa55, desk' }, 400);
      await expect(request(CLIENT, { [name]: 'pa55', scope: 'desk' })).rejects.toMatchObject({
        error: 'no [secret]',
        description: 'sent: [secret], [secret], [secret], desk',
      });
    },
  );

  it.each([
    ['the header', ['client_secret_basic']],
    ['the form', ['client_secret_post']],
  ])(
    'quotes no secret that it got by %s, in none of its forms (AUTH-15) (CLI-15)',
    async (_what, methods) => {
      echo();
      const client = { clientId: 'desk', clientSecret: 's3cr+t /==' };
      const error = await request(client, { refresh_token: 'r3fresh/==' }, methods).catch(
        (caught: unknown) => caught,
      );
      const { description = '' } = error as TokenEndpointError;
      expect(description).toContain('grant_type=client_credentials');
      expect(description).not.toMatch(/s3cr|r3fresh/);
      for (const [sent] of description.matchAll(/[\w+/=]{8,}/g))
        expect(Buffer.from(sent, 'base64').toString()).not.toContain('s3cr');
    },
  );

  it('quotes no assertion of the client (AUTH-15) (CLI-15)', async () => {
    echo();
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const error = await request({ clientId: 'desk', privateKey: pem }).catch((caught: unknown) => caught);
    const { description = '' } = error as TokenEndpointError;
    expect(description).toContain('client_assertion=[secret]');
    expect(description).not.toContain('eyJ');
  });

  it('hides what is longer first, so that nothing of it is left (AUTH-15) (CLI-15)', async () => {
    answer({ error: 'invalid_grant', error_description: 's3cret-code' }, 400);
    await expect(request(CLIENT, { code: 's3cret-code' })).rejects.toHaveProperty('description', '[secret]');
  });

  it('is quoted as it is where there is nothing to hide (CLI-15)', async () => {
    answer({ error: 'invalid_grant', error_description: 'no' }, 400);
    await expect(request({ clientId: 'desk', clientSecret: '' })).rejects.toHaveProperty('description', 'no');
    await expect(request({ clientId: 'desk' }, { code: '' })).rejects.toHaveProperty('description', 'no');
  });
});
