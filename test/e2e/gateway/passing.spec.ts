import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Tool, type McpContext } from 'nestjs-mcp';
import { McpClientModule, getMcpClientToken, type McpClient } from 'nestjs-mcp/client-module';
import { NestFactory } from '@nestjs/core';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { LoggingMessageNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { Client as ClientV2 } from '@modelcontextprotocol/client';
import { MetaKey } from '../../../lib/core/protocol/meta-keys.js';
import { recordAmbientTraces } from '../../support/records/ambient-traces.js';
import { RecordedTraces } from '../../support/records/recorded-traces.js';
import { until } from '../../support/until.js';
import { bootShop, WIRES, type RunningShop } from '../client-module/shop.app.js';
import { bootGateway, FRONTS, NOTES, textOf, type FrontClient, type RunningGateway } from './gateway.app.js';

@Injectable()
class Mill {
  @Tool({ description: 'Grinds, as a task if wanted', task: 'optional', pollIntervalMs: 50 })
  async grind(_: object, context: McpContext): Promise<string> {
    context.task?.setStatusMessage('grinding');
    return context.task === undefined ? 'ground at once' : 'ground as a task';
  }

  @Tool({ description: 'Logs, and answers after that' })
  report(_: object, context: McpContext): string {
    context.log('info', 'worn out', 'stone');
    return 'reported';
  }
}

const ROWS = WIRES.flatMap((negotiation) =>
  FRONTS.map(([front, connect]) => ({ negotiation, back: JSON.stringify(negotiation), front, connect })),
);

describe.each(ROWS)('What passes between a server of $back and $front', (row) => {
  const ambient = recordAmbientTraces();
  const traces = new RecordedTraces();
  let shop: RunningShop;
  let gateway: RunningGateway;
  let client: FrontClient;

  beforeAll(async () => {
    const telemetry = { tracerProvider: traces.provider };
    shop = await bootShop({ telemetry, tasks: true }, [Mill]);
    gateway = await bootGateway({
      options: { telemetry, tasks: true },
      servers: { shop: { url: shop.url, negotiation: row.negotiation, telemetry }, notes: NOTES },
    });
    await gateway.ready('shop', 'notes');
    client = (await row.connect(gateway.url)) as FrontClient;
  });
  afterAll(async () => {
    await client?.close();
    await gateway?.close();
    await shop?.close();
  });

  it('includes the cancellation of a call (GATE-02)', async () => {
    shop.shop.seen.length = 0;
    const stop = new AbortController();
    const options = { signal: stop.signal };
    const call = (client as unknown as { callTool(...args: unknown[]): Promise<unknown> }).callTool(
      { name: 'shop_wait' },
      ...('getProtocolEra' in client ? [options] : [undefined, options]),
    );
    const outcome = call.catch((error: unknown) => error);
    await until(() => shop.shop.seen.includes('wait'), 'the call');
    stop.abort();
    await outcome;
    await until(() => shop.shop.seen.includes('cancelled'), 'the cancellation');
    expect(shop.shop.seen).toEqual(['wait', 'cancelled']);
  });

  it('includes progress that a process reports together with its result (GATE-02)', async () => {
    const reports: unknown[] = [];
    const options = { onprogress: (report: unknown) => void reports.push(report) };
    await (client as unknown as { callTool(...args: unknown[]): Promise<unknown> }).callTool(
      { name: 'notes_speak' },
      ...('getProtocolEra' in client ? [options] : [undefined, options]),
    );
    expect(reports).toMatchObject([{ progress: 1 }, { progress: 2 }]);
  });

  it('includes log entries, for clients with sessions and without (GATE-02)', async () => {
    const entries: unknown[] = [];
    const note = ({ params }: { params?: unknown }) => void entries.push(params);
    if (client instanceof ClientV2) client.setNotificationHandler('notifications/message', note);
    else (client as unknown as ClientV1).setNotificationHandler(LoggingMessageNotificationSchema, note);
    await client.callTool({ name: 'shop_report', _meta: { [MetaKey.logLevel]: 'info' } });
    await until(() => entries.length > 0, 'the entry');
    expect(entries).toEqual([{ level: 'info', logger: 'shop/stone', data: 'worn out' }]);
  });

  it('includes the trace, from the client to the server behind (GATE-01)', async () => {
    traces.clear();
    await client.callTool({ name: 'shop_add', arguments: { a: 1, b: 2 } });
    const all = await until(
      () => {
        const calls = traces.spans.filter(({ name }) => name.startsWith('tools/call'));
        return calls.length >= 3 && calls;
      },
      () => traces.spans.map(({ name }) => name).join(),
    );
    const ids = new Set(all.map((span) => span.spanContext().traceId));
    expect([all.map(({ name }) => name).toSorted(), ids.size]).toEqual([
      ['tools/call add', 'tools/call add', 'tools/call shop_add'],
      1,
    ]);
    expect(ambient.spans).toEqual([]);
  });

  it('includes tools that can run as tasks, for clients with and without tasks (GATE-02)', async () => {
    expect(textOf(await client.callTool({ name: 'shop_grind' }))).toContain('ground');
    const app = await NestFactory.createApplicationContext(
      {
        module: class Customer {},
        imports: [
          McpClientModule.forRoot([{ name: 'front', url: gateway.url, negotiation: { pin: '2026-07-28' } }]),
        ],
      },
      { logger: false },
    );
    const customer = app.get<McpClient>(getMcpClientToken('front'));
    const statuses: string[] = [];
    const result = await customer.callTool(
      'shop_grind',
      {},
      {
        task: true,
        onStatus: ({ status }) => void statuses.push(status),
      },
    );
    await app.close();
    // Servers of 2026-07-28 do not list which tools run as tasks.
    expect(statuses.at(-1)).toBe(row.negotiation === 'legacy' ? 'completed' : undefined);
    expect(textOf(result)).toContain('ground');
  });
});
