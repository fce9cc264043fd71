import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { perRequest, type PerRequestClient } from '../../support/clients/json-rpc.js';
import type { JsonObject } from '../../support/clients/message.js';
import { until } from '../../support/until.js';
import { compilePages, ServedPage } from './pages.js';

beforeAll(() => compilePages());

/** Declares some extensions with each request. */
function connect({ url, headers }: ServedPage, ...ids: readonly string[]): PerRequestClient {
  const extensions = Object.fromEntries(ids.map((id) => [id, {}]));
  return perRequest(url, { headers, capabilities: { elicitation: {}, extensions } });
}

describe('the handlers of docs/tasks.md', () => {
  let page: ServedPage;
  let client: PerRequestClient;

  beforeAll(async () => {
    page = await ServedPage.serve('docs/tasks.md');
    client = connect(page, 'io.modelcontextprotocol/tasks');
  });

  afterAll(() => page?.close());

  async function order(name: string, input: JsonObject): Promise<JsonObject> {
    const { result = {} } = await client.request('tools/call', { name, arguments: input });
    return result;
  }

  /** Waits until a task has come to a status, and gives it. */
  async function follow(taskId: unknown, status: string): Promise<JsonObject> {
    return until(async () => {
      const headers = { ...page.headers, 'mcp-name': String(taskId) };
      const { result = {} } = await client.request('tasks/get', { taskId }, { headers });
      return result['status'] === status && result;
    }, `the status "${status}"`);
  }

  it('run as tasks, and ask there (TASK-01, TASK-02)', async () => {
    const task = await order('import_files', { files: ['a.csv', 'b.csv'] });
    expect(task).toMatchObject({ resultType: 'task', ttlMs: 15 * 60_000, pollIntervalMs: 2000 });
    const { taskId } = task;
    const { inputRequests } = await follow(taskId, 'input_required');
    const [key = ''] = Object.keys(inputRequests as object);
    const inputResponses = { [key]: { action: 'accept', content: {} } };
    const headers = { ...page.headers, 'mcp-name': String(taskId) };
    await client.request('tasks/update', { taskId, inputResponses }, { headers });
    const { result } = await follow(taskId, 'completed');
    expect(result).toMatchObject({ content: [{ text: '2 files imported' }] });
  });

  it('run within the call for clients that know no tasks (TASK-01)', async () => {
    const { result } = await perRequest(page.url, {
      headers: page.headers,
      capabilities: { elicitation: {} },
    }).request('tools/call', { name: 'import_files', arguments: { files: ['a.csv'] } });
    expect(result).toMatchObject({ resultType: 'input_required' });
  });

  it('go on as tasks once they have asked (TASK-01)', async () => {
    const asked = await order('export_table', { table: 'orders' });
    const { inputRequests, requestState } = asked;
    const [key = ''] = Object.keys(inputRequests as object);
    const inputResponses = { [key]: { action: 'accept', content: {} } };
    const call = { name: 'export_table', arguments: { table: 'orders' }, inputResponses, requestState };
    const { result: task = {} } = await client.request('tools/call', call);
    expect(task).toMatchObject({ resultType: 'task', pollIntervalMs: 5000 });
    const { result } = await follow(task['taskId'], 'completed');
    expect(result).toMatchObject({ content: [{ text: 'orders is exported' }] });
  });
});

describe('the extensions of docs/extensions.md', () => {
  let page: ServedPage;

  beforeAll(async () => {
    page = await ServedPage.serve('docs/extensions.md');
  });

  afterAll(() => page?.close());

  it('have methods for clients that declare them (EXT-03)', async () => {
    const answer = await connect(page, 'com.example/reports').request('reports/list');
    expect(answer.result).toMatchObject({ reports: ['week 47'] });
    const { error } = await connect(page).request('reports/list');
    expect(error).toMatchObject({ code: -32021 });
  });

  it('call tools, and tell who listens; what is theirs is for nobody else (EXT-03)', async () => {
    const client = connect(page, 'com.example/night');
    const stream = await client.listen({ nightJobs: true });
    const headers = { ...page.headers, 'mcp-name': 'first' };
    const call = { job: 'first', name: 'no_such_tool', arguments: {} };
    const { result: { receipt } = {} } = await client.request('night/call', call, { headers });
    const { params } = await stream.nextNotification('notifications/night/done');
    expect(params).toMatchObject({ job: 'first' });
    const { result } = await client.request('night/outcome', { receipt });
    expect(result).toMatchObject({ error: { code: -32602 } });
    const { error } = await client.request('night/outcome', { receipt: `${String(receipt)}x` });
    expect(error).toMatchObject({ message: expect.stringContaining('not one of yours') });
    await stream.close();
  });

  it('are declared with what they declare besides (EXT-01)', async () => {
    const { result } = await perRequest(page.url, { headers: page.headers }).request('server/discover');
    expect(result).toMatchObject({
      capabilities: {
        experimental: { night: {} },
        extensions: { 'com.example/night': { stability: 'experimental' } },
      },
    });
  });
});
