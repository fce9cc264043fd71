import { describe, expect, it } from '@jest/globals';
import { findPrototype } from '../../../../lib/core/classes/find-prototype.js';

class Clock {}

describe('findPrototype()', () => {
  it('finds the prototype of a class that has no instance yet', () => {
    const provided = { isNotMetatype: false, metatype: Clock, instance: undefined };
    expect(findPrototype(provided)).toBe(Clock.prototype);
  });

  it('finds the prototype of what a value or a factory provides', () => {
    const provided = { isNotMetatype: true, metatype: () => undefined, instance: new Clock() };
    expect(findPrototype(provided)).toBe(Clock.prototype);
  });

  it.each([{}, Object.create(null), null, undefined, 'text'])(
    'finds none of %j, which has no class',
    (instance) => {
      expect(findPrototype({ isNotMetatype: true, metatype: null, instance })).toBeUndefined();
    },
  );

  it('finds none if there is no class', () => {
    expect(findPrototype({ isNotMetatype: false, metatype: null, instance: undefined })).toBeUndefined();
  });
});
