import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DataPointType } from '@opentelemetry/sdk-metrics';
import { McpModule } from 'nestjs-mcp';
import { bootApp } from '../../support/applications/boot.js';
import { initialize, perRequest } from '../../support/clients/json-rpc.js';
import { RecordedMetrics } from '../../support/records/recorded-metrics.js';
import { until } from '../../support/until.js';
import { bootRecordedDesk, type RecordedDesk } from './recorded-desk.js';

describe('Gauges of a server', () => {
  let desk: RecordedDesk;

  beforeEach(async () => {
    desk = await bootRecordedDesk();
  });

  afterEach(async () => {
    await desk.close();
    await desk.metrics.stop();
  });

  const gauge = async (name: string) => (await desk.metrics.points(name))[0]?.value;

  it('count sessions and streams that are open (OPS-02)', async () => {
    const session = await initialize(desk.url);
    await session.openStream();
    const listening = await perRequest(desk.url).listen({});
    await until(async () => (await gauge('nestjs_mcp.streams')) === 2, 'two streams');
    expect(await gauge('nestjs_mcp.sessions')).toBe(1);
    expect(await gauge('nestjs_mcp.streams.queued')).toBe(0);
    await session.delete();
    await listening.close();
    await until(async () => (await gauge('nestjs_mcp.streams')) === 0, 'no stream');
    expect(await gauge('nestjs_mcp.sessions')).toBe(0);
  });

  it('have units and kinds (OPS-02)', async () => {
    const metrics = await desk.metrics.collect();
    const described = [...metrics.values()]
      .map(
        ({ descriptor: { name, unit }, dataPointType }) => `${name} ${unit} ${DataPointType[dataPointType]}`,
      )
      .filter((text) => text.startsWith('nestjs_mcp'));
    expect(described.toSorted()).toEqual([
      'nestjs_mcp.sessions {session} SUM',
      'nestjs_mcp.streams {stream} SUM',
      'nestjs_mcp.streams.queued By SUM',
    ]);
  });

  it('are told apart by the server of an application (OPS-02)', async () => {
    const metrics = new RecordedMetrics();
    const telemetry = { meterProvider: metrics.provider };
    const serverInfo = { name: 'desk', version: '1.0.0' };
    const both = await bootApp({
      imports: [
        McpModule.forRoot({ serverInfo, telemetry }),
        McpModule.forRoot({ serverInfo, telemetry, server: 'admin', mcpPath: '/admin' }),
      ],
    });
    await initialize(both.url);
    const points = await metrics.points('nestjs_mcp.sessions');
    const counts = points.map(({ attributes, value }) => [attributes['nestjs_mcp.server'], value]);
    expect(Object.fromEntries(counts)).toEqual({ default: 1, admin: 0 });
    await both.close();
    await metrics.stop();
  });
});
