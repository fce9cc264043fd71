import { describe, expect, it } from '@jest/globals';
import { StaticBearerValidator } from '../../../../../lib/server/auth/validators/static-bearer.validator.js';

const FIRST = 'first-token-of-the-desk';
const SECOND = 'second-token-of-the-desk';

const validator = new StaticBearerValidator([
  { token: FIRST, subject: 'service-a', scopes: ['desk:read', 'desk:write'] },
  { token: SECOND },
]);

const UNKNOWN = { unrecognized: 'it does not match any fixed token' };

describe('StaticBearerValidator', () => {
  it('knows its tokens, and whom they stand for (AUTH-03)', () => {
    expect(validator.validate(FIRST)).toEqual({
      isCached: false,
      authentication: {
        method: 'bearer',
        claims: { sub: 'service-a', aud: [], scopes: ['desk:read', 'desk:write'], extra: {} },
        scopes: new Set(['desk:read', 'desk:write']),
        identity: expect.stringMatching(/^[\w-]{43}$/),
      },
    });
    expect(validator.validate(SECOND)).toMatchObject({
      authentication: { claims: { aud: [], scopes: [], extra: {} } },
    });
  });

  it('tells at once, and the same each time (AUTH-03)', () => {
    const outcomes = [validator.validate(FIRST), validator.validate(FIRST)];
    const [first, second] = outcomes.map((outcome) => 'authentication' in outcome && outcome.authentication);
    expect(first).toBe(second);
  });

  it.each([
    '',
    FIRST.slice(0, -1),
    FIRST.slice(1),
    `${FIRST}x`,
    ` ${FIRST}`,
    `${FIRST}=`,
    FIRST.toUpperCase(),
    FIRST + SECOND,
    'x'.repeat(FIRST.length),
    'x'.repeat(100_000),
  ])('knows no other: %# (AUTH-03)', (token) => {
    expect(validator.validate(token)).toEqual(UNKNOWN);
  });

  it('tells callers apart by whom a token stands for, else by the token (AUTH-03) (AUTH-10)', () => {
    const several = new StaticBearerValidator([
      { token: FIRST, subject: 'service-a' },
      { token: SECOND, subject: 'service-a' },
      { token: 'third-token-of-the-desk', subject: 'service-b' },
      { token: 'fourth-token-of-the-desk' },
      { token: 'fifth-token-of-the-desk' },
    ]);
    const identities = [
      FIRST,
      SECOND,
      'third-token-of-the-desk',
      'fourth-token-of-the-desk',
      'fifth-token-of-the-desk',
    ]
      .map((token) => several.validate(token))
      .map((outcome) => 'authentication' in outcome && outcome.authentication.identity);
    expect(identities[0]).toBe(identities[1]);
    expect(new Set(identities).size).toBe(4);
  });

  it('keeps no token where it could be read (AUTH-15)', () => {
    const outcome = JSON.stringify(validator.validate(SECOND));
    expect(outcome).not.toContain(SECOND);
    expect(outcome).not.toContain(Buffer.from(SECOND).toString('base64'));
  });

  it('takes as long for a token that is nearly right as for one that is not at all (AUTH-03)', () => {
    const long = 'a'.repeat(16_000);
    const knowing = new StaticBearerValidator([{ token: long }]);
    const [near, far] = [`${long.slice(0, -1)}b`, `b${long.slice(1)}`];
    expect(spread([near, far], (token) => knowing.validate(token))).toBeLessThan(2);
  });

  it('takes as long for its first token as for its last one, and for none (AUTH-03)', () => {
    const tokens = Array.from({ length: 200 }, (_, index) => ({ token: `token-number-${index}` }));
    const knowing = new StaticBearerValidator(tokens);
    const asked = ['token-number-0', 'token-number-199', 'token-number-x'];
    expect(spread(asked, (token) => knowing.validate(token))).toBeLessThan(2);
  });
});

/** Rounds, at most: a machine that is busy all the time needs many. */
const ROUNDS = 1000;

/**
 * Tells how many times longer the slowest token takes than the fastest. What disturbs a measurement only adds to it, so that it is
 * measured until it shows no difference.
 */
function spread(tokens: readonly string[], validate: (token: string) => unknown): number {
  const least = tokens.map(() => Infinity);
  for (let round = 0; round < ROUNDS && !(Math.max(...least) / Math.min(...least) < 2); round += 1) {
    tokens.forEach((token, index) => {
      const begun = performance.now();
      for (let count = 0; count < 50; count += 1) validate(token);
      least[index] = Math.min(least[index] ?? Infinity, performance.now() - begun);
    });
  }
  return Math.max(...least) / Math.min(...least);
}
