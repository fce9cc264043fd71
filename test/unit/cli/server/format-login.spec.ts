import { describe, expect, it } from '@jest/globals';
import { formatLogin, formatUnopened } from '../../../../lib/cli/server/format-login.js';

const SERVER = new URL('https://shop.example.com/mcp');
const PAGE = 'https://login.example.com/authorize?state=1';

describe('What the terminal says while a login waits', () => {
  it.each([
    ['in a browser', formatLogin],
    ['without one', formatUnopened],
  ])('is what to do if the page shows an error, %s (CLI-20)', (_, format) => {
    expect(format(PAGE, SERVER)).toContain(
      'If the page shows an error such as "invalid_client", press Ctrl-C, run the following, and log in again:\n  npx nestjs-mcp logout https://shop.example.com/mcp',
    );
  });

  it('is the host to log in at, without the parameters of the login (CLI-20)', () => {
    expect(formatLogin(PAGE, SERVER)).toMatch(/^Log in in your browser, at login\.example\.com\n/);
    expect(formatLogin(PAGE, SERVER)).not.toContain('state=1');
  });
});
