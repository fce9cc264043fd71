import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { InvalidTokenError, RequireScope, Tool, type McpContext } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import type { Answer } from '../../support/clients/call.js';
import { IssuerKey } from '../../support/authorization/issuer-key.js';
import { TestIssuer } from '../../support/authorization/issuer.js';
import { perRequest } from '../../support/clients/json-rpc.js';
import { authorize, bootDesk, RESOURCE, textOf } from '../../support/applications/protected-desk.js';
import { RecordedLog } from '../../support/records/recorded-log.js';

const FIXED = { token: 'fixed-token-of-the-service', subject: 'service', scopes: ['desk:read'] };

@Injectable()
class CallerTools {
  @Tool({ description: 'Tells who calls, and who says so' })
  whoami(_arguments: object, { auth }: McpContext): string {
    return `${auth.claims?.sub} of ${auth.claims?.iss ?? 'nobody'}`;
  }

  @Tool({ description: 'Closes a ticket' })
  @RequireScope('desk:write', 'desk:close')
  close(): string {
    return 'closed';
  }
}

describe.each(ADAPTERS)('Several ways to validate tokens on %s', (adapter) => {
  const log = new RecordedLog();
  /** The tokens that the application's own validator was asked about. */
  const asked: string[] = [];
  let north: TestIssuer;
  let south: TestIssuer;
  let desk: RunningApp;

  beforeAll(async () => {
    [north, south] = [
      await TestIssuer.start(),
      await TestIssuer.start({ algorithm: 'RS256', path: '/south' }),
    ];
    const validator = {
      validate: (token: string) => {
        asked.push(token);
        if (token === 'custom-revoked') throw new InvalidTokenError('it was revoked');
        return token.startsWith('custom-') ? { sub: token.slice('custom-'.length) } : undefined;
      },
    };
    const jwks = { cooldownMs: 1 };
    desk = await bootDesk(adapter, {
      auth: {
        resourceUri: RESOURCE,
        authorizationServers: [north.url, south.url],
        bearer: FIXED,
        jwt: [
          { issuer: north.url, jwks },
          { issuer: south.url, audience: 'urn:desk:south', jwks },
        ],
        validator,
      },
      providers: [CallerTools],
      nest: { logger: log },
    });
  });

  beforeEach(() => {
    log.clear();
    asked.length = 0;
  });

  afterAll(async () => {
    await desk.close();
    await Promise.all([north.stop(), south.stop()]);
  });

  const call = (token: string, name = 'whoami'): Promise<Answer> =>
    perRequest(desk.url, { headers: authorize(token) }).request('tools/call', { name });

  async function callerOf(token: string): Promise<string> {
    const { status, result } = await call(token);
    return result === undefined ? String(status) : textOf(result);
  }

  it('take the tokens of each (AUTH-18, AUTH-03, AUTH-04, AUTH-13)', async () => {
    expect(await callerOf(FIXED.token)).toBe('service of nobody');
    expect(await callerOf(await north.token({ sub: 'ada' }))).toBe(`ada of ${north.url}`);
    expect(await callerOf(await south.token({ sub: 'bob', aud: 'urn:desk:south' }))).toBe(
      `bob of ${south.url}`,
    );
    expect(await callerOf('custom-eve')).toBe('eve of nobody');
  });

  it('stop with the first that recognizes a token (AUTH-18)', async () => {
    await callerOf(FIXED.token);
    await callerOf(await north.token());
    expect(asked).toEqual([]);
    await callerOf('custom-eve');
    expect(asked).toEqual(['custom-eve']);
  });

  it('do not ask on where the one that recognizes a token refuses it (AUTH-18)', async () => {
    const forged = await IssuerKey.create('ES256', north.keys[0]?.kid);
    const bad = [
      await north.token({ exp: 1_700_000_000 }),
      await north.token({ aud: 'urn:desk:south' }),
      await south.token({ aud: RESOURCE }),
      await north.token({}, { key: forged }),
    ];
    for (const token of bad) expect(await callerOf(token)).toBe('401');
    expect(asked).toEqual([]);
    expect(await callerOf('custom-revoked')).toBe('401');
  });

  it('keep the keys of issuers apart (AUTH-18, AUTH-06)', async () => {
    const [key] = south.keys;
    const borrowed = await north.token({}, { key: key! });
    expect(await callerOf(borrowed)).toBe('401');
    expect(await callerOf(await south.token({ iss: north.url, aud: RESOURCE }))).toBe('401');
    expect(await callerOf(await north.token({ iss: south.url, aud: 'urn:desk:south' }))).toBe('401');
  });

  it('refuse what none recognizes, and say why of each (AUTH-18, AUTH-19)', async () => {
    expect(await callerOf(await north.token({ iss: 'https://other.example.com' }))).toBe('401');
    const [line = ''] = log.find('debug', 'A token was refused: ');
    for (const reason of [
      'it does not match any fixed token',
      `"iss" is "https://other.example.com", expected "${north.url}"`,
      `"iss" is "https://other.example.com", expected "${south.url}"`,
      "the application's validator does not recognize it",
    ]) {
      expect(line).toContain(reason);
    }
  });

  it.each<[string, () => Promise<string>, RegExp]>([
    [
      'the issuer',
      () => north.token({ iss: 'https://x.example' }),
      /"iss" is "https:\/\/x\.example", expected/,
    ],
    ['the audience', () => north.token({ aud: 'urn:other' }), /"aud" is "urn:other", expected "https:/],
    ['the end', () => north.token({ exp: 1_700_000_000 }), /"exp" is 1700000000, which was \d+ seconds ago/],
    [
      'the beginning',
      () => north.token({ nbf: 4_000_000_000 }),
      /"nbf" is 4000000000, which is in \d+ seconds/,
    ],
    ['the key', () => north.token({}, { header: { kid: 'k9' } }), /"kid" is "k9", expected/],
    ['the algorithm', async () => `${part({ alg: 'none' })}.${part({ iss: north.url })}.`, /"alg" is "none"/],
    ['the type', () => north.token({}, { header: { typ: 'JWT' } }), /"typ" is "JWT", expected/],
    ['what a validator says', async () => 'custom-revoked', /it was revoked/],
  ])('tell the log what differs, not the caller: %s (AUTH-19)', async (_, make, expected) => {
    const token = await make();
    const { status, headers, response } = await call(token);
    expect([status, response]).toEqual([
      401,
      { jsonrpc: '2.0', error: { code: -32600, message: 'Unauthorized' } },
    ]);
    expect(headers['www-authenticate']).toMatch(
      /^Bearer resource_metadata="[^"]+", scope="[^"]+", error="invalid_token"$/,
    );
    const lines = log.find('debug', 'A token was refused: ');
    expect(lines).toEqual([expect.stringMatching(expected)]);
  });

  it('tell the log which scopes a token has and needs (AUTH-19)', async () => {
    expect(await call(FIXED.token, 'close')).toMatchObject({ status: 403 });
    expect(log.find('debug')).toEqual([
      expect.stringContaining(
        'its token has the scopes "desk:read", expected the scopes "desk:write desk:close"',
      ),
    ]);
  });
});

function part(content: object): string {
  return Buffer.from(JSON.stringify(content)).toString('base64url');
}
