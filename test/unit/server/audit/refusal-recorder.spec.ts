import { describe, expect, it } from '@jest/globals';
import type { AuditEvent } from 'nestjs-mcp';
import { AuditTrail } from '../../../../lib/server/audit/audit-trail.js';
import { recordTaskEnd } from '../../../../lib/server/audit/record-lifecycle.js';
import { RefusalRecorder } from '../../../../lib/server/audit/refusal-recorder.js';
import { AUDIT } from '../../../../lib/server/settings/audit-options.js';
import { measureHeap } from '../../../support/heap.js';
import { buildRecord } from '../extensions/tasks/build-record.js';

const AS_GIVEN = { rewrite: <Call>(call: Call): Call => call };
const ERROR = { code: -32600, message: 'No' };

function createTrail(): AuditTrail {
  return new AuditTrail({ audit: AUDIT.build({}) }, { server: 'desk', isDefault: true });
}

describe('RefusalRecorder', () => {
  const listen = (trail: AuditTrail): AuditEvent[] => {
    const events: AuditEvent[] = [];
    trail.events$.subscribe((event) => events.push(event));
    return events;
  };

  it('dates a refusal by when its request came (OPS-03)', () => {
    const trail = createTrail();
    const events = listen(trail);
    const before = Date.now();
    void new RefusalRecorder(trail, AS_GIVEN).record({ error: ERROR, startedAt: performance.now() - 5000 });
    const [{ time, durationMs } = { time: new Date(0), durationMs: 0 }] = events;
    expect(durationMs).toBeGreaterThanOrEqual(5000);
    expect(time.getTime() + durationMs).toBeLessThan(Date.now() + 2);
    expect(time.getTime() + durationMs).toBeGreaterThan(before - 2);
  });

  it('says how long the message is that was refused, if nothing tells how much was sent (OPS-03)', () => {
    const trail = createTrail();
    const events = listen(trail);
    const refusals = new RefusalRecorder(trail, AS_GIVEN);
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'echo' } };
    void refusals.record({ error: ERROR, message });
    void refusals.record({ error: ERROR, message, requestBytes: 7 });
    void refusals.record({ error: ERROR });
    const sizes = events.map(({ requestBytes }) => requestBytes);
    expect(sizes).toEqual([Buffer.byteLength(JSON.stringify(message)), 7, 0]);
  });
});

describe('AuditTrail', () => {
  it('has events made for one who only sees them (OPS-03)', () => {
    const trail = createTrail();
    const seen: string[] = [];
    expect(trail.isEnabled).toBe(false);
    trail.onEvent = ({ type }) => void seen.push(type);
    expect(trail.isEnabled).toBe(true);
    void new RefusalRecorder(trail, AS_GIVEN).record({ error: ERROR });
    expect(seen).toEqual(['request']);
  });

  it('keeps nothing of what its subscribers have taken (FAIR-02)', async () => {
    const trail = createTrail();
    let taken = 0;
    trail.events$.subscribe(async () => void (taken += 1));
    const record = async (count: number): Promise<void> => {
      for (let event = 0; event < count; event += 1) {
        recordTaskEnd(trail, buildRecord({ status: 'cancelled' }));
        if (event % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
      await new Promise((resolve) => setImmediate(resolve));
    };
    await record(1000);
    const before = measureHeap();
    await record(20_000);
    expect(taken).toBe(21_000);
    expect(measureHeap() - before).toBeLessThan(1_000_000);
  });
});

describe('recordTaskEnd', () => {
  it.each([
    [{ status: 'cancelled' }, 'cancelled', undefined],
    [{ status: 'failed', error: { code: -32603, message: 'lost' } }, 'error', -32603],
    [{ status: 'completed', result: { content: [], isError: true } }, 'tool_error', undefined],
    [{ status: 'completed', result: { content: [] } }, 'ok', undefined],
  ] as const)('of %o says %s (OPS-03)', (task, outcome, errorCode) => {
    const trail = createTrail();
    const events: AuditEvent[] = [];
    trail.events$.subscribe((event) => events.push(event));
    recordTaskEnd(trail, buildRecord({ ...task, createdAt: new Date(Date.now() - 5000).toISOString() }));
    expect(events).toEqual([expect.objectContaining({ type: 'task', outcome, errorCode })]);
    expect(events[0]?.durationMs).toBeGreaterThanOrEqual(5000);
  });
});
