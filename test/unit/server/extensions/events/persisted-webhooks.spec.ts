import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Subject } from 'rxjs';
import type { SubscribeRequest } from '../../../../../lib/server/extensions/events/subscribe-params.js';
import {
  PersistedWebhooks,
  type PersistedWebhooksParts,
} from '../../../../../lib/server/extensions/events/persisted-webhooks.js';
import { CapturedLog } from '../../../support/captured-log.js';

const REQUEST: SubscribeRequest = {
  kind: 'subscribe',
  id: 'whk_1',
  identity: 'an identity',
  name: 'alert.fired',
  url: 'https://receiver.example.com/hook',
  secret: 'whsec_secret',
  given: {},
  claims: { sub: 'ada', iss: 'https://login.example.com', aud: [], scopes: [], extra: {} },
  position: {},
};

describe('PersistedWebhooks', () => {
  let log: CapturedLog;

  beforeEach(() => {
    log = CapturedLog.begin();
  });

  afterEach(() => log.release());

  it('says whose webhook it cannot take up, on one line (OPS-06)', async () => {
    const webhooks = new PersistedWebhooks({
      delivery: { changes$: new Subject() },
      store: { load: async () => [{ request: REQUEST, expiresAt: Date.now() + 60_000 }] },
      subscriptions: {
        restore: async () => {
          throw new Error('not allowed\n[Nest] forged');
        },
        list: () => [],
      },
    } as unknown as PersistedWebhooksParts);
    await webhooks.open();
    expect(log.warnings.map((line) => line.split('\n')[0])).toEqual([
      String.raw`The webhook "whk_1" could not be restored: not allowed\n[Nest] forged [caller="ada" issuer="https://login.example.com" session=- address=- method="events/subscribe" target="alert.fired"]`,
    ]);
  });
});
