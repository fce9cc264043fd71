import { describe, expect, it } from '@jest/globals';
import { AuthUnavailableError } from '../../../../lib/server/auth/errors.js';

const REASON = 'the key service does not answer';

describe('AuthUnavailableError', () => {
  it.each([
    [0, 0],
    [0.2, 1],
    [17, 17],
    [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  ])('asks for whole seconds: %s (AUTH-13)', (given, retryAfterSeconds) => {
    const error = new AuthUnavailableError(REASON, { retryAfterSeconds: given });
    expect(error).toMatchObject({ message: REASON, retryAfterSeconds });
  });

  it.each([Number.NaN, -1, Infinity, 1e30, '5' as unknown as number])(
    'refuses seconds that no header can say: %s (AUTH-13)',
    (retryAfterSeconds) => {
      expect(() => new AuthUnavailableError(REASON, { retryAfterSeconds })).toThrow(
        '"retryAfterSeconds" must be',
      );
    },
  );
});
