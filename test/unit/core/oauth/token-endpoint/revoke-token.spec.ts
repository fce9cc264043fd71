import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { revokeToken, type Revocation } from '../../../../../lib/core/oauth/token-endpoint/revoke-token.js';
import { TestServer } from '../../../support/http-server.js';

const CLIENT = { clientId: 'desk', clientSecret: 's3cret' };

let server: TestServer;
let asked: { headers: IncomingHttpHeaders; form: object } | undefined;

beforeEach(async () => {
  server = await TestServer.start();
});
afterEach(() => server.stop());

/** Answers what is asked from now on. */
function answer(status: number, body = ''): void {
  server.handle((asking, response) => void take(asking, response.writeHead(status), body));
}

async function take(asking: IncomingMessage, response: ServerResponse, body: string): Promise<void> {
  const form = Object.fromEntries(new URLSearchParams(await text(asking)));
  asked = { headers: asking.headers, form };
  response.end(body);
}

function revoke(client: Revocation['client'] = CLIENT, methods?: readonly string[]) {
  return revokeToken({
    server: {
      issuer: 'https://login.example.com',
      revocation_endpoint: server.url,
      revocation_endpoint_auth_methods_supported: methods,
    },
    client,
    token: 'token-1',
    kind: 'refresh_token',
    send: (url, init) => fetch(url, init),
  });
}

describe('revokeToken (RFC 7009 §2)', () => {
  it('sends the token, and of what kind it is', async () => {
    answer(200);
    expect(await revoke()).toBeUndefined();
    expect(asked?.form).toEqual({ token: 'token-1', token_type_hint: 'refresh_token' });
    const credentials = Buffer.from('desk:s3cret').toString('base64');
    expect(asked?.headers.authorization).toBe(`Basic ${credentials}`);
  });

  it('shows who the client is as the endpoint wants it', async () => {
    answer(200);
    await revoke(CLIENT, ['client_secret_post']);
    expect(asked?.form).toMatchObject({ client_id: 'desk', client_secret: 's3cret' });
    await revoke({ clientId: 'desk' });
    expect(asked?.form).toMatchObject({ client_id: 'desk' });
    expect(asked?.headers.authorization).toBeUndefined();
  });

  it('takes an answer without content for done', async () => {
    answer(204);
    expect(await revoke()).toBeUndefined();
  });

  it('gives why the token was not withdrawn', async () => {
    answer(400, '{"error":"unsupported_token_type"}');
    expect(await revoke()).toEqual({ status: 400, error: 'unsupported_token_type' });
  });

  it.each([
    ['an error that nobody has published', '{"error":"token-1"}'],
    ['another type', '{"error":["invalid_client"]}'],
    ['no JSON', '<p>token-1</p>'],
    ['nothing', ''],
  ])('repeats nothing of an answer that has %s', async (_what, body) => {
    answer(503, body);
    expect(await revoke()).toEqual({ status: 503, error: undefined });
  });
});
