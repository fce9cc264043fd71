import { beforeEach, describe, expect, it } from '@jest/globals';
import { WebhookPlaces } from '../../../../../lib/server/extensions/events/webhook-subscriptions.js';

describe('WebhookPlaces', () => {
  let places: WebhookPlaces;

  beforeEach(() => {
    places = new WebhookPlaces(2);
  });

  it('bounds the webhooks of each caller for itself (EVT-01)', () => {
    for (const identity of ['ada', 'bob']) for (const id of ['a', 'b']) places.hold(identity, id);
    expect(() => places.hold('ada', 'c')).toThrow(
      expect.objectContaining({ code: -32013, data: { limit: 'subscriptions', max: 2 } }),
    );
  });

  it('gives a webhook one place, until all who hold it have let it go (EVT-01)', () => {
    for (const id of ['a', 'a', 'b']) places.hold('ada', id);
    places.release('ada', 'a');
    expect(() => places.hold('ada', 'c')).toThrow('There may be 2 subscriptions at once');
    places.release('ada', 'a');
    places.hold('ada', 'c');
    expect(() => places.hold('ada', 'd')).toThrow('There may be 2 subscriptions at once');
  });

  it('takes no notice of the release of what nobody holds (EVT-01)', () => {
    places.release('ada', 'a');
    for (const id of ['a', 'b']) places.hold('ada', id);
    places.release('ada', 'c');
    expect(() => places.hold('ada', 'c')).toThrow('There may be 2 subscriptions at once');
  });
});
