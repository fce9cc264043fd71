import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CLIENTS } from '../../../../cli/clients/clients.js';
import { readServers } from '../../../../cli/gateway/read-servers.js';

const ENVIRONMENT = { TOKEN: 'secret-of-the-shell', EMPTY: '' };

describe('readServers()', () => {
  let folder: string;

  beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'gateway-'))));
  afterAll(() => rm(folder, { recursive: true }));

  const read = async (content: unknown) => {
    const path = join(folder, 'mcp.json');
    await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
    return (await readServers(path, ENVIRONMENT)).servers;
  };

  it('reads processes and URLs, and leaves out what belongs to the client (GATE-01)', async () => {
    const files = { command: 'npx', args: ['files', '/srv'], env: { LEVEL: 'warn' }, cwd: '/srv' };
    const tickets = { url: 'https://tickets.example.com/mcp', headers: { 'X-Team': 'a' } };
    const mcpServers = {
      files: { ...files, type: 'stdio', alwaysAllow: ['read'] },
      tickets: { ...tickets, type: 'streamable-http', timeout: 60 },
      older: { type: 'sse', url: 'https://older.example.com/sse' },
      off: { command: 'off', disabled: true },
    };
    expect(await read({ mcpServers })).toEqual({
      files,
      tickets,
      older: { url: 'https://older.example.com/sse' },
    });
  });

  it('reads the files of VS Code, with comments and trailing commas (GATE-01)', async () => {
    const text = '{\n  // for the team\n  "servers": { "files": { "command": "files", }, },\n}';
    expect(await read(text)).toEqual({ files: { command: 'files' } });
  });

  it.each(CLIENTS)('reads what "add" writes for $name (GATE-01)', async ({ member, describe: entries }) => {
    const variables = new Map<string, never>();
    const http = entries.http({ kind: 'http', url: 'https://a.example/mcp', headers: {}, variables });
    const stdio = entries.stdio({
      kind: 'stdio',
      command: 'files',
      args: ['/srv'],
      env: { A: '1' },
      variables,
    });
    const { remote, local } = await read({ [member]: { remote: http, local: stdio } });
    expect(local).toEqual({ command: 'files', args: ['/srv'], env: { A: '1' } });
    expect(JSON.stringify(remote)).toContain('https://a.example/mcp');
    expect(Object.keys(remote ?? {}).some((name) => name === 'url' || name === 'command')).toBe(true);
  });

  it('replaces references to variables in all values, in the forms of the clients (GATE-03)', async () => {
    const server = {
      command: '${TOKEN}',
      args: ['${env:TOKEN}', '${MISSING:-none}', '${MISSING:-}', '$TOKEN', '${EMPTY}'],
      env: { KEY: 'a ${TOKEN} b' },
    };
    expect(await read({ mcpServers: { one: server } })).toEqual({
      one: {
        command: 'secret-of-the-shell',
        args: ['secret-of-the-shell', 'none', '', '$TOKEN', ''],
        env: { KEY: 'a secret-of-the-shell b' },
      },
    });
  });

  it('leaves references to the variables of a process to the process (GATE-03)', async () => {
    const bridge = {
      command: 'npx',
      args: ['--header', 'a:${TOKEN}', '${HOME_OF}'],
      env: { TOKEN: 'a ${TOKEN}' },
    };
    await expect(read({ mcpServers: { one: bridge } })).rejects.toThrow('"HOME_OF"');
    const args = ['--header', 'a:${TOKEN}'];
    expect(await read({ mcpServers: { one: { ...bridge, args } } })).toEqual({
      one: { command: 'npx', args, env: { TOKEN: 'a secret-of-the-shell' } },
    });
  });

  it.each(['${TOKEN}', '${env:TOKEN}'])(
    'replaces references to a variable that a process gets as %s (GATE-03)',
    async (TOKEN) => {
      const one = { command: 'npx', args: ['--token', '${TOKEN}'], env: { TOKEN } };
      expect(await read({ mcpServers: { one } })).toEqual({
        one: {
          command: 'npx',
          args: ['--token', 'secret-of-the-shell'],
          env: { TOKEN: 'secret-of-the-shell' },
        },
      });
    },
  );

  it.each<[string, unknown, string]>([
    [
      'text that is no JSON',
      '{\n  "mcpServers": {,\n}',
      'The file is not valid JSON at line 2: fix it first',
    ],
    [
      'a list',
      [],
      'The file must contain an object in the format of MCP clients, with the servers in "mcpServers"',
    ],
    ['no servers', {}, 'The file has no servers: list at least one in "mcpServers"'],
    [
      'none that is enabled',
      { servers: { one: { command: 'a', disabled: true } } },
      'The file has no servers: list at least one in "servers"',
    ],
    ['a text', { mcpServers: { one: 'npx' } }, '"one" must be an object with "command" or "url"'],
    [
      'an unknown type',
      { mcpServers: { one: { type: 'ws', url: 'ws://a' } } },
      '"one.type" must be "stdio", "http", "streamable-http" or "sse"',
    ],
    [
      'a type without its property',
      { mcpServers: { one: { type: 'http', command: 'a' } } },
      '"one.url" is required for the type "http"',
    ],
    [
      'a server that is off in another way',
      { mcpServers: { one: { command: 'a', enabled: false } } },
      '"one.enabled" is not supported: use "disabled": true',
    ],
    [
      'a selection of tools',
      { mcpServers: { one: { command: 'a', excludeTools: ['delete'] } } },
      '"one.excludeTools" is not supported, and all tools would be offered',
    ],
    [
      'a variable that is not set',
      { mcpServers: { one: { url: 'https://a.example', headers: { Authorization: 'Bearer ${NONE}' } } } },
      '"one.headers.Authorization" refers to the environment variable "NONE", which is not set',
    ],
    [
      'an input of VS Code',
      { servers: { one: { command: 'a', args: ['${input:key}'] } } },
      '"one.args[0]" refers to an input, which only VS Code can ask for: use an environment variable, such as "${env:NAME}"',
    ],
    [
      'the same name twice',
      '{ "mcpServers": { "one": { "command": "a" }, "one": { "command": "b" } } }',
      'The file has "one" twice: merge both first',
    ],
  ])('refuses %s, and names it', async (_, content, message) => {
    await expect(read(content)).rejects.toThrow(message);
  });

  it('refuses a file that does not exist', async () => {
    await expect(readServers(join(folder, 'none.json'), {})).rejects.toThrow('The file does not exist');
  });
});
