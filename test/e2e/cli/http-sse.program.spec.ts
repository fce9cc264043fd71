import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { CommandLine } from '../../support/programs/command-line.js';
import { runHere } from '../../support/programs/run-here.js';
import { NodeProgram } from '../../support/programs/node-program.js';
import { until } from '../../support/until.js';
import { FixtureEndpoint } from '../../support/fixture-endpoint.js';

const FILE = fileURLToPath(new URL('../../../.build/test/programs/others/tool-server.js', import.meta.url));
const TOKEN = 'a-token-of-others';

async function start(environment: NodeJS.ProcessEnv): Promise<{ program: NodeProgram; url: string }> {
  const program = new NodeProgram(FILE, { TRANSPORT: 'sse', ...environment });
  await program.prints('/sse');
  return { program, url: /http\S+/.exec(program.stdout)?.[0] ?? '' };
}

describe('the command line at a server that speaks only HTTP+SSE (2024-11-05)', () => {
  let open: Awaited<ReturnType<typeof start>>;
  let closed: Awaited<ReturnType<typeof start>>;
  let endpoint: FixtureEndpoint | undefined;

  beforeAll(async () => {
    [open, closed] = await Promise.all([start({}), start({ TOKEN })]);
  });

  afterEach(async () => {
    await endpoint?.stop();
    endpoint = undefined;
  });

  afterAll(() => Promise.all([open.program.stop(), closed.program.stop()]));

  it('lists, calls, reads and gets (CLI-20, SSE-01)', async () => {
    const endings = [
      await runHere(['tools', open.url]),
      await runHere(['call', open.url, 'greet', 'name=Ada']),
      await runHere(['resources', open.url, 'note://one']),
      await runHere(['prompts', open.url, 'ask']),
    ];
    for (const { code, stderr } of endings) expect([code, stderr]).toEqual([0, '']);
    expect(endings.map(({ stdout }) => stdout)).toEqual([
      expect.stringContaining('greet'),
      'hello, Ada\n',
      'noted\n',
      'user: asked\n',
    ]);
  });

  it('sends the token to the stream and to the URL that the stream names (CLI-20, SSE-01)', async () => {
    const environment = { OTHERS_TOKEN: TOKEN };
    const args = ['call', closed.url, 'greet', 'name=Ada', '--token-env', 'OTHERS_TOKEN'];
    expect(await runHere(args, { environment })).toEqual({
      code: 0,
      stdout: 'hello, Ada\n',
      stderr: '',
    });
    const { code } = await runHere(args, { environment: { OTHERS_TOKEN: 'another' } });
    expect(code).toBe(3);
  });

  it('does not wait for an answer where the stream breaks (CLI-20)', async () => {
    const { program, url } = await start({});
    const line = new CommandLine(['call', url, 'wait']);
    await until(() => program.stderr.includes('waiting'), 'the call', 30_000);
    await program.stop('SIGKILL');
    const { code, stderr } = await line.ends();
    expect([code, stderr]).toEqual([4, expect.stringContaining('closed the connection before it responded')]);
  });

  it('asks once, and says that nothing is there, where no stream names a URL (CLI-20)', async () => {
    endpoint = await FixtureEndpoint.start({
      takeOver: ({ method }, response) => {
        if (method === 'GET')
          response.writeHead(200, { 'content-type': 'text/event-stream' }).end('data: {}\n\n');
        else response.writeHead(404).end();
        return true;
      },
    });
    const { code, stderr } = await runHere(['tools', endpoint.url]);
    expect([code, stderr]).toEqual([4, expect.stringContaining(`Nothing serves MCP at "${endpoint.url}"`)]);
    expect(endpoint.requests.filter(({ method }) => method === 'GET')).toHaveLength(1);
  });

  it('sends nothing to another origin that a stream names (CLI-20)', async () => {
    endpoint = await FixtureEndpoint.start({
      takeOver: ({ method }, response) => {
        if (method === 'GET') {
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          response.end('event: endpoint\ndata: http://127.0.0.1:9/messages\n\n');
        } else response.writeHead(405).end();
        return true;
      },
    });
    const { code, stderr } = await runHere(['tools', endpoint.url]);
    expect([code, stderr]).toEqual([4, expect.stringContaining('which returns 405')]);
  });
});
