import { beforeEach, describe, expect, it } from '@jest/globals';
import { WebhookLimits } from '../../../../../lib/server/extensions/events/webhook-subscriptions.js';

describe('WebhookLimits', () => {
  let limits: WebhookLimits;

  beforeEach(() => {
    limits = new WebhookLimits(2);
  });

  it('limits the webhooks of each caller for itself (EVT-01)', () => {
    for (const identity of ['ada', 'bob']) for (const id of ['a', 'b']) limits.hold(identity, id);
    expect(() => limits.hold('ada', 'c')).toThrow(
      expect.objectContaining({ code: -32013, data: { limit: 'subscriptions', max: 2 } }),
    );
  });

  it('gives a webhook one place, until all who hold it have let it go (EVT-01)', () => {
    for (const id of ['a', 'a', 'b']) limits.hold('ada', id);
    limits.release('ada', 'a');
    expect(() => limits.hold('ada', 'c')).toThrow('At most 2 subscriptions can be active');
    limits.release('ada', 'a');
    limits.hold('ada', 'c');
    expect(() => limits.hold('ada', 'd')).toThrow('At most 2 subscriptions can be active');
  });

  it('takes no notice of the release of what nobody holds (EVT-01)', () => {
    limits.release('ada', 'a');
    for (const id of ['a', 'b']) limits.hold('ada', id);
    limits.release('ada', 'c');
    expect(() => limits.hold('ada', 'c')).toThrow('At most 2 subscriptions can be active');
  });
});
