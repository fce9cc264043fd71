import { writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { Injectable, Module } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  EventSource,
  McpCatalog,
  McpModule,
  Prompt,
  Resource,
  ResourceTemplate,
  Tool,
  ToolError,
} from 'nestjs-mcp';
import { NEVER, type Observable } from 'rxjs';
import { z } from 'zod';
import type { Reporter } from '../../../cli/dev/failure-printer.js';
import { ReportServer } from '../../../cli/dev/report-server.js';
import { DEVELOPMENT_VARIABLE, formatDevConnection } from '../../../lib/core/development/dev-connection.js';
import type {
  CallReport,
  DevelopmentReport,
  FailureReport,
  OfferReport,
} from '../../../lib/core/development/report.js';
import { DevelopmentLink } from '../../../lib/server/development/development-link.js';
import { ADAPTERS, bootApp, type RunningApp } from '../../support/applications/boot.js';
import { CALLERS } from '../../support/applications/protected-desk.js';
import { bootServer, type ServerParts } from '../../support/applications/server.js';
import { initialize, perRequest } from '../../support/clients/json-rpc.js';
import { RecordedLog } from '../../support/records/recorded-log.js';
import { until, within } from '../../support/until.js';

const serverInfo = { name: 'desk', version: '1.0.0' };

@Injectable()
class Desk {
  @Tool({ description: 'Greets' })
  greet() {
    return 'Hello';
  }

  @Tool({ description: 'Unlocks', inputSchema: z.object({ password: z.string() }) })
  unlock({ password }: { password: string }) {
    return `Hello, ${password}`;
  }

  @Tool({ description: 'Fails' })
  fail() {
    throw new TypeError('the cellar is flooded');
  }

  @Tool({ description: 'Refuses' })
  refuse() {
    throw new ToolError('not today');
  }

  @Resource({ uri: 'note://latest' })
  latest() {
    return 'a note';
  }

  @ResourceTemplate({ uriTemplate: 'note://{id}' })
  note() {
    return 'a note';
  }

  @Prompt({ description: 'Reviews' })
  review() {
    return 'Review it';
  }

  @EventSource({ name: 'stock', payloadSchema: z.object({}) })
  stock(): Observable<object> {
    return NEVER;
  }
}

