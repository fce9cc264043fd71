import { describe, expect, it } from '@jest/globals';
import { formatLoginFailureHint } from '../../../../cli/server/token-source.js';

describe('formatLoginFailureHint()', () => {
  it('says what to do if the page of the login shows an error (CLI-20)', () => {
    expect(formatLoginFailureHint(new URL('https://shop.example.com/mcp'))).toBe(
      'If the page shows an error such as "invalid_client", press Ctrl-C, run the following command, and log in again:\n  npx nestjs-mcp-cli logout https://shop.example.com/mcp',
    );
  });
});
