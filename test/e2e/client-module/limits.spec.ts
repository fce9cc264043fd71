import { Injectable } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { Throttle, ThrottlerGuard, ThrottlerModule } from '@nestjs/throttler';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Concurrency, Tool } from 'nestjs-mcp';
import { McpClientLimitedError, type HttpClientOptions } from 'nestjs-mcp/client-module';
import { Gate } from '../../support/applications/gate.js';
import type { RunningApp } from '../../support/applications/boot.js';
import { bootServer, type ServerParts } from '../../support/applications/server.js';
import { bootCustomer, WIRES, type Customer } from './shop.app.js';

@Injectable()
class LimitedTools {
  readonly gate = new Gate();
  calls = 0;

  @Tool()
  @Throttle({ default: { limit: 1, ttl: 900 } })
  soon() {
    return `call ${(this.calls += 1)}`;
  }

  @Tool()
  @Throttle({ default: { limit: 1, ttl: 60_000 } })
  late() {
    return 'late';
  }

  @Tool()
  @Concurrency({ max: 1, queue: { length: 1, timeoutMs: 50 } })
  async alone() {
    await this.gate.pass();
    return 'alone';
  }

  @Tool()
  plain() {
    return 'plain';
  }
}

describe.each(WIRES)('An injected client whose server limits calls (%j)', (negotiation) => {
  let server: RunningApp;
  let customer: Customer;

  afterEach(async () => {
    await customer.app.close();
    await server.close();
  });

  const boot = async (options: Partial<HttpClientOptions> = {}, parts: ServerParts = {}) => {
    const imports = [ThrottlerModule.forRoot([{ ttl: 60_000, limit: 6 }])];
    server = await bootServer({ imports, providers: [LimitedTools], ...parts });
    customer = await bootCustomer({ url: server.url, negotiation, ...options });
    return customer.client;
  };

  it('says when to come again (OPS-04) (CLI-18)', async () => {
    const client = await boot();
    await client.callTool('late');
    const error = await client.callTool('late').catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(McpClientLimitedError);
    expect(error).toMatchObject({
      code: 'client_limited',
      client: 'shop',
      retryAfterMs: 60_000,
      rateLimit: { retryAfterMs: 60_000, limit: 1, remaining: 0 },
    });
    expect(String(error)).toContain(
      'limits requests from the client "shop": try again in 60000 ms, or let calls wait ("limitWaitMs")',
    );
  });

  it('waits if it is asked to, for a call or for all (OPS-04) (CLI-18)', async () => {
    const client = await boot();
    await client.callTool('soon');
    const waited = await client.callTool('soon', {}, { limitWaitMs: 10_000 });
    expect(waited).toMatchObject({ content: [{ text: 'call 2' }] });
    await customer.app.close();
    customer = await bootCustomer({ url: server.url, negotiation, limitWaitMs: 10_000 });
    expect(await customer.client.callTool('soon')).toMatchObject({ content: [{ text: 'call 3' }] });
  });

  it('does not begin to wait for longer than it may (OPS-04) (CLI-18)', async () => {
    const client = await boot({ limitWaitMs: 30_000 });
    await client.callTool('late');
    await expect(client.callTool('late')).rejects.toMatchObject({ code: 'client_limited' });
  });

  it('stops waiting when the caller does (OPS-04) (CLI-18)', async () => {
    const client = await boot({ limitWaitMs: 120_000 });
    await client.callTool('late');
    const stop = new AbortController();
    const call = client.callTool('late', {}, { signal: stop.signal });
    await client.callTool('plain');
    stop.abort(new Error('not wanted'));
    await expect(call).rejects.toThrow('not wanted');
  });

  it('waits with any number of calls, without a warning of a leak (OPS-04) (CLI-18)', async () => {
    const warnings: Error[] = [];
    const note = (warning: Error) => void warnings.push(warning);
    const client = await boot({ limitWaitMs: 120_000 });
    await client.callTool('late');
    process.on('warning', note);
    const stop = new AbortController();
    const signals = Array.from({ length: 24 }, (_, index) =>
      index < 12 ? stop.signal : AbortSignal.any([stop.signal]),
    );
    const outcomes = Promise.allSettled(signals.map((signal) => client.callTool('late', {}, { signal })));
    await client.callTool('plain');
    stop.abort(new Error('not wanted'));
    await outcomes;
    process.off('warning', note);
    expect(warnings).toEqual([]);
  });

  it('hears of it in a stream that has begun as well (OPS-04) (CLI-18)', async () => {
    const client = await boot({}, { options: { streams: { beginAfterMs: 10 } } });
    const tools = server.app.get(LimitedTools);
    const first = client.callTool('alone');
    await tools.gate.reached();
    await expect(client.callTool('alone')).rejects.toMatchObject({
      code: 'client_limited',
      retryAfterMs: 1000,
    });
    tools.gate.open();
    await first;
  });

  it('takes "Retry-After" of an answer that has no JSON-RPC error (OPS-04) (CLI-18)', async () => {
    const client = await boot(
      {},
      { providers: [LimitedTools, { provide: APP_GUARD, useClass: ThrottlerGuard }] },
    );
    const calls = async () => {
      for (;;) await client.callTool('plain');
    };
    await expect(calls()).rejects.toMatchObject({ code: 'client_limited', retryAfterMs: 60_000 });
  });
});
