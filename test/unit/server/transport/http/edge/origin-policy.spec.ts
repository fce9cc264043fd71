import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import type { McpOptions } from '../../../../../../lib/server/settings/mcp-options.js';
import { OriginPolicy } from '../../../../../../lib/server/transport/http/edge/origin-policy.js';
import { buildSettings } from '../../../../support/settings.js';

const LOOPBACK = '127.0.0.1';
const PUBLIC = '192.0.2.7';

/** A request that came in on a local address. */
function buildRequest(localAddress: string | undefined, headers: Record<string, string>): IncomingMessage {
  const socket = Object.defineProperty(new Socket(), 'localAddress', { value: localAddress });
  return Object.assign(new IncomingMessage(socket), { headers });
}

const findProblem = (
  options: Partial<McpOptions>,
  localAddress: string | undefined,
  headers: Record<string, string>,
) => new OriginPolicy(buildSettings(options)).findProblem(buildRequest(localAddress, headers))?.text;

describe('The policy for Origin (MCP 2025-11-25 basic/transports, "Security Warning")', () => {
  const withOrigin = (origin: string, options: Partial<McpOptions> = {}) =>
    findProblem(options, PUBLIC, { origin });

  it('has nothing to say of a request without one (HTTP-06)', () => {
    expect(findProblem({}, PUBLIC, {})).toBeUndefined();
  });

  it.each([
    'http://localhost',
    'https://localhost:3000',
    'http://LOCALHOST:1',
    'http://127.0.0.1:65535',
    'http://[::1]:8080',
    'http://[0:0:0:0:0:0:0:1]',
  ])('lets %s pass: it is on the machine itself (HTTP-06)', (origin) => {
    expect(withOrigin(origin)).toBeUndefined();
  });

  it.each([
    'https://evil.example',
    'http://localhost.evil.example',
    'http://127.0.0.1.evil.example',
    'http://evil.example#localhost',
    'http://evil.example?http://localhost',
    'http://localhost@evil.example',
    'http://127.0.0.2',
    'http://[::2]',
    'null',
    '',
    'localhost',
    'localhost:3000',
    'file://',
    'data:text/html,x',
    'http://',
    'http://localhost, http://evil.example',
    'chrome-extension://abcdef',
    '*',
  ])('refuses %j (HTTP-06)', (origin) => {
    expect(withOrigin(origin)).toMatch(/^"Origin" is not allowed: list it in the option "allowedOrigins"$/);
  });

  it('names the option by which pages read answers too, once that is set (HTTP-06)', () => {
    const cors = { origins: ['https://app.example'] };
    expect(withOrigin('https://other.example', { cors })).toBe(
      '"Origin" is not allowed: list it in the option "cors.origins"',
    );
  });

  it.each<[string, Partial<McpOptions>, string]>([
    ['what is listed', { allowedOrigins: ['https://app.example'] }, 'https://app.example'],
    ['a listed origin in other case', { allowedOrigins: ['https://app.example'] }, 'https://APP.example'],
    [
      'a listed origin with its default port',
      { allowedOrigins: ['https://app.example'] },
      'https://app.example:443',
    ],
    ['the origin of the public URL', { publicUrl: 'https://desk.example/mcp' }, 'https://desk.example'],
    ['what CORS allows', { cors: { origins: ['https://app.example'] } }, 'https://app.example'],
    ['any, where any is listed', { allowedOrigins: ['*'] }, 'https://anywhere.example'],
    ['any, where CORS allows any', { cors: true }, 'https://anywhere.example'],
  ])('lets pass %s (HTTP-06, HTTP-11)', (_what, options, origin) => {
    expect(withOrigin(origin, options)).toBeUndefined();
  });

  it.each<[string, Partial<McpOptions>, string]>([
    ['"null", even where any is listed', { allowedOrigins: ['*'] }, 'null'],
    ['what is no origin, even where CORS allows any', { cors: true }, 'localhost'],
    ['another port', { allowedOrigins: ['https://app.example'] }, 'https://app.example:8443'],
    ['another scheme', { allowedOrigins: ['https://app.example'] }, 'http://app.example'],
    ['a subdomain', { allowedOrigins: ['https://app.example'] }, 'https://evil.app.example'],
    ['another port of the public URL', { publicUrl: 'https://desk.example/mcp' }, 'https://desk.example:1'],
    ['an allowed host, which is no origin', { allowedHosts: ['desk.example'] }, 'https://desk.example'],
  ])('refuses %s (HTTP-06)', (_what, options, origin) => {
    expect(withOrigin(origin, options)).toBeDefined();
  });
});

