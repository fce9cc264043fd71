import { describe, expect, it } from '@jest/globals';
import { isIsoText } from '../../../../lib/server/schema/date-reader.js';

describe('isIsoText', () => {
  it.each([
    '2026-01-31T09:30:00Z',
    '2026-01-31T09:30:00.123456Z',
    '2026-01-31T09:30:00+05:30',
    '2026-01-31T09:30Z',
    '2026-01-31',
    '2024-02-29',
  ])('takes %s (CAT-04)', (text) => {
    expect(isIsoText(text)).toBe(true);
  });

  it.each([
    '',
    'yesterday',
    '1',
    '2026-1-31',
    '2026-02-30',
    '2025-02-29T00:00:00Z',
    '2026-13-01',
    '2026-01-31T25:00:00Z',
    '2026-01-31T09:30:00Z ',
    '31 Jan 2026',
    '+002026-01-31T00:00:00Z',
  ])('takes no %j (CAT-04)', (text) => {
    expect(isIsoText(text)).toBe(false);
  });
});