describe.each(ADAPTERS)('An application that "nestjs-mcp-cli dev" has started, on %s', (adapter) => {
  let reports: DevelopmentReport[];
  let reporters: Reporter[];
  let server: ReportServer;
  const running: RunningApp[] = [];

  beforeEach(async () => {
    [reports, reporters] = [[], []];
    server = new ReportServer({
      onBegin: async (reporter) => void reporters.push(reporter),
      onReport: (report) => void reports.push(report),
      onEnd: () => undefined,
    });
    await server.listen();
    process.env[DEVELOPMENT_VARIABLE] = formatDevConnection(server.invitation);
    delete process.env.NODE_ENV;
  });

  afterEach(async () => {
    for (const app of running.splice(0)) await app.close();
    server.close();
  });

  const boot = async (parts: ServerParts = {}): Promise<RunningApp> => {
    const desk = await bootServer({ adapter, providers: [Desk], ...parts });
    running.push(desk);
    return desk;
  };

  const find = <Type extends DevelopmentReport['type']>(type: Type) =>
    reports.filter((report): report is Extract<DevelopmentReport, { type: Type }> => report.type === type);

  const offers = (): readonly OfferReport[] => find('offer');
  const calls = (): readonly CallReport[] => find('call');
  const failures = (): readonly FailureReport[] => find('failure');

  const namesOf = ({ entries }: OfferReport) => entries.map(({ kind, name }) => `${kind} ${name}`);

  it('reports once that it listens, where that is and all that it offers', async () => {
    const { port } = await boot({ options: { events: true, auth: { bearer: [CALLERS.ada] } } });
    const [offer] = await until(() => offers().length > 0 && offers(), 'an offer');
    expect(offer).toMatchObject({
      server: 'default',
      endpoint: {
        host: '127.0.0.1',
        port,
        path: '/mcp',
        needsToken: true,
        hasExplorer: true,
        isSecure: false,
      },
    });
    expect(offer && namesOf(offer)).toEqual([
      'tool greet',
      'tool unlock',
      'tool fail',
      'tool refuse',
      'resource note://latest',
      'template note://{id}',
      'prompt review',
      'event stock',
    ]);
    expect(reporters).toEqual([{ pid: process.pid, packageRoot: expect.any(String) }]);
  });

  it('reports each server of the application', async () => {
    @Module({})
    class AppModule {}
    const imports = [
      McpModule.forRoot({ serverInfo, isDefault: true }),
      McpModule.forRoot({ serverInfo, server: 'admin', mcpPath: '/admin' }),
    ];
    running.push(await bootApp({ adapter, imports, providers: [Desk, AppModule] }));
    await until(() => offers().length === 2, 'both offers');
    expect(offers().map(({ server: key, endpoint }) => [key, endpoint?.path])).toEqual(
      expect.arrayContaining([
        ['default', '/mcp'],
        ['admin', '/admin'],
      ]),
    );
  });

  it('reports what changes while it runs, in one go', async () => {
    const { app } = await boot();
    await until(() => offers().length === 1, 'the offer');
    const { tools } = app.get(McpCatalog);
    tools.add({ name: 'bow' }, () => 'bowed');
    tools.remove('greet');
    await until(() => offers().length > 1, 'the change');
    const [, change] = offers();
    expect(change && namesOf(change)).toEqual(expect.arrayContaining(['tool bow']));
    expect(change && namesOf(change)).not.toContain('tool greet');
    expect(offers()).toHaveLength(2);
  });

  it('reports calls with who made them and how they ended, and nothing that was sent or answered', async () => {
    const { url } = await boot({ options: { auth: { bearer: [CALLERS.ada] } } });
    await perRequest(url).request('tools/call', { name: 'unlock', arguments: { password: 'open sesame' } });
    const { token, subject } = CALLERS.ada;
    const headers = { authorization: `Bearer ${token}` };
    await perRequest(url, { headers }).request('tools/call', {
      name: 'unlock',
      arguments: { password: 'open sesame' },
    });
    await until(() => calls().length === 2, 'the calls');
    expect(calls()).toMatchObject([
      { outcome: 'refused', address: '127.0.0.1' },
      { outcome: 'ok', subject, method: 'tools/call', target: 'unlock' },
    ]);
    expect(JSON.stringify(reports)).not.toMatch(new RegExp(`open sesame|${token}|Hello`));
  });

  it('reports what handlers throw with where that was', async () => {
    const { url } = await boot();
    for (const name of ['fail', 'refuse']) await perRequest(url).request('tools/call', { name });
    await until(() => failures().length === 2, 'the failures');
    expect(failures()).toMatchObject([
      { method: 'tools/call', target: 'fail', name: 'TypeError', message: 'the cellar is flooded' },
      { method: 'tools/call', target: 'refuse', name: 'ToolError', message: 'not today' },
    ]);
    expect(failures()[0]?.stack).toMatch(/^ {4}at .*development\.spec/m);
  });

  it('keeps no event that is required to be kept', async () => {
    const { url } = await boot({ options: { audit: { mode: 'required' } } });
    expect(await perRequest(url).request('tools/call', { name: 'greet' })).toMatchObject({ status: 503 });
  });

  it('goes on with sessions of the process before, and tells their clients that lists may have changed', async () => {
    const { path, secret } = server.invitation;
    // Another process that was there before: it is told apart by how it writes the path.
    await DevelopmentLink.open({ secret, path: `${dirname(path)}/./${basename(path)}` });
    const first = await boot({ providers: [] });
    const session = await initialize(first.url);
    await running.pop()?.close();
    const { url } = await boot();
    const stream = await fetch(url, {
      headers: {
        accept: 'text/event-stream',
        'mcp-session-id': session.id,
        'mcp-protocol-version': '2025-11-25',
      },
    });
    let text = '';
    for await (const chunk of stream.body ?? []) {
      text += Buffer.from(chunk as Uint8Array).toString();
      if (text.includes('notifications/resources/list_changed')) break;
    }
    expect(text).toContain('notifications/tools/list_changed');
    expect(text).toContain('notifications/prompts/list_changed');
  });

  it.each(['while it listens', 'after it has ended'])('ends without draining, %s', async (when) => {
    await boot({ options: { shutdown: { drainMs: 600_000, graceMs: 600_000 } } });
    await until(() => offers().length > 0, 'the offer');
    if (when === 'after it has ended') server.close();
    const closed = Promise.resolve(running.pop()?.close());
    await expect(within(closed, 'the end of the application')).resolves.toBeUndefined();
  });

  it('reports nothing in production, and has the usual options', async () => {
    process.env.NODE_ENV = 'production';
    const { url } = await boot();
    await perRequest(url).request('tools/call', { name: 'greet' });
    delete process.env.NODE_ENV;
    await boot();
    await until(() => offers().length > 0, 'a report of the other one');
    expect(offers()).toHaveLength(1);
    expect(calls()).toEqual([]);
  });

  it('runs without a report if nobody listens any more, and has the usual options', async () => {
    server.close();
    const log = new RecordedLog();
    const { url } = await boot({ providers: [], nest: { logger: log } });
    const { status, result } = await perRequest(url).request('server/discover');
    expect(status).toBe(200);
    expect(result?.['capabilities']).not.toHaveProperty('prompts');
    expect(log.find('warn', '"NESTJS_MCP_DEV"')).toEqual([]);
  });

  it('says that nobody answers where the socket is left from a terminal that was killed', async () => {
    const { path, secret } = server.invitation;
    writeFileSync(`${path}-left`, '');
    process.env[DEVELOPMENT_VARIABLE] = formatDevConnection({ path: `${path}-left`, secret });
    const log = new RecordedLog();
    const { url } = await boot({ nest: { logger: log } });
    expect(await perRequest(url).request('tools/call', { name: 'greet' })).toMatchObject({ status: 200 });
    expect(log.find('warn', '"NESTJS_MCP_DEV" is set')).toHaveLength(1);
  });
});
