import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { resultFromTaskOutcome } from '@modelcontextprotocol/ext-tasks/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  CallToolResultSchema,
  CreateTaskResultSchema,
  ElicitRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import {
  connectInSession,
  connectStateless,
  type TaskPackageClient,
} from '../../support/clients/task-package.js';
import { textOfCall } from '../../support/clients/tools.js';
import { neverTwice } from '../../support/cluster/balancer.js';
import { endAfterEach } from '../../support/cluster/end-after-each.js';
import { ProcessCluster } from '../../support/cluster/process-cluster.js';
import { until } from '../../support/until.js';

const LONG_MS = 30_000;
const AS_TASK = { task: { preference: 'require' as const } };
const ANSWER = { action: 'accept' as const, content: { word: 'verso' } };

let cluster: ProcessCluster;

beforeAll(async () => {
  cluster = await ProcessCluster.start({ choose: neverTwice() });
}, 120_000);

afterAll(() => cluster.stop());

const begin = endAfterEach();
const hasPrinted = (text: string) => cluster.processes.some(({ stdout }) => stdout.includes(text));

describe('Tasks of the official client v1, no two requests of which reach the same process', () => {
  async function connect(): Promise<Client> {
    const client = new Client({ name: 'guest', version: '1.0.0' }, { capabilities: { elicitation: {} } });
    client.setRequestHandler(ElicitRequestSchema, () => ANSWER);
    await client.connect(new StreamableHTTPClientTransport(new URL(cluster.url)));
    return begin(Promise.resolve(client));
  }

  async function create(client: Client, name: string, given: Record<string, unknown> = {}): Promise<string> {
    const params = { name, arguments: given };
    const { task } = await client.request({ method: 'tools/call', params }, CreateTaskResultSchema, {
      task: {},
    });
    return task.taskId;
  }

  it('are polled, waited for and listed (RELAY-09) (RELAY-01)', async () => {
    const client = await connect();
    const { tasks } = client.experimental;
    const taskIds = await Promise.all(
      [1, 2, 3].map((job) => create(client, 'job', { name: `v1 ${job}`, ms: 50 })),
    );
    for (const [index, taskId] of taskIds.entries()) {
      const result = await tasks.getTaskResult(taskId, CallToolResultSchema);
      expect(textOfCall(result)).toMatch(new RegExp(`^v1 ${index + 1} at`));
      for (let count = 0; count < 3; count += 1) {
        expect(await tasks.getTask(taskId)).toMatchObject({ status: 'completed' });
        expect((await tasks.listTasks()).tasks.map((task) => task.taskId)).toContain(taskId);
      }
    }
  });

  it('ask, and are answered where their result is waited for (RELAY-09) (RELAY-05)', async () => {
    const client = await connect();
    const { tasks } = client.experimental;
    for (let count = 0; count < 3; count += 1) {
      const taskId = await create(client, 'askAtWork');
      await until(
        async () => (await tasks.getTask(taskId)).status === 'input_required',
        'a question',
        LONG_MS,
      );
      expect(textOfCall(await tasks.getTaskResult(taskId, CallToolResultSchema))).toMatch(/^verso at/);
    }
  });

  it('are cancelled (RELAY-09)', async () => {
    const client = await connect();
    const { tasks } = client.experimental;
    const taskId = await create(client, 'job', { name: 'v1 long', ms: 600_000 });
    await until(() => hasPrinted('begun v1 long.'), 'the beginning', LONG_MS);
    await tasks.cancelTask(taskId);
    await until(() => hasPrinted('stopped v1 long.'), 'the end', LONG_MS);
    expect(await tasks.getTask(taskId)).toMatchObject({ status: 'cancelled' });
  });
});

describe.each([
  ['in a session', connectInSession],
  ['of the stateless wire', connectStateless],
])(
  'Tasks of the official client v2 %s, no two requests of which reach the same process',
  (kind, connectBy) => {
    const connect = (): Promise<TaskPackageClient> => begin(connectBy(cluster.url));

    it('are driven to their result (RELAY-09) (RELAY-01)', async () => {
      const { session } = await connect();
      for (let count = 0; count < 3; count += 1) {
        const execution = await session.callTool('job', { name: `${kind} ${count}`, ms: 50 }, AS_TASK);
        expect(execution.kind).toBe('task');
        const { outcome } = await execution.settle();
        expect(textOfCall(resultFromTaskOutcome(outcome) as never)).toMatch(`${kind} ${count} at`);
      }
    });

    it('are cancelled (RELAY-09)', async () => {
      const { session } = await connect();
      const name = `${kind} long`;
      const execution = await session.callTool('job', { name, ms: 600_000 }, AS_TASK);
      const settling = execution.settle();
      await until(() => hasPrinted(`begun ${name}.`), 'the beginning', LONG_MS);
      await execution.cancel();
      await until(() => hasPrinted(`stopped ${name}.`), 'the end', LONG_MS);
      expect((await settling).outcome.status).toBe('cancelled');
    });
  },
);

// In a session the package leaves questions of tasks unanswered, whatever the server is.
it('Tasks of the official client v2 of the stateless wire ask, and are answered (RELAY-09) (RELAY-05)', async () => {
  const { session } = await begin(
    connectStateless(cluster.url, { onInputRequest: async () => ANSWER as never }),
  );
  for (let count = 0; count < 3; count += 1) {
    const { outcome } = await (await session.callTool('askAtWork', {}, AS_TASK)).settle();
    expect(textOfCall(resultFromTaskOutcome(outcome) as never)).toMatch(/^verso at/);
  }
});
