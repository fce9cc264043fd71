import { describe, expect, it } from '@jest/globals';
import { buildStoredTokens, isFresh } from '../../../../../lib/client/authorization/login/stored-tokens.js';

const ANSWER = {
  accessToken: 'access',
  tokenType: 'bearer',
  refreshToken: 'refresh',
  issuedTokenType: undefined,
  expiresInSeconds: 600,
  scopes: undefined,
};
const GIVEN = { answer: ANSWER, askedAtMs: 1_000, requestedScopes: ['a', 'b'] };

describe('What is kept of tokens (RFC 6749 §5.1)', () => {
  it('counts their time from when they were asked for (CLI-14)', () => {
    expect(buildStoredTokens(GIVEN)).toEqual({
      accessToken: 'access',
      tokenType: 'bearer',
      refreshToken: 'refresh',
      askedAtMs: 1_000,
      expiresAtMs: 601_000,
      grantedScopes: ['a', 'b'],
      requestedScopes: ['a', 'b'],
    });
  });

  it('has no end where none was said (CLI-14)', () => {
    const answer = { ...ANSWER, expiresInSeconds: undefined, refreshToken: undefined };
    const tokens = buildStoredTokens({ ...GIVEN, answer });
    expect(Object.keys(tokens)).not.toContain('expiresAtMs');
    expect(Object.keys(tokens)).not.toContain('askedAtMs');
    expect(isFresh(tokens)).toBe(true);
  });

  it('has no end where that is beyond all numbers, which no file could hold (CLI-14)', () => {
    const tokens = buildStoredTokens({ ...GIVEN, answer: { ...ANSWER, expiresInSeconds: 1e308 } });
    expect(JSON.parse(JSON.stringify(tokens))).toEqual(tokens);
  });

  it('has the scopes that were granted, and those that were asked for (CLI-11)', () => {
    const answer = { ...ANSWER, scopes: ['a'] };
    expect(buildStoredTokens({ ...GIVEN, answer })).toMatchObject({
      grantedScopes: ['a'],
      requestedScopes: ['a', 'b'],
    });
  });

  it('has the refresh token before, and its scopes, where there is no other (CLI-14)', () => {
    const before = buildStoredTokens({ ...GIVEN, answer: { ...ANSWER, scopes: ['a'] } });
    const answer = { ...ANSWER, accessToken: 'next', refreshToken: undefined };
    expect(buildStoredTokens({ ...GIVEN, answer, before })).toMatchObject({
      accessToken: 'next',
      refreshToken: 'refresh',
      grantedScopes: ['a'],
    });
  });

  it('is not used for the last half minute of its time (CLI-14)', () => {
    const tokens = buildStoredTokens(GIVEN);
    expect(isFresh({ ...tokens, expiresAtMs: Date.now() + 29_000 })).toBe(false);
    expect(isFresh({ ...tokens, expiresAtMs: Date.now() + 32_000 })).toBe(true);
  });

  it('is used for half of its time where that is short (CLI-14)', () => {
    const answer = { ...ANSWER, expiresInSeconds: 10 };
    const givenAgo = (ms: number) => buildStoredTokens({ ...GIVEN, answer, askedAtMs: Date.now() - ms });
    expect(isFresh(givenAgo(3_000))).toBe(true);
    expect(isFresh(givenAgo(5_001))).toBe(false);
  });

  it('of which it is not known when it began is taken for one that lasts long (CLI-14)', () => {
    const { askedAtMs: _askedAtMs, ...tokens } = buildStoredTokens(GIVEN);
    expect(isFresh({ ...tokens, expiresAtMs: Date.now() + 29_000 })).toBe(false);
    expect(isFresh({ ...tokens, expiresAtMs: Date.now() + 32_000 })).toBe(true);
  });

  it('is not used once it was ended, whenever it began (CLI-14)', () => {
    const tokens = buildStoredTokens({ ...GIVEN, askedAtMs: 4 * Date.now() });
    expect(isFresh({ ...tokens, expiresAtMs: 0 })).toBe(false);
  });
});
