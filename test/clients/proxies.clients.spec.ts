import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findFreePort } from '../conformance/find-free-port.js';
import { NodeProgram } from '../support/programs/node-program.js';
import { until } from '../support/until.js';
import { clientsNode, DrivenClient, type Place } from './driven-client.js';
import { ServedDesk, STDIO } from './served-desk.js';

const TIMEOUT_MS = 120_000;
const URGENT = { priority: 'urgent', status: 'open' };
const PACKAGES = fileURLToPath(new URL('./node_modules', import.meta.url));
const SUPERGATEWAY = `${PACKAGES}/supergateway/dist/index.js`;
const MCP_PROXY = `${PACKAGES}/mcp-proxy/dist/bin/mcp-proxy.mjs`;
const MCPORTER = `${PACKAGES}/mcporter/dist/cli.js`;

let desk: ServedDesk;

beforeAll(async () => {
  desk = await ServedDesk.start('express');
}, TIMEOUT_MS);

afterAll(() => desk.stop());

/** Starts a client of the official SDK at a place, and uses what every server has to offer there. */
async function expectToServe(place: Place): Promise<void> {
  const client = await DrivenClient.start('sdk', place, { sdk: 'sdk-1.20' });
  try {
    expect(await client.listTools()).toContain('search_tickets');
    expect(await client.callTool('search_tickets', URGENT)).toContain('T-1012');
    expect(await client.readResource('desk://tickets/T-1012')).toContain('T-1012');
    expect(await client.getPrompt('triage_ticket', { id: 'T-1012' })).toContain('You triage');
  } finally {
    await client.stop();
  }
}

/** A proxy that its client starts, and speaks to over a pipe. */
const piped = (...args: readonly string[]): Place => ({ transport: 'stdio', command: clientsNode(), args });

/** What a proxy starts to have the sample over a pipe. */
const SAMPLE = STDIO.transport === 'stdio' ? [STDIO.command, ...STDIO.args] : [];

describe('supergateway', () => {
  it.each([
    ['--streamableHttp', 'http'],
    ['--sse', 'sse'],
  ] as const)(
    'brings the sample 01-desk to a client over a pipe by %s (HTTP-01, SSE-01)',
    async (option, transport) => {
      const place = desk.at(transport);
      await expectToServe(piped(SUPERGATEWAY, option, 'url' in place ? place.url : '', '--logLevel', 'none'));
    },
    TIMEOUT_MS,
  );

  it.each([
    ['sse', '/sse', 'sse'],
    ['streamableHttp', '/mcp', 'http'],
  ] as const)(
    'serves the sample 01-desk over %s, which it has over a pipe (STDIO-01)',
    async (output, path, transport) => {
      const port = await findFreePort();
      const options = ['--stdio', SAMPLE.join(' '), '--outputTransport', output, '--port', `${port}`];
      const stateful = output === 'streamableHttp' ? ['--stateful'] : [];
      const proxy = new NodeProgram(SUPERGATEWAY, {}, [], [...options, ...stateful]);
      try {
        await proxy.prints('Listening on port');
        await expectToServe({ transport, url: `http://127.0.0.1:${port}${path}` });
      } finally {
        await proxy.stop();
      }
    },
    TIMEOUT_MS,
  );
});

describe('mcp-proxy', () => {
  let proxy: NodeProgram;
  let origin: string;

  beforeAll(async () => {
    const port = await findFreePort();
    origin = `http://127.0.0.1:${port}`;
    proxy = new NodeProgram(MCP_PROXY, {}, [], ['--port', `${port}`, '--', ...SAMPLE]);
    await until(
      () =>
        fetch(`${origin}/ping`).then(
          ({ ok }) => ok,
          () => false,
        ),
      'the proxy',
      TIMEOUT_MS,
    );
  }, TIMEOUT_MS);

  afterAll(() => proxy.stop());

  it.each([
    ['http', '/mcp'],
    ['sse', '/sse'],
  ] as const)(
    'serves the sample 01-desk over %s, which it has over a pipe (STDIO-01)',
    (transport, path) => expectToServe({ transport, url: `${origin}${path}` }),
    TIMEOUT_MS,
  );
});

describe('mcporter', () => {
  const run = promisify(execFile);
  let home: string;

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'mcporter-'));
    const mcpServers = { http: desk.at('http'), sse: desk.at('sse'), stdio: STDIO };
    await writeFile(join(home, 'mcporter.json'), JSON.stringify({ mcpServers }));
  });

  afterAll(() => rm(home, { recursive: true, force: true }));

  /** Runs its command line, and gives what it prints. */
  async function mcporter(...args: readonly string[]): Promise<string> {
    const options = { timeout: TIMEOUT_MS, env: { ...process.env, HOME: home }, cwd: home };
    const { stdout } = await run(
      clientsNode(),
      [MCPORTER, '--config', join(home, 'mcporter.json'), ...args],
      options,
    );
    return stdout;
  }

  it.each(['http', 'sse', 'stdio'])(
    'lists, calls and reads at the sample 01-desk over %s (CORE-03, HTTP-01, SSE-01, STDIO-01)',
    async (server) => {
      expect(await mcporter('list', server, '--json')).toContain('search_tickets');
      const call = ['call', `${server}.search_tickets`, 'priority=urgent', 'status=open'];
      expect(await mcporter(...call)).toContain('T-1012');
      expect(await mcporter('resource', server, 'desk://tickets/T-1012')).toContain('T-1012');
    },
    TIMEOUT_MS,
  );
});
