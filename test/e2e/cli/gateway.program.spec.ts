import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client as ClientV2, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { buildEnvironment } from '../../support/programs/build-environment.js';
import { CommandLine, runCommandLine } from '../../support/programs/command-line.js';
import { until } from '../../support/until.js';
import { bootShop, type RunningShop } from '../client-module/shop.app.js';

const FILE = fileURLToPath(new URL('../../../cli/dist/main.js', import.meta.url));
const SHOP_TOKEN = 'token-of-the-gateway-5d1f';
const environment = { SHOP_TOKEN, GATEWAY_TOKEN: 'token-of-the-clients-77e2' };

/** What the tests use of both official clients. */
type AnyClient = Pick<ClientV2, 'listTools' | 'callTool'>;

describe('nestjs-mcp-cli gateway', () => {
  let folder: string;
  let shop: RunningShop;
  let file: string;

  const write = async (name: string, content: unknown) => {
    await writeFile(join(folder, name), JSON.stringify(content));
    return join(folder, name);
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gateway-'));
    shop = await bootShop({ auth: { bearer: { token: SHOP_TOKEN, subject: 'gateway' } } });
    file = await write('.mcp.json', {
      mcpServers: {
        shop: { type: 'http', url: shop.url, headers: { Authorization: 'Bearer ${SHOP_TOKEN}' } },
        notes: { command: process.execPath, args: [resolve('test/support/gateway/notes-server.mjs')] },
      },
    });
  });
  afterAll(async () => {
    await shop.close();
    await rm(folder, { recursive: true });
  });

  /** Waits for the tools of both servers, and calls one of each. */
  async function expectBoth(client: AnyClient): Promise<void> {
    const hasBoth = async () => {
      const { tools } = await client.listTools();
      const names = tools.map(({ name }) => name);
      return names.includes('shop_add') && names.includes('notes_write');
    };
    await until(hasBoth, 'the tools of both servers', 30_000);
    const who = await client.callTool({ name: 'shop_whoami' });
    const written = await client.callTool({ name: 'notes_write', arguments: { text: 'x' } });
    expect([who, written]).toMatchObject([
      { content: [{ text: 'gateway' }] },
      { content: [{ text: 'wrote x' }, { uri: 'notes+note://1' }] },
    ]);
  }

  const connect = async (url: string, token: string) => {
    const client = new ClientV2({ name: 'e2e', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
    return client;
  };

  it('serves the servers of a file over HTTP, behind a token, until a signal arrives (GATE-01) (GATE-03)', async () => {
    const line = new CommandLine(['gateway', file, '--token-env', 'GATEWAY_TOKEN'], { environment });
    await line.prints(/serves MCP at http:\/\/127\.0\.0\.1:\d+\/mcp\n/);
    const [url = ''] = /http:\S+/.exec(line.stdout) ?? [];
    await expect(connect(url, 'of-somebody-else')).rejects.toBeInstanceOf(Error);
    const client = await connect(url, environment.GATEWAY_TOKEN);
    await expectBoth(client);
    await client.close();
    await line.says(/The server "notes" offers \d+ tools/);
    line.signal('SIGTERM');
    const { code, stdout, stderr } = await line.ends();
    expect([code, stdout]).toEqual([0, `The gateway serves MCP at ${url}\n`]);
    for (const secret of Object.values(environment)) expect(stderr).not.toContain(secret);
  });

  it('serves them over standard input and output (GATE-01)', async () => {
    const client = new ClientV1({ name: 'e2e', version: '1.0.0' });
    const env = buildEnvironment(environment) as Record<string, string>;
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [FILE, 'gateway', file, '--stdio'],
      env,
      stderr: 'ignore',
    });
    await client.connect(transport);
    await expectBoth(client as unknown as AnyClient);
    await client.close();
  });

  it.each<[string, unknown, string]>([
    ['a wrong property', { command: 'a', args: 'b' }, '"one.args" must be an array'],
    ['neither command nor URL', { comand: 'a' }, '"one.url" is required'],
    [
      'a variable that is not set',
      { command: '${NONE}' },
      '"one.command" refers to the environment variable "NONE"',
    ],
  ])('ends with one sentence for %s (CLI-20)', async (_, one, problem) => {
    const wrong = await write('wrong.json', { mcpServers: { one } });
    const { code, stdout, stderr } = await runCommandLine(['gateway', wrong]);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(`${wrong}: ${problem}`);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  it('names the packages to install where a server has none (CLI-20)', async () => {
    const { code, stderr } = await runCommandLine(['gateway', file], { environment, cwd: folder });
    expect(code).toBe(2);
    expect(stderr).toContain(
      'The gateway needs the package "nestjs-mcp": run "npm install nestjs-mcp @nestjs/common',
    );
  });

  it('ends with a sentence if it cannot listen (CLI-20)', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as { port: number };
    const { code, stderr } = await runCommandLine(['gateway', file, '--port', String(port)], { environment });
    taken.close();
    expect(code).toBe(1);
    expect(stderr).toContain('The gateway cannot listen at the address (EADDRINUSE): choose another');
  });
});
