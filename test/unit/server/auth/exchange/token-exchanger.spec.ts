import { text } from 'node:stream/consumers';
import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { TokenExchanger } from '../../../../../lib/server/auth/exchange/token-exchanger.js';
import { buildAuthentication } from '../../../../../lib/server/auth/validators/build-authentication.js';
import type { Authentication, AuthMethod } from '../../../../../lib/server/context/authentication.js';
import { type Exchange, findExchange } from '../../../../../lib/server/context/token-exchange.js';
import { ToolError } from '../../../../../lib/server/context/tool-errors.js';
import { completeClaims, type GivenClaims } from '../../../../../lib/core/oauth/access-token.js';
import type { TokenExchangeOptions } from '../../../../../lib/server/settings/auth/exchange-options.js';
import { RecordedLog } from '../../../../support/records/recorded-log.js';
import { passTime, stopClocks } from '../../../support/clocks.js';
import { TestServer } from '../../../support/http-server.js';
import { buildSettings } from '../../../support/settings.js';

const ADA = 'the-token-of-ada';
const ISSUER = 'https://login.example.com';
const REFUSAL = 'The call cannot be made on your behalf at the moment';

let server: TestServer;
let tokenEndpoint: string;
let log: RecordedLog;
/** The tokens that were sent to be exchanged. */
let subjects: (string | null)[];
let status: number;
let answer: object;

