import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { findFreePort } from '../../../conformance/find-free-port.js';
import { FixtureEndpoint } from '../../../support/fixture-endpoint.js';
import { until } from '../../../support/until.js';
import { ClientScene } from './client-fixture.js';

const SECRET = 'secret-of-the-desk';
const FILE = 'home/.config/Claude/claude_desktop_config.json';
const NOWHERE = `http://127.0.0.1:${await findFreePort()}/mcp`;
const BRIDGE = fileURLToPath(new URL('../../../../node_modules/mcp-remote/dist/proxy.js', import.meta.url));

interface BridgeEntry {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: { readonly [name: string]: string };
}

describe('"add" for a client that a bridge leads to URLs', () => {
  let scene: ClientScene;

  beforeEach(() => {
    scene = new ClientScene();
    scene.write('project/package.json', '{ "name": "desk" }');
  });

  afterEach(() => scene.end());

  const read = (): BridgeEntry => {
    const { mcpServers } = JSON.parse(scene.read(FILE)) as { mcpServers: { desk: BridgeEntry } };
    return mcpServers.desk;
  };

  it('writes every header without a blank among the arguments, with its value in a variable', async () => {
    scene.environment = { TEAM: 'blue team' };
    const headers = ['--header', `Authorization: Bearer ${SECRET}`, '--header', 'Cookie: a=1; b=2'];
    const given = [...headers, '--header', 'Path: /a b', '--header-env', 'X-Team: TEAM'];
    expect(await scene.add('claude-desktop', NOWHERE, ...given, '--write-secrets', '--yes')).toBe(0);
    expect(read()).toEqual({
      command: 'npx',
      args: [
        ...['-y', 'mcp-remote', NOWHERE],
        ...['--header', 'authorization:${AUTHORIZATION}', '--header', 'cookie:${HEADER_COOKIE}'],
        ...['--header', 'path:${HEADER_PATH}', '--header', 'x-team:${X_TEAM}'],
      ],
      env: {
        AUTHORIZATION: `Bearer ${SECRET}`,
        HEADER_COOKIE: 'a=1; b=2',
        HEADER_PATH: '/a b',
        X_TEAM: 'blue team',
      },
    });
    expect(scene.printed[0]).toContain('"x-team:${X_TEAM}"');
    expect(scene.printed[0]).toContain('"X_TEAM": "[hidden]"');
    expect(scene.lines.join()).not.toContain(SECRET);
  });

  it('writes what the bridge itself reads: it sends each header as it was given', async () => {
    const endpoint = await FixtureEndpoint.start({});
    const headers = ['--header', `Authorization: Bearer ${SECRET}`, '--header', 'X-Tenant: acme and sons'];
    await scene.add('claude-desktop', endpoint.url, ...headers, '--write-secrets', '--yes');
    const { args, env } = read();
    const own = { PATH: process.env.PATH, HOME: scene.at('home'), MCP_REMOTE_CONFIG_DIR: scene.at('home') };
    const child = spawn(process.execPath, [BRIDGE, ...args.slice(2)], { env: { ...own, ...env } });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
    child.stdin.on('error', () => undefined);
    const message = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'host', version: '1' } },
    };
    child.stdin.write(`${JSON.stringify(message)}\n`);
    try {
      const sent = await until(
        () => endpoint.requests.find((one) => one.headers['x-tenant'] !== undefined),
        () => `a request of the bridge, which says\n${said}`,
        30_000,
      );
      expect(sent.headers).toMatchObject({ authorization: `Bearer ${SECRET}`, 'x-tenant': 'acme and sons' });
    } finally {
      child.kill('SIGKILL');
      await endpoint.stop();
    }
  });

  it.each([
    ['http://desk.internal:3000/mcp', true],
    ['http://[::1]:3000/mcp', false],
  ])('lets the bridge call %s by plain http, with a warning beyond this machine', async (url, isWarned) => {
    await scene.add('claude-desktop', url, '--yes');
    expect(read().args).toEqual(['-y', 'mcp-remote', url, '--allow-http']);
    const warnings = scene.lines.filter((line) => line.includes('uses plain http'));
    expect(warnings).toHaveLength(isWarned ? 1 : 0);
  });

  it.each(['https://desk.example.com/mcp', 'http://localhost:3000/mcp', NOWHERE])(
    'needs nothing for %s',
    async (url) => {
      await scene.add('claude-desktop', url, '--yes');
      expect(read().args).toEqual(['-y', 'mcp-remote', url]);
      expect(scene.lines.join()).not.toContain('plain http');
    },
  );

  it('warns every client of plain http to another machine', async () => {
    await scene.add('cursor', 'http://desk.internal:3000/mcp', '--yes');
    expect(scene.lines).toContain(
      'Warning: "desk.internal:3000" uses plain http, so others on the network can read tokens and responses: use https',
    );
  });

  it.each([
    ['claude-desktop', 'Bearer ${DESK_TOKEN}'],
    ['zed', '${DESK_TOKEN}'],
  ])('refuses the name of a variable that %s would send as it is', async (client, value) => {
    expect(await scene.add(client, NOWHERE, '--header', `Authorization: ${value}`, '--yes')).toBe(2);
    expect(scene.complaints[0]).toContain('does not resolve the variable in "authorization"');
  });

  it('leaves a name alone that the bridge replaces', async () => {
    await scene.add('claude-desktop', NOWHERE, '--header', 'X-Key: ${DESK_KEY}', '--yes');
    expect(read()).toEqual({
      command: 'npx',
      args: ['-y', 'mcp-remote', NOWHERE, '--header', 'x-key:${DESK_KEY}'],
    });
  });
});

describe('"add" on Windows', () => {
  let scene: ClientScene;

  beforeEach(() => {
    scene = new ClientScene();
    scene.write('project/package.json', '{ "name": "desk" }');
  });

  afterEach(() => scene.end());

  it.each([
    ['win32', 'npx', { command: 'cmd', args: ['/c', 'npx', '-y', 'some-server'] }],
    ['win32', 'node', { command: 'node', args: ['-y', 'some-server'] }],
    ['linux', 'npx', { command: 'npx', args: ['-y', 'some-server'] }],
  ] as const)('lets Claude Code start scripts behind a shell (%s, %s)', async (platform, command, entry) => {
    await scene.addOn(platform, 'claude-code', '--yes', '--', command, '-y', 'some-server');
    expect(JSON.parse(scene.read('project/.mcp.json'))).toEqual({
      mcpServers: { desk: { type: 'stdio', ...entry } },
    });
  });
});
