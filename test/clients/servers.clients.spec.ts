import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findFreePort } from '../conformance/find-free-port.js';
import { runCommandLine } from '../support/programs/command-line.js';
import { NodeProgram } from '../support/programs/node-program.js';
import { until } from '../support/until.js';

const TIMEOUT_MS = 120_000;
const START_MS = 30_000;
const BIN = fileURLToPath(new URL('node_modules/.bin/', import.meta.url));
const require = createRequire(import.meta.url);
const EVERYTHING = join(BIN, 'mcp-server-everything');
/** Examples that come with the official SDK of before 2026. */
const EXAMPLES = fileURLToPath(
  new URL('../../node_modules/@modelcontextprotocol/sdk/dist/esm/examples/server/', import.meta.url),
);

/** A published server, and something that it does without any account. */
interface PublishedServer {
  readonly name: string;
  readonly command: readonly string[];
  readonly options?: readonly string[];
  readonly tool: string;
  readonly call?: readonly string[];
  readonly answer?: RegExp;
}

describe('the command line at servers that others published', () => {
  let folder: string;
  const servers: readonly PublishedServer[] = [
    {
      name: '@modelcontextprotocol/server-everything',
      command: [EVERYTHING],
      tool: 'echo',
      call: ['echo', 'message=hi'],
      answer: /^Echo: hi$/m,
    },
    {
      name: '@modelcontextprotocol/server-filesystem',
      command: [join(BIN, 'mcp-server-filesystem'), '.'],
      tool: 'list_directory',
      call: ['read_text_file', 'path=note.txt', 'head=1'],
      answer: /^first$/m,
    },
    {
      name: '@modelcontextprotocol/server-memory',
      command: [join(BIN, 'mcp-server-memory')],
      options: ['--env', 'MEMORY_FILE_PATH=memory.jsonl'],
      tool: 'create_entities',
      call: ['create_entities', 'entities=[{"name":"Ada","entityType":"person","observations":["counts"]}]'],
      answer: /Ada/,
    },
    {
      name: '@modelcontextprotocol/server-sequential-thinking',
      command: [join(BIN, 'mcp-server-sequential-thinking')],
      tool: 'sequentialthinking',
      call: [
        'sequentialthinking',
        'thought=one',
        'nextThoughtNeeded=false',
        'thoughtNumber=1',
        'totalThoughts=1',
      ],
      answer: /"thoughtNumber": 1/,
    },
    {
      name: 'mcp-hello-world',
      command: [join(BIN, 'mcp-hello-world')],
      tool: 'echo',
      call: ['echo', 'message=hi'],
      answer: /hi/,
    },
    { name: '@upstash/context7-mcp', command: [join(BIN, 'context7-mcp')], tool: 'resolve-library-id' },
    {
      name: '@notionhq/notion-mcp-server',
      command: [join(BIN, 'notion-mcp-server')],
      options: ['--env', 'NOTION_TOKEN=ntn_none'],
      tool: 'API-get-user',
    },
    {
      name: 'an example of the official SDK',
      command: [process.execPath, join(EXAMPLES, 'mcpServerOutputSchema.js')],
      tool: 'get_weather',
      call: ['get_weather', 'city=Berlin', 'country=DE'],
      answer: /temperature/,
    },
    {
      name: 'a server of fastmcp',
      command: [process.execPath, '--input-type=module', '-e', writeFastMcp()],
      tool: 'add',
      call: ['add', 'a=1', 'b=2'],
      answer: /^3$/m,
    },
  ];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'nestjs-mcp-servers-'));
    await writeFile(join(folder, 'note.txt'), 'first\nsecond\n');
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  const run = ({ command, options = [] }: PublishedServer, ...args: readonly string[]) =>
    runCommandLine([...args, '--cwd', folder, ...options, '--', ...command]);

  it.each(servers)(
    'starts $name, lists its tools and calls one (CLI-20)',
    async (server) => {
      const { code, stdout, stderr } = await run(server, 'tools', '--json');
      expect([code, stderr]).toEqual([0, '']);
      const tools = JSON.parse(stdout) as readonly { readonly name: string }[];
      expect(tools.map(({ name }) => name)).toContain(server.tool);
      if (server.call === undefined) return;
      const ending = await run(server, 'call', ...server.call);
      expect([ending.code, ending.stderr]).toEqual([0, '']);
      expect(ending.stdout).toMatch(server.answer ?? /./);
    },
    TIMEOUT_MS,
  );

  it(
    'finds no fault at the reference server, and the tasks that it requires (CLI-20)',
    async () => {
      const [server] = servers;
      if (server === undefined) throw new Error('There is no server');
      expect(await run(server, 'doctor')).toMatchObject({ code: 0, stderr: '' });
      const { code, stdout } = await run(server, 'call', 'simulate-research-query', 'topic=tides');
      expect([code, stdout]).toEqual([0, expect.stringContaining('Research Report: tides')]);
    },
    TIMEOUT_MS,
  );
});

describe.each([
  ['sse', '/sse'],
  ['streamableHttp', '/mcp'],
])('the reference server over %s', (transport, path) => {
  let program: NodeProgram;
  let url: string;

  beforeAll(async () => {
    const port = await findFreePort();
    url = `http://127.0.0.1:${port}${path}`;
    program = new NodeProgram(EVERYTHING, { PORT: String(port) }, [], [transport]);
    const isOpen = () =>
      fetch(url, { method: 'OPTIONS' }).then(
        () => true,
        () => false,
      );
    await until(isOpen, 'the server', START_MS);
  }, TIMEOUT_MS);

  afterAll(() => program.stop('SIGKILL'));

  it(
    'lists, calls, reads, gets and follows a task (CLI-20)',
    async () => {
      const endings = [
        await runCommandLine(['tools', url]),
        await runCommandLine(['call', url, 'get-sum', 'a=1', 'b=2']),
        await runCommandLine(['call', url, 'trigger-long-running-operation', 'duration=1', 'steps=2']),
        await runCommandLine(['resources', url]),
        await runCommandLine(['prompts', url, 'args-prompt', 'city=Rome']),
        await runCommandLine(['call', url, 'simulate-research-query', 'topic=tides']),
        await runCommandLine(['lint', url]),
      ];
      expect(endings.map(({ code }) => code)).toEqual(endings.map(() => 0));
      const printed = ['get-sum', 'is 3', 'completed', '://', 'Rome', 'Research Report: tides', 'errors: '];
      for (const [index, { stdout }] of endings.entries()) expect(stdout).toContain(printed[index]);
      expect(endings[2]?.stderr).toContain('progress 2/2');
    },
    TIMEOUT_MS,
  );
});

/** Writes the smallest server of a package that makes servers. */
function writeFastMcp(): string {
  const [fastmcp, zod] = ['fastmcp', 'zod'].map((name) => JSON.stringify(require.resolve(name)));
  return `import { FastMCP } from ${fastmcp}; import { z } from ${zod};
    const server = new FastMCP({ name: 'sums', version: '1.0.0' });
    server.addTool({
      name: 'add',
      description: 'Adds',
      parameters: z.object({ a: z.number(), b: z.number() }),
      execute: async ({ a, b }) => String(a + b),
    });
    await server.start({ transportType: 'stdio' });`;
}
