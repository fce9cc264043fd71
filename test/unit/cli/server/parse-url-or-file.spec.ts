import { describe, expect, it } from '@jest/globals';
import { parseUrlOrFile } from '../../../../cli/server/parse-url-or-file.js';
import { UsageError } from '../../../../cli/usage.error.js';

const ALLOWED_OPTIONS = { ofUrls: ['timeout', 'json'], ofFiles: ['server', 'json'] };

describe('parseUrlOrFile()', () => {
  it.each([
    ['https://desk.example.com/mcp', { timeout: '10', json: true }],
    ['dist/app.module.js#AppModule', { server: 'staff', json: true }],
  ])('takes "%s" with what belongs to it', (target, values) => {
    expect(parseUrlOrFile([target], values, ALLOWED_OPTIONS)).toBe(target);
  });

  it.each([
    [[], {}, 'Expected one argument'],
    [['a.js', 'b.js'], {}, 'Expected one argument'],
    [['https://desk.example.com/mcp'], { server: 'staff' }, '"--server" applies only to the app in a file'],
    [['dist/app.module.js'], { timeout: '10' }, '"--timeout" applies only to the URL of a running server'],
    [['localhost:3000/mcp'], {}, 'The URL must start with "https://" or "http://"'],
    [['127.0.0.1:3000'], {}, 'The URL must start with "https://" or "http://"'],
    [['[::1]:3000/mcp'], {}, 'The URL must start with "https://" or "http://"'],
  ])('refuses %j with %j', (given, values, message) => {
    expect(() => parseUrlOrFile(given, values, ALLOWED_OPTIONS)).toThrow(UsageError);
    expect(() => parseUrlOrFile(given, values, ALLOWED_OPTIONS)).toThrow(message);
  });
});
