import { getEventListeners } from 'node:events';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { Subject } from 'rxjs';
import type {
  McpCallOptions,
  McpClient,
  McpClients,
  ServerNotification,
} from '../../../../lib/client/module/index.js';
import { CallerClients } from '../../../../lib/client/module/caller-clients.js';
import { buildClientSettings } from '../../../../lib/client/module/options/client-settings.js';
import type { LoggedCaller } from '../../../../lib/core/log/format-facts.js';
import { ServerCalls } from '../../../../lib/gateway/calls/server-calls.js';
import { buildGatewaySettings } from '../../../../lib/gateway/settings/gateway-options.js';
import type { McpContext, McpNotifier } from '../../../../lib/index.js';
import { until } from '../../../support/until.js';

interface Round {
  readonly requestState: string;
  readonly inputRequests: { readonly [key: string]: unknown };
}

const QUESTION = { method: 'elicitation/create', params: { message: 'Which?' } } as const;
const LOG_LEVEL = 'io.modelcontextprotocol/logLevel';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

/** A stateless client's request. */
function createContext(rest: object = {}): McpContext {
  return {
    method: 'tools/call',
    params: {},
    meta: {},
    signal: new AbortController().signal,
    client: { capabilities: { elicitation: {} } },
    revision: { kind: 'perRequest' },
    auth: {},
    inputResponses: {},
    requestState: undefined,
    ...rest,
  } as unknown as McpContext;
}