beforeEach(async () => {
  stopClocks();
  log = new RecordedLog();
  Logger.overrideLogger(log);
  server = await TestServer.start();
  tokenEndpoint = `${new URL(server.url).origin}/token`;
  subjects = [];
  status = 200;
  answer = { access_token: 'for-billing', token_type: 'Bearer', expires_in: 3600 };
  server.handle((request, response) => {
    void text(request).then((form) => {
      subjects.push(new URLSearchParams(form).get('subject_token'));
      return response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
  });
});

afterEach(async () => {
  jest.useRealTimers();
  Logger.overrideLogger(false);
  await server.stop();
});

function createExchanger(options: Partial<TokenExchangeOptions> = {}): TokenExchanger {
  const exchange = { clientId: 'desk', clientSecret: 'hush', tokenEndpoint, ...options };
  return new TokenExchanger(buildSettings({ auth: { authorizationServers: [ISSUER], jwt: {}, exchange } }));
}

/** Builds what is known of somebody whose token was validated so. */
function buildCaller(claims: GivenClaims = {}, method: AuthMethod = 'jwt'): Authentication {
  return buildAuthentication({ method, claims: completeClaims(claims), token: ADA });
}

/** Gives what exchanges a caller's token. */
function allow(exchanger: TokenExchanger, token = ADA, caller: Authentication = buildCaller()): Exchange {
  exchanger.allow(caller, token);
  const exchange = findExchange(caller);
  if (exchange === undefined) throw new Error('There is none');
  return exchange;
}

/** Has an exchange refused by a name, and gives what the log says then. */
async function explainRefusal(error: object | string): Promise<string | undefined> {
  log.clear();
  answer = typeof error === 'string' ? { error } : error;
  await expect(allow(createExchanger())({})).rejects.toThrow(REFUSAL);
  expect(log.lines).toHaveLength(1);
  return log.find('warn')[0];
}

describe('TokenExchanger', () => {
  it('gives a token for that of the caller, and keeps it (OBO-01)', async () => {
    const exchange = allow(createExchanger());
    expect(await exchange({})).toBe('for-billing');
    expect(await exchange({ scopes: [] })).toBe('for-billing');
    expect(subjects).toEqual([ADA]);
    expect(log.lines).toEqual([]);
  });

  it('keeps as many as it is told (OBO-01)', async () => {
    const exchange = allow(createExchanger({ cacheSize: 1 }));
    await exchange({ audience: 'a' });
    await exchange({ audience: 'b' });
    await exchange({ audience: 'a' });
    expect(subjects).toHaveLength(3);
    const roomy = allow(createExchanger({ cacheSize: 2 }));
    await roomy({ audience: 'a' });
    await roomy({ audience: 'b' });
    await roomy({ audience: 'a' });
    expect(subjects).toHaveLength(5);
  });

  it('forgets what it got (OBO-01)', async () => {
    const exchanger = createExchanger();
    const exchange = allow(exchanger);
    await exchange({});
    exchanger.clear();
    await exchange({});
    expect(subjects).toEqual([ADA, ADA]);
  });

  it("keeps nothing longer than the caller's token lasts (OBO-01)", async () => {
    const expiresAt = Date.now() / 1000 + 60;
    const exchange = allow(createExchanger(), ADA, buildCaller({ expiresAt }));
    await exchange({});
    passTime(59_000);
    await exchange({});
    expect(subjects).toHaveLength(1);
    passTime(2000);
    await exchange({});
    expect(subjects).toHaveLength(2);
  });

  it('lets nobody exchange where the server does not (OBO-01)', () => {
    for (const settings of [buildSettings(), buildSettings({ auth: { bearer: ADA } })]) {
      const caller = buildCaller();
      const exchanger = new TokenExchanger(settings);
      exchanger.allow(caller, ADA);
      expect(findExchange(caller)).toBeUndefined();
      expect(() => exchanger.clear()).not.toThrow();
    }
  });

  it.each(['jwt', 'introspection'] as const)('exchanges what is known by "%s" (OBO-01)', async (method) => {
    const caller = buildCaller({ iss: 'https://other.example.com' }, method);
    expect(await allow(createExchanger(), ADA, caller)({})).toBe('for-billing');
  });

  it.each([
    ['bearer', 'auth.bearer'],
    ['custom', 'auth.validator'],
  ] as const)(
    'sends no authorization server what only this server knows: "%s" (OBO-01) (AUTH-15)',
    async (method, option) => {
      const exchange = allow(createExchanger(), ADA, buildCaller({ iss: ISSUER }, method));
      const refusal: unknown = await exchange({}).catch((error: unknown) => error);
      expect(refusal).toEqual(new ToolError(REFUSAL));
      expect(subjects).toEqual([]);
      expect(log.find('warn')).toEqual([
        `A token could not be exchanged: the caller's token is validated by "${option}", expected "auth.jwt" or "auth.introspection": require callers of this tool to use a token from the authorization server [caller=- issuer="${ISSUER}" session=- address=- method=- target=-] McpAuth`,
      ]);
    },
  );

  describe('where the endpoint has to be found', () => {
    let origin: string;
    let found: TokenExchanger;

    beforeEach(() => {
      ({ origin } = new URL(tokenEndpoint));
      answer = { ...answer, issuer: origin, token_endpoint: tokenEndpoint };
      const exchange = { clientId: 'desk', clientSecret: 'hush' };
      const auth = { authorizationServers: [origin, ISSUER], jwt: {}, exchange };
      found = new TokenExchanger(buildSettings({ auth }));
    });

    it('exchanges what its authorization server issued, or nobody else says to have (OBO-01)', async () => {
      expect(await allow(found, ADA, buildCaller({ iss: origin }))({})).toBe('for-billing');
      expect(await allow(found, 'another', buildCaller({}, 'introspection'))({})).toBe('for-billing');
      expect(subjects).toEqual([null, ADA, 'another']);
    });

    it('sends it no token of another, and logs what to do once for each (OBO-01)', async () => {
      const exchange = allow(found, ADA, buildCaller({ iss: ISSUER }));
      await expect(exchange({})).rejects.toThrow(REFUSAL);
      await expect(exchange({})).rejects.toThrow(REFUSAL);
      await expect(allow(found, ADA, buildCaller({ iss: `${ISSUER}/` }))({})).rejects.toThrow(REFUSAL);
      expect(subjects).toEqual([]);
      expect(log.find('warn')).toEqual([
        `A token could not be exchanged: the caller's token has "${ISSUER}" as its "iss", but the endpoint belongs to "${origin}": set "auth.exchange.tokenEndpoint" if tokens from both issuers may be sent there [caller=- issuer="${ISSUER}" session=- address=- method=- target=-] McpAuth`,
        expect.stringContaining(`the caller's token has "${ISSUER}/" as its "iss"`),
      ]);
    });
  });

  it('refuses what is no scope, before anything is sent (OBO-01)', async () => {
    const exchange = allow(createExchanger());
    for (const scope of ['a b', '', 'a"b']) {
      await expect(exchange({ scopes: ['ok', scope] })).rejects.toThrow(
        new TypeError(
          `The property "scopes" contains ${JSON.stringify(scope)}: each item must be a scope, without spaces`,
        ),
      );
    }
    expect(subjects).toEqual([]);
    expect(log.lines).toEqual([]);
  });

  it('tells the caller nothing of what is wrong (OBO-01)', async () => {
    status = 400;
    answer = { error: 'invalid_target', error_description: 'billing is closed' };
    const refused: unknown = await allow(createExchanger())({}).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ToolError);
    expect(refused).toMatchObject({ message: REFUSAL });
    expect((refused as Error).cause).toBeUndefined();
  });

  it.each([
    [
      'invalid_client',
      'check "auth.exchange.clientId" and its secret or key; for a key, set "auth.exchange.assertionAudience" to the value that the server expects',
    ],
    [
      'unauthorized_client',
      'allow the "auth.exchange" client to use the token exchange grant (RFC 8693), or the grant of its "profile"',
    ],
    [
      'unsupported_grant_type',
      'use an authorization server in "auth.exchange" that supports the token exchange grant (RFC 8693), or set "profile" to "on-behalf-of" for Entra ID',
    ],
    [
      'invalid_target',
      'register the audience or the resource with the authorization server, or request a different one',
    ],
    ['invalid_scope', 'request scopes that the service defines'],
    [
      'invalid_grant',
      'the caller\'s token has expired or was revoked, or was not issued for the "auth.exchange" client',
    ],
  ])('logs what is to be done about "%s" (OBO-01)', async (name, fix) => {
    status = 400;
    expect(await explainRefusal(name)).toBe(
      `A token could not be exchanged: the authorization server responded with status 400 and "${name}": ${fix} [caller=- session=- address=- method=- target=-] McpAuth`,
    );
  });

  it('logs what the authorization server says, and no token (OBO-01) (AUTH-15)', async () => {
    status = 403;
    const said = { error: 'constructor', error_description: `${ADA} is "no"\n good` };
    expect(await explainRefusal(said)).toBe(
      String.raw`A token could not be exchanged: the authorization server responded with status 403 and "constructor" ("[secret] is \"no\"\n good") [caller=- session=- address=- method=- target=-] McpAuth`,
    );
    const known = { error: 'invalid_scope', error_description: 'none' };
    expect(await explainRefusal(known)).toBe(
      'A token could not be exchanged: the authorization server responded with status 403 and "invalid_scope" ("none"): request scopes that the service defines [caller=- session=- address=- method=- target=-] McpAuth',
    );
  });

  it('logs why nobody answers (OBO-01)', async () => {
    await server.stop();
    expect(await explainRefusal({})).toBe(
      `A token could not be exchanged: "${tokenEndpoint}" cannot be reached: ECONNREFUSED [caller=- session=- address=- method=- target=-] McpAuth`,
    );
  });

  it('logs each fault once in ten seconds, and tells faults apart (OBO-01)', async () => {
    status = 400;
    const exchange = allow(createExchanger());
    const fail = async (error: string) => {
      answer = { error };
      await expect(exchange({})).rejects.toThrow(REFUSAL);
    };
    await fail('invalid_scope');
    await fail('invalid_scope');
    expect(log.find('warn')).toHaveLength(1);
    await fail('invalid_target');
    expect(log.find('warn')).toHaveLength(2);
    passTime(9999);
    await fail('invalid_scope');
    expect(log.find('warn')).toHaveLength(2);
    passTime(1);
    await fail('invalid_scope');
    expect(log.find('warn')).toHaveLength(3);
    // What is no warning is there for whoever looks for it.
    expect(log.find('debug')).toHaveLength(2);
  });
});
