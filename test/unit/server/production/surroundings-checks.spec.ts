import { describe, expect, it } from '@jest/globals';
import { SURROUNDINGS_CHECKS } from '../../../../lib/server/production/surroundings-checks.js';
import type { Surroundings } from '../../../../lib/server/production/surroundings.js';

const MEBIBYTE = 1_048_576;

describe('The check of memory', () => {
  const judge = (heapLimitBytes: number) => {
    const check = SURROUNDINGS_CHECKS.find(({ id }) => id === 'memory');
    return check?.judge({ heapLimitBytes, memoryLimitBytes: undefined } as Surroundings, []);
  };

  it('warns of a heap that leaves little beside the application (KIT-03)', () => {
    expect(judge(112 * MEBIBYTE)).toMatchObject({
      status: 'warning',
      found: expect.stringContaining('112 MiB'),
      fix: expect.stringContaining('--max-old-space-size=192'),
    });
  });

  it('is content with that of a small container (KIT-03)', () => {
    expect(judge(240 * MEBIBYTE)).toMatchObject({ status: 'ok' });
  });
});