describe('The policy for Host', () => {
  const withHost = (
    host: string,
    options: Partial<McpOptions> = {},
    localAddress: string | undefined = LOOPBACK,
  ) => findProblem(options, localAddress, { host });

  it.each([
    'localhost',
    'localhost:3000',
    'LocalHost',
    'localhost.',
    'desk.localhost:3000',
    '127.0.0.1:1',
    '[::1]',
    '[::1]:3000',
  ])('lets %s pass on a loopback connection (HTTP-06)', (host) => {
    for (const address of [LOOPBACK, '127.9.9.9', '::1', '::ffff:127.0.0.1']) {
      expect(withHost(host, {}, address)).toBeUndefined();
    }
  });

  it.each([
    'evil.example',
    'evil.example:3000',
    'localhost.evil.example',
    'notlocalhost',
    'localhost:evil',
    'localhost:3000:1',
    'localhost@evil.example',
    'localhost/evil',
    '127.0.0.1 evil.example',
    '::1',
    '[::1',
    '',
    '192.0.2.7',
  ])('refuses %j on a loopback connection (HTTP-06)', (host) => {
    expect(withHost(host)).toMatch(
      /^"Host" is not allowed: set "publicUrl" to .*, or list it in the option "allowedHosts"$/,
    );
  });

  it('is asked for on loopback connections alone (HTTP-06)', () => {
    for (const address of [PUBLIC, '::ffff:192.0.2.7', '2001:db8::1', undefined]) {
      expect(findProblem({}, address, { host: 'anything.example' })).toBeUndefined();
    }
  });

  it('has nothing to say of a request without one (HTTP-06)', () => {
    expect(findProblem({ allowedHosts: ['desk.example'] }, LOOPBACK, {})).toBeUndefined();
  });

  it('knows the host of the public URL, on any port (HTTP-06)', () => {
    const options = { publicUrl: 'https://Desk.example/mcp' };
    expect(withHost('desk.example', options)).toBeUndefined();
    expect(withHost('DESK.example:8443', options)).toBeUndefined();
    expect(withHost('other.example', options)).toBeDefined();
  });

  it.each<[string, string, boolean]>([
    ['desk.example', 'desk.example', true],
    ['desk.example', 'Desk.Example:3000', true],
    ['Desk.Example', 'desk.example', true],
    ['desk.example:3000', 'desk.example:3000', true],
    ['desk.example:3000', 'Desk.Example:3000', true],
    ['desk.example:3000', 'desk.example:3001', false],
    ['desk.example:3000', 'desk.example', false],
    ['[2001:db8::1]', '[2001:DB8::1]:3000', true],
    ['desk.example', 'evil.desk.example', false],
  ])('checks every connection where "%s" is listed: %s passes: %p (HTTP-06)', (listed, host, passes) => {
    for (const address of [LOOPBACK, PUBLIC]) {
      expect(withHost(host, { allowedHosts: [listed] }, address) === undefined).toBe(passes);
      expect(withHost('localhost:1', { allowedHosts: [listed] }, address)).toBeUndefined();
    }
  });

  it('lets loopback names alone pass where the list is empty (HTTP-06)', () => {
    expect(withHost('desk.example', { allowedHosts: [] }, PUBLIC)).toBeDefined();
    expect(withHost('localhost', { allowedHosts: [] }, PUBLIC)).toBeUndefined();
  });

  it('is what the adapter says that a trusted proxy saw (MOD-09)', () => {
    const policy = new OriginPolicy(buildSettings({ allowedHosts: ['desk.example'] }));
    const headers = { host: 'internal:3000', 'x-forwarded-host': 'desk.example' };
    const seenAs = (host: string) => Object.assign(buildRequest(PUBLIC, headers), { host });
    expect(policy.findProblem(seenAs('desk.example'))).toBeUndefined();
    expect(policy.findProblem(seenAs('internal:3000'))).toBeDefined();
  });
});
