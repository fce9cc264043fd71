import { afterEach, describe, expect, it } from '@jest/globals';
import type { TelemetryOptions } from 'nestjs-mcp';
import { fingerprintSession } from '../../../lib/core/protocol/fingerprints.js';
import { initialize, perRequest } from '../../support/clients/json-rpc.js';
import { bootRecordedDesk, type RecordedDesk } from './recorded-desk.js';

describe('Sessions on spans', () => {
  let desk: RecordedDesk;

  afterEach(async () => {
    await desk.close();
    await desk.metrics.stop();
  });

  async function record(telemetry: TelemetryOptions = {}) {
    desk = await bootRecordedDesk({ telemetry });
    const session = await initialize(desk.url);
    await session.request('ping');
    await desk.traces.span('ping');
    const names = desk.traces.spans.map(({ attributes }) => attributes['mcp.session.id']);
    return { id: session.id, names: new Set(names) };
  }

  it('are called by fingerprints: nobody who reads spans can use a session (OPS-01)', async () => {
    const { id, names } = await record();
    expect(names).toEqual(new Set([fingerprintSession(id)]));
    expect(JSON.stringify(desk.traces.spans.map(({ attributes }) => attributes))).not.toContain(id);
  });

  it('are called by their ids if that is asked for (OPS-01)', async () => {
    const { id, names } = await record({ captureSessionIds: true });
    expect(names).toEqual(new Set([id]));
  });

  it('are none on the stateless wire (OPS-01)', async () => {
    desk = await bootRecordedDesk();
    await perRequest(desk.url).request('tools/list');
    const { attributes } = await desk.traces.span('tools/list');
    expect(attributes['mcp.protocol.version']).toBe('2026-07-28');
    expect(attributes).not.toHaveProperty(['mcp.session.id']);
  });
});
