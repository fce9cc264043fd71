import { describe, expect, it } from '@jest/globals';
import { compileSchema } from '../../../../lib/server/schema/compile-schema.js';
import { findForeignLibrary } from '../../../../lib/server/schema/foreign-schema.js';

const nothing = () => undefined;

/** A class of a library, so that its schemas are no plain objects. */
class LibrarySchema {
  constructor(members: object) {
    Object.assign(this, members);
  }
}

/** What schemas of these releases have: zod 3.22, valibot 0.30 and 0.42, arktype 1, yup 1.4, joi 17, io-ts 2, superstruct 2, effect 3. */
const SCHEMAS: readonly [library: string, schema: object, fix: string][] = [
  ['zod', new LibrarySchema({ _def: { typeName: 'ZodObject' }, parse: nothing }), 'use zod 4.2 or later'],
  ['valibot', { type: 'object', async: false, entries: {}, _parse: nothing }, 'use valibot 1.0 or later'],
  ['valibot', { kind: 'schema', type: 'object', async: false, _run: nothing }, 'use valibot 1.0 or later'],
  [
    'arktype',
    Object.assign(nothing.bind(undefined), { allows: nothing, assert: nothing }),
    'use arktype 2.1.28',
  ],
  ['yup', new LibrarySchema({ __isYupSchema__: true }), 'or pass a JSON Schema object'],
  ['joi', new LibrarySchema({ [Symbol.for('@hapi/joi/schema')]: {} }), 'or pass a JSON Schema object'],
  [
    'io-ts',
    new LibrarySchema({ _tag: 'InterfaceType', decode: nothing, encode: nothing }),
    'use zod 4.2 or later',
  ],
  [
    'superstruct',
    new LibrarySchema({ coercer: nothing, validator: nothing, refiner: nothing }),
    'use zod 4.2 or later',
  ],
  [
    'effect',
    Object.assign(nothing.bind(undefined), { ast: { _tag: 'TypeLiteral' }, annotations: nothing }),
    'JSONSchema.make',
  ],
];

describe('A schema of a library that does not follow Standard Schema', () => {
  it.each(SCHEMAS)('is named, with what to give instead: %s (MOD-04)', (library, schema, fix) => {
    const compile = (source: object) => () => compileSchema(source, 'input');
    expect(compile(schema)).toThrow(
      `The input schema contains a schema from "${library}" that does not follow`,
    );
    expect(compile(schema)).toThrow(fix);
  });

  it('is named where it stands among plain members, with its place (MOD-04)', () => {
    const [, [, , fix] = []] = [undefined, SCHEMAS[0]];
    const source = { type: 'object', properties: { title: SCHEMAS[0]?.[1] } };
    expect(() => compileSchema(source as never, 'output')).toThrow(
      `The output schema contains a schema from "zod" at "/properties/title" that does not follow Standard Schema: ${fix}`,
    );
  });

  it.each([
    undefined,
    null,
    'zod',
    { type: 'object', properties: { _def: { type: 'string' } } },
    { type: 'object', [Symbol('TypeBox.Kind')]: 'Object' },
    { _def: { typeName: 'Table' } },
    class TicketDto {
      static readonly ast = 'x';
    },
  ])('is nothing else: %p (MOD-04)', (value) => {
    expect(findForeignLibrary(value)).toBeUndefined();
  });

  it('is not what throws when it is looked at (MOD-04)', () => {
    const thrower = Object.defineProperty({}, '_def', {
      get() {
        throw new Error('not today');
      },
    });
    expect(findForeignLibrary(thrower)).toBeUndefined();
  });
});
