import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ProxyTracerProvider } from '@opentelemetry/api';
import { perRequest } from '../../support/clients/json-rpc.js';
import { CALLER } from '../../support/records/recorded-traces.js';
import { bootAuditedDesk, type AuditedDesk } from './audited-desk.js';

describe('The trace of an event, if the SDK of OpenTelemetry is off', () => {
  let desk: AuditedDesk;

  beforeEach(async () => {
    desk = await bootAuditedDesk({ options: { telemetry: { tracerProvider: new ProxyTracerProvider() } } });
  });

  afterEach(() => desk.close());

  it('is absent (OPS-03)', async () => {
    await perRequest(desk.url).request('tools/call', { name: 'echo', arguments: { text: 'a' } });
    expect((await desk.find({ target: 'echo' })).traceId).toBeUndefined();
  });

  it('is that of the caller if there is one (OPS-03)', async () => {
    const _meta = { traceparent: CALLER.traceparent };
    await perRequest(desk.url).request('tools/call', { name: 'echo', arguments: { text: 'a' }, _meta });
    expect((await desk.find({ target: 'echo' })).traceId).toBe(CALLER.traceId);
  });
});
