import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Injectable, Logger } from '@nestjs/common';
import type { Progress } from '@modelcontextprotocol/client';
import { InMemoryTaskStore } from '@modelcontextprotocol/sdk/experimental/tasks/stores/in-memory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { Tool, type McpContext } from 'nestjs-mcp';
import type { HttpClientOptions } from 'nestjs-mcp/client-module';
import { until } from '../../support/until.js';
import { RecordedFetch } from './recorded-fetch.js';
import { bootCustomer, bootShop, type Customer, type RunningShop } from './shop.app.js';

const seen: string[] = [];

@Injectable()
class Mint {
  @Tool({ task: 'optional', pollIntervalMs: 50 })
  strike(_: object, context: McpContext): string {
    context.progress(1, 3, 'melted');
    context.progress(2, 3);
    context.progress(3, 3, 'struck');
    return context.task === undefined ? 'at once' : 'as a task';
  }

  @Tool({ task: 'required', pollIntervalMs: 50 })
  async engrave(_: object, { task }: McpContext): Promise<string> {
    task?.setStatusMessage('drawn');
    await until(() => seen.includes('drawn'), 'the status message');
    return 'engraved';
  }

  /** It reports until it is told to end, so that some of its progress comes long after the answer with the task. */
  @Tool({ task: 'required', pollIntervalMs: 50 })
  async polish(_: object, context: McpContext): Promise<string> {
    for (let step = 1; !seen.includes('enough'); step += 1) {
      context.progress(step);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    return 'polished';
  }
}

const textOf = (result: { readonly content: readonly unknown[] }) =>
  (result.content[0] as { readonly text?: string } | undefined)?.text;

const SESSIONS = [
  { wire: 'a session that declares the extension', task: undefined },
  { wire: '2025-11-25', task: true },
] as const;

describe('Progress of a call that becomes a task', () => {
  let server: RunningShop;
  let customer: Customer;
  let requests: RecordedFetch;

  const boot = async (negotiation: HttpClientOptions['negotiation']) => {
    requests = new RecordedFetch();
    customer = await bootCustomer({ url: server.url, negotiation, fetch: requests.fetch });
  };

  beforeEach(async () => {
    seen.length = 0;
    server = await bootShop({ tasks: true }, [Mint]);
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await customer.app.close();
    await server.close();
  });

  it.each(SESSIONS)('reaches "onProgress" to the end of the task in $wire (CLI-18)', async ({ task }) => {
    await boot('legacy');
    const reports: Progress[] = [];
    const result = await customer.client.callTool(
      'strike',
      {},
      { task, onProgress: (progress) => reports.push(progress) },
    );
    expect(textOf(result)).toBe('as a task');
    expect(reports).toMatchObject([
      { progress: 1, total: 3, message: 'melted' },
      { progress: 2, total: 3 },
      { progress: 3, total: 3, message: 'struck' },
    ]);
  });

  it.each(SESSIONS)(
    'goes on after the call is answered with the task in $wire (CLI-18)',
    async ({ task }) => {
      await boot('legacy');
      let isTask = false;
      let after = 0;
      const call = customer.client.callTool(
        'polish',
        {},
        {
          task,
          onStatus: () => (isTask = true),
          onProgress: () => {
            if (isTask && (after += 1) === 3) seen.push('enough');
          },
        },
      );
      expect(textOf(await call)).toBe('polished');
      expect(after).toBeGreaterThanOrEqual(3);
    },
  );

  it('makes the client do without a task on the stateless wire, whose tasks have none (CLI-18)', async () => {
    await boot({ pin: '2026-07-28' });
    const reports: Progress[] = [];
    const result = await customer.client.callTool(
      'strike',
      {},
      { onProgress: (progress) => reports.push(progress) },
    );
    expect(textOf(result)).toBe('at once');
    expect(reports.map(({ progress }) => progress)).toEqual([1, 2, 3]);
    expect(requests.count('tasks/get')).toBe(0);
  });

  it.each([{ onStatus: () => undefined }, { task: true }])(
    'leaves the task to a caller of the stateless wire who wants one (%j) (CLI-18)',
    async (options) => {
      await boot({ pin: '2026-07-28' });
      const result = await customer.client.callTool(
        'strike',
        {},
        { ...options, onProgress: () => undefined },
      );
      expect(textOf(result)).toBe('as a task');
    },
  );

  it('is the status messages where the stateless wire has the tool as a task alone, and says so once (CLI-18)', async () => {
    await boot({ pin: '2026-07-28' });
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const reports: Progress[] = [];
    const onProgress = (progress: Progress) => {
      reports.push(progress);
      seen.push(String(progress.message));
    };
    expect(textOf(await customer.client.callTool('engrave', {}, { onProgress }))).toBe('engraved');
    seen.length = 0;
    await customer.client.callTool('engrave', {}, { onProgress });
    expect(reports).toEqual([
      { progress: 1, message: 'drawn' },
      { progress: 1, message: 'drawn' },
    ]);
    const lines = warn.mock.calls.map(([line]) => String(line)).filter((line) => line.includes('onProgress'));
    expect(lines).toEqual([expect.stringContaining('received a task for its call to "engrave"')]);
    // Each call was refused without a task, which the server has not run, and made with one.
    expect(requests.count('tools/call')).toBe(4);
  });
});

/** A server of the official SDK: clients ask for its tasks, and only its list says which tools want that. */
async function bootOfficial() {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const stores: InMemoryTaskStore[] = [];
  const cancelled: string[] = [];
  const http: HttpServer = createServer((request, response) => {
    void serve(request.headers['mcp-session-id']).then((transport) =>
      transport.handleRequest(request, response),
    );
  });
  const serve = async (id: string | string[] | undefined) => {
    const present = sessions.get(String(id));
    if (present !== undefined) return present;
    const tasks = new InMemoryTaskStore();
    stores.push(tasks);
    const server = new McpServer(
      { name: 'works', version: '1.0.0' },
      { capabilities: { tasks: { requests: { tools: { call: {} } }, cancel: {} } }, taskStore: tasks },
    );
    server.experimental.tasks.registerToolTask(
      'research',
      { execution: { taskSupport: 'required' } },
      {
        createTask: async (extra) => {
          const task = await extra.taskStore.createTask({ ttl: 60_000, pollInterval: 50 });
          void until(() => seen.includes('go'), 'the word to end')
            .then(() =>
              tasks.storeTaskResult(task.taskId, 'completed', { content: [{ type: 'text', text: 'found' }] }),
            )
            .catch(() => undefined);
          return { task };
        },
        getTask: (extra) => extra.taskStore.getTask(extra.taskId),
        getTaskResult: async (extra) => ({
          content: [],
          ...(await extra.taskStore.getTaskResult(extra.taskId)),
        }),
      },
    );
    server.registerTool('greet', {}, () => ({ content: [{ type: 'text', text: 'hello' }] }));
    const update = tasks.updateTaskStatus.bind(tasks);
    tasks.updateTaskStatus = async (...args) => {
      if (args[1] === 'cancelled') cancelled.push(args[0]);
      return update(...args);
    };
    const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (one) => void sessions.set(one, transport),
    });
    await server.connect(transport);
    return transport;
  };
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const close = async () => {
    await Promise.all([...sessions.values()].map((transport) => transport.close()));
    for (const store of stores) store.cleanup();
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
  };
  return { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`, cancelled, close };
}

describe('A tool of an official server that runs as a task alone', () => {
  let server: Awaited<ReturnType<typeof bootOfficial>>;
  let customer: Customer;
  let requests: RecordedFetch;

  beforeEach(async () => {
    seen.length = 0;
    requests = new RecordedFetch();
    server = await bootOfficial();
    customer = await bootCustomer({ url: server.url, fetch: requests.fetch });
  });
  afterEach(async () => {
    await customer.app.close();
    await server.close();
  });

  it('is called with "task", which its list says that it needs (CLI-18)', async () => {
    seen.push('go');
    expect(textOf(await customer.client.callTool('research'))).toBe('found');
    expect(textOf(await customer.client.callTool('greet'))).toBe('hello');
    expect(requests.count('tasks/result')).toBe(1);
    expect(requests.count('tools/list')).toBe(1);
  });

  it('has its task cancelled when the caller gives up (CLI-18)', async () => {
    const stop = new AbortController();
    const statuses: string[] = [];
    const onStatus = ({ status }: { readonly status: string }) => statuses.push(status);
    const call = customer.client.callTool('research', {}, { signal: stop.signal, onStatus });
    await until(() => statuses.includes('working'), 'the task');
    stop.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
    await until(() => server.cancelled.length === 1, 'the cancellation');
    seen.push('go');
  });

  it('is called without with "task: false", and refuses (CLI-18)', async () => {
    const result = await customer.client.callTool('research', {}, { task: false });
    expect(result).toMatchObject({ isError: true });
    expect(textOf(result)).toContain('requires task augmentation');
    expect(requests.count('tools/list')).toBe(0);
  });
});
