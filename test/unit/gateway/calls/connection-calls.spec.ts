import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { InputRequest, McpContext } from 'nestjs-mcp';
import { ConnectionCalls, ForwardedCall } from '../../../../lib/gateway/calls/forwarded-call.js';
import { SUSPENDED } from '../../../../lib/server/context/request-context.js';

const createSignal = () => new AbortController().signal;
const ALL = { elicitation: {}, sampling: {}, roots: {} };

function createCall(owner: string, capabilities: object = ALL, canAsk = true): ForwardedCall {
  const call = new ForwardedCall(owner, canAsk);
  call.enter({ signal: createSignal(), client: { capabilities } } as unknown as McpContext);
  return call;
}

describe('ConnectionCalls', () => {
  let calls: ConnectionCalls;

  const ask = (method: string, params?: InputRequest['params']) =>
    calls.ask({ method, ...(params && { params }) } as InputRequest, createSignal());

  beforeEach(() => void (calls = new ConnectionCalls()));

  it('finds the call that runs, rather than one that waits for its client (GATE-02)', async () => {
    const [waiting, running] = [createCall('ada'), createCall('ada')];
    calls.add(waiting);
    calls.add(running);
    void waiting.ask({ method: 'roots/list' }, createSignal());
    expect(calls.find()).toBe(running);
  });

  it('finds none while calls of two owners run (GATE-02)', async () => {
    const [ada, bob] = [createCall('ada'), createCall('bob')];
    calls.add(ada);
    expect(calls.find()).toBe(ada);
    calls.add(bob);
    expect(calls.find()).toBeUndefined();
    await expect(ask('roots/list')).rejects.toThrow('several clients have running calls');
    calls.delete(bob);
    expect([calls.find(), calls.size]).toEqual([ada, 1]);
  });

  it('asks nobody while no call runs (GATE-02)', async () => {
    await expect(ask('roots/list')).rejects.toThrow('no call is running');
  });

  it.each<[string, object, string, InputRequest['params']]>([
    ['roots', { elicitation: {}, sampling: {} }, 'roots/list', undefined],
    ['sampling', { elicitation: {}, roots: {} }, 'sampling/createMessage', {}],
    ['elicitation', { sampling: {} }, 'elicitation/create', { message: 'a form' }],
    ['forms', { elicitation: { url: {} } }, 'elicitation/create', { message: 'a form' }],
    ['pages', { elicitation: { form: {} } }, 'elicitation/create', { mode: 'url' }],
    ['pages by default', { elicitation: {} }, 'elicitation/create', { mode: 'url' }],
  ])('does not ask a client without %s (GATE-02)', async (_, capabilities, method, params) => {
    calls.add(createCall('ada', capabilities));
    await expect(ask(method, params)).rejects.toMatchObject({ code: -32601 });
  });

  it('does not ask a client that cannot be asked in this request (GATE-02)', async () => {
    calls.add(createCall('ada', ALL, false));
    await expect(ask('roots/list')).rejects.toMatchObject({ code: -32601 });
  });

  it.each<[string, InputRequest['params']]>([
    ['a form', { message: 'a form' }],
    ['a page', { mode: 'url' }],
  ])('asks for %s, and passes the response on (GATE-02)', async (_, params) => {
    const call = createCall('ada', { elicitation: { form: {}, url: {} } });
    calls.add(call);
    call.begin(() => new Promise(() => undefined));
    const answer = ask('elicitation/create', params);
    const outcome = await call.next();
    const [key = ''] = Object.keys('inputRequests' in outcome ? outcome.inputRequests : {});
    call.respond({ other: 1, [key]: { action: 'decline' } });
    expect(await answer).toEqual({ action: 'decline' });
  });
});

describe('ForwardedCall', () => {
  it('ends with its client, and fails what it asks (GATE-02)', async () => {
    const stop = new AbortController();
    const call = new ForwardedCall('ada');
    call.enter({ signal: stop.signal } as McpContext);
    const asked = call.ask({ method: 'roots/list' }, call.signal);
    stop.abort(new Error('cancelled by the client'));
    await expect(asked).rejects.toThrow('cancelled by the client');
    expect([call.signal.aborted, call.isWaiting]).toEqual([true, false]);
  });

  it('ends unless its client continues it in time (GATE-02)', () => {
    jest.useFakeTimers();
    const [continued, abandoned] = [createCall('ada'), createCall('ada')];
    for (const call of [continued, abandoned]) call.expireAfter(1000);
    continued.enter({ signal: createSignal() } as McpContext);
    jest.advanceTimersByTime(2000);
    jest.useRealTimers();
    expect([continued.signal.aborted, abandoned.signal.aborted]).toEqual([false, true]);
  });

  it('is left, and not ended, by a request that ends with input requests (GATE-02)', () => {
    const [suspended, failed] = [new ForwardedCall('ada'), new ForwardedCall('ada')];
    const [stop, fail] = [new AbortController(), new AbortController()];
    suspended.enter({ signal: stop.signal } as McpContext);
    failed.enter({ signal: fail.signal } as McpContext);
    stop.abort(new Error(SUSPENDED));
    fail.abort(new Error('too many rounds'));
    expect([suspended.signal.aborted, failed.signal.aborted]).toEqual([false, true]);
    expect([suspended.context, failed.context]).toEqual([undefined, undefined]);
  });

  it('is not ended by a request that it has left (GATE-02)', () => {
    const stop = new AbortController();
    const call = new ForwardedCall('ada');
    call.enter({ signal: stop.signal } as McpContext);
    call.leave();
    stop.abort();
    expect([call.signal.aborted, call.context]).toEqual([false, undefined]);
  });
});
