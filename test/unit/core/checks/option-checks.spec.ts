import { describe, expect, it } from '@jest/globals';
import {
  either,
  flag,
  nonEmptyList,
  nonEmptyString,
  oneOrMore,
  positive,
} from '../../../../lib/core/checks/option-checks.js';

describe('oneOrSeveral', () => {
  const check = oneOrMore(nonEmptyString);

  it.each([['a'], [['a']], [['a', 'b']]])('passes %j (MOD-11)', (value) => {
    expect(() => check('issuer', value)).not.toThrow();
  });

  it.each([
    ['', '"issuer" must be a non-empty string'],
    [{}, '"issuer" must be a non-empty string'],
    [[], '"issuer" must not be empty: omit it instead'],
    [['a', ''], '"issuer[1]" must be a non-empty string'],
    [[['a']], '"issuer[0]" must be a non-empty string'],
  ])('refuses %j and names the member (MOD-11)', (value, message) => {
    expect(() => check('issuer', value)).toThrow(message);
  });
});

describe('several', () => {
  const check = nonEmptyList(positive);

  it('passes what has members that are right (MOD-11)', () => {
    expect(() => check('sizes', [1, 2])).not.toThrow();
  });

  it.each([
    [1, '"sizes" must be an array'],
    [null, '"sizes" must be an array'],
    [[], '"sizes" must not be empty: omit it instead'],
    [[1, 0], '"sizes[1]" must be a whole number greater than 0'],
  ])('refuses %j (MOD-11)', (value, message) => {
    expect(() => check('sizes', value)).toThrow(message);
  });
});

describe('either', () => {
  it('checks a value of the primitive type by the one, any other by the other (MOD-11)', () => {
    const check = either('string', nonEmptyString, positive);
    for (const value of ['a', 1]) expect(() => check('size', value)).not.toThrow();
    expect(() => check('size', '')).toThrow('"size" must be a non-empty string');
    for (const value of [0, true, null, {}]) {
      expect(() => check('size', value)).toThrow('"size" must be a whole number greater than 0');
    }
  });

  it('knows booleans too (MOD-11)', () => {
    const check = either('boolean', flag, nonEmptyString);
    for (const value of [true, false, 'a']) expect(() => check('cors', value)).not.toThrow();
    expect(() => check('cors', '')).toThrow('"cors" must be a non-empty string');
  });
});
