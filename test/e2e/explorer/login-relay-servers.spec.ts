import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { CanActivate } from '@nestjs/common';
import { LoginRelay } from '../../../lib/server/transport/http/explorer/login-relay.js';
import { ADAPTERS } from '../../support/applications/boot.js';
import type { ServerParts } from '../../support/applications/server.js';
import { hang, json, redirect, status } from '../../support/authorization/party.js';
import { sendHttp } from '../../support/clients/raw-http.js';
import { RelayScene } from '../../support/explorer/relay-scene.js';

let scene: RelayScene;
const { NODE_ENV } = process.env;

afterEach(async () => {
  process.env.NODE_ENV = NODE_ENV;
  await scene.stop();
});

const start = async (parts: ServerParts = {}) => (scene = await RelayScene.start(parts));

class Closed implements CanActivate {
  canActivate(): boolean {
    return false;
  }
}

class Open implements CanActivate {
  canActivate(): boolean {
    return true;
  }
}

describe('The login of the page through its own server, at an authorization server', () => {
  it.each<[string, object, RegExp]>([
    ['a private address', { token_endpoint: 'https://10.0.0.1/token' }, /private network/],
    ['a name of private networks', { token_endpoint: 'https://vault.internal/token' }, /private network/],
    ['another address of this machine', { token_endpoint: 'https://127.0.0.2/token' }, /private network/],
    ['this machine in other words', { token_endpoint: 'https://[::ffff:7f00:1]/token' }, /private network/],
    ['the metadata of a cloud', { token_endpoint: 'https://169.254.169.254/latest' }, /private network/],
    ['plain http', { token_endpoint: 'http://login.example.com/token' }, /"https:" URL/],
    ['a file', { token_endpoint: 'file:///etc/passwd' }, /"https:" URL/],
    ['another thing than a URL', { token_endpoint: ['https://login.example.com/token'] }, /"https:" URL/],
    ['nothing', { token_endpoint: undefined }, /not in its metadata/],
  ])('is not sent to %s (WAY-02)', async (_, members, fault) => {
    await start({ options: { auth: { authorizationServers: ['https://login.example.com'], jwt: {} } } });
    const metadata = { issuer: 'https://login.example.com', ...members };
    const relay = createRelay({ metadata });
    const url = 'token_endpoint' in members ? String(members.token_endpoint) : '';
    const answer = await relay.ask({ ...scene.exchange, issuer: 'https://login.example.com', url });
    expect(answer).toMatchObject({ status: 502, problem: expect.stringMatching(fault) });
  });

  it('follows no redirect, and sends a code nowhere else (WAY-02)', async () => {
    await start();
    scene.party.at('/token', redirect('/elsewhere', 307)).at('/elsewhere', json({ access_token: 'stolen' }));
    const answer = await scene.ask(scene.exchange);
    expect(answer.status).toBe(502);
    expect(answer.text).toContain('redirects, but redirects are not followed');
    expect(scene.reached).toEqual(['/token']);
  });

  it('follows no redirect of the metadata to another origin (WAY-02)', async () => {
    await start();
    scene.party.at('/.well-known/oauth-authorization-server', redirect('https://evil.example/metadata'));
    const answer = await scene.ask(scene.exchange);
    expect(answer.status).toBe(502);
    expect(scene.reached).toEqual([]);
  });

  it('refuses metadata of another issuer (WAY-02)', async () => {
    await start();
    scene.describe({ issuer: 'https://evil.example' });
    const answer = await scene.ask(scene.exchange);
    expect([answer.status, scene.reached]).toEqual([502, []]);
  });

  it('notices that the metadata names another endpoint than when the login began (WAY-02)', async () => {
    await start();
    const { exchange } = scene;
    expect((await scene.ask(exchange)).status).toBe(200);
    scene.describe({ token_endpoint: `${scene.party.origin}/other` });
    scene.party.at('/other', json({ access_token: 'other' }));
    const answer = await scene.ask(exchange);
    expect([answer.status, scene.reached]).toEqual([409, ['/token']]);
    expect((await scene.ask({ ...exchange, url: `${scene.party.origin}/other` })).status).toBe(200);
  });

  it('reads no more of an answer than is sane (WAY-02)', async () => {
    await start();
    scene.party.at('/token', (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('x'.repeat(2_000_000));
    });
    const answer = await scene.ask(scene.exchange);
    expect([answer.status, answer.text]).toEqual([
      502,
      expect.stringContaining('sent more than 524288 bytes'),
    ]);
  });

  it('waits no longer than it may (WAY-02)', async () => {
    await start();
    const relay = createRelay({ timeoutMs: 1_500 });
    scene.party.at('/token', hang());
    expect(await relay.ask(scene.exchange)).toEqual({
      status: 502,
      problem: `"${scene.party.origin}/token" did not respond within 1500 ms`,
    });
  });

  it('says that nobody is there (WAY-02)', async () => {
    await start();
    scene.describe({ token_endpoint: 'http://127.0.0.1:1/token' });
    const answer = await scene.ask({ ...scene.exchange, url: 'http://127.0.0.1:1/token' });
    expect([answer.status, answer.text]).toEqual([502, expect.stringMatching(/cannot be reached/)]);
  });

  it('shows an error page of the authorization server as text alone (WAY-02)', async () => {
    await start();
    scene.party.at('/reg', status(503));
    const answer = await scene.ask(scene.registration);
    expect(answer.json).toEqual({ status: 503, body: 'nothing to see here' });
    expect(answer.headers['content-type']).toBe('application/json');
  });
});

