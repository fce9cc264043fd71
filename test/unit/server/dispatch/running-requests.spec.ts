import { describe, expect, it } from '@jest/globals';
import type { RequestContext } from '../../../../lib/server/context/request-context.js';
import type { McpMethod } from '../../../../lib/server/methods/mcp-method.interface.js';
import { TimeLimitError } from '../../../../lib/server/methods/time-limit.js';
import { McpError } from '../../../../lib/core/protocol/mcp.error.js';
import { Gate } from '../../../support/applications/gate.js';
import { TestDispatch } from '../../support/dispatch.js';
import { buildRequest, openSession, RecordingChannel } from '../../support/requests.js';

/** A tool call that waits at a gate, whatever its signal says. */
class WaitingCall implements McpMethod {
  readonly method = 'tools/call';
  readonly failsAsResult = true;
  readonly contexts: RequestContext[] = [];
  readonly gate = new Gate();

  async handle(context: RequestContext) {
    this.contexts.push(context);
    context.notify('notifications/started', {});
    await this.gate.pass();
    context.notify('notifications/ended', {});
    return { content: [] };
  }
}

const callOf = (id: string | number) => buildRequest('tools/call', { name: 'x' }, id);

describe('A running request', () => {
  const setUp = (requestsInFlight = 256) => {
    const waiting = new WaitingCall();
    const dispatch = new TestDispatch([waiting], { limits: { requestsInFlight } });
    const session = openSession(dispatch.sessions);
    const start = (id: string | number, channel = new RecordingChannel()) =>
      dispatch.request(callOf(id), { peer: session, inFlight: session.inFlight, channel });
    const cancel = (params: object) =>
      void dispatch.dispatcher.dispatchNotification(
        { jsonrpc: '2.0', method: 'notifications/cancelled', params: { ...params } },
        session,
        session.inFlight,
      );
    return { waiting, dispatch, session, start, cancel };
  };

  it('is in flight until it is answered (CANC-01)', async () => {
    const { waiting, session, start } = setUp();
    const answered = start(1);
    expect([session.inFlight.size, session.inFlight.find(1)?.method]).toEqual([1, 'tools/call']);
    waiting.gate.open();
    expect(await answered).toMatchObject({ id: 1, result: { content: [] } });
    expect([session.inFlight.size, waiting.contexts[0]?.isSettled]).toEqual([0, true]);
  });

  it('is shown to the transport before its method runs (HTTP-09)', () => {
    const { waiting, start } = setUp();
    const channel = new RecordingChannel();
    void start(1, channel);
    expect(channel.request).toBe(waiting.contexts[0]);
  });

  it('refuses another of its id, and stays what it is (CANC-01)', async () => {
    const { waiting, session, start } = setUp();
    const first = start(1);
    expect(await start(1)).toMatchObject({
      id: 1,
      error: {
        code: -32600,
        message: expect.stringContaining('"id" is already in use by a running request'),
      },
    });
    expect(session.inFlight.find(1)).toBe(waiting.contexts[0]);
    expect(waiting.contexts).toHaveLength(1);
    waiting.gate.open();
    expect(await first).toMatchObject({ result: {} });
    expect(await start(1)).toMatchObject({ result: {} });
  });

  it('is one of a bounded number in its session (HTTP-10)', async () => {
    const { waiting, start } = setUp(2);
    const running = [start(1), start(2)];
    expect(await start(3)).toMatchObject({
      error: { code: -32603, message: expect.stringMatching(/too many/) },
    });
    waiting.gate.open();
    await Promise.all(running);
    expect(await start(4)).toMatchObject({ result: {} });
  });

  it('aborts its handler when it is cancelled, and has no answer (CANC-01)', async () => {
    const { waiting, session, start, cancel } = setUp();
    const channel = new RecordingChannel();
    const answered = start('a', channel);
    const { signal } = waiting.contexts[0]!;
    cancel({ requestId: 'a', reason: 'Not needed any more' });
    expect(await answered).toBeUndefined();
    expect((signal.reason as Error).message).toBe('Not needed any more');
    expect(session.inFlight.size).toBe(0);
    waiting.gate.open();
    await new Promise(setImmediate);
    expect(channel.messages.map(({ method }) => method)).toEqual(['notifications/started']);
  });

  it('gives its id free when it is cancelled, and its late handler takes nothing with it (CANC-01)', async () => {
    const { waiting, session, start, cancel } = setUp();
    const first = start(1);
    cancel({ requestId: 1 });
    await first;
    const second = start(1);
    expect(session.inFlight.find(1)).toBe(waiting.contexts[1]);
    waiting.gate.open();
    expect(await second).toMatchObject({ id: 1, result: {} });
    expect(session.inFlight.size).toBe(0);
  });

  it.each([
    {},
    { requestId: 2 },
    { requestId: '1' },
    { requestId: null },
    { requestId: { id: 1 } },
    { requestId: [1] },
  ])('is not touched by a cancellation of %j (CANC-01)', async (params) => {
    const { waiting, start, cancel } = setUp();
    const answered = start(1);
    cancel(params);
    waiting.gate.open();
    expect(await answered).toMatchObject({ result: {} });
  });

  it('is answered as usual where its answer crosses the cancellation (CANC-02)', async () => {
    const { waiting, start, cancel } = setUp();
    const answered = start(1);
    waiting.gate.open();
    const answer = await answered;
    cancel({ requestId: 1 });
    expect(answer).toMatchObject({ result: { content: [] } });
  });

  it('is not cancelled by another session that uses its id (SESS-04)', async () => {
    const { waiting, dispatch, start } = setUp();
    const answered = start(1);
    const other = openSession(dispatch.sessions);
    const cancelled = {
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 1 },
    } as const;
    void dispatch.dispatcher.dispatchNotification(cancelled, other, other.inFlight);
    waiting.gate.open();
    expect(await answered).toMatchObject({ result: {} });
  });

  it('cannot be cancelled where it is the handshake (SESS-03)', async () => {
    const gate = new Gate();
    const initialize: McpMethod = {
      method: 'initialize',
      handle: async () => {
        await gate.pass();
        return {};
      },
    };
    const dispatch = new TestDispatch([initialize]);
    const session = openSession(dispatch.sessions);
    const { inFlight } = session;
    const answered = dispatch.request(buildRequest('initialize', {}, 1), { peer: session, inFlight });
    const cancelled = {
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 1 },
    } as const;
    void dispatch.dispatcher.dispatchNotification(cancelled, session, inFlight);
    gate.open();
    expect(await answered).toMatchObject({ result: {} });
  });

  it('is answered with the failure where it fails before its handler is done (SAFE-04)', async () => {
    const { waiting, session, start } = setUp();
    const [late, stopped] = [start(1), start(2)];
    waiting.contexts[0]?.fail(new TimeLimitError(5));
    waiting.contexts[1]?.fail(new McpError(-32603, 'The server is shutting down'));
    expect(await late).toMatchObject({ result: { isError: true } });
    expect(await stopped).toMatchObject({ error: { code: -32603, message: 'The server is shutting down' } });
    expect([session.inFlight.size, waiting.contexts[0]?.signal.aborted]).toEqual([0, true]);
  });

  it('is answered with questions where its handler waits for the client (REV-02)', async () => {
    const { waiting, session, start } = setUp();
    const answered = start(1);
    waiting.contexts[0]?.suspend({ resultType: 'input_required', requestState: 'a' });
    expect(await answered).toMatchObject({ id: 1, result: { requestState: 'a' } });
    expect([session.inFlight.size, waiting.contexts[0]?.signal.aborted]).toEqual([0, true]);
  });

  it('does not run at all where the client was gone before it began (HTTP-09)', async () => {
    const { waiting, session, start } = setUp();
    class GoneChannel extends RecordingChannel {
      override begin(request: RequestContext): void {
        request.cancel('The client is gone');
      }
    }
    expect(await start(1, new GoneChannel())).toBeUndefined();
    expect([waiting.contexts, session.inFlight.size]).toEqual([[], 0]);
  });

  it('is refused, and not run, once the dispatcher is closed (MOD-12)', async () => {
    const { waiting, dispatch, start } = setUp();
    dispatch.dispatcher.close();
    expect(await start(1)).toMatchObject({ error: { code: -32603 }, status: 503 });
    expect(waiting.contexts).toEqual([]);
  });
});

describe('An incoming notification', () => {
  it('confirms the handshake of its session, once (SESS-01)', () => {
    const dispatch = new TestDispatch([]);
    const session = openSession(dispatch.sessions, { isLive: false });
    const types: string[] = [];
    dispatch.sessions.events$.subscribe(({ type }) => types.push(type));
    for (let round = 0; round < 2; round++) {
      const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' } as const;
      void dispatch.dispatcher.dispatchNotification(initialized, session, session.inFlight);
    }
    expect([session.isLive, types]).toEqual([true, ['initialized']]);
  });

  it.each(['notifications/unheard_of', 'tools/call', '__proto__', 'constructor', ''])(
    'named %j is dropped (CORE-02)',
    (method) => {
      const dispatch = new TestDispatch([]);
      const session = openSession(dispatch.sessions, { isLive: false });
      const notify = () =>
        void dispatch.dispatcher.dispatchNotification({ jsonrpc: '2.0', method }, session, session.inFlight);
      expect(notify).not.toThrow();
      expect(session.isLive).toBe(false);
    },
  );
});
