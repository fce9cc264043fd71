import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DataPointType } from '@opentelemetry/sdk-metrics';
import { McpNotifier } from 'nestjs-mcp';
import { memoryCluster } from 'nestjs-mcp/testing';
import { initialize } from '../../support/clients/json-rpc.js';
import { CLUSTER_SECRET } from '../../support/cluster/task-desks.js';
import { until } from '../../support/until.js';
import { bootRecordedDesk, type RecordedDesk } from './recorded-desk.js';

describe('Instruments of a server with several processes', () => {
  let cluster: ReturnType<typeof memoryCluster>;
  let one: RecordedDesk;
  let two: RecordedDesk;

  beforeEach(async () => {
    cluster = memoryCluster();
    const options = { secret: CLUSTER_SECRET, cluster };
    one = await bootRecordedDesk({ options });
    two = await bootRecordedDesk({ options });
  });

  afterEach(async () => {
    cluster.heal();
    await Promise.all([one.close(), two.close()]);
    await Promise.all([one.metrics.stop(), two.metrics.stop()]);
  });

  const read = async ({ metrics }: RecordedDesk, name: string) =>
    (await metrics.points(`nestjs_mcp.cluster.${name}`))[0]?.value;

  it('have units and kinds (OPS-02)', async () => {
    const session = await initialize(one.url);
    await session.openStream();
    one.app.get(McpNotifier).toolsListChanged();
    await until(async () => (await read(two, 'lag')) !== undefined, 'an entry');
    const described = [...(await two.metrics.collect()).values()]
      .map(
        ({ descriptor: { name, unit }, dataPointType }) => `${name} ${unit} ${DataPointType[dataPointType]}`,
      )
      .filter((text) => text.startsWith('nestjs_mcp.cluster'));
    expect(described.toSorted()).toEqual([
      'nestjs_mcp.cluster.connected {process} SUM',
      'nestjs_mcp.cluster.gaps {gap} SUM',
      'nestjs_mcp.cluster.lag s GAUGE',
      'nestjs_mcp.cluster.messages.dropped {message} SUM',
      'nestjs_mcp.cluster.messages.replayed {message} SUM',
      'nestjs_mcp.cluster.messages.unreadable {message} SUM',
      'nestjs_mcp.cluster.messages.waiting {message} SUM',
      'nestjs_mcp.cluster.reconnections {reconnection} SUM',
    ]);
  });

  it('count messages of a process with another secret (OPS-02)', async () => {
    const stranger = await bootRecordedDesk({ options: { secret: `another ${CLUSTER_SECRET}`, cluster } });
    expect(await read(one, 'messages.unreadable')).toBe(0);
    stranger.app.get(McpNotifier).toolsListChanged();
    await until(async () => (await read(one, 'messages.unreadable')) === 1, 'the message');
    await stranger.close();
    await stranger.metrics.stop();
  });

  it('say whether the others can be reached, and what waits until they are (OPS-02)', async () => {
    expect(await read(one, 'connected')).toBe(1);
    cluster.cut();
    await until(async () => (await read(one, 'connected')) === 0, 'the loss');
    one.app.get(McpNotifier).toolsListChanged();
    expect(await read(one, 'messages.waiting')).toBe(1);
    cluster.heal();
    await until(async () => (await read(one, 'connected')) === 1, 'the return');
    expect(await read(one, 'messages.waiting')).toBe(0);
    expect(await read(one, 'reconnections')).toBe(1);
  });
});
