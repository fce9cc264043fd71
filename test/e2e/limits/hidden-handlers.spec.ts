import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Throttle, ThrottlerModule } from '@nestjs/throttler';
import { RequireScope, Tool } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { authorize, bootDesk, CALLERS } from '../../support/applications/protected-desk.js';
import { bootServer } from '../../support/applications/server.js';
import { initialize, perRequest } from '../../support/clients/json-rpc.js';
import type { Message } from '../../support/clients/message.js';
import { MINUTE_MS } from './limited-desk.js';

/** How often it was asked who sees a handler. */
let asked = 0;

function see(isSeen: boolean): boolean {
  asked += 1;
  return isSeen;
}

@Injectable()
class SecretTools {
  @Tool({ visible: () => see(true) })
  shown() {
    return 'shown';
  }

  @Tool({ visible: () => see(false) })
  @Throttle({ default: { limit: 1, ttl: MINUTE_MS } })
  hidden() {
    return 'hidden';
  }
}

@Injectable()
class ScopedTools {
  @Tool({ visible: () => see(false) })
  @RequireScope('desk:secret')
  scoped() {
    return 'scoped';
  }
}

const call = (id: number, name: string) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name } });

describe.each(ADAPTERS)('Limits of handlers that not everybody sees, on %s', (adapter) => {
  let desk: RunningApp;

  beforeEach(async () => {
    desk = await bootServer({
      adapter,
      imports: [ThrottlerModule.forRoot([{ ttl: MINUTE_MS, limit: 3 }])],
      options: { throttle: { methods: ['tools/call'] } },
      providers: [SecretTools],
    });
    asked = 0;
  });

  afterEach(() => desk.close());

  it('keep the application from being asked more often who sees them (OPS-04)', async () => {
    const client = perRequest(desk.url);
    const statuses = [];
    for (let count = 0; count < 5; count += 1) {
      statuses.push((await client.request('tools/call', { name: 'shown' })).status);
    }
    expect([statuses, asked]).toEqual([[200, 200, 200, 429, 429], 3]);
  });

  it('tell nobody that there are some (OPS-04) (NEST-06)', async () => {
    const client = perRequest(desk.url);
    const errors = [];
    for (const name of ['hidden', 'hidden', 'never']) {
      errors.push((await client.request('tools/call', { name })).error?.code);
    }
    expect(errors).toEqual([-32602, -32602, -32602]);
  });

  it('hold for batches, whose requests count once each (OPS-04)', async () => {
    const session = await initialize(desk.url, { version: '2025-03-26' });
    const { json } = await session.post([1, 2, 3, 4, 5].map((id) => call(id, 'shown')));
    const codes = (json as Message[]).map(({ error }) => error?.code);
    expect(codes).toEqual([undefined, undefined, undefined, -32023, -32023]);
    const first = asked;
    await session.post([call(6, 'shown')]);
    expect(asked).toBe(first);
  });
});

describe.each(ADAPTERS)('A batch of which all is one too many, on %s', (adapter) => {
  it('is not asked for the scopes of what its caller does not see (OPS-04) (NEST-06)', async () => {
    const desk = await bootDesk(adapter, {
      imports: [ThrottlerModule.forRoot([{ ttl: MINUTE_MS, limit: 1 }])],
      options: { throttle: { methods: ['tools/call'] } },
      providers: [SecretTools, ScopedTools],
    });
    const headers = authorize(CALLERS.eve.token);
    const session = await initialize(desk.url, { version: '2025-03-26', headers });
    const statuses = [];
    for (const name of ['scoped', 'scoped', 'never']) {
      const { status, headers: answered } = await session.post([call(1, name)]);
      statuses.push([status, answered['www-authenticate']]);
    }
    expect(new Set(statuses.map(String)).size).toBe(1);
    await desk.close();
  });
});
