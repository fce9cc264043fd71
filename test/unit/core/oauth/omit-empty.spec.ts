import { describe, expect, it } from '@jest/globals';
import { omitEmpty } from '../../../../lib/core/oauth/omit-empty.js';

describe('omitEmpty', () => {
  it('leaves out what is null or an empty text, and nothing else (PEER-02)', () => {
    const kept = { no: false, zero: 0, none: [], nothing: {}, space: ' ', list: [null, ''] };
    expect(omitEmpty({ ...kept, gone: null, away: '', absent: undefined })).toEqual(kept);
    expect(Object.keys(omitEmpty({ absent: undefined, gone: null }))).toEqual([]);
  });

  it('gives what has nothing to leave out as it is (PEER-02)', () => {
    const object = { a: 1 };
    expect(omitEmpty(object)).toBe(object);
  });

  it('gives no object another nature (SAFE-01)', () => {
    const omitted = omitEmpty(
      JSON.parse('{"__proto__":{"polluted":true},"a":null}') as object as { a: null },
    );
    expect(Object.getPrototypeOf(omitted)).toBe(Object.prototype);
    expect((omitted as { polluted?: unknown }).polluted).toBeUndefined();
  });
});
