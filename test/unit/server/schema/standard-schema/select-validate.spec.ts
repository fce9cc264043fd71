import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import * as z from 'zod';
import { compileSchema } from '../../../../../lib/server/schema/compile-schema.js';
import type { SchemaSource } from '../../../../../lib/server/schema/compiled-schema.interface.js';
import { issuesOf, valueOf } from '../issues-of.js';

let calls = 0;
const isKnown = async (text: unknown) => {
  calls += 1;
  return Promise.resolve(text === 'x');
};
const text = z.string().refine(isKnown, 'is not known');

const ASYNCHRONOUS: [string, SchemaSource][] = [
  ['a member', z.object({ a: text })],
  ['a member that may be absent', z.object({ a: text.optional() })],
  ['a member with a default', z.object({ a: text.default(() => 'y') })],
  ['a union', z.object({ a: z.union([z.number(), text]) })],
  [
    'what a getter gives',
    z.object({
      get a() {
        return text;
      },
    }),
  ],
  ['what is built later', z.object({ a: z.lazy(() => text) })],
  [
    'a transformation',
    z.object({
      a: z
        .unknown()
        .transform(isKnown)
        .refine((known) => known, 'is not known'),
    }),
  ],
  [
    'a check of its own',
    z.object({
      a: z.unknown().superRefine(async (value, { addIssue }) => {
        if (!(await isKnown(value))) addIssue('is not known');
      }),
    }),
  ],
];

describe('A schema of zod that has to wait', () => {
  beforeEach(() => {
    calls = 0;
  });

  it.each(ASYNCHRONOUS)('runs what is asynchronous once for %s (MOD-07)', async (_, source) => {
    expect(await issuesOf(compileSchema(source, 'input'), { a: 'y' })).toMatch(/^a: .*is not known/);
    expect(calls).toBe(1);
    await valueOf(compileSchema(source, 'input'), { a: 'x' });
    expect(calls).toBe(2);
  });
});

describe('A refinement of zod that rejects', () => {
  const unhandled: unknown[] = [];
  const keep = (reason: unknown) => void unhandled.push(reason);
  beforeEach(() => void process.on('unhandledRejection', keep));
  afterEach(() => void process.off('unhandledRejection', keep));

  it('fails its own call alone (MOD-07)', async () => {
    const fault = new Error('The database is away');
    const source = z.object({
      a: z.string().refine(async (value) => {
        if (value === 'y') throw fault;
        return Promise.resolve(true);
      }),
    });
    const schema = compileSchema(source, 'input');
    const [failed, answered] = await Promise.allSettled([
      schema.validate({ a: 'y' }),
      schema.validate({ a: 'x' }),
    ]);
    expect(failed).toEqual({ status: 'rejected', reason: fault });
    expect(answered).toMatchObject({ status: 'fulfilled', value: { valid: true } });
    await new Promise((resolve) => setImmediate(resolve));
    expect(unhandled).toEqual([]);
  });
});

describe('A schema of zod without functions of the developer', () => {
  it('answers at once, and makes its defaults for values alone (MOD-07)', () => {
    const made = { count: 0 };
    const source = z.object({
      a: z.string().trim().min(1),
      b: z.array(z.union([z.int(), z.iso.date()])).optional(),
      c: z.record(z.string(), z.literal('x')).default(() => ({ at: String((made.count += 1)) as 'x' })),
      d: z.discriminatedUnion('kind', [z.object({ kind: z.literal('k') })]).nullish(),
      e: z
        .intersection(z.object({ f: z.email() }), z.object({ g: z.tuple([z.enum(['h'])]) }))
        .catch({} as never),
    });
    const schema = compileSchema(source, 'input');
    const before = made.count;
    const outcome = schema.validate({ a: ' x ', c: {} });
    expect(outcome).toEqual({ valid: true, value: { a: 'x', c: {}, e: {} } });
    expect(made.count).toBe(before);
  });

  it('answers at once where nothing of zod but Standard Schema is there (MOD-07)', () => {
    const source = { '~standard': z.object({ a: z.string().refine(() => true) })['~standard'] };
    expect(compileSchema(source, 'input').validate({ a: 'x' })).toEqual({ valid: true, value: { a: 'x' } });
  });
});
