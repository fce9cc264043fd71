import type { OutgoingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { Injectable, Logger } from '@nestjs/common';
import {
  McpAudit,
  McpInMemoryConnector,
  Prompt,
  Resource,
  Tool,
  type AuditEvent,
  type McpOptions,
} from 'nestjs-mcp';
import { Client } from '@modelcontextprotocol/client';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { initialize, perRequest } from '../../support/clients/json-rpc.js';
import { RecordedLog } from '../../support/records/recorded-log.js';
import { RecordedTraces } from '../../support/records/recorded-traces.js';
import { until } from '../../support/until.js';

const SECRET = 'the table "tickets" is gone';
const HIDDEN = /^Internal error \(incident [0-9a-f]{12}\)$/;
const SHOWN = new RegExp(`^Internal error \\(incident [0-9a-f]{12}\\): ${SECRET}$`);
const TASKS = 'io.modelcontextprotocol/tasks';

@Injectable()
class BrokenHandlers {
  @Tool()
  crash(): never {
    throw new Error(SECRET);
  }

  @Tool()
  dial(): never {
    throw new Error(`connect postgres://desk:hunter2@db.example.com/desk ${'x'.repeat(2000)}`);
  }

  @Tool()
  unsendable(): unknown {
    return { amount: 42n };
  }

  @Tool({ task: 'required', pollIntervalMs: 50 })
  late(): never {
    throw new Error(SECRET);
  }

  @Prompt()
  plan(): never {
    throw new Error(SECRET);
  }

  @Resource({ uri: 'desk://now' })
  now(): never {
    throw new Error(SECRET);
  }
}

const textOf = ({
  result,
  error,
}: {
  result?: object | undefined;
  error?: { message: string } | undefined;
}) => {
  const { content } = (result ?? {}) as { readonly content?: readonly { readonly text?: string }[] };
  return content?.[0]?.text ?? error?.message ?? '';
};

const { NODE_ENV } = process.env;

const setEnvironment = (name: string | undefined): void => {
  if (name === undefined) delete process.env.NODE_ENV;
  else process.env.NODE_ENV = name;
};

afterAll(() => setEnvironment(NODE_ENV));

describe.each(ADAPTERS)('The error of a handler on %s, while the server is developed', (adapter) => {
  let desk: RunningApp;
  let log: RecordedLog;

  const boot = async (environment: string | undefined, options: Partial<McpOptions> = {}) => {
    setEnvironment(environment);
    log = new RecordedLog();
    desk = await bootServer({
      adapter,
      options: { tasks: true, ...options },
      providers: [BrokenHandlers],
      nest: { logger: log },
    });
  };
  const call = async (headers: OutgoingHttpHeaders = {}, name = 'crash') =>
    textOf(await perRequest(desk.url, { headers }).request('tools/call', { name }));

  afterEach(async () => {
    await desk.close();
    Logger.overrideLogger(false);
    setEnvironment(NODE_ENV);
  });

  it.each([undefined, 'development', 'staging'])(
    'reaches a caller on this machine beside its incident, if NODE_ENV is %s (CORE-05)',
    async (environment) => {
      await boot(environment);
      expect(await call()).toMatch(SHOWN);
      const session = await initialize(desk.url);
      expect(textOf(await session.request('tools/call', { name: 'crash' }))).toMatch(SHOWN);
      expect(textOf(await session.request('prompts/get', { name: 'plan' }))).toMatch(SHOWN);
      expect(textOf(await session.request('resources/read', { uri: 'desk://now' }))).toMatch(SHOWN);
      expect(log.find('error').at(-1)).toContain(SECRET);
      expect(await call({}, 'crash')).not.toContain('shown-errors.spec');
    },
  );

  it('is shown for a result that cannot be sent too, shortened and without credentials (CORE-05)', async () => {
    await boot('development');
    expect(await call({}, 'unsendable')).toMatch(/incident \w+\): .*BigInt/);
    const text = await call({}, 'dial');
    expect(text).toContain('db.example.com');
    expect(text).not.toContain('hunter2');
    expect(text.length).toBeLessThan(1100);
  });

  it.each(['production', 'test'])('stays in the log if NODE_ENV is %s (CORE-05)', async (environment) => {
    await boot(environment);
    expect(await call()).toMatch(HIDDEN);
    expect(await call({}, 'unsendable')).toMatch(HIDDEN);
    expect(log.find('error').at(-1)).toContain('BigInt');
  });

  it.each<OutgoingHttpHeaders>([
    { 'x-forwarded-for': '127.0.0.1' },
    { 'x-forwarded-proto': 'https' },
    { 'x-forwarded-host': 'localhost' },
    { forwarded: 'for=127.0.0.1' },
    { via: '1.1 proxy' },
    { 'x-real-ip': '203.0.113.7' },
    { 'cf-connecting-ip': '203.0.113.7' },
    { 'x-envoy-external-address': '203.0.113.7' },
    { host: 'tunnel.example.com' },
    { origin: 'https://app.example.com' },
  ])('stays in the log behind a proxy or a tunnel, and for other sites: %j (CORE-05)', async (headers) => {
    await boot('development', {
      allowedHosts: ['tunnel.example.com'],
      cors: { origins: ['https://app.example.com'] },
    });
    expect(await call(headers)).toMatch(HIDDEN);
    expect(await call()).toMatch(SHOWN);
  });

  it('stays in the log for HTTP/1.0, which proxies speak that say nothing of themselves (CORE-05)', async () => {
    await boot('development');
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'crash',
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    });
    const head = [
      'POST /mcp HTTP/1.0',
      'host: localhost',
      'content-type: application/json',
      'accept: application/json, text/event-stream',
      'mcp-protocol-version: 2026-07-28',
      'mcp-method: tools/call',
      'mcp-name: crash',
      `content-length: ${body.length}`,
    ];
    const socket = connect(desk.port, '127.0.0.1');
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
    await until(() => text.includes('incident'), 'the answer');
    socket.destroy();
    expect(text).not.toContain('tickets');
  });

  it('stays in the log if clients use a public URL, which a proxy serves (CORE-05)', async () => {
    await boot('development', { publicUrl: 'https://desk.example.com/mcp' });
    expect(await call()).toMatch(HIDDEN);
  });

  it('is for nobody, or for everybody, as "exposeErrors" says (MOD-11)', async () => {
    await boot('development', { exposeErrors: false });
    expect(await call()).toMatch(HIDDEN);
    await desk.close();
    await boot('production', { exposeErrors: true, allowedHosts: ['tunnel.example.com'] });
    expect(await call({ host: 'tunnel.example.com' })).toBe(SECRET);
  });

  it('is not in a task, which others may read later (CORE-05)', async () => {
    await boot('development');
    const session = await initialize(desk.url, { capabilities: { extensions: { [TASKS]: {} } } });
    const { result } = await session.request('tools/call', { name: 'late' });
    const taskId = String(result?.['taskId']);
    let task: object | undefined;
    await until(async () => {
      task = (await session.request('tasks/get', { taskId })).result;
      return JSON.stringify(task).includes('incident');
    }, 'the end of the task');
    expect(JSON.stringify(task)).not.toContain('tickets');
    expect(await call()).toMatch(SHOWN);
  });

  it('is not for a client of the same process, which may act for anybody (CORE-05)', async () => {
    await boot('development');
    const client = new Client({ name: 'report', version: '1.0.0' });
    await client.connect(await desk.app.get(McpInMemoryConnector).connect());
    const { content } = await client.callTool({ name: 'crash' });
    await client.close();
    expect(textOf({ result: { content } })).toMatch(HIDDEN);
  });

  it('is in no audit event and no span (CORE-05)', async () => {
    const traces = new RecordedTraces();
    await boot('development', { telemetry: { tracerProvider: traces.provider } });
    const events: AuditEvent[] = [];
    const subscription = desk.app.get(McpAudit).events$.subscribe((event) => events.push(event));
    const plan = await perRequest(desk.url).request('prompts/get', { name: 'plan' });
    expect(textOf(plan)).toMatch(SHOWN);
    expect(await call()).toMatch(SHOWN);
    await until(() => events.length >= 2 && traces.spans.length >= 2, 'the records');
    subscription.unsubscribe();
    expect(JSON.stringify(events)).not.toContain('tickets');
    const statuses = traces.spans.map(({ status, attributes }) => ({ status, attributes }));
    expect(JSON.stringify(statuses)).toContain('Internal error (incident');
    expect(JSON.stringify(statuses)).not.toContain('tickets');
  });
});
