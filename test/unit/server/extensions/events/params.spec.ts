import { describe, expect, it } from '@jest/globals';
import {
  parseMaxEvents,
  parseName,
  parsePosition,
} from '../../../../../lib/server/extensions/events/parse-event-params.js';
import {
  assertNoId,
  formatWebhookId,
  parseDeliveryUrl,
  parseSecret,
  parseTtl,
} from '../../../../../lib/server/extensions/events/subscribe-params.js';

const INVALID = expect.objectContaining({ code: -32602 });

describe('The params of events/poll and events/stream', () => {
  it('name an event (EVT-01)', () => {
    expect(parseName({ name: 'ticket.closed' })).toBe('ticket.closed');
    expect(() => parseName({ subscriptions: [] })).toThrow('"name"');
  });

  it.each([
    [{}, {}],
    [{ cursor: null, maxAgeMs: null }, {}],
    [
      { cursor: 'c', maxAgeMs: 1500 },
      { cursor: 'c', maxAgeMs: 1500 },
    ],
    [{ maxAge: 2 }, { maxAgeMs: 2000 }],
    [{ maxAge: 0 }, {}],
    [{ maxAge: 2, maxAgeMs: 5 }, { maxAgeMs: 5 }],
  ])('%j say where to begin (EVT-01)', (params, expected) => {
    expect(parsePosition(params)).toEqual({ cursor: undefined, maxAgeMs: undefined, ...expected });
  });

  it.each([{ cursor: 7 }, { cursor: {} }, { maxAgeMs: '5' }, { maxAgeMs: 1.5 }, { maxAge: -1 }])(
    '%j do not (EVT-01)',
    (params) => {
      expect(() => parsePosition(params)).toThrow(INVALID);
    },
  );

  it('say how many events are wanted (EVT-01)', () => {
    expect([{ maxEvents: 7 }, { maxEvents: 0 }, {}].map(parseMaxEvents)).toEqual([7, undefined, undefined]);
    expect(() => parseMaxEvents({ maxEvents: Number.NaN })).toThrow('"maxEvents"');
  });
});

describe('The params of events/subscribe', () => {
  const delivery = { mode: 'webhook', url: 'https://hooks.example.com/', secret: 'whsec_x' };

  it('say where to and by which secret (EVT-01)', () => {
    expect(parseDeliveryUrl({ delivery })).toBe('https://hooks.example.com/');
    expect(parseSecret({ delivery })).toBe('whsec_x');
  });

  it.each([undefined, [], { mode: 7 }, { mode: 'webhook' }, { mode: 'webhook', url: '' }, { url: 7 }])(
    'are refused with the delivery %j (EVT-01)',
    (wrong) => {
      expect(() => parseDeliveryUrl({ delivery: wrong })).toThrow(INVALID);
    },
  );

  it('are refused with another way of delivery as one that there is not (XTN-06)', () => {
    const unsupported = expect.objectContaining({
      code: -32014,
      data: { feature: 'deliveryMode', value: 'push' },
    });
    expect(() => parseDeliveryUrl({ delivery: { mode: 'push' } })).toThrow(unsupported);
  });

  it('need a secret, and no id (EVT-01)', () => {
    expect(() => parseSecret({ delivery: { url: 'x' } })).toThrow('"delivery.secret"');
    expect(() => assertNoId({ id: 'sub_1' })).toThrow('"id"');
    expect(() => assertNoId({})).not.toThrow();
  });

  it('are not refused for the time they ask for (EVT-01)', () => {
    const given = [60_000, 0, -1, 'long', Number.POSITIVE_INFINITY, undefined];
    expect(given.map((ttlMs) => parseTtl({ ttlMs }))).toEqual([
      60_000,
      ...Array<undefined>(5).fill(undefined),
    ]);
    expect(parseTtl({ ttlMs: null })).toBe(Number.MAX_SAFE_INTEGER);
  });
});

describe('The id of a webhook subscription', () => {
  const KEY = {
    identity: 'ada',
    name: 'a',
    url: 'https://a.example/',
    arguments: { a: 1, b: { c: [1, 2], d: 2 } },
  };

  it('is the same for the same key, however its arguments are written (EVT-01)', () => {
    const rewritten = { ...KEY, arguments: { b: { d: 2, c: [1, 2] }, a: 1 } };
    expect(formatWebhookId(rewritten)).toBe(formatWebhookId(KEY));
    expect(formatWebhookId(KEY)).toMatch(/^sub_[\w-]{22}$/);
    expect(formatWebhookId({ ...KEY, arguments: undefined })).toBe(
      formatWebhookId({ ...KEY, arguments: {} }),
    );
  });

  it.each([
    { identity: 'bob' },
    { name: 'b' },
    { url: 'https://a.example/b' },
    { arguments: { a: 1, b: { c: [2, 1], d: 2 } } },
    { arguments: {} },
  ])('is another with %j (EVT-01)', (change) => {
    expect(formatWebhookId({ ...KEY, ...change })).not.toBe(formatWebhookId(KEY));
  });

  it('is not made of arguments without end (EVT-01)', () => {
    let nested: unknown = 1;
    for (let depth = 0; depth < 100_000; depth += 1) nested = [nested];
    expect(() => formatWebhookId({ ...KEY, arguments: { nested } })).toThrow('nested too deeply');
  });
});