describe.each(ADAPTERS)('The login of the page through its own server, on %s', (adapter) => {
  it('takes no more of a request than a login needs (WAY-02)', async () => {
    await start({ adapter });
    const body = JSON.stringify({ ...scene.exchange, padding: 'x'.repeat(70_000) });
    const answer = await scene.ask(undefined, {}, { method: 'POST', body });
    expect([answer.status, scene.reached]).toEqual([413, []]);
    expect((await scene.ask(scene.exchange)).status).toBe(200);
  });

  it('ends after thirty requests at once, and tells when to go on (WAY-02)', async () => {
    await start({ adapter });
    const statuses: number[] = [];
    for (let count = 0; count < 31; count += 1) statuses.push((await scene.ask({ issuer: 'x' })).status);
    expect(statuses.slice(0, 30)).toEqual(Array.from({ length: 30 }, () => 403));
    const answer = await scene.ask(scene.exchange);
    expect([answer.status, answer.headers['retry-after']]).toEqual([429, '60']);
  });

  it.each<[string, ServerParts['options']]>([
    ['without the page', { explorer: false }],
    ['without the relay', { explorer: { loginRelay: false } }],
    ['without an authorization server', { auth: { bearer: 'a-fixed-token-of-the-desk' } }],
  ])('is not there %s (WAY-02)', async (_, options = {}) => {
    await start({ adapter, options });
    const answer = await scene.ask(scene.exchange);
    expect([answer.status, scene.party.paths]).toEqual([401, []]);
  });

  it('is for whom the guard admits (WAY-02)', async () => {
    await start({ adapter, options: { explorer: { guard: Closed } } });
    expect([(await scene.ask(scene.exchange)).status, scene.party.paths]).toEqual([403, []]);
    await scene.stop();
    await start({ adapter, options: { explorer: { guard: Open } } });
    expect((await scene.ask(scene.exchange)).status).toBe(200);
  });

  it('is there in production only if somebody wants it (WAY-02)', async () => {
    process.env.NODE_ENV = 'production';
    await start({ adapter, options: { explorer: { guard: Open } } });
    expect([(await scene.ask(scene.exchange)).status, scene.party.paths]).toEqual([401, []]);
    await scene.stop();
    await start({ adapter, options: { explorer: { guard: Open, loginRelay: true } } });
    expect((await scene.ask(scene.exchange)).status).toBe(200);
  });
});

/** A relay with other bounds, or with metadata that this machine cannot serve under its name. */
function createRelay({ metadata, timeoutMs }: { readonly metadata?: object; readonly timeoutMs?: number }) {
  const issuers = metadata === undefined ? [scene.party.origin] : [(metadata as { issuer: string }).issuer];
  const settings = { authorizationServers: issuers, insecureHosts: [], ignoreIssuerSlash: false };
  const relay = new LoginRelay(settings, 5_000, timeoutMs);
  const original = globalThis.fetch;
  return {
    async ask(asked: unknown) {
      const server = createServer((request: IncomingMessage, response) => {
        void relay.answer(request).then(({ status: code, body }) => response.writeHead(code).end(body));
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as { port: number };
      if (metadata !== undefined) {
        globalThis.fetch = () => Promise.resolve(Response.json(metadata));
      }
      try {
        const answer = await sendHttp(`http://127.0.0.1:${port}/`, {
          json: asked,
          headers: { origin: scene.desk.origin },
        });
        return { status: answer.status, ...(answer.json as object) };
      } finally {
        globalThis.fetch = original;
        server.close();
      }
    },
  };
}
