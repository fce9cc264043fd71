import { afterEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { EventSource, type AuditOptions } from 'nestjs-mcp';
import { NEVER, type Observable } from 'rxjs';
import { ADAPTERS } from '../../support/applications/boot.js';
import { perRequest } from '../../support/clients/json-rpc.js';
import { sendHttp } from '../../support/clients/raw-http.js';
import { bootAuditedDesk, DeskHandlers, type AuditedDesk } from './audited-desk.js';

@Injectable()
class Alerts {
  @EventSource({ name: 'alert' })
  alerts(): Observable<object> {
    return NEVER;
  }
}

/** Ways to listen: the method, its parameters, and what tells the client that it listens. */
const WAYS = [
  [
    'subscriptions/listen',
    { notifications: { toolsListChanged: true } },
    'notifications/subscriptions/acknowledged',
  ],
  ['events/stream', { name: 'alert' }, 'notifications/events/active'],
] as const;

const UNKEPT =
  'The server could not record this operation, so its result is withheld; the operation may have taken effect';

describe.each(ADAPTERS)('The audit of a client that listens, on %s', (adapter) => {
  let desk: AuditedDesk;

  const boot = async (audit: AuditOptions = {}, subscribes = true) => {
    desk = await bootAuditedDesk({
      adapter,
      providers: [DeskHandlers, Alerts],
      options: { events: true },
      audit,
      subscribes,
    });
  };

  afterEach(() => desk.close());

  it.each(WAYS)('has its beginning at once, and its end: %s (OPS-03)', async (method, params, begun) => {
    await boot();
    const call = perRequest(desk.url).start(method, params);
    const stream = await call.stream();
    await stream.nextNotification(begun);
    expect(desk.events).toEqual([
      expect.objectContaining({ type: 'listening_begun', outcome: 'ok', method, requestId: call.id }),
    ]);
    await stream.close();
    const end = await desk.find({ type: 'request', method });
    expect(end).toMatchObject({ outcome: 'cancelled', requestId: call.id });
    expect(end.durationMs).toBeGreaterThan(0);
    expect(desk.events).toHaveLength(2);
  });

  it.each(WAYS)(
    'begins if that is kept, where it is required: %s (OPS-03)',
    async (method, params, begun) => {
      await boot({ mode: 'required' }, false);
      const order: string[] = [];
      let keep = (): void => {};
      const gate = new Promise<void>((resolve) => (keep = resolve));
      const asked = new Promise<void>((resolve) => {
        desk.audit.writeTo(async () => {
          resolve();
          await gate;
          order.push('kept');
        });
      });
      const listening = perRequest(desk.url)
        .start(method, params)
        .stream()
        .then(async (stream) => {
          await stream.nextNotification(begun);
          order.push('told');
          return stream;
        });
      await asked;
      // Another request makes its way through the server meanwhile.
      await sendHttp(`${desk.origin}/nothing`);
      expect(order).toEqual([]);
      keep();
      await (await listening).close();
      expect(order.slice(0, 2)).toEqual(['kept', 'told']);
    },
  );

  it.each(WAYS)('does not begin if that cannot be kept: %s (OPS-03)', async (method, params, _begun) => {
    await boot({ mode: 'required' }, false);
    desk.audit.writeTo(({ type }) => {
      if (type === 'listening_begun') throw new Error('disk full');
    });
    const answer = await perRequest(desk.url).request(method, params);
    expect(answer).toMatchObject({ status: 500, error: { code: -32603, message: UNKEPT } });
    expect(answer.notifications).toEqual([]);
  });

  it.each(WAYS)('leaves its room to others while it lasts: %s (OPS-03)', async (method, params, begun) => {
    await boot({ mode: 'required', maxPending: 2 }, false);
    desk.audit.writeTo(async () => undefined);
    const streams = [];
    for (let count = 0; count < 3; count += 1) {
      const stream = await perRequest(desk.url).start(method, params).stream();
      await stream.nextNotification(begun);
      streams.push(stream);
    }
    const answer = await perRequest(desk.url).request('tools/list');
    expect(answer.status).toBe(200);
    await Promise.all(streams.map((stream) => stream.close()));
  });
});
