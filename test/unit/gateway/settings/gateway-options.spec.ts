import { describe, expect, it } from '@jest/globals';
import { buildGatewaySettings } from '../../../../lib/gateway/settings/gateway-options.js';

const URL = 'https://files.example.com/mcp';

const build = (servers: Parameters<typeof buildGatewaySettings>[0]['servers']) =>
  buildGatewaySettings({ servers });

describe('buildGatewaySettings()', () => {
  it('derives prefixes from the name of a server (GATE-01)', () => {
    const [one] = build({ My_Files: { url: URL } });
    expect(one).toMatchObject({ name: 'My_Files', prefix: 'My_Files_', uriPrefix: 'my-files+' });
  });

  it('has no prefix for URIs without one for names, unless it is set (GATE-01)', () => {
    const settings = build({ a: { url: URL, prefix: '' }, b: { url: URL, prefix: '', uriPrefix: 'b+' } });
    expect(settings.map(({ uriPrefix }) => uriPrefix)).toEqual(['', 'b+']);
  });

  it('closes tools to apps if only other servers have them, and names the other prefixes (GATE-01)', () => {
    const settings = build({ a: { url: URL, apps: true }, b: { url: URL } });
    expect(settings.map(({ isClosedToApps }) => isClosedToApps)).toEqual([false, true]);
    expect(settings.map(({ otherUriPrefixes }) => otherUriPrefixes)).toEqual([['b+'], ['a+']]);
    expect(build({ b: { url: URL } })).toMatchObject([{ isClosedToApps: false, otherUriPrefixes: [] }]);
  });

  it('separates the options of the client, and fills in defaults (GATE-01)', () => {
    const [one] = build({ files: { url: URL, timeoutMs: 5, circuit: { failures: 1 } } });
    expect(one).toMatchObject({
      client: { url: URL, timeoutMs: 5 },
      identity: 'application',
      apps: false,
      pinned: false,
      circuit: { failures: 1, resetMs: 10_000 },
      limits: { entries: 2000, refreshMs: 1000 },
    });
    expect(one?.client).not.toHaveProperty('circuit');
  });

  it.each<[string, unknown, string]>([
    ['a name with a space', { 'my files': { url: URL } }, 'servers.my files" must start with a letter'],
    ['a prefix with a slash', { a: { url: URL, prefix: 'a/' } }, 'servers.a.prefix"'],
    ['a prefix that is no scheme', { a: { url: URL, uriPrefix: 'A' } }, 'servers.a.uriPrefix"'],
    ['digests of the wrong length', { a: { url: URL, pinned: { read: 'abc' } } }, 'servers.a.pinned"'],
    ['callers of a process', { a: { command: 'a', identity: 'caller' } }, 'set "exchange" to false'],
    ['a changed list', { a: { url: URL, tools: { change: 1 } } }, 'servers.a.tools.change"'],
    ['a scope that is a number', { a: { url: URL, requiredScopes: [1] } }, 'servers.a.requiredScopes[0]"'],
    ['no object', { a: 'b' }, 'servers.a" must be an object'],
    [
      'two servers with one prefix of URIs',
      { a: { url: URL, prefix: '' }, b: { url: URL, prefix: '' } },
      'servers.b.uriPrefix" is "", which "a" already uses',
    ],
  ])('refuses %s (GATE-01)', (_, servers, message) => {
    expect(() => build(servers as never)).toThrow(message);
  });

  it('accepts a process for each caller (GATE-03)', () => {
    expect(build({ a: { command: 'a', identity: 'caller', exchange: false } })).toMatchObject([
      { identity: 'caller', client: { exchange: false } },
    ]);
  });
});
