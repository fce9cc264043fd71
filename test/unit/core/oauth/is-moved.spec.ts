import { describe, expect, it } from '@jest/globals';
import { isMoved } from '../../../../lib/core/oauth/http-status.js';

describe('isMoved', () => {
  it.each([300, 301, 302, 307, 308, 399, 404, 405, 410])(
    'has the URL of %d looked up again (CLI-16)',
    (status) => {
      expect(isMoved(status)).toBe(true);
    },
  );

  it.each([0, 200, 299, 400, 401, 403, 406, 409, 429, 500, 503])(
    'trusts the URL of %d (CLI-16)',
    (status) => {
      expect(isMoved(status)).toBe(false);
    },
  );
});
