import { describe, expect, it } from '@jest/globals';
import { buildSignedRequest } from '../../../../../../lib/server/extensions/events/webhooks/post-message.js';
import {
  parseSecret,
  signMessage,
} from '../../../../../../lib/server/extensions/events/webhooks/sign-message.js';
import { WEBHOOK_SECRET } from '../../../../../support/webhook-receiver.js';

describe('buildSignedRequest()', () => {
  it('names the message and the subscription, and signs what it sends (EVT-01)', () => {
    const keys = [parseSecret(WEBHOOK_SECRET)];
    const message = { id: 'msg_1', body: Buffer.from('{}') };
    const subscription = { id: 'sub_1', receiver: new URL('https://hooks.example.com/in') };
    const request = buildSignedRequest(message, subscription, keys);

    const sentAt = Number(request.headers['webhook-timestamp']) * 1000;
    expect(request).toEqual({
      url: subscription.receiver,
      headers: { ...signMessage({ ...message, sentAt }, keys), 'x-mcp-subscription-id': 'sub_1' },
      body: message.body,
    });
  });
});
