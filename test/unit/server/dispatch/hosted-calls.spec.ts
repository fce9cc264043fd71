import { beforeEach, describe, expect, it } from '@jest/globals';
import type { RequestContext } from '../../../../lib/server/context/request-context.js';
import { HostedCalls } from '../../../../lib/server/dispatch/hosted-calls.js';
import type {
  CallHost,
  CallOrigin,
  HostedCall,
} from '../../../../lib/server/dispatch/extension.interface.js';
import type { McpMethod } from '../../../../lib/server/methods/mcp-method.interface.js';
import { McpError } from '../../../../lib/core/protocol/mcp.error.js';
import { Gate } from '../../../support/applications/gate.js';
import { buildCaller, CHALLENGES } from '../../support/caller.js';
import { TestDispatch } from '../../support/dispatch.js';
import { getRevision, openSession } from '../../support/requests.js';

/** A tool call that does what the test says. */
class AnyCall implements McpMethod {
  readonly method = 'tools/call';
  readonly failsAsResult = true;
  act: (context: RequestContext) => unknown = () => ({ content: [] });
  context: RequestContext | undefined;

  async handle(context: RequestContext) {
    this.context = context;
    return (await this.act(context)) as { content: [] };
  }
}

const MAKER = {};
const ORIGIN: CallOrigin = {
  revision: getRevision('2025-11-25'),
  client: { capabilities: {} },
  identity: 'someone',
};

describe('HostedCalls', () => {
  let method: AnyCall;
  let calls: HostedCalls;
  let told: unknown[];
  let host: CallHost;

  beforeEach(() => {
    method = new AnyCall();
    calls = new HostedCalls(new TestDispatch([method]).dispatcher, CHALLENGES);
    told = [];
    host = {
      notify: (...message) => void told.push(message),
      ask: (key) => Promise.resolve({ answerTo: key }),
    };
  });

  const run = (parts: Partial<HostedCall> = {}) =>
    calls.run(
      { params: { name: 'run', _meta: { progressToken: 7 } }, origin: ORIGIN, ...parts },
      host,
      MAKER,
    );

  it('gives the result, apart from what the handler still holds (EXT-03)', async () => {
    const result = { content: [], structuredContent: { list: [1] } };
    method.act = () => result;
    const outcome = await run().outcome;
    result.structuredContent.list.push(2);
    expect(outcome).toEqual({ result: { content: [], structuredContent: { list: [1] } } });
  });

  it('lets the handler get the identity provider token of a caller whom another process received (AS-03)', async () => {
    const allowed: unknown[] = [];
    const upstream = { allow: (caller: unknown) => void allowed.push(caller) };
    calls = new HostedCalls(new TestDispatch([method]).dispatcher, CHALLENGES, upstream);
    const authentication = buildCaller({ sub: 'ada' });
    await run({ origin: { ...ORIGIN, authentication } }).outcome;
    expect(allowed).toEqual([authentication]);
  });

  it('gives the error of a call that failed, and never rejects (EXT-03)', async () => {
    method.act = () => {
      throw McpError.invalidParams('no such tool');
    };
    expect(await run().outcome).toEqual({
      error: { code: -32602, message: 'Invalid params: no such tool' },
    });
    method.act = () => {
      throw new TypeError('secret');
    };
    const outcome = await run().outcome;
    expect(outcome).toMatchObject({ result: { isError: true } });
    expect(JSON.stringify(outcome)).not.toContain('secret');
  });

  it.each([
    [
      'a cycle',
      () => {
        const cycle: Record<string, unknown> = {};
        cycle['self'] = cycle;
        return cycle;
      },
    ],
    ['a bigint', () => ({ content: [], big: 1n })],
  ])('gives an outcome where the result is %s (EXT-03) (SAFE-04)', async (_case, build) => {
    method.act = build;
    expect(await run().outcome).toBeDefined();
  });

  it('is cancelled at once, also where the handler does not hear of it (EXT-03)', async () => {
    const gate = new Gate();
    method.act = () => gate.pass();
    const running = run();
    running.cancel('Enough');
    running.cancel('Twice');
    expect(await running.outcome).toBeUndefined();
    expect(method.context?.signal.aborted).toBe(true);
    expect(String(method.context?.signal.reason)).toContain('Enough');
  });

  it('logs at the level that the session has by then (EXT-03) (NOTE-05)', async () => {
    const dispatch = new TestDispatch([method]);
    const session = openSession(dispatch.sessions);
    const gate = new Gate();
    method.act = async (context) => {
      await gate.pass();
      context.log('info', 'too little');
      context.log('error', 'enough');
      return { content: [] };
    };
    const running = run({ origin: { ...ORIGIN, session } });
    session.setLogLevel('error');
    gate.open();
    await running.outcome;
    expect(told).toEqual([['notifications/message', { level: 'error', data: 'enough' }]]);
  });

  it('may be cancelled when it is over (EXT-03)', async () => {
    const running = run();
    await running.outcome;
    expect(() => running.cancel('Late')).not.toThrow();
  });

  it('tells the host what the handler tells, until it is over (EXT-03)', async () => {
    method.act = (context) => {
      context.progress(1);
      context.log('error', 'not for those who did not ask');
      return { content: [] };
    };
    await run().outcome;
    method.context?.progress(2);
    expect(told).toEqual([['notifications/progress', { progressToken: 7, progress: 1 }]]);
  });

  it('lets the host answer (EXT-03)', async () => {
    const origin = { ...ORIGIN, client: { capabilities: { roots: {} } } };
    method.act = async (context) => ({
      content: [],
      answer: await context.request({ method: 'roots/list' }),
    });
    expect(await run({ origin }).outcome).toMatchObject({ result: { answer: { answerTo: 'question-1' } } });
  });

  it('is made in the name of its origin (EXT-03) (AUTH-10)', async () => {
    const authentication = buildCaller({ sub: 'ada', scopes: ['desk:read'] });
    const task = { id: 'task-7', setStatusMessage: () => undefined };
    const work = () => 'other';
    await run({ origin: { ...ORIGIN, authentication }, task, work }).outcome;
    const { context } = method;
    expect([context?.identity, context?.id, context?.task]).toEqual(['someone', 'task-7', task]);
    expect([context?.auth.claims?.sub, context?.auth.hasScope('desk:read')]).toEqual(['ada', true]);
    expect(context?.hosting).toMatchObject({ maker: MAKER, work });
  });

  it('needs the scopes that its handler asks for, and no others (EXT-03) (STEP-04)', async () => {
    method.act = (context) => context.auth.requireScope('desk:write');
    const authentication = buildCaller({ scopes: ['desk:read'] });
    expect(await run({ origin: { ...ORIGIN, authentication } }).outcome).toMatchObject({
      result: { isError: true, content: [{ text: 'insufficient_scope: desk:write' }] },
    });
  });

  it('shows its handler the HTTP request that it is made for (EXT-03)', async () => {
    const http = { headers: { 'x-desk': '7' }, request: {} };
    await run({ origin: { ...ORIGIN, http } }).outcome;
    expect(method.context?.http).toBe(http);
  });

  it('knows nobody where its origin does not (EXT-03)', async () => {
    await run().outcome;
    expect(method.context?.auth.claims).toBeUndefined();
    expect(method.context?.session).toBeUndefined();
  });
});
