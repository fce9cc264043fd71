import { describe, expect, it } from '@jest/globals';
import { parseEndpoint } from '../../../../cli/server/parse-endpoint.js';
import { UsageError } from '../../../../cli/usage.error.js';

describe('parseEndpoint', () => {
  it('gives the URL without what no server sees (CLI-20)', () => {
    expect(parseEndpoint('https://desk.example.com/mcp?tenant=1#top').href).toBe(
      'https://desk.example.com/mcp?tenant=1',
    );
  });

  it.each([
    [undefined, 'Missing argument: the endpoint URL'],
    ['127.0.0.1:3000/mcp', 'must start with "https://" or "http://"'],
    ['localhost:3000/mcp', 'must start with "https://" or "http://"'],
    ['ftp://desk.example.com', 'must start with "https://" or "http://"'],
    ['http://127.0.0.1:99999/mcp', 'must have a valid host and a valid port'],
    ['HTTPS://', 'must have a valid host and a valid port'],
    ['https://ada@desk.example.com/mcp', 'must not contain a user name or a password'],
  ])('says what is wrong with %s (CLI-20)', (text, reason) => {
    expect(() => parseEndpoint(text)).toThrow(reason);
    expect(() => parseEndpoint(text)).toThrow(UsageError);
  });
});
