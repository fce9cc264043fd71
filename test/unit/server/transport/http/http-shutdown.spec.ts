import { describe, expect, it } from '@jest/globals';
import { HttpAdapterHost } from '@nestjs/core';
import type { RequestContext } from '../../../../../lib/server/context/request-context.js';
import type { McpMethod } from '../../../../../lib/server/methods/mcp-method.interface.js';
import { ListenerRegistry } from '../../../../../lib/server/notifications/listener-registry.js';
import { STANDALONE_STREAM } from '../../../../../lib/server/sessions/streams/stream-records.js';
import { EventStreams } from '../../../../../lib/server/transport/http/streams/event-streams.js';
import { HttpConnections } from '../../../../../lib/server/transport/http/connections/http-connections.js';
import { HttpShutdown } from '../../../../../lib/server/transport/http/http-shutdown.js';
import { Uploads } from '../../../../../lib/server/transport/http/bodies/uploads.js';
import { TestDispatch } from '../../../support/dispatch.js';
import { buildRequest, openSession } from '../../../support/requests.js';
import { MemoryBudget } from '../../../../../lib/server/memory/memory-budget.js';
import { buildSettings } from '../../../support/settings.js';
import { StreamReader } from '../../../support/stream-reader.js';

/** A tool call that never ends by itself. */
class HangingCall implements McpMethod {
  readonly method = 'tools/call';
  readonly failsAsResult = true;
  readonly contexts: RequestContext[] = [];

  handle(context: RequestContext): Promise<never> {
    this.contexts.push(context);
    return new Promise(() => undefined);
  }
}

function setUp() {
  const hanging = new HangingCall();
  const dispatch = new TestDispatch([hanging]);
  const listeners = new ListenerRegistry(buildSettings());
  const { dispatcher, detached, sessions } = dispatch;
  const streams = new EventStreams(buildSettings());
  const uploads = new Uploads(buildSettings(), new MemoryBudget(buildSettings()));
  const connections = new HttpConnections(new HttpAdapterHost());
  const shutdown = new HttpShutdown(
    { dispatcher, listeners, detached, sessions, streams, connections },
    uploads,
  );
  const session = openSession(sessions);
  const call = (id: number) => dispatch.request(buildRequest('tools/call', {}, id));
  const callInSession = (id: number) =>
    dispatch.request(buildRequest('tools/call', {}, id), { peer: session, inFlight: session.inFlight });
  return { hanging, listeners, sessions, shutdown, session, call, callInSession };
}

const STOPPED = { error: { code: -32603, message: 'The server is shutting down: try again later' } };

describe('HttpShutdown', () => {
  it('answers running calls with an error and aborts their handlers (MOD-12)', async () => {
    const { hanging, shutdown, call, callInSession } = setUp();
    const answers = Promise.all([call(1), callInSession(2)]);
    const signals = hanging.contexts.map(({ signal }) => signal);
    await shutdown.beforeApplicationShutdown();
    expect(await answers).toMatchObject([STOPPED, STOPPED]);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
  });

  it('takes no further calls from its first moment on (MOD-12)', async () => {
    const { hanging, shutdown, call, callInSession } = setUp();
    const closing = shutdown.beforeApplicationShutdown();
    const during = [await call(1), await callInSession(2)];
    await closing;
    const after = await call(3);
    expect([...during, after]).toMatchObject([1, 2, 3].map((id) => ({ ...STOPPED, id, status: 503 })));
    expect(hanging.contexts).toEqual([]);
  });

  it('ends subscriptions before it ends anything else (MOD-12, NOTE-08)', async () => {
    const { listeners, sessions, shutdown, session } = setUp();
    const steps: string[] = [];
    const step = (name: string) => () => steps.push(`${name}, ${session.isEnded ? 'late' : 'in time'}`);
    listeners.add({ subscriptionId: 1, filter: {}, send: step('message'), finish: step('result') });
    sessions.events$.subscribe({ complete: () => steps.push('sessions') });
    await shutdown.beforeApplicationShutdown();
    expect(steps).toEqual(['result, in time', 'sessions']);
  });

  it('ends sessions and their streams (MOD-12)', async () => {
    const { sessions, shutdown, session } = setUp();
    const reader = new StreamReader(session.streams.open(STANDALONE_STREAM));
    await shutdown.beforeApplicationShutdown();
    expect([session.isEnded, reader.isComplete, [...sessions.all()]]).toEqual([true, true, []]);
  });

  it('can be asked twice (MOD-12)', async () => {
    const { shutdown } = setUp();
    await shutdown.beforeApplicationShutdown();
    await expect(shutdown.beforeApplicationShutdown()).resolves.toBeUndefined();
  });
});
