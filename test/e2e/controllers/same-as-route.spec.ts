import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import type { JsonObject } from '../../support/clients/message.js';
import { SEED } from '../../support/dice.js';
import { callAsRoute, callAsTool, type RouteCall } from './call-both.js';
import { bootShop } from './shop.app.js';

/** The calls of one tool, with the requests that a client of its route would send. */
interface Compared {
  readonly tool: string;
  readonly given: fc.Arbitrary<JsonObject>;
  readonly call: (given: JsonObject) => RouteCall;
}

const ID = fc.oneof(fc.nat(120), fc.integer(), fc.constantFrom('five', '1e2', '%2e', ' 7', '0x10', true, -0));
const WORD = fc.oneof(
  fc.string({ minLength: 1, maxLength: 12, unit: 'binary' }),
  fc.constantFrom('..', '.', 'a/b', '../admin', '%2e%2e', 'a?b=c#d', 'ä ö', '__proto__', '\u0000'),
);
const SCALAR = fc.oneof(
  WORD,
  fc.integer(),
  fc.boolean(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const ANY = fc.oneof(
  SCALAR,
  fc.constant(null),
  fc.array(SCALAR, { maxLength: 3 }),
  fc.dictionary(fc.constantFrom('depth', 'x', 'constructor', '__proto__'), SCALAR, { maxKeys: 2 }),
);

/** Mostly what a DTO accepts, and anything else at times. */
const mostly = (usual: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 4, arbitrary: usual }, { weight: 1, arbitrary: ANY });

const ARTICLE = fc.record(
  {
    name: mostly(fc.string({ minLength: 1, maxLength: 22 })),
    price: mostly(fc.double({ min: -1, max: 1001, noNaN: true })),
    color: mostly(fc.constantFrom('red', 'green', 'blue')),
    size: mostly(
      fc.record(
        { width: mostly(fc.integer({ min: 0, max: 9 })), height: ANY, depth: ANY },
        { requiredKeys: [] },
      ),
    ),
    tags: mostly(fc.array(fc.string(), { maxLength: 3 })),
  },
  { requiredKeys: ['name', 'price', 'size'] },
);

const segment = (value: unknown): string => encodeURIComponent(String(value)).replaceAll('.', '%2E');

/** Repeats the name for each item of a list. */
const pairs = (given: JsonObject, ...names: string[]): [string, unknown][] =>
  names.flatMap((name) =>
    given[name] === undefined ? [] : [given[name]].flat().map((value): [string, unknown] => [name, value]),
  );

const COMPARED: readonly Compared[] = [
  {
    tool: 'article_find',
    given: fc.record({ id: ID }),
    call: ({ id }) => ({ method: 'GET', path: `/articles/${segment(id)}` }),
  },
  {
    tool: 'article_list',
    given: fc.record(
      { page: SCALAR, words: fc.oneof(SCALAR, fc.array(WORD, { minLength: 1, maxLength: 3 })) },
      { requiredKeys: [] },
    ),
    call: (given) => ({ method: 'GET', path: '/articles', query: pairs(given, 'page', 'words') }),
  },
  {
    tool: 'article_ofColor',
    // Nest runs pipes concurrently, and reports the error of the first to fail: one argument at most is wrong.
    given: fc
      .tuple(
        fc.record({
          color: fc.constantFrom('red', 'green'),
          limit: fc.integer(),
          cheap: fc.boolean(),
          ids: fc.array(fc.integer(), { minLength: 1, maxLength: 4 }),
        }),
        fc.record({
          color: WORD,
          limit: SCALAR,
          cheap: SCALAR,
          ids: fc.array(SCALAR, { minLength: 1, maxLength: 4 }),
        }),
        fc.constantFrom('color' as const, 'limit' as const, 'cheap' as const, 'ids' as const),
      )
      .map(([right, wrong, name]) => ({ ...right, [name]: wrong[name] })),
    call: (given) => ({
      method: 'GET',
      path: `/articles/colors/${segment(given['color'])}`,
      query: [
        ...pairs(given, 'limit', 'cheap'),
        ...(given['ids'] === undefined ? [] : [['ids', (given['ids'] as unknown[]).join(',')] as const]),
      ],
    }),
  },
  {
    tool: 'article_batch',
    given: fc.record({ batch: fc.oneof(fc.uuid(), WORD) }),
    call: ({ batch }) => ({ method: 'GET', path: `/articles/batches/${segment(batch)}` }),
  },
  { tool: 'article_create', given: ARTICLE, call: (body) => ({ method: 'POST', path: '/articles', body }) },
  {
    tool: 'article_replace',
    given: fc.tuple(ARTICLE, ID).map(([article, id]) => ({ ...article, id })),
    call: ({ id, ...body }) => ({ method: 'PUT', path: `/articles/${segment(id)}`, body }),
  },
  {
    tool: 'article_change',
    given: fc.record({ id: ID, body: fc.record({ price: ANY, id: ANY }, { requiredKeys: [] }) }),
    call: ({ id, body }) => ({ method: 'PATCH', path: `/articles/${segment(id)}`, body }),
  },
  {
    tool: 'article_addTags',
    given: fc.record({ id: WORD, body: fc.array(ANY, { maxLength: 4 }) }),
    call: ({ id, body }) => ({ method: 'POST', path: `/articles/${segment(id)}/tags`, body }),
  },
  {
    tool: 'article_remove',
    given: fc.record({ id: ID }),
    call: ({ id }) => ({ method: 'DELETE', path: `/articles/${segment(id)}` }),
  },
  {
    tool: 'order',
    given: fc.record(
      { article: WORD, gift: SCALAR, email: mostly(fc.emailAddress()) },
      { requiredKeys: ['article'] },
    ),
    call: ({ article, gift, ...body }) => ({
      method: 'POST',
      path: `/orders/${segment(article)}`,
      query: pairs({ gift }, 'gift'),
      body,
    }),
  },
];

/** The routes that have no arguments, for which the caller makes the difference. */
const FIXED = ['nothing', 'teapot', 'broken', 'wrapped', 'staff'];

const INPUTS = 200;

/** So many are on their way together. */
const AT_ONCE = 20;

describe.each(ADAPTERS)('A tool and its route on %s', (adapter) => {
  let shop: RunningApp;

  beforeAll(async () => {
    shop = await bootShop(adapter);
  });

  afterAll(() => shop.close());

  it.each(COMPARED)(
    '$tool gives what its route gives for 200 inputs (ROUTE-02)',
    async ({ tool, given, call }) => {
      const compare = async (input: JsonObject, at: number) => {
        const headers = at % 2 === 0 ? { authorization: 'Bearer ada' } : {};
        const asTool = await callAsTool(shop.url, tool, input, headers);
        const asRoute = await callAsRoute(shop.origin, { ...call(input), headers });
        expect({ input, ...asTool }).toEqual({ input, ...asRoute });
      };
      const inputs = fc.sample(given, { numRuns: INPUTS, seed: SEED });
      for (let at = 0; at < INPUTS; at += AT_ONCE) {
        await Promise.all(inputs.slice(at, at + AT_ONCE).map(compare));
      }
    },
  );

  it.each(FIXED)('%s gives what its route gives to each caller (ROUTE-02)', async (name) => {
    for (const headers of [{}, { authorization: 'Bearer ada' }, { authorization: 'Bearer eve' }]) {
      const asTool = await callAsTool(shop.url, `article_${name}`, {}, headers);
      expect(asTool).toEqual(
        await callAsRoute(shop.origin, { method: 'GET', path: `/articles/${name}`, headers }),
      );
    }
  });
});
