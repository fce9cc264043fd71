import { describe, expect, it } from '@jest/globals';
import { DEPLOYMENT_CHECKS } from '../../../../lib/server/production/deployment-checks.js';
import type { Deployment } from '../../../../lib/server/production/deployment.js';

const MEBIBYTE = 1_048_576;

describe('The check of memory', () => {
  const run = (heapLimitBytes: number) => {
    const check = DEPLOYMENT_CHECKS.find(({ id }) => id === 'memory');
    return check?.run({ heapLimitBytes, memoryLimitBytes: undefined } as Deployment, []);
  };

  it('warns of a heap that leaves little beside the application (KIT-03)', () => {
    expect(run(112 * MEBIBYTE)).toMatchObject({
      status: 'warning',
      found: expect.stringContaining('112 MiB'),
      fix: expect.stringContaining('--max-old-space-size=192'),
    });
  });

  it('is content with that of a small container (KIT-03)', () => {
    expect(run(240 * MEBIBYTE)).toMatchObject({ status: 'ok' });
  });
});
