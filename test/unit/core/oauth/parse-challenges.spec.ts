import { describe, expect, it } from '@jest/globals';
import { formatChallenge } from '../../../../lib/core/oauth/challenges.js';
import { ChallengeSyntaxError, parseChallenges } from '../../../../lib/core/oauth/read-challenges.js';

function read(header: string) {
  return parseChallenges(header).map(({ scheme, parameters }) => [scheme, Object.fromEntries(parameters)]);
}

describe('parseChallenges (RFC 9110 §11.6.1)', () => {
  it.each([
    ['', []],
    ['Bearer', [['bearer', {}]]],
    ['bearer realm="desk"', [['bearer', { realm: 'desk' }]]],
    ['Bearer error=invalid_token , Scope = "a b"', [['bearer', { error: 'invalid_token', scope: 'a b' }]]],
    [String.raw`Bearer realm="say \"a, b\" \\ c"`, [['bearer', { realm: String.raw`say "a, b" \ c` }]]],
    [
      'Basic realm="a", Bearer scope="b", error="c"',
      [
        ['basic', { realm: 'a' }],
        ['bearer', { scope: 'b', error: 'c' }],
      ],
    ],
    [
      'Negotiate YWJj==, Bearer',
      [
        ['negotiate', {}],
        ['bearer', {}],
      ],
    ],
    ['Negotiate \t YWJj==', [['negotiate', {}]]],
    ['Bearer error=""', [['bearer', { error: '' }]]],
    [', ,Bearer realm="a",,error="b",', [['bearer', { realm: 'a', error: 'b' }]]],
  ])('reads %j (KIT-03)', (header, expected) => {
    expect(read(header)).toEqual(expected);
  });

  it('reads what the server writes (KIT-03)', () => {
    const challenge = {
      resource_metadata: 'https://desk.test/x',
      error_description: 'He said "no", \\ left',
    };
    expect(read(formatChallenge('Bearer', challenge))).toEqual([['bearer', challenge]]);
  });

  it.each([
    'Bearer resource_metadata=https://desk.test/x',
    'Bearer realm="a',
    'Bearer realm="a" scope="b"',
    'Bearer realm="a", Realm="b"',
    'realm="a"',
    '"Bearer"',
  ])('refuses %j (KIT-03)', (header) => {
    expect(() => parseChallenges(header)).toThrow(ChallengeSyntaxError);
  });

  it.each([
    [
      'Bearer realm="a", "b"',
      'The header is not a list of challenges from character 18 onward: put values that are not tokens in double quotes',
    ],
    ['Bearer realm="a", Realm="b"', 'The parameter "realm" is repeated'],
  ])('says what is wrong with %j (KIT-03)', (header, message) => {
    expect(() => parseChallenges(header)).toThrow(
      expect.objectContaining({ name: 'ChallengeSyntaxError', message }),
    );
  });

  it('reads a header of 16,384 characters (KIT-03)', () => {
    expect(read(`Bearer a=${'b'.repeat(16_375)}`)).toHaveLength(1);
    expect(() => parseChallenges(`Bearer a=${'b'.repeat(16_376)}`)).toThrow('too long');
  });

  it('refuses a header beyond all measure, and takes no long over one that is hard to read (KIT-03)', () => {
    expect(() => parseChallenges(`Bearer ${'a'.repeat(20_000)}`)).toThrow('too long');
    const begin = performance.now();
    expect(() => parseChallenges(`Bearer a="${'\\"'.repeat(8_000)}`)).toThrow(ChallengeSyntaxError);
    expect(() => parseChallenges(`Bearer ${'a,'.repeat(8_000)}"`)).toThrow(ChallengeSyntaxError);
    expect(performance.now() - begin).toBeLessThan(1_000);
  });
});
