import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { AuthUnavailableError, InvalidTokenError, RequireScope, Tool } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { IssuerKey } from '../../support/authorization/issuer-key.js';
import { TestIssuer } from '../../support/authorization/issuer.js';
import { initialize, perRequest, post } from '../../support/clients/json-rpc.js';
import { authorize, bootDesk, CALLERS, RESOURCE } from '../../support/applications/protected-desk.js';
import { RecordedLog } from '../../support/records/recorded-log.js';
import { sendHttp } from '../../support/clients/raw-http.js';

const SECRETS = {
  server: 'the secret that signs sessions and states',
  client: 'the-secret-of-the-client-at-the-issuer',
};

@Injectable()
class ScopedTools {
  @Tool({ description: 'Closes a ticket' })
  @RequireScope('desk:close')
  close(): string {
    return 'closed';
  }

  @Tool({ description: 'Crashes' })
  crash(): string {
    throw new Error('the drawer is stuck');
  }
}

/** Does with tokens what applications should not: it speaks of them. */
const TALKATIVE = {
  validate(token: string) {
    if (token.startsWith('quoted-invalid')) throw new InvalidTokenError(`no session for ${token}`);
    if (token.startsWith('quoted-unavailable')) {
      throw new AuthUnavailableError(`nobody answers for ${token}`, {
        cause: new Error(`GET /sessions/${token} failed`),
      });
    }
    if (token.startsWith('quoted-failure')) throw new TypeError(`"${token}" cannot be parsed`);
    if (token.startsWith('quoted-text')) throw `what is ${token}?`;
    return undefined;
  },
};

/** Tokens of which it speaks. */
const QUOTED = ['invalid', 'unavailable', 'failure', 'text'].map((fault) => `quoted-${fault}-94d2a1`);

describe.each(ADAPTERS)('The log of a server at level verbose on %s', (adapter) => {
  const log = new RecordedLog();
  let issuer: TestIssuer;
  let desk: RunningApp;

  beforeAll(async () => {
    issuer = await TestIssuer.start();
  });

  async function boot(): Promise<void> {
    desk = await bootDesk(adapter, {
      auth: {
        resourceUri: RESOURCE,
        authorizationServers: [issuer.url],
        bearer: Object.values(CALLERS),
        jwt: {},
        validator: TALKATIVE,
        introspection: {
          endpoint: `${issuer.origin}/introspect`,
          clientId: 'desk',
          clientSecret: SECRETS.client,
          timeoutMs: 1000,
        },
      },
      options: { secret: SECRETS.server },
      providers: [ScopedTools],
      nest: { logger: log },
    });
  }

  afterAll(() => issuer.stop());

  /** Tokens good and bad, of every kind that a validator has something to say of. */
  async function makeTokens(): Promise<string[]> {
    const forged = await IssuerKey.create('ES256', issuer.keys[0]?.kid);
    const good = await issuer.token({ sub: 'ada', scope: 'desk:read' });
    const [header = '', payload = '', signature = ''] = good.split('.');
    return [
      CALLERS.ada.token,
      CALLERS.eve.token,
      good,
      await issuer.token({ exp: 1_700_000_000 }),
      await issuer.token({ aud: 'urn:other' }),
      await issuer.token({ iss: 'https://other.example.com' }),
      await issuer.token({}, { key: forged }),
      await issuer.token({}, { header: { kid: 'unknown' } }),
      await issuer.token({}, { header: { typ: 'JWT' } }),
      `${header}.${payload}.${signature.split('').toReversed().join('')}`,
      `${header}.${payload}.`,
      `${header}.${payload}`,
      'opaque-token-that-nobody-knows',
      'x'.repeat(9000),
    ];
  }

  async function visit(token: string): Promise<void> {
    const headers = authorize(token);
    const client = perRequest(desk.url, { headers });
    for (const name of ['close', 'crash', 'missing']) await client.request('tools/call', { name });
    await sendHttp(desk.url, { headers: { accept: 'text/event-stream', ...headers } });
    await sendHttp(desk.url, { method: 'DELETE', headers });
    await sendHttp(`${desk.url}?access_token=${token.slice(0, 4000)}`);
    await post(desk.url, { jsonrpc: '2.0', id: 1, method: 'ping', access_token: token });
    await post(desk.url, '{', { ...headers, 'mcp-session-id': token });
    const session = await initialize(desk.url, { headers }).catch(() => undefined);
    if (session === undefined) return;
    await session.request('tools/call', { name: 'close' });
    await session.request('ping', {}, authorize('a-token-of-somebody-else'));
    await session.delete();
  }

  it('has no token in it, no part of one, and no secret (AUTH-15)', async () => {
    const tokens = await makeTokens();
    await boot();
    for (const token of tokens) await visit(token);
    await desk.close();
    issuer.breakDown();
    const unchecked = await issuer.token({}, { header: { kid: 'not fetched' } });
    for (const token of [...QUOTED, unchecked]) {
      // A server that cannot check tokens says so once in a while: each of these gets one that has not yet.
      await boot();
      await visit(token);
      await desk.close();
    }
    // A run that logged nothing would prove nothing, nor would one in which nobody speaks of tokens.
    expect(log.text.match(/\[token\]/g)?.length).toBeGreaterThanOrEqual(QUOTED.length);
    expect(log.find('debug').length).toBeGreaterThan(10);
    expect(log.find('error').length).toBeGreaterThan(1);
    expect(log.find('warn').length).toBeGreaterThan(1);
    for (const text of [...[...tokens, ...QUOTED, unchecked].flatMap(partsOf), ...Object.values(SECRETS)]) {
      expect(log.text).not.toContain(text);
    }
    expect(log.text.replaceAll('Authorization: Bearer <token>', '')).not.toMatch(
      /Bearer |Basic |eyJ|94d2a1|authorization:/i,
    );
  });
});

/** Gives what nobody who reads the log may find: long enough not to be there by chance. */
function partsOf(token: string): string[] {
  const pieces = token.split('.').filter((piece) => piece.length > 8);
  return [
    token,
    ...pieces,
    ...pieces.map((piece) => piece.slice(0, 12)),
    ...pieces.map((piece) => piece.slice(-12)),
  ];
}
