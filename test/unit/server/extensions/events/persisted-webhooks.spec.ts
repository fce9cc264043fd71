import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Subject } from 'rxjs';
import type { SubscribeAsk } from '../../../../../lib/server/extensions/events/subscribe-params.js';
import {
  WebhookSender,
  type WebhookSenderParts,
} from '../../../../../lib/server/extensions/events/persisted-webhooks.js';
import { CapturedLog } from '../../../support/captured-log.js';

const ASK: SubscribeAsk = {
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

describe('WebhookSender', () => {
  let log: CapturedLog;

  beforeEach(() => {
    log = CapturedLog.begin();
  });

  afterEach(() => log.release());

  it('says whose webhook it cannot take up, on one line (OPS-06)', async () => {
    const sender = new WebhookSender({
      delivery: { changes$: new Subject() },
      records: { load: async () => [{ ask: ASK, expiresAt: Date.now() + 60_000 }] },
      office: {
        restore: async () => {
          throw new Error('not allowed\n[Nest] forged');
        },
        list: () => [],
      },
    } as unknown as WebhookSenderParts);
    await sender.open();
    expect(log.warnings.map((line) => line.split('\n')[0])).toEqual([
      String.raw`The webhook "whk_1" is not taken up: not allowed\n[Nest] forged [caller="ada" issuer="https://login.example.com" session=- address=- method="events/subscribe" target="alert.fired"]`,
    ]);
  });
});
