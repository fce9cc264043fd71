import { afterEach, describe, expect, it } from '@jest/globals';
import { CommandLine, type RunSetup } from '../../support/programs/command-line.js';
import { FixtureEndpoint, type Incoming } from '../../support/fixture-endpoint.js';
import type { JsonObject } from '../../support/clients/message.js';

const TASKS = 'io.modelcontextprotocol/tasks';
/** So long that no machine takes it for one exchange. */
const SILENCE_MS = 4_000;
const TASK = {
  taskId: 'task-1',
  createdAt: '2026-07-28T00:00:00Z',
  lastUpdatedAt: '2026-07-28T00:00:00Z',
  ttlMs: 60_000,
  pollIntervalMs: 50,
};
const RESULT = { resultType: 'complete', content: [{ type: 'text', text: 'baked' }] };
const QUESTION = {
  method: 'elicitation/create',
  params: {
    mode: 'form',
    message: 'With salt?',
    requestedSchema: { type: 'object', properties: { salt: { type: 'boolean' } }, required: ['salt'] },
  },
};

/** The states of a task, in the order in which `tasks/get` gives them; the last one stays. */
type States = readonly JsonObject[];

const OTHER_ANSWERS: { readonly [method: string]: JsonObject } = {
  'server/discover': {
    supportedVersions: ['2026-07-28'],
    capabilities: { tools: {}, extensions: { [TASKS]: {} } },
    ttlMs: 0,
    cacheScope: 'private',
  },
  'tools/list': {
    tools: [{ name: 'bake', inputSchema: { type: 'object' } }],
    ttlMs: 0,
    cacheScope: 'private',
  },
  'tools/call': { resultType: 'task', ...TASK, status: 'working' },
  'tasks/update': {},
};

function answer(states: States, { rpc = '', count }: Incoming): JsonObject {
  if (rpc === 'tasks/get') return { ...TASK, ...states[Math.min(count, states.length - 1)] };
  return OTHER_ANSWERS[rpc] ?? {};
}

describe('nestjs-mcp-cli call, answered with a task (extension io.modelcontextprotocol/tasks)', () => {
  let endpoint: FixtureEndpoint;

  afterEach(async () => {
    await endpoint.stop();
  });

  const begin = async (states: States, setup: RunSetup = {}, options: readonly string[] = []) => {
    endpoint = await FixtureEndpoint.start({
      takeOver: (request, response) => {
        const result = { resultType: 'complete', ...answer(states, request) };
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ jsonrpc: '2.0', id: request.message['id'], result }));
        return true;
      },
    });
    return new CommandLine(['call', endpoint.url, 'bake', ...options], setup);
  };

  const call = async (...given: Parameters<typeof begin>) => (await begin(...given)).ends();

  const requests = (method: string) => endpoint.requests.filter(({ rpc }) => rpc === method);

  it('asks for it at the pace that the server wishes, and prints its result (CLI-20)', async () => {
    const states = [
      { status: 'working', statusMessage: 'in the oven' },
      { status: 'working', statusMessage: 'in the oven' },
      { status: 'completed', result: RESULT },
    ];
    const { code, stdout, stderr } = await call(states);
    expect([code, stdout]).toEqual([0, 'baked\n']);
    expect(stderr.split('\n')).toEqual([
      'task task-1: working',
      'task task-1: working (in the oven)',
      'task task-1: completed',
      '',
    ]);
    expect(requests('tasks/get')).toHaveLength(3);
    expect(requests('tasks/get')[0]?.headers).toMatchObject({ 'mcp-name': 'task-1' });
    const [{ message } = { message: {} }] = requests('tools/call');
    expect(JSON.stringify(message)).toContain(`"extensions":{"${TASKS}":{}}`);
  });

  it('takes "running" for "working", as some servers say (CLI-20)', async () => {
    const { stdout } = await call([{ status: 'running' }, { status: 'completed', result: RESULT }]);
    expect(stdout).toBe('baked\n');
  });

  it('answers what the task asks for, once (CLI-20)', async () => {
    const asks = { status: 'input_required', inputRequests: { 'question-1': QUESTION } };
    const states = [asks, asks, { status: 'completed', result: RESULT }];
    const { code, stdout, stderr } = await call(states, { input: 'yes\n\n' }, ['--interactive']);
    expect([code, stdout]).toEqual([0, 'baked\n']);
    expect(stderr).toContain('The server asks: With salt?');
    const updates = requests('tasks/update').map(({ message }) => message['params']);
    const inputResponses = { 'question-1': { action: 'accept', content: { salt: true } } };
    expect(updates).toMatchObject([{ taskId: 'task-1', inputResponses }]);
    expect(updates).toHaveLength(1);
  });

  it('ends with 1 where it asks and nobody can answer (CLI-20)', async () => {
    const { code, stderr } = await call([
      { status: 'input_required', inputRequests: { 'question-1': QUESTION } },
    ]);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('it requires input that cannot be provided here'),
    ]);
    expect(requests('tasks/cancel')).toHaveLength(1);
  });

  it('ends with 4 where it shows no sign of life for too long, and is cancelled (CLI-20)', async () => {
    const { code, stderr } = await call([{ status: 'working' }], {}, ['--timeout', String(SILENCE_MS)]);
    expect([code, stderr]).toEqual([
      4,
      expect.stringContaining(
        `"task-1" made no progress within ${SILENCE_MS} ms: allow more time with "--timeout ${2 * SILENCE_MS}"`,
      ),
    ]);
    expect(requests('tasks/cancel')).toMatchObject([{ message: { params: { taskId: 'task-1' } } }]);
  });

  it('is waited for as long as it shows signs of life (CLI-20)', async () => {
    const steps = Array.from({ length: 9 }, (_, step) => ({
      status: 'working',
      statusMessage: `tray ${step}`,
      pollIntervalMs: SILENCE_MS / 8,
    }));
    const states = [...steps, { status: 'completed', result: RESULT }];
    const { code, stdout } = await call(states, {}, ['--timeout', String(SILENCE_MS)]);
    expect([code, stdout]).toEqual([0, 'baked\n']);
    expect(requests('tasks/cancel')).toEqual([]);
  });

  it('is cancelled upon Ctrl-C, which ends the command as it does others (CLI-20)', async () => {
    const line = await begin([{ status: 'working', statusMessage: 'in the oven' }]);
    await line.says(/in the oven/);
    line.interrupt();
    expect((await line.ends()).code).toBeNull();
    expect(requests('tasks/cancel')).toHaveLength(1);
  });

  it.each<[string, JsonObject, string]>([
    ['failed', { error: { code: -32_603, message: 'The oven \u001b[31mis cold' } }, 'is cold'],
    ['cancelled', { statusMessage: 'by the baker' }, 'by the baker'],
    ['completed', {}, 'completed'],
  ])('ends with 1 where it is %s without a result (CLI-20)', async (status, members, reason) => {
    const { code, stdout, stderr } = await call([{ status, ...members }]);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(`The task "task-1" has no result: its status is "${status}"`);
    expect(stderr).toContain(reason);
    expect(stderr).not.toContain('\u001b');
  });

  it('ends with 1 where the tool says that it failed (CLI-20)', async () => {
    const result = { ...RESULT, isError: true, content: [{ type: 'text', text: 'burnt' }] };
    const { code, stdout, stderr } = await call([{ status: 'completed', result }]);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/burnt\n$/);
  });
});
