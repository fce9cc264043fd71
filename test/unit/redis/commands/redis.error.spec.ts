import { describe, expect, it } from '@jest/globals';
import { createTimeoutError } from '../../../../lib/redis/commands/redis.error.js';

describe('createSilenceError()', () => {
  it('says how long Redis had (SAFE-04)', () => {
    expect(createTimeoutError(500)).toMatchObject({
      code: 'time',
      message: 'Redis did not respond within 500 ms',
    });
  });
});
