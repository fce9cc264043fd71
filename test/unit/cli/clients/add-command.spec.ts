import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CLIENTS } from '../../../../cli/clients/clients.js';
import { findFreePort } from '../../../conformance/find-free-port.js';
import { ClientScene } from './client-fixture.js';

/** "add" asks there who may call, and nobody answers. */
const URL_OF_DESK = `http://127.0.0.1:${await findFreePort()}/mcp`;

describe('"add" and "remove"', () => {
  let scene: ClientScene;

  beforeEach(() => {
    scene = new ClientScene();
    scene.write('project/package.json', '{ "name": "@acme/desk" }');
  });

  afterEach(() => scene.end());

  it.each([
    ['vscode', 'project/.vscode/mcp.json', { servers: { desk: { type: 'http', url: URL_OF_DESK } } }],
    ['cursor', 'project/.cursor/mcp.json', { mcpServers: { desk: { url: URL_OF_DESK } } }],
    ['claude-code', 'project/.mcp.json', { mcpServers: { desk: { type: 'http', url: URL_OF_DESK } } }],
    [
      'claude-desktop',
      'home/.config/Claude/claude_desktop_config.json',
      { mcpServers: { desk: { command: 'npx', args: ['-y', 'mcp-remote', URL_OF_DESK] } } },
    ],
    ['gemini', 'project/.gemini/settings.json', { mcpServers: { desk: { httpUrl: URL_OF_DESK } } }],
    [
      'windsurf',
      'home/.codeium/windsurf/mcp_config.json',
      { mcpServers: { desk: { serverUrl: URL_OF_DESK } } },
    ],
    ['zed', 'project/.zed/settings.json', { context_servers: { desk: { url: URL_OF_DESK } } }],
  ])('writes a server at a URL as %s reads it, and takes it out again', async (client, file, content) => {
    expect(await scene.add(client, URL_OF_DESK, '--yes')).toBe(0);
    expect(JSON.parse(scene.read(file))).toEqual(content);
    expect(scene.printed.at(-1)).toContain('Added "desk"');
    expect(await scene.remove(client, '--yes')).toBe(0);
    expect(existsSync(scene.at(file))).toBe(false);
  });

  it.each(CLIENTS.map(({ name }) => name))('writes a server that %s starts', async (client) => {
    expect(
      await scene.add(client, '--yes', '--env', 'LOG=1', '--', 'node', 'dist/stdio.js', '--name', 'x'),
    ).toBe(0);
    const [shown = ''] = scene.printed;
    const text = readFileSync(String(shown.split('\n')[0]), 'utf8');
    expect(text.replaceAll(/\s/g, '')).toContain(
      '"command":"node","args":["dist/stdio.js","--name","x"],"env":{"LOG":"1"}',
    );
  });

  it.each([
    ['vscode', 'linux', 'home/.config/Code/User/mcp.json'],
    ['vscode', 'darwin', 'home/Library/Application Support/Code/User/mcp.json'],
    ['vscode', 'win32', 'home/AppData/Roaming/Code/User/mcp.json'],
    ['cursor', 'linux', 'home/.cursor/mcp.json'],
    ['claude-code', 'linux', 'home/.claude.json'],
    ['claude-desktop', 'darwin', 'home/Library/Application Support/Claude/claude_desktop_config.json'],
    ['gemini', 'linux', 'home/.gemini/settings.json'],
    ['zed', 'darwin', 'home/.config/zed/settings.json'],
    ['zed', 'win32', 'home/AppData/Roaming/Zed/settings.json'],
  ] as const)('finds what %s has for all projects on %s', async (client, platform, file) => {
    expect(await scene.addOn(platform, client, URL_OF_DESK, '--yes', '--scope', 'user')).toBe(0);
    expect(scene.read(file)).toContain(URL_OF_DESK);
  });

  it('shows the change and asks before it writes', async () => {
    expect(await scene.addAsked(async () => 'n', 'cursor', URL_OF_DESK)).toBe(1);
    expect(existsSync(scene.at('project/.cursor/mcp.json'))).toBe(false);
    expect(scene.printed).toEqual([
      `${scene.at('project/.cursor/mcp.json')}\n` +
        `+ {\n+   "mcpServers": {\n+     "desk": {\n+       "url": "${URL_OF_DESK}"\n+     }\n+   }\n+ }`,
      'Warning: nothing responds at this URL: start the server, or check the URL',
    ]);
    expect(await scene.addAsked(async () => 'y', 'cursor', URL_OF_DESK)).toBe(0);
    expect(scene.read('project/.cursor/mcp.json')).toContain(URL_OF_DESK);
  });

  it('shows only the lines that change', async () => {
    scene.write('project/.cursor/mcp.json', '{\n  "mcpServers": {\n    "shop": {}\n  }\n}\n');
    await scene.add('cursor', URL_OF_DESK, '--dry-run');
    expect(scene.printed[0]?.split('\n').slice(1)).toEqual([
      '+     "desk": {',
      `+       "url": "${URL_OF_DESK}"`,
      '+     },',
    ]);
  });

  it.each([
    ['nobody can be asked', ['cursor', URL_OF_DESK], 1],
    ['the change is only shown', ['cursor', URL_OF_DESK, '--dry-run'], 0],
  ])('writes nothing if %s', async (_, args, exitCode) => {
    expect(await scene.add(...args)).toBe(exitCode);
    expect(existsSync(scene.at('project/.cursor'))).toBe(false);
    expect(scene.printed.join('\n')).toContain(`+       "url": "${URL_OF_DESK}"`);
  });

  it('says if there is nothing to do', async () => {
    await scene.add('cursor', URL_OF_DESK, '--yes');
    expect(await scene.add('cursor', URL_OF_DESK)).toBe(0);
    expect(scene.printed.at(-1)).toBe('Cursor already has "desk"');
    expect(await scene.remove('cursor', '--name', 'shop')).toBe(0);
    expect(scene.printed.at(-1)).toBe('Cursor has no "shop"');
  });

  it('leaves a file alone that is no JSON, and names it', async () => {
    scene.write('project/.cursor/mcp.json', '{ "mcpServers": ');
    expect(await scene.add('cursor', URL_OF_DESK, '--yes')).toBe(1);
    expect(scene.complaints).toEqual([expect.stringContaining(scene.at('project/.cursor/mcp.json'))]);
    expect(scene.read('project/.cursor/mcp.json')).toBe('{ "mcpServers": ');
  });

  it('keeps the mode of a file and the link to it, and leaves nothing beside it', async () => {
    scene.write('dotfiles/claude.json', '{}');
    chmodSync(scene.at('dotfiles/claude.json'), 0o640);
    mkdirSync(scene.at('home'));
    symlinkSync(scene.at('dotfiles/claude.json'), scene.at('home/.claude.json'));
    expect(await scene.add('claude-code', URL_OF_DESK, '--scope', 'user', '--yes')).toBe(0);
    expect(scene.read('dotfiles/claude.json')).toContain(URL_OF_DESK);
    expect(statSync(scene.at('dotfiles/claude.json')).mode & 0o777).toBe(0o640);
    expect(readdirSync(scene.at('dotfiles'))).toEqual(['claude.json']);
    expect(readdirSync(scene.at('home'))).toEqual(['.claude.json']);
  });

  it('lets its owner alone read a new file, since headers may be secrets', async () => {
    await scene.add('cursor', URL_OF_DESK, '--scope', 'user', '--header', 'X-Api-Key: k-1', '--yes');
    expect(JSON.parse(scene.read('home/.cursor/mcp.json'))).toMatchObject({
      mcpServers: { desk: { headers: { 'x-api-key': '${env:DESK_X_API_KEY}' } } },
    });
    expect(statSync(scene.at('home/.cursor/mcp.json')).mode & 0o777).toBe(0o600);
  });

  it('writes nothing if the file changes while the question is open', async () => {
    const ask = async () => {
      scene.write('project/.cursor/mcp.json', '{ "mcpServers": { "shop": {} } }');
      return 'y';
    };
    expect(await scene.addAsked(ask, 'cursor', URL_OF_DESK)).toBe(1);
    expect(scene.complaints).toEqual([expect.stringContaining('was changed by another program')]);
    expect(scene.read('project/.cursor/mcp.json')).toBe('{ "mcpServers": { "shop": {} } }');
  });

  it('starts files of this folder from anywhere if the client is there for all projects', async () => {
    scene.write('project/dist/stdio.js', '');
    await scene.add('cursor', '--scope', 'user', '--yes', '--', 'node', 'dist/stdio.js', 'dist');
    expect(JSON.parse(scene.read('home/.cursor/mcp.json'))).toMatchObject({
      mcpServers: { desk: { command: 'node', args: [scene.at('project/dist/stdio.js'), 'dist'] } },
    });
  });

  it('is called after the host if the folder has no package', async () => {
    rmSync(scene.at('project/package.json'));
    await scene.add('cursor', 'https://desk.example.com/mcp', '--yes');
    expect(scene.read('project/.cursor/mcp.json')).toContain('"desk-example-com"');
  });

  it.each([
    [[], 'Missing argument: the name of a client: one of vscode, cursor'],
    [['emacs', URL_OF_DESK], 'Unknown client "emacs": one of vscode, cursor'],
    [['cursor'], 'Missing argument: the endpoint URL'],
    [['cursor', 'desk'], 'The URL must start with "https://" or "http://"'],
    [['cursor', URL_OF_DESK, 'more'], 'Expected one server'],
    [['cursor', URL_OF_DESK, '--', 'node'], 'Expected one server'],
    [['cursor', '--'], 'Missing command after "--"'],
    [['cursor', URL_OF_DESK, '--env', 'A=1'], '"--env" applies only to a server that the client starts'],
    [['cursor', '--env', '1A', '--', 'node'], '"--env" must be of the form "NAME=value", or "NAME"'],
    [['cursor', '--header', 'A: 1', '--', 'node'], '"--header" applies only to a server at a URL'],
    [['cursor', URL_OF_DESK, '--scope', 'all'], '"--scope" must be "project" or "user" for Cursor'],
    [['windsurf', URL_OF_DESK, '--scope', 'project'], '"--scope" must be "user" for Windsurf'],
    [['cursor', URL_OF_DESK, '--name', 'a b'], '"--name" must consist of at most 64 letters, digits'],
  ])('refuses %j', async (args, message) => {
    expect(await scene.add(...args)).toBe(2);
    expect(scene.complaints[0]).toContain(message);
  });
});
