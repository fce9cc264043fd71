import type { OutgoingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readChallenges } from '../../../lib/core/oauth/read-challenges.js';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bindToken, bootBoundDesk } from '../../support/applications/bound-desk.js';
import { METADATA, RESOURCE } from '../../support/applications/protected-desk.js';
import { TestIssuer } from '../../support/authorization/issuer.js';
import type { Prover } from '../../support/authorization/prover.js';
import { buildInitialize, initialize, perRequest, post } from '../../support/clients/json-rpc.js';
import { openHttp, sendHttp } from '../../support/clients/raw-http.js';

const ALGORITHMS = ['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519', 'PS256', 'RS256'];
const STREAM = { accept: 'text/event-stream' };

describe.each(ADAPTERS)('A server that takes bound tokens on %s (RFC 9449)', (adapter) => {
  let issuer: TestIssuer;
  let desk: RunningApp;
  let ada: Prover;

  beforeAll(async () => {
    issuer = await TestIssuer.start();
    desk = await bootBoundDesk(adapter, issuer, 'allowed', {
      sse: true,
      cors: { origins: ['https://app.example.com'] },
    });
    ada = await bindToken(issuer, { scope: 'desk:read' });
  });
  afterAll(async () => {
    await desk.close();
    await issuer.stop();
  });

  /** The headers of one request by another method, or to another path. */
  const prove = (client: Prover, htm = 'POST', path = '/mcp') =>
    client.headers({ claims: { htm, htu: new URL(path, RESOURCE).href } });

  it('says so in its metadata, and whether tokens must be bound (XTN-03)', async () => {
    const strict = await bootBoundDesk(adapter, issuer, { mode: 'required', algorithms: ['ES256'] });
    const read = async ({ origin }: RunningApp) =>
      (await sendHttp(`${origin}${new URL(METADATA).pathname}`)).json as {
        readonly [member: string]: unknown;
      };
    expect(await read(desk)).toMatchObject({
      dpop_signing_alg_values_supported: ALGORITHMS,
      dpop_bound_access_tokens_required: false,
    });
    expect(await read(strict)).toMatchObject({
      dpop_signing_alg_values_supported: ['ES256'],
      dpop_bound_access_tokens_required: true,
    });
    await strict.close();
  });

  it('asks for either kind of token where there is none (XTN-03)', async () => {
    const { headers } = await post(desk.url, buildInitialize());
    expect(headers['www-authenticate']).toBe(
      `Bearer resource_metadata="${METADATA}", scope="desk:write", DPoP resource_metadata="${METADATA}", scope="desk:write", algs="${ALGORITHMS.join(' ')}"`,
    );
  });

  it('asks for scopes by the scheme of the token (XTN-03) (STEP-04)', async () => {
    const answer = await perRequest(desk.url, { headers: prove(ada) }).request('tools/call', {
      name: 'write',
    });
    expect([answer.status, answer.headers['www-authenticate']]).toEqual([
      403,
      expect.stringMatching(/^DPoP error="insufficient_scope", scope="desk:write"/),
    ]);
  });

  it('wants a proof of the same key with each request of a session (XTN-03)', async () => {
    const session = await initialize(desk.url, { headers: prove(ada), confirm: false });
    const ping = (headers: OutgoingHttpHeaders) => session.request('ping', {}, headers);
    expect((await ping(prove(ada))).status).toBe(200);
    // The headers of the handshake are those of a proof that was used.
    expect((await ping({})).status).toBe(401);
    const other = await bindToken(issuer, { scope: 'desk:read' });
    expect((await ping(prove(other))).status).toBe(404);
    const bearer = { authorization: `Bearer ${await issuer.token()}` };
    expect((await ping(bearer)).status).toBe(404);
    // Who has renewed the token, and has the same key, goes on.
    const token = await issuer.token({ cnf: { jkt: ada.thumbprint }, jti: 'renewed' });
    const { subject } = ada;
    ada.subject = { ...subject, token };
    expect((await ping(prove(ada))).status).toBe(200);
    ada.subject = subject;
    const sent = { ...session.headers, ...STREAM };
    expect((await open(desk.url, { ...sent, ...prove(ada) })).status).toBe(401);
    expect((await open(desk.url, { ...sent, ...prove(other, 'GET') })).status).toBe(404);
    expect((await open(desk.url, { ...sent, ...prove(ada, 'GET') })).status).toBe(200);
    expect((await session.delete(prove(other, 'DELETE'))).status).toBe(404);
    expect((await session.delete(prove(ada, 'GET'))).status).toBe(401);
    expect((await session.delete(prove(ada, 'DELETE'))).status).toBe(204);
  });

  it('keeps a session that was opened by a bearer token from bound ones (XTN-03)', async () => {
    const authorization = `Bearer ${await issuer.token()}`;
    const session = await initialize(desk.url, { headers: { authorization } });
    expect((await session.request('ping', {}, prove(ada))).status).toBe(404);
    expect((await session.request('ping')).status).toBe(200);
  });

  it('wants a proof with the stream of HTTP+SSE, and with each message (XTN-03)', async () => {
    const opened = await openHttp(`${desk.origin}/sse`, {
      headers: { ...STREAM, ...prove(ada, 'GET', '/sse') },
    });
    expect(opened.statusCode).toBe(200);
    const chunk = String(await new Promise((resolve) => opened.once('data', resolve)));
    const path = /data: (\S+)/.exec(chunk)?.[1] ?? '';
    const send = (headers: OutgoingHttpHeaders) => post(`${desk.origin}${path}`, buildInitialize(), headers);
    const other = await bindToken(issuer);
    expect((await send(prove(other, 'POST', '/sse'))).status).toBe(404);
    expect((await send(prove(ada))).status).toBe(401);
    expect((await send(prove(ada, 'POST', '/sse'))).status).toBe(202);
    opened.destroy();
  });

  it('wants one on routes of the application that it guards (XTN-03)', async () => {
    const get = (path: string, headers: OutgoingHttpHeaders) =>
      sendHttp(`${desk.origin}${path}`, { headers });
    const good = await get('/reports/latest', prove(ada, 'GET', '/reports/latest'));
    expect([good.status, good.json]).toEqual([200, { of: 'ada' }]);
    for (const path of ['/reports/latest', '/reports/open']) {
      const refused = await get(path, prove(ada, 'GET', '/mcp'));
      expect([refused.status, errorOf(refused.headers)]).toEqual([401, 'invalid_dpop_proof']);
      const bearer = await get(path, { authorization: `Bearer ${ada.subject.token}` });
      expect([bearer.status, errorOf(bearer.headers, 'bearer')]).toEqual([401, 'invalid_token']);
    }
    expect((await get('/reports/open', {})).json).toEqual({ of: 'anybody' });
    expect((await get('/reports/open', prove(ada, 'GET', '/reports/open'))).json).toEqual({ of: 'ada' });
  });

  it('lets pages send proofs, and read challenges and nonces (XTN-03)', async () => {
    const origin = 'https://app.example.com';
    const asked = {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'dpop',
    };
    const preflight = await sendHttp(desk.url, { method: 'OPTIONS', headers: asked });
    expect(preflight.headers['access-control-allow-headers']?.split(', ')).toContain('DPoP');
    const { headers } = await post(desk.url, buildInitialize(), { origin });
    const exposed = headers['access-control-expose-headers']?.split(', ');
    expect(exposed).toEqual(expect.arrayContaining(['WWW-Authenticate', 'DPoP-Nonce']));
  });

  it('gives no nonce where it wants none (XTN-03)', async () => {
    const answers = [
      await post(desk.url, buildInitialize()),
      await post(desk.url, buildInitialize(), prove(ada)),
    ];
    expect(answers.map(({ status, headers }) => [status, headers['dpop-nonce']])).toEqual([
      [401, undefined],
      [200, undefined],
    ]);
  });

  describe('with nonces', () => {
    let nonced: RunningApp;

    beforeAll(async () => {
      nonced = await bootBoundDesk(adapter, issuer, { mode: 'allowed', nonce: true });
    });
    afterAll(() => nonced.close());

    const enter = (headers: OutgoingHttpHeaders) =>
      perRequest(nonced.url, { headers }).request('tools/call', { name: 'enter' });

    it('gives one to whoever comes without, and takes it (XTN-03)', async () => {
      const first = await enter(ada.headers());
      expect([first.status, errorOf(first.headers)]).toEqual([401, 'use_dpop_nonce']);
      const nonce = first.headers['dpop-nonce'];
      const second = await enter(ada.headers({ claims: { nonce } }));
      expect([second.status, second.headers['dpop-nonce']]).toEqual([200, nonce]);
    });

    it('gives one with the first challenge, so that a login need not be asked twice (XTN-03)', async () => {
      const nonce = (await enter({})).headers['dpop-nonce'];
      expect((await enter(ada.headers({ claims: { nonce } }))).status).toBe(200);
    });

    it.each([
      ['an empty one', ''],
      ['one that was made up', 'definitely-not-the-server-nonce'],
      ['one that is no text', 7],
      ['none', undefined],
    ])('asks again for %s, and remembers nothing of it (XTN-03)', async (_, nonce) => {
      const { jti } = ada.claims;
      const refused = await enter(ada.headers({ claims: { jti, nonce } }));
      expect([refused.status, errorOf(refused.headers)]).toEqual([401, 'use_dpop_nonce']);
      const good = refused.headers['dpop-nonce'];
      expect((await enter(ada.headers({ claims: { jti, nonce: good } }))).status).toBe(200);
      expect(errorOf((await enter(ada.headers({ claims: { jti, nonce: good } }))).headers)).toBe(
        'invalid_dpop_proof',
      );
    });

    it('says of a proof with a good nonce what else is wrong (XTN-03)', async () => {
      const nonce = (await enter({})).headers['dpop-nonce'];
      const refused = await enter(ada.headers({ claims: { nonce, htm: 'GET' } }));
      expect(errorOf(refused.headers)).toBe('invalid_dpop_proof');
    });

    it('gives one on routes of the application too, in answers that nobody keeps (XTN-03)', async () => {
      const get = (nonce: unknown) => {
        const claims = { htm: 'GET', htu: 'https://desk.example.com/reports/latest', nonce };
        return sendHttp(`${nonced.origin}/reports/latest`, { headers: ada.headers({ claims }) });
      };
      const refused = await get(undefined);
      expect([refused.status, errorOf(refused.headers)]).toEqual([401, 'use_dpop_nonce']);
      const { status, headers } = await get(refused.headers['dpop-nonce']);
      expect([status, headers['dpop-nonce'], headers['cache-control']]).toEqual([
        200,
        expect.any(String),
        'no-store',
      ]);
    });

    it('wants none of bearer tokens (XTN-03)', async () => {
      const answer = await enter({ authorization: `Bearer ${await issuer.token()}` });
      expect([answer.status, answer.headers['dpop-nonce']]).toEqual([200, undefined]);
    });
  });
});

function errorOf(headers: { readonly 'www-authenticate'?: unknown }, scheme = 'dpop'): string | undefined {
  const { challenges } = readChallenges(String(headers['www-authenticate']));
  return challenges.find((challenge) => challenge.scheme === scheme)?.parameters.get('error');
}

async function open(
  url: string,
  headers: OutgoingHttpHeaders,
): Promise<{ readonly status: number | undefined }> {
  const response = await openHttp(url, { headers });
  response.destroy();
  return { status: response.statusCode };
}
