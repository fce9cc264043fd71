import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { EventSource, RequireScope, type AuthOptions } from 'nestjs-mcp';
import { Subject, type Observable } from 'rxjs';
import { ADAPTERS } from '../../../support/applications/boot.js';
import { authorize, METADATA, PUBLISHED } from '../../../support/applications/protected-desk.js';
import type { Answer } from '../../../support/clients/call.js';
import { initialize, perRequest, type PerRequestClient } from '../../../support/clients/json-rpc.js';
import type { JsonObject } from '../../../support/clients/message.js';
import { sendHttp } from '../../../support/clients/raw-http.js';
import { until } from '../../../support/until.js';
import { WebhookReceiver, WEBHOOK_SECRET } from '../../../support/webhook-receiver.js';
import { bootAlerts, nextEvent, type AlertsApp } from './alerts.app.js';

const FULL = 'fixed-token-of-ada-with-all';
const LESSER = 'fixed-token-of-ada-with-less';

@Injectable()
class Ledger {
  readonly entries = new Subject<object>();

  @EventSource({ name: 'entry.made' })
  @RequireScope('desk:secret')
  made(): Observable<object> {
    return this.entries;
  }
}

describe.each(ADAPTERS)('A source of events that requires a scope, on %s', (adapter) => {
  let receiver: WebhookReceiver;
  let server: AlertsApp;
  let ledger: Ledger;

  beforeEach(async () => {
    receiver = await WebhookReceiver.start();
    receiver.behave((response, { json: { challenge } }) => response.end(JSON.stringify({ challenge })));
  });

  afterEach(async () => {
    await server.close();
    await receiver.stop();
  });

  /** @param lifetimeSeconds after which the tokens end; they do not if it is left out */
  async function boot(options: AuthOptions = {}, lifetimeSeconds?: number): Promise<void> {
    const scopes = new Map([
      [FULL, ['desk:read', 'desk:secret']],
      [LESSER, ['desk:read']],
    ]);
    let expiresAt: number | undefined;
    const validate = (token: string) => {
      if (!scopes.has(token)) return undefined;
      // What the start of the server takes must not shorten the life of its tokens.
      expiresAt ??= lifetimeSeconds && Math.ceil(Date.now() / 1000) + lifetimeSeconds;
      return { sub: 'ada', scopes: scopes.get(token), ...(expiresAt && { expiresAt }) };
    };
    server = await bootAlerts({
      adapter,
      auth: { ...PUBLISHED, ...options, validator: { validate } } as AuthOptions,
      events: { webhooks: { allowPrivateAddresses: true, allowHttp: true } },
      providers: [Ledger],
    });
    ledger = server.app.get(Ledger);
  }

  const client = (token: string): PerRequestClient => perRequest(server.url, { headers: authorize(token) });

  const expectRefusal = ({ status, headers }: Pick<Answer, 'status' | 'headers'>): void =>
    expect([status, headers['www-authenticate']]).toEqual([
      403,
      `Bearer error="insufficient_scope", scope="desk:secret", resource_metadata="${METADATA}", ` +
        'error_description="The token lacks a required scope"',
    ]);

  const hook = (): JsonObject => ({
    name: 'entry.made',
    delivery: { mode: 'webhook', url: receiver.url, secret: WEBHOOK_SECRET },
  });

  const listDelivered = () => receiver.received.filter(({ json }) => json['type'] !== 'verification');

  it('is asked by a cursor with the scope alone, whoever was given the cursor (FAIR-06) (EVT-01)', async () => {
    await boot();
    const params = { name: 'entry.made' };
    const { cursor } = await client(FULL).start('events/poll', params).result();
    ledger.entries.next({ amount: 7 });
    expectRefusal(await client(LESSER).request('events/poll', { ...params, cursor }));
    const { events } = await client(FULL)
      .start('events/poll', { ...params, cursor })
      .result();
    expect(events).toMatchObject([{ data: { amount: 7 } }]);
  });

  it('has no stream that a token without the scope takes up again (FAIR-06) (HTTP-04)', async () => {
    await boot();
    const session = await initialize(server.url, { headers: authorize(FULL) });
    const stream = await session.start('events/stream', { name: 'entry.made' }).stream();
    await stream.nextNotification('notifications/events/active');
    const lastEventId = String(stream.lastEventId);
    await stream.close();
    ledger.entries.next({ amount: 7 });
    const headers = { ...session.headers, accept: 'text/event-stream', 'last-event-id': lastEventId };
    expectRefusal(await sendHttp(server.url, { headers: { ...headers, ...authorize(LESSER) } }));
    const resumed = await session.openStream({ lastEventId });
    expect(await nextEvent(resumed)).toMatchObject({ data: { amount: 7 } });
    await resumed.close();
  });

  it('has webhooks that a token without the scope ends, and neither begins nor refreshes (FAIR-06)', async () => {
    await boot();
    const subscribed = await client(FULL).start('events/subscribe', hook()).result();
    const other = { ...hook(), arguments: { other: true } };
    for (const params of [hook(), other])
      expectRefusal(await client(LESSER).request('events/subscribe', params));
    ledger.entries.next({ amount: 7 });
    await until(() => listDelivered().length === 1, 'the event');
    expect(subscribed).toMatchObject({ id: expect.any(String) });
    expect((await client(LESSER).request('events/unsubscribe', hook())).status).toBe(200);
  });

  it('has webhooks that outlive their token, where nothing else is said (FAIR-06)', async () => {
    await boot({}, 600);
    const { refreshBefore } = await client(FULL).start('events/subscribe', hook()).result();
    expect(Date.parse(String(refreshBefore)) - Date.now()).toBeGreaterThan(1_800_000);
  });

  it('has webhooks that end with their token, where streams do (FAIR-06)', async () => {
    await boot({ endStreamsWithToken: true }, 4);
    const { refreshBefore } = await client(FULL).start('events/subscribe', hook()).result();
    expect(Date.parse(String(refreshBefore)) - Date.now()).toBeLessThanOrEqual(5_000);
    ledger.entries.next({ amount: 7 });
    const farewell = await until(
      () => listDelivered().find(({ json }) => json['type'] === 'terminated'),
      'the end of the subscription',
      20_000,
    );
    expect(farewell.json).toMatchObject({ error: { code: -32012 } });
  });
});
