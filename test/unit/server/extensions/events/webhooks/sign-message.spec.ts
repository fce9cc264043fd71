import { describe, expect, it, jest } from '@jest/globals';
import {
  formatMessageId,
  parseSecret,
  signMessage,
  SigningKeys,
} from '../../../../../../lib/server/extensions/events/webhooks/sign-message.js';
import { passTime, stopClocks } from '../../../../support/clocks.js';

const secretOf = (bytes: number) => `whsec_${Buffer.alloc(bytes, 7).toString('base64')}`;

describe('A webhook signature (Standard Webhooks 1.0.0)', () => {
  it('is the one that the published libraries expect of their example (EVT-01)', () => {
    const key = parseSecret('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');
    const body = Buffer.from('{"test": 2432232314}');
    const sentAt = 1_614_265_330_999;
    expect(signMessage({ id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', body, sentAt }, [key])).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  it('stands once for each key, divided by spaces (EVT-01)', () => {
    const keys = [parseSecret(secretOf(24)), parseSecret(secretOf(32))];
    const signed = signMessage({ id: 'evt_1', body: Buffer.from('{}'), sentAt: 0 }, keys);
    expect(signed['webhook-signature']).toMatch(/^v1,[A-Za-z0-9+/]{43}= v1,[A-Za-z0-9+/]{43}=$/);
  });

  it.each(['evt_1', 'A-b_9', 'evt.1', 'note of ada', 'x'.repeat(256)])(
    'is over the id %s as it is (EVT-01)',
    (id) => {
      expect(formatMessageId(id)).toBe(id);
    },
  );

  it.each([' in front', 'behind ', 'line\nbreak', 'ü', '', 'x'.repeat(257)])(
    'is over a digest of the id %j, the same each time (EVT-01)',
    (id) => {
      expect(formatMessageId(id)).toMatch(/^msg_[\w-]{43}$/);
      expect(formatMessageId(id)).toBe(formatMessageId(id));
      expect(formatMessageId(id)).not.toBe(formatMessageId(`${id}.`));
    },
  );
});

describe('A webhook secret (Standard Webhooks 1.0.0)', () => {
  it.each([24, 32, 64])('may have %i bytes, in either alphabet of base64 (EVT-01)', (bytes) => {
    const key = Buffer.alloc(bytes, 0xfb);
    expect(parseSecret(`whsec_${key.toString('base64')}`)).toEqual(key);
    expect(parseSecret(`whsec_${key.toString('base64url')}`)).toEqual(key);
  });

  it.each([
    ['of too few bytes', secretOf(23)],
    ['of too many bytes', secretOf(65)],
    ['without its prefix', secretOf(32).slice('whsec_'.length)],
    ['with another prefix', secretOf(32).replace('whsec_', 'whsk_')],
    ['with nothing behind the prefix', 'whsec_'],
    ['that is no base64', `whsec_${'ä'.repeat(40)}`],
    ['with a space', `${secretOf(32)} `],
    ['that is empty', ''],
  ])('is refused %s, and not repeated (EVT-01)', (_what, secret) => {
    expect(() => parseSecret(secret)).toThrow(
      'Invalid params: the "secret" must be "whsec_" followed by 24 to 64 random bytes in base64',
    );
  });
});

describe('The keys of a webhook subscription', () => {
  it('are the current one and for a while the one before it (EVT-01)', () => {
    stopClocks();
    try {
      const [first, second] = [secretOf(24), secretOf(32)];
      const keys = new SigningKeys(first, 1000);
      keys.replace(first);
      expect(keys.select()).toEqual([parseSecret(first)]);
      keys.replace(second);
      expect(keys.select()).toEqual([parseSecret(second), parseSecret(first)]);
      passTime(1000);
      expect(keys.select()).toEqual([parseSecret(second)]);
    } finally {
      jest.useRealTimers();
    }
  });
});
