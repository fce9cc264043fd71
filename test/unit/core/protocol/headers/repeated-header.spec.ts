import { describe, expect, it } from '@jest/globals';
import { isRepeated } from '../../../../../lib/core/protocol/headers/http-headers.js';

describe('isRepeated (RFC 9112 §3.2)', () => {
  it.each<[boolean, readonly string[]]>([
    [false, []],
    [false, ['Host', 'a']],
    [false, ['Host', 'a', 'Date', 'b']],
    [false, ['Date', 'Host', 'From', 'host']],
    [true, ['Host', 'a', 'host', 'a']],
    [true, ['HOST', 'a', 'Accept', 'b', 'hOsT', 'c']],
  ])('is %s of %j', (expected, rawHeaders) => {
    expect(isRepeated(rawHeaders, 'host')).toBe(expected);
  });
});
