import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { McpExtensions, McpModule, Tool } from 'nestjs-mcp';
import { ADAPTERS, bootApp, type RunningApp } from '../../support/applications/boot.js';
import { Gates } from '../../support/applications/gate.js';
import { initialize, perRequest } from '../../support/clients/json-rpc.js';

const ID = 'com.example/slow';
const CAPABILITIES = { extensions: { [ID]: {} } };
const LIMIT_MS = 300;

@Injectable()
class Slow implements OnModuleInit {
  readonly gates = new Gates();

  constructor(private readonly extensions: McpExtensions) {}

  onModuleInit(): void {
    this.extensions.register({
      id: ID,
      specVersion: '1',
      stability: 'experimental',
      methods: [
        { method: 'slow/never', handle: () => new Promise<never>(() => undefined) },
        {
          method: 'slow/lasting',
          longRunning: true,
          handle: async () => {
            await this.gates.at('lasting').pass();
            return { lasted: true };
          },
        },
      ],
      subscriptions: [
        { filter: 'slow', grant: () => new Promise(() => undefined), open: () => () => undefined },
      ],
      interceptToolCall: async ({ tool }, next) =>
        tool.name === 'caught' ? new Promise<never>(() => undefined) : next(),
    });
  }

  @Tool({ description: 'Is held up before it begins' })
  caught(): string {
    return 'never';
  }
}

describe.each(ADAPTERS)('The time of methods that extensions add, on %s', (adapter) => {
  let server: RunningApp;

  beforeEach(async () => {
    const serverInfo = { name: 'slow', version: '1.0.0' };
    server = await bootApp({
      adapter,
      imports: [McpModule.forRoot({ serverInfo, callTimeoutMs: LIMIT_MS })],
      providers: [Slow],
    });
  });

  afterEach(() => server.close());

  const LATE = { code: -32603, message: `The call took longer than ${LIMIT_MS} ms and was stopped` };

  it('is that of every method, in sessions and without (FAIR-05)', async () => {
    const session = await initialize(server.url, { capabilities: CAPABILITIES });
    const client = perRequest(server.url, { capabilities: CAPABILITIES });
    expect((await session.request('slow/never')).error).toEqual(LATE);
    expect((await client.request('slow/never')).error).toEqual(LATE);
    expect((await session.request('ping')).result).toEqual({});
  });

  it('is that of what they put around tool calls, too (FAIR-05)', async () => {
    const { result } = await perRequest(server.url).request('tools/call', { name: 'caught' });
    expect(result).toMatchObject({ isError: true, content: [{ text: LATE.message }] });
  });

  it('is that of opening a stream, and not of its life (FAIR-05)', async () => {
    const client = perRequest(server.url, { capabilities: CAPABILITIES });
    const asked = await client.request('subscriptions/listen', { notifications: { slow: true } });
    expect(asked.error).toEqual(LATE);
    const stream = await client.listen({});
    expect((await client.request('slow/never')).error).toEqual(LATE);
    expect(stream.isEnded).toBe(false);
    await stream.close();
  });

  it('has no end for what lasts by design (FAIR-05)', async () => {
    const client = perRequest(server.url, { capabilities: CAPABILITIES });
    const lasting = client.request('slow/lasting');
    expect((await client.request('slow/never')).error).toEqual(LATE);
    server.app.get(Slow).gates.at('lasting').open();
    expect((await lasting).result).toMatchObject({ lasted: true });
  });
});
