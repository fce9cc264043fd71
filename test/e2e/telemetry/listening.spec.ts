import { afterEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { SpanStatusCode } from '@opentelemetry/api';
import { EventSource, Tool, type McpContext } from 'nestjs-mcp';
import { NEVER, type Observable } from 'rxjs';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { perRequest } from '../../support/clients/json-rpc.js';
import { RecordedTraces } from '../../support/records/recorded-traces.js';

@Injectable()
class Alerts {
  @EventSource({ name: 'alert' })
  alerts(): Observable<object> {
    return NEVER;
  }

  @Tool()
  async wait(_arguments: object, context: McpContext): Promise<void> {
    const { signal } = context;
    context.progress(1);
    await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  }
}

/** Ways to listen: the method, its parameters, and what tells the client that it listens. */
const WAYS = [
  [
    'subscriptions/listen',
    { notifications: { toolsListChanged: true } },
    'notifications/subscriptions/acknowledged',
  ],
  ['events/stream', { name: 'alert' }, 'notifications/events/active'],
] as const;

describe.each(ADAPTERS)('The span of a client that listens, on %s', (adapter) => {
  let app: RunningApp;

  afterEach(() => app.close());

  async function boot(): Promise<RecordedTraces> {
    const traces = new RecordedTraces();
    const telemetry = { tracerProvider: traces.provider };
    app = await bootServer({ adapter, providers: [Alerts], options: { events: true, telemetry } });
    return traces;
  }

  it.each(WAYS)('ends well if the client hangs up: %s (OPS-01)', async (method, params, begun) => {
    const traces = await boot();
    const stream = await perRequest(app.url).start(method, params).stream();
    await stream.nextNotification(begun);
    await stream.close();
    const span = await traces.span(method);
    expect(span.status).toEqual({ code: SpanStatusCode.UNSET });
    expect(span.attributes).not.toHaveProperty(['error.type']);
  });

  it('is none of a call, which nobody waits for any more (OPS-01)', async () => {
    const traces = await boot();
    const call = perRequest(app.url).start('tools/call', { name: 'wait' }, { meta: { progressToken: 1 } });
    const stream = await call.stream();
    await stream.nextNotification('notifications/progress');
    await stream.close();
    expect((await traces.span('tools/call wait')).attributes).toMatchObject({ 'error.type': 'cancelled' });
  });
});
