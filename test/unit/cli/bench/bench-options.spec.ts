import { describe, expect, it } from '@jest/globals';
import { parseBenchOptions } from '../../../../cli/bench/bench-options.js';
import { UsageError } from '../../../../cli/usage.error.js';

const URL_HERE = 'http://127.0.0.1:3000/mcp';

describe('parseBenchOptions()', () => {
  it('measures for twenty seconds over sixteen connections if nothing is said', () => {
    expect(parseBenchOptions([URL_HERE], {})).toMatchObject({
      seconds: 20,
      connections: 16,
      streams: 100,
      call: undefined,
      notifyCall: undefined,
      isRemote: false,
      json: false,
    });
  });

  it('takes a tool with its arguments, and one that announces', () => {
    const args = ['--tool', 'find', '--arguments', '{"query":"printer"}', '--notify-tool', 'change'];
    expect(parseBenchOptions([URL_HERE, ...args], {})).toMatchObject({
      call: { tool: 'find', arguments: { query: 'printer' } },
      notifyCall: { tool: 'change', arguments: {} },
    });
  });

  it.each([
    [['--seconds', '0'], '"--seconds" must be a whole number between 1 and 600'],
    [['--seconds', 'long'], '"--seconds" must be a whole number between 1 and 600'],
    [['--connections', '1000'], '"--connections" must be a whole number between 1 and 256'],
    [['--streams', '1e3'], '"--streams" must be a whole number between 1 and 10000'],
    [['--arguments', '{}'], '"--arguments" requires "--tool"'],
    [['--notify-arguments', '{}'], '"--notify-arguments" requires "--notify-tool"'],
    [['--tool', 'find', '--arguments', '[]'], 'a different JSON value'],
    [['--tool', 'find', '--arguments', '{'], 'is not valid JSON'],
    [['--subscribe', 'desk://a'], '"--subscribe" requires "--notify-tool"'],
  ])('refuses %j', (args, message) => {
    expect(() => parseBenchOptions([URL_HERE, ...args], {})).toThrow(UsageError);
    expect(() => parseBenchOptions([URL_HERE, ...args], {})).toThrow(message);
  });

  it.each(['https://shop.example.com/mcp', 'http://0.0.0.0:3000/mcp', 'http://192.168.1.5/mcp'])(
    'puts no load on %s unless it is told that this is meant',
    (url) => {
      expect(() => parseBenchOptions([url], {})).toThrow(
        'pass "--remote" only if you are allowed to put load on',
      );
      expect(parseBenchOptions([url, '--remote'], {}).isRemote).toBe(true);
    },
  );

  it.each(['http://localhost:3000/mcp', 'http://[::1]:3000/mcp', 'http://desk.localhost/mcp'])(
    'takes %s for this machine, with "--remote" and without',
    (url) => {
      expect(parseBenchOptions([url], {}).isRemote).toBe(false);
      expect(parseBenchOptions([url, '--remote'], {}).isRemote).toBe(false);
    },
  );
});
