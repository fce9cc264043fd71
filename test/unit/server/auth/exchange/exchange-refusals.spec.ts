import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { TokenEndpointError } from '../../../../../lib/core/oauth/token-endpoint/token-endpoint.error.js';
import {
  explainRefusal,
  RefusalThrottle,
} from '../../../../../lib/server/auth/exchange/exchange-refusals.js';
import { UnexchangeableTokenError } from '../../../../../lib/server/auth/errors.js';
import { passTime, stopClocks } from '../../../support/clocks.js';

let pauses: RefusalThrottle;

const refuse = (status: number, error: string, description?: string) =>
  new TokenEndpointError(status, error, description);

/** What Keycloak refuses with, in the order in which an operator meets it. */
const KEYCLOAK: readonly [refused: TokenEndpointError, fix: string][] = [
  [refuse(403, 'access_denied', 'Client is not within the token audience'), 'audience mapper'],
  [
    refuse(400, 'invalid_request', 'Standard token exchange is not enabled for the requested client'),
    'enable "Standard token exchange"',
  ],
  [refuse(400, 'invalid_request', 'Requested audience not available: billing'), 'give the user a role'],
  [refuse(403, 'access_denied', 'Client not allowed to exchange'), 'its policy or the "aud"'],
  [refuse(400, 'invalid_request', 'Parameter not supported'), 'token exchange is enabled'],
  [refuse(400, 'invalid_client', 'Public client is not allowed to exchange token'), 'a secret or a key'],
];

beforeEach(() => {
  stopClocks();
  pauses = new RefusalThrottle();
});
afterEach(() => {
  jest.useRealTimers();
});

describe('A refused exchange', () => {
  it('is warned of once, whatever came before (OBO-01)', () => {
    for (const [refused] of KEYCLOAK) expect(pauses.shouldWarn(refused, {})).toBe(true);
    for (const [refused] of KEYCLOAK) expect(pauses.shouldWarn(refused, {})).toBe(false);
    for (const other of [refuse(502, 'invalid_response'), refuse(400, 'toString'), new Error('gone')]) {
      expect(pauses.shouldWarn(other, {})).toBe(true);
    }
    passTime(10_000);
    for (const [refused] of KEYCLOAK) expect(pauses.shouldWarn(refused, {})).toBe(true);
  });

  it.each(KEYCLOAK)('is explained with its fix: %p (OBO-01)', (refused, fix) => {
    expect(explainRefusal(refused, {})).toContain(fix);
  });

  it('is told apart by what was asked for, and names it (OBO-01)', () => {
    const refused = refuse(400, 'invalid_target');
    expect(pauses.shouldWarn(refused, { audience: 'billing' })).toBe(true);
    expect(pauses.shouldWarn(refused, { audience: ['billing', 'stock'] })).toBe(true);
    expect(pauses.shouldWarn(refused, { resource: 'https://billing.example.com' })).toBe(true);
    expect(pauses.shouldWarn(refused, { audience: 'billing', scopes: ['a'] })).toBe(false);
    expect(explainRefusal(refused, { audience: ['billing', 'st"ock'] })).toContain(
      String.raw`to a request for the audience "billing", the audience "st\"ock"`,
    );
  });

  it('is the same whatever ids, times and counts its text has (OBO-01)', () => {
    const say = (id: string, time: string) =>
      refuse(
        400,
        'invalid_grant',
        `AADSTS65001: no consent. Trace ID: ${id} Timestamp: ${time} (${id.length})`,
      );
    expect(pauses.shouldWarn(say('0b7f3c1e-0000-4000-8000-0123456789ab', '2026-11-28 10:11:12Z'), {})).toBe(
      true,
    );
    expect(pauses.shouldWarn(say('ffffffff-1111-4111-9111-ffffffffffff', '2027-01-01 00:00:00Z'), {})).toBe(
      false,
    );
    expect(pauses.shouldWarn(refuse(400, 'invalid_grant', 'AADSTS50013: no consent.'), {})).toBe(true);
  });

  it('of a caller who asks for one audience after another hides no other one (OBO-01)', () => {
    const told = Array.from({ length: 1000 }, (_, index) =>
      pauses.shouldWarn(refuse(400, 'invalid_target'), { audience: `a${index}` }),
    );
    expect(told.filter(Boolean)).toHaveLength(17);
    expect(pauses.shouldWarn(refuse(403, 'access_denied'), {})).toBe(true);
  });

  it('takes room for some hundred at most, until their time is over (OBO-01)', () => {
    const told = Array.from({ length: 1000 }, (_, index) =>
      pauses.shouldWarn(refuse(400, `made-up-${index}`), {}),
    );
    expect(told.filter(Boolean)).toHaveLength(256);
    passTime(10_000);
    expect(pauses.shouldWarn(refuse(400, 'invalid_target'), {})).toBe(true);
  });

  it('of a token that stays here is told by its text, and an outage by its own (OBO-01)', () => {
    expect(pauses.shouldWarn(new UnexchangeableTokenError('one'), { audience: 'a' })).toBe(true);
    expect(pauses.shouldWarn(new UnexchangeableTokenError('one'), { audience: 'b' })).toBe(false);
    expect(pauses.shouldWarn(new UnexchangeableTokenError('two'), {})).toBe(true);
    expect(pauses.shouldWarn(new Error('"https://a" cannot be reached'), { audience: 'a' })).toBe(true);
    expect(pauses.shouldWarn(new Error('"https://a" cannot be reached'), { audience: 'b' })).toBe(false);
    expect(pauses.shouldWarn('text', {})).toBe(true);
  });
});
