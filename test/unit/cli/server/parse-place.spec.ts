import { describe, expect, it } from '@jest/globals';
import { parsePlace } from '../../../../cli/server/parse-place.js';
import { UsageError } from '../../../../cli/usage.error.js';

const PLACES = { ofUrls: ['timeout', 'json'], ofFiles: ['server', 'json'] };

describe('parsePlace()', () => {
  it.each([
    ['https://desk.example.com/mcp', { timeout: '10', json: true }],
    ['dist/app.module.js#AppModule', { server: 'staff', json: true }],
  ])('takes "%s" with what belongs to it', (target, values) => {
    expect(parsePlace([target], values, PLACES)).toBe(target);
  });

  it.each([
    [[], {}, 'Expected one argument'],
    [['a.js', 'b.js'], {}, 'Expected one argument'],
    [['https://desk.example.com/mcp'], { server: 'staff' }, '"--server" is for the application of a file'],
    [['dist/app.module.js'], { timeout: '10' }, '"--timeout" is for the URL of a running server'],
    [['localhost:3000/mcp'], {}, 'The URL must begin with "https://" or "http://"'],
    [['127.0.0.1:3000'], {}, 'The URL must begin with "https://" or "http://"'],
    [['[::1]:3000/mcp'], {}, 'The URL must begin with "https://" or "http://"'],
  ])('refuses %j with %j', (given, values, message) => {
    expect(() => parsePlace(given, values, PLACES)).toThrow(UsageError);
    expect(() => parsePlace(given, values, PLACES)).toThrow(message);
  });
});