describe('ServerCalls', () => {
  let notifications$: Subject<ServerNotification>;
  let client: McpClient;
  let calls: ServerCalls;
  let signals: AbortSignal[];

  const create = (options: object) => {
    const [settings] = buildGatewaySettings({
      servers: { shop: { url: 'https://shop.example.com/mcp', ...options } },
    });
    if (settings === undefined) throw new Error('There are no settings');
    const callers = new CallerClients(buildClientSettings('shop', settings.client), ({ caller }) => {
      return { ...client, caller } as unknown as McpClient;
    });
    const forCaller: McpClients['forCaller'] = (_, context) => callers.get(context);
    const clients = { forCaller, get: () => client } as unknown as McpClients;
    calls = new ServerCalls(clients, settings, {} as McpNotifier);
  };

  beforeEach(() => {
    notifications$ = new Subject();
    client = { notifications$ } as unknown as McpClient;
    create({ identity: 'caller', exchange: false, limits: { waitingCalls: 20 } });
    signals = [];
  });

  /** Calls a tool of the server, which asks the same again and again. */
  const call = (sub: string, method = 'bearer') => {
    const claims = { sub };
    const context = createContext({
      auth: { claims, authentication: { method, identity: `${method} ${sub}` } },
    });
    const send = async (own: McpClient, { signal }: McpCallOptions) => {
      const { caller } = own as unknown as { readonly caller: LoggedCaller };
      if (signal !== undefined) signals.push(signal);
      for (;;) {
        const never = new AbortController().signal;
        await calls.inputRequests.elicitation?.(
          { ...QUESTION.params, _meta: { progressToken: 1 } },
          { client: 'shop', caller, signal: never },
        );
      }
    };
    return calls.forward(context, send) as Promise<Round>;
  };
  const respond = ({ requestState, inputRequests }: Round) => {
    const keys = Object.keys(inputRequests);
    const inputResponses = Object.fromEntries(keys.map((key) => [key, { action: 'decline' }]));
    const unused = () => Promise.reject(new Error('unused'));
    return calls.forward(createContext({ inputResponses, requestState }), unused) as Promise<Round>;
  };

  it('lets a caller have only its share of the waiting calls (GATE-02)', async () => {
    for (const name of ['ada', 'ada', 'bob']) {
      expect(await call(name)).toMatchObject({ resultType: 'input_required' });
    }
    await expect(call('ada')).rejects.toThrow('Too many calls to the server "shop" are waiting');
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, false, false, true]);
    expect(await call('bob')).toMatchObject({ resultType: 'input_required' });
    calls.close();
    expect(signals.every(({ aborted }) => aborted)).toBe(true);
    expect(await call('ada')).toMatchObject({ resultType: 'input_required' });
  });

  it('asks users with the same name separately if different validators know them (GATE-03)', async () => {
    const [one, other] = await Promise.all([call('ada', 'bearer'), call('ada', 'custom')]);
    expect(one.inputRequests).toEqual({ 'input-1': QUESTION });
    expect(other.inputRequests).toEqual({ 'input-1': QUESTION });
  });

  it('adds no listener in each round (GATE-02)', async () => {
    let round = await call('ada');
    for (let count = 2; count < 15; count += 1) round = await respond(round);
    const [signal] = signals;
    expect(signal && getEventListeners(signal, 'abort')).toHaveLength(1);
  });

  it('continues a call once in each round (GATE-02)', async () => {
    const round = await call('ada');
    const next = respond(round);
    await expect(respond(round)).rejects.toThrow('The call has ended');
    expect(await next).toMatchObject({ inputRequests: { 'input-2': QUESTION } });
  });

  it('carries the state and the capabilities to a server without sessions (GATE-02)', async () => {
    create({ inputRequests: ['elicitation'] });
    const sent: McpCallOptions['forward'][] = [];
    const send = async (_: McpClient, { forward }: McpCallOptions) => {
      sent.push(forward);
      return { resultType: 'input_required', inputRequests: { a: QUESTION }, requestState: 'of the server' };
    };
    const parts = {
      client: { capabilities: { elicitation: {}, sampling: {} } },
      meta: { [LOG_LEVEL]: 'info' },
    };
    const { requestState } = (await calls.forward(createContext(parts), send)) as Round;
    await calls.forward(createContext({ requestState, inputResponses: { a: 1 } }), send);
    expect(sent).toEqual([
      { meta: { [LOG_LEVEL]: 'info', [CAPABILITIES]: expect.objectContaining({ elicitation: {} }) } },
      expect.objectContaining({ requestState: 'of the server', inputResponses: { a: 1 } }),
    ]);
    expect(sent[0]?.meta?.[CAPABILITIES]).not.toHaveProperty('sampling');
    const ask = async () => ({
      resultType: 'input_required',
      inputRequests: { a: { method: 'roots/list' } },
    });
    await expect(calls.forward(createContext(), ask)).rejects.toThrow('does not forward');
  });

  it("forwards a server's log entry once, however many calls its client has made (GATE-02)", async () => {
    create({ limits: { notificationsPerSecond: 2 } });
    for (let count = 0; count < 3; count += 1) await calls.forward(createContext(), async () => 'done');
    const entries: unknown[] = [];
    const log = (...entry: readonly unknown[]) => void entries.push(entry);
    await calls.forward(createContext({ log }), async () => {
      for (const data of ['one', 'two', 'three']) {
        notifications$.next({ method: 'notifications/message', params: { level: 'info', data } });
      }
    });
    expect(entries).toEqual([
      ['info', 'one', 'shop'],
      ['info', 'two', 'shop'],
    ]);
  });

  describe('whose circuit is half open', () => {
    beforeEach(async () => {
      create({ circuit: { failures: 1, resetMs: 1 } });
      const fail = () => Promise.reject(new Error('ECONNRESET'));
      await calls.forward(createContext(), fail).catch(() => undefined);
      await until(() => calls.circuit.state === 'half-open', 'the trial');
    });

    it('try again after a call that its client has cancelled (GATE-02)', async () => {
      const signal = AbortSignal.abort(new Error('not wanted'));
      const cancelled = calls.forward(createContext({ signal }), () => Promise.reject(new Error('x')));
      await expect(cancelled).rejects.toThrow('not wanted');
      expect(await calls.forward(createContext(), async () => 'done')).toBe('done');
      expect(calls.circuit.state).toBe('closed');
    });

    it('close it as soon as the server asks (GATE-02)', async () => {
      expect(await call('ada')).toMatchObject({ resultType: 'input_required' });
      expect(calls.circuit.state).toBe('closed');
    });
  });
});
