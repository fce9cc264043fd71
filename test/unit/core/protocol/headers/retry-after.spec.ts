import { describe, expect, it } from '@jest/globals';
import { parseRetryAfter } from '../../../../../lib/core/protocol/headers/http-headers.js';

describe('parseRetryAfter (RFC 9110 §10.2.3)', () => {
  const NOW = Date.UTC(2026, 0, 1);

  it.each([
    [undefined, undefined],
    ['120', 120_000],
    ['0', 0],
    ['Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
    ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
    ['soon', undefined],
    ['', undefined],
    ['9'.repeat(400), undefined],
  ])('gives of %j %j ms (CLI-18) (EVT-01)', (header, expected) => {
    expect(parseRetryAfter(header, NOW)).toBe(expected);
  });
});
