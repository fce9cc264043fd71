import { describe, expect, it } from '@jest/globals';
import { parseGatewayOptions } from '../../../../cli/gateway/gateway-options.js';

const parse = (...args: readonly string[]) => parseGatewayOptions(args, { GATEWAY_TOKEN: 'a'.repeat(20) });

describe('parseGatewayOptions()', () => {
  it('listens on a free port of this machine by default (CLI-20)', () => {
    expect(parse('mcp.json')).toEqual({
      file: 'mcp.json',
      http: { port: 0, host: '127.0.0.1', token: undefined },
    });
  });

  it('listens elsewhere with a token (CLI-20)', () => {
    const { http } = parse('mcp.json', '--host', '0.0.0.0', '--port', '80', '--token-env', 'GATEWAY_TOKEN');
    expect(http).toEqual({ port: 80, host: '0.0.0.0', token: 'a'.repeat(20) });
  });

  it.each(['localhost', '::1', '127.0.0.1'])('needs no token at %s (CLI-20)', (host) => {
    expect(parse('mcp.json', '--host', host).http).toMatchObject({ host, token: undefined });
  });

  it('does not listen with --stdio (CLI-20)', () => {
    expect(parse('mcp.json', '--stdio')).toEqual({ file: 'mcp.json', http: undefined });
  });

  it.each<[string, readonly string[], string]>([
    ['no file', [], 'Missing argument: the configuration file'],
    ['two files', ['a.json', 'b.json'], 'Too many arguments'],
    ['a port beyond 65535', ['a.json', '--port', '65536'], '"--port" must be a port number'],
    ['a port that is no number', ['a.json', '--port', '80a'], '"--port" must be a port number'],
    [
      'an open address without a token',
      ['a.json', '--host', '0.0.0.0'],
      'require a token with "--token-env"',
    ],
    ['an unset variable', ['a.json', '--token-env', 'NOT_SET'], 'NOT_SET is not set in this terminal'],
    [
      'an address with --stdio',
      ['a.json', '--stdio', '--port', '1'],
      '"--port" does not apply with "--stdio"',
    ],
    ['a token with --stdio', ['a.json', '--stdio', '--token-env', 'A'], '"--token-env" does not apply'],
  ])('refuses %s (CLI-20)', (_, args, message) => {
    expect(() => parse(...args)).toThrow(message);
  });
});
