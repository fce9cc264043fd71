import { describe, expect, it } from '@jest/globals';
import {
  encodeRequestParams,
  findRequestGap,
} from '../../../../../lib/core/protocol/encoding/encode-client-request.js';
import type { InputRequest } from '../../../../../lib/core/protocol/input-requests.js';
import { REVISIONS } from '../../../../../lib/core/protocol/revisions.js';
import { getRevision } from '../../../support/requests.js';

const FIRST = '2024-11-05';
const FIRST_WITH_FORMS = '2025-06-18';

const elicit = (params: object) => ({ method: 'elicitation/create', params }) as InputRequest;
const sample = (params: object) => ({ method: 'sampling/createMessage', params }) as InputRequest;
const form = (properties: unknown) =>
  elicit({ message: 'Well?', requestedSchema: { type: 'object', properties } });
const show = (member: object) => {
  const { requestedSchema } = encodeRequestParams(form({ member }), getRevision(FIRST_WITH_FORMS));
  return (requestedSchema as { properties: { member: unknown } }).properties.member;
};

/** What a handler may write that nobody has checked. */
const ODD: readonly InputRequest[] = [
  elicit({}),
  elicit({ requestedSchema: 'none' }),
  form(undefined),
  form([]),
  form({ member: null, other: 7 }),
  form({ member: { oneOf: 'none' } }),
  form({ member: { oneOf: [null] } }),
  sample({}),
  sample({ messages: 'none' }),
  sample({ messages: [] }),
  sample({ messages: [{ role: 'user', content: null }] }),
  sample({ messages: [{ role: 'user', content: [7, { type: 'image' }] }] }),
  { method: 'roots/list' },
  { method: 'elicitation/create' },
  { method: 'sampling/createMessage' },
];

describe('A request to the client', () => {
  it.each(['2025-11-25', '2026-07-28'])(
    'has all that it asks in %s, and passes as it is (VER-03)',
    (version) => {
      const all = [
        ...ODD,
        elicit({ mode: 'url', message: 'Pay', url: 'https://pay.example.com/' }),
        form({ sides: { type: 'array', items: { enum: ['a'] } }, size: { oneOf: [], default: 'a' } }),
        sample({
          messages: [{ role: 'user', content: [{ type: 'tool_use' }, { type: 'audio' }] }],
          tools: [],
        }),
      ];
      for (const request of all) {
        expect(findRequestGap(request, getRevision(version))).toBeUndefined();
        const params = encodeRequestParams(request, getRevision(version));
        expect(params).toEqual(request.params ?? {});
        expect([params, undefined]).toContain(request.params);
      }
    },
  );

  it.each(REVISIONS)('is encoded in $version whatever a handler has written (SAFE-04)', (revision) => {
    for (const request of ODD) {
      expect(() => findRequestGap(request, revision)).not.toThrow();
      expect(() => encodeRequestParams(request, revision)).not.toThrow();
    }
  });

  it('is not changed itself (VER-03)', () => {
    const request = form({ size: { type: 'string', oneOf: [{ const: 's', title: 'Small' }], default: 's' } });
    const written = JSON.stringify(request);
    encodeRequestParams(request, getRevision(FIRST_WITH_FORMS));
    expect(JSON.stringify(request)).toBe(written);
  });
});

describe('A form in the first revision with forms', () => {
  it.each([
    [
      { type: 'string', default: 'a', minLength: 1 },
      { type: 'string', minLength: 1 },
    ],
    [{ type: 'integer', default: 0 }, { type: 'integer' }],
    [
      { type: 'boolean', default: false },
      { type: 'boolean', default: false },
    ],
    [{ type: 'boolean' }, { type: 'boolean' }],
    [
      { type: 'string', enum: ['a'], enumNames: ['A'], default: 'a' },
      { type: 'string', enum: ['a'], enumNames: ['A'] },
    ],
    [
      { type: 'string', title: 'Size', oneOf: [{ const: 's', title: 'Small' }] },
      { type: 'string', title: 'Size', enum: ['s'], enumNames: ['Small'] },
    ],
  ])('shows %j as %j (VER-03) (REV-01)', (member, shown) => {
    expect(show(member)).toEqual(shown);
  });

  it('has no choice of several, and says for which member (VER-03) (REV-01)', () => {
    const request = form({ name: { type: 'string' }, sides: { type: 'array' }, more: { type: 'array' } });
    expect(findRequestGap(request, getRevision(FIRST_WITH_FORMS))).toBe(
      'multiple choice in the form field "sides"',
    );
  });
});

describe('A message to a model in the first revision', () => {
  const encode = (content: unknown, rest: object = {}) =>
    encodeRequestParams(sample({ messages: [{ role: 'user', content, ...rest }] }), getRevision(FIRST))[
      'messages'
    ];

  it('has one block, and is as many as it has blocks (VER-03) (REV-01)', () => {
    const [one, other] = ['one', 'other'].map((text) => ({ type: 'text', text }));
    expect(encode(one)).toEqual([{ role: 'user', content: one }]);
    expect(encode([one])).toEqual([{ role: 'user', content: one }]);
    expect(encode([one, other])).toEqual([
      { role: 'user', content: one },
      { role: 'user', content: other },
    ]);
    expect(encode([])).toEqual([]);
  });

  it('has no metadata (VER-03)', () => {
    const text = { type: 'text', text: 'one' };
    expect(encode({ ...text, _meta: { a: 1 } }, { _meta: { b: 1 } })).toEqual([
      { role: 'user', content: text },
    ]);
  });

  it.each([
    ['tools', { tools: [] }],
    ['tools', { toolChoice: { mode: 'none' } }],
    ['tools', { messages: [{ role: 'user', content: { type: 'tool_result' } }] }],
    ['tools', { messages: [{ role: 'user', content: [{ type: 'text' }, { type: 'tool_use' }] }] }],
    ['audio', { messages: [{ role: 'user', content: [{ type: 'audio' }] }] }],
  ])('has no %s: %j (VER-03) (REV-01)', (what, params) => {
    expect(findRequestGap(sample(params), getRevision(FIRST))).toBe(`${what} in "sampling/createMessage"`);
  });
});
