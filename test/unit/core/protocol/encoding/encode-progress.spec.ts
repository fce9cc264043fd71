import { describe, expect, it } from '@jest/globals';
import { encodeProgress, isProgressToken } from '../../../../../lib/core/protocol/encoding/encode-result.js';
import { getRevision } from '../../../support/requests.js';

const REPORT = { progressToken: 'a', progress: 1, total: 4, message: 'Reading' };

describe('encodeProgress (MCP basic/utilities/progress)', () => {
  it.each(['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'])(
    'writes all of it in %s (PROG-01)',
    (version) => {
      expect(encodeProgress(REPORT, getRevision(version))).toEqual(REPORT);
    },
  );

  it('leaves the message out in 2024-11-05, which has none (PROG-01)', () => {
    const { message: _, ...rest } = REPORT;
    expect(encodeProgress(REPORT, getRevision('2024-11-05'))).toEqual(rest);
  });

  it.each([undefined, NaN, Infinity])('leaves out a total of %s (PROG-01)', (total) => {
    const encoded = encodeProgress({ progressToken: 1, progress: 0, total }, getRevision('2025-11-25'));
    expect(Object.entries(encoded)).toEqual([
      ['progressToken', 1],
      ['progress', 0],
    ]);
  });

  it('writes a total of nothing, and a message without words (PROG-01)', () => {
    const report = { progressToken: 1, progress: 0, total: 0, message: '' };
    expect(encodeProgress(report, getRevision('2025-11-25'))).toEqual(report);
  });
});

describe('isProgressToken', () => {
  it.each(['', 'a', 0, -1, 7])('takes %j (PROG-01)', (value) => {
    expect(isProgressToken(value)).toBe(true);
  });

  it.each([1.5, NaN, Infinity, null, undefined, true, {}, ['a'], [1]])('takes no %j (PROG-01)', (value) => {
    expect(isProgressToken(value)).toBe(false);
  });
});
