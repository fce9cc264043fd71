import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { initialize, perRequest } from '../../support/clients/json-rpc.js';
import { RecordedMetrics } from '../../support/records/recorded-metrics.js';
import { DearHandlers } from '../limits/dear-handlers.js';
import { bootAuditedDesk, type AuditedDesk } from './audited-desk.js';

describe('A call that finds no place', () => {
  let desk: AuditedDesk;
  let metrics: RecordedMetrics;

  beforeEach(async () => {
    metrics = new RecordedMetrics();
    desk = await bootAuditedDesk({
      providers: [DearHandlers],
      options: { tasks: true, telemetry: { meterProvider: metrics.provider } },
    });
  });

  afterEach(async () => {
    await desk.close();
    await metrics.stop();
  });

  it.each(['alone', 'impatient'])(
    'is refused for another reason than one that comes too soon: %s (OPS-03) (OPS-02)',
    async (name) => {
      const { gates } = desk.app.get(DearHandlers);
      const session = await initialize(desk.url);
      const first = session.start('tools/call', { name, arguments: { gate: 'a' } });
      await gates.at('a').reached();
      const refused = await Promise.all(
        ['b', 'c'].map((gate) => perRequest(desk.url).request('tools/call', { name, arguments: { gate } })),
      );
      expect(refused.map(({ error }) => error?.code)).toEqual([-32023, -32023]);
      gates.at('a').open();
      await first.result();
      const events = desk.events.filter(({ target, outcome }) => target === name && outcome === 'refused');
      expect(events).toHaveLength(2);
      for (const event of events) {
        expect(event).toMatchObject({ reason: 'concurrency_limited', errorCode: -32023 });
      }
      const [point] = await metrics.points('nestjs_mcp.requests.refused');
      expect(point).toMatchObject({
        value: 2,
        attributes: { 'nestjs_mcp.refusal.reason': 'concurrency_limited' },
      });
    },
  );
});
