import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Tool, type McpContext, type McpOptions } from 'nestjs-mcp';
import { McpElicitation, type HttpClientOptions } from 'nestjs-mcp/client-module';
import { ADAPTERS } from '../../support/applications/boot.js';
import { until } from '../../support/until.js';
import { bootCustomer, bootShop, type RunningShop } from '../client-module/shop.app.js';
import { bootGateway, textOf, type RunningGateway } from './gateway.app.js';

@Injectable()
class Survey {
  ended = 0;

  @Tool({ description: 'Asks for a note, as a task if wanted', task: 'optional', pollIntervalMs: 20 })
  async ask(_: object, context: McpContext): Promise<string> {
    context.signal.addEventListener('abort', () => void (this.ended += 1));
    const { action } = await context.elicit({
      message: 'Which note?',
      schema: { type: 'object', properties: { note: { type: 'string' } } },
    });
    return action;
  }
}

@Injectable()
class Insistent {
  @Tool({ description: 'Asks without end' })
  async insist(_: object, context: McpContext): Promise<never> {
    context.signal.addEventListener('abort', () => void (this.survey.ended += 1));
    for (;;) await context.elicit({ message: 'Sure?', schema: { type: 'object', properties: {} } });
  }

  constructor(private readonly survey: Survey) {}
}

@Injectable()
class AbsentUser {
  @McpElicitation()
  respond(): Promise<never> {
    return new Promise(() => undefined);
  }
}

type Elicit = () => Promise<never> | { action: 'accept'; content: { note: string } };

const never: Elicit = () => new Promise<never>(() => undefined);

describe.each(ADAPTERS)('A call behind a gateway on %s, whose client does not respond', (adapter) => {
  let shop: RunningShop;
  let gateway: RunningGateway;
  let other: Client;

  const connect = async (elicit: Elicit) => {
    const client = new Client(
      { name: 'front', version: '1.0.0' },
      { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: 'legacy' } },
    );
    client.setRequestHandler('elicitation/create', elicit);
    await client.connect(new StreamableHTTPClientTransport(new URL(gateway.url)));
    return client;
  };
  const boot = async (options: Partial<McpOptions> = {}) => {
    gateway = await bootGateway({
      adapter,
      options: { tasks: true, ...options },
      servers: { shop: { url: shop.url, negotiation: 'legacy' } },
    });
    await gateway.ready('shop');
    other = await connect(() => ({ action: 'accept', content: { note: 'one' } }));
  };
  const ask = (client: Client, signal?: AbortSignal) =>
    client.callTool({ name: 'shop_ask' }, signal && { signal }).catch((error: unknown) => error);

  beforeEach(async () => void (shop = await bootShop({ tasks: true }, [Survey, Insistent])));
  afterEach(async () => {
    await other.close();
    await gateway.close();
    await shop.close();
  });

  /** Waits for the end of calls at the server. After it, input requests of other calls reach their clients. */
  const end = async (calls: number) => {
    await until(() => shop.app.get(Survey).ended === calls, 'the end of the call at the server');
    return textOf(await ask(other));
  };

  it('ends with an error of the client (GATE-02)', async () => {
    await boot();
    const client = await connect(() => Promise.reject(new Error('no user')));
    expect(await ask(client)).toMatchObject({ isError: true });
    expect(await end(1)).toBe('accept');
    await client.close();
  });

  it('ends at the timeout of input requests (GATE-02)', async () => {
    await boot({ inputRequests: { timeoutMs: 200 } });
    const client = await connect(never);
    expect(await ask(client)).toMatchObject({ isError: true });
    expect(await end(1)).toBe('accept');
    await client.close();
  });

  it('ends with the session, or the cancellation of the request (GATE-02)', async () => {
    await boot();
    let asked = 0;
    const elicit: Elicit = () => {
      asked += 1;
      return never();
    };
    const client = await connect(elicit);
    const stop = new AbortController();
    const calls = [ask(client, stop.signal)];
    await until(() => asked === 1, 'the first question');
    stop.abort();
    expect(await end(1)).toBe('accept');
    calls.push(ask(client));
    await until(() => asked === 2, 'the second question');
    await (client.transport as StreamableHTTPClientTransport).terminateSession();
    expect(await end(2)).toBe('accept');
    await client.close();
    await Promise.all(calls);
  });

  it('ends with its last round on the stateless wire (GATE-02) (HOST-05)', async () => {
    await boot();
    const client = new Client(
      { name: 'front', version: '1.0.0' },
      {
        capabilities: { elicitation: { form: {} } },
        versionNegotiation: { mode: { pin: '2026-07-28' } },
        inputRequired: { maxRounds: 50 },
      },
    );
    let asked = 0;
    client.setRequestHandler('elicitation/create', () => {
      asked += 1;
      return { action: 'accept', content: {} };
    });
    await client.connect(new StreamableHTTPClientTransport(new URL(gateway.url)));
    const result = await client.callTool({ name: 'shop_insist' });
    expect([asked, textOf(result)]).toEqual([
      32,
      'The call still needs input after 32 rounds of input requests, which is the limit',
    ]);
    expect(await end(1)).toBe('accept');
    await client.close();
  });

  it('ends with its task (GATE-02)', async () => {
    await boot();
    const options: HttpClientOptions = { url: gateway.url, negotiation: { pin: '2026-07-28' } };
    const { app, client } = await bootCustomer(options, [AbsentUser]);
    const stop = new AbortController();
    const statuses: string[] = [];
    const onStatus = ({ status }: { status: string }) => void statuses.push(status);
    const call = client.callTool('shop_ask', {}, { task: true, signal: stop.signal, onStatus });
    const outcome = call.catch(() => 'stopped');
    await until(
      () => statuses.includes('input_required'),
      () => statuses.join(),
    );
    stop.abort();
    expect(await outcome).toBe('stopped');
    expect(await end(1)).toBe('accept');
    await app.close();
  });
});
