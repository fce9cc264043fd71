import { getEventListeners } from 'node:events';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { NEVER } from 'rxjs';
import type { McpCallOptions, McpClient, McpClients } from '../../../../lib/client/module/index.js';
import { ServerCalls } from '../../../../lib/gateway/calls/server-calls.js';
import { buildGatewaySettings } from '../../../../lib/gateway/settings/gateway-options.js';
import type { McpContext, McpNotifier } from '../../../../lib/index.js';

interface Round {
  readonly requestState: string;
  readonly inputRequests: { readonly [key: string]: unknown };
}

describe('ServerCalls', () => {
  const [settings] = buildGatewaySettings({
    servers: {
      shop: {
        url: 'https://shop.example.com/mcp',
        identity: 'caller',
        exchange: false,
        limits: { waitingCalls: 20 },
      },
    },
  });
  const client = { notifications$: NEVER } as unknown as McpClient;
  let calls: ServerCalls;
  let signals: AbortSignal[];

  beforeEach(() => {
    const clients = { forCaller: () => client } as unknown as McpClients;
    if (settings === undefined) throw new Error('There are no settings');
    calls = new ServerCalls(clients, settings, {} as McpNotifier);
    signals = [];
  });

  /** Calls a tool of the server, which asks the same again and again. */
  const call = (sub: string, method = 'bearer', requestState?: string) => {
    const claims = { sub };
    const context = {
      method: 'tools/call',
      params: {},
      meta: {},
      signal: new AbortController().signal,
      client: { capabilities: { elicitation: {} } },
      revision: { kind: 'perRequest' },
      auth: { claims, authentication: { method, identity: `${method} ${sub}` } },
      inputResponses: { 'input-1': {}, [`input-${signals.length + 1}`]: {} },
      requestState,
    } as unknown as McpContext;
    const send = async (_: McpClient, { signal }: McpCallOptions) => {
      if (signal !== undefined) signals.push(signal);
      for (;;) {
        const never = new AbortController().signal;
        await calls.inputRequests.elicitation?.(
          { message: 'Which?' },
          { client: 'shop', caller: claims, signal: never },
        );
      }
    };
    return calls.forward(context, send) as Promise<Round>;
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
    expect([one.inputRequests, other.inputRequests]).toEqual([
      { 'input-1': { method: 'elicitation/create', params: { message: 'Which?' } } },
      { 'input-1': { method: 'elicitation/create', params: { message: 'Which?' } } },
    ]);
  });

  it('adds no listener in each round (GATE-02)', async () => {
    let { requestState } = await call('ada');
    for (let round = 2; round < 15; round += 1) ({ requestState } = await respond(round, requestState));
    const [signal] = signals;
    expect(signal && getEventListeners(signal, 'abort')).toHaveLength(1);
  });

  const respond = (round: number, requestState: string) => {
    const context = {
      method: 'tools/call',
      params: {},
      meta: {},
      signal: new AbortController().signal,
      client: { capabilities: { elicitation: {} } },
      auth: {},
      inputResponses: { [`input-${round - 1}`]: { action: 'decline' } },
      requestState,
    } as unknown as McpContext;
    return calls.forward(context, () => Promise.reject(new Error('unused'))) as Promise<Round>;
  };
});
