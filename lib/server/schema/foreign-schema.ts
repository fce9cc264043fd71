import { isObject } from '../../core/protocol/json-rpc.js';

/** A kind of schema that does not follow Standard Schema, and what to use instead. */
interface ForeignKind {
  readonly library: string;
  readonly is: (value: Readonly<Record<PropertyKey, unknown>>) => boolean;
  readonly fix: string;
}

const OTHERWISE = 'or pass a JSON Schema object';

/** Libraries recognized by the shape that their schemas had before Standard Schema. */
const KINDS: readonly ForeignKind[] = [
  { library: 'zod', is: isZod, fix: 'use zod 4.2 or later' },
  {
    library: 'valibot',
    is: ({ kind, type, _run, _parse }) =>
      typeof type === 'string' &&
      (typeof _parse === 'function' || (kind === 'schema' && typeof _run === 'function')),
    fix: 'use valibot 1.0 or later, with toStandardJsonSchema(schema) from "@valibot/to-json-schema"',
  },
  {
    library: 'arktype',
    is: ({ allows, infer, assert }) =>
      typeof allows === 'function' && (infer !== undefined || assert !== undefined),
    fix: 'use arktype 2.1.28 or later',
  },
  {
    library: 'yup',
    is: (value) => value['__isYupSchema__'] === true,
    fix: `use zod 4.2 or later, ${OTHERWISE}`,
  },
  {
    library: 'joi',
    is: (value) => value[Symbol.for('@hapi/joi/schema')] !== undefined || value['isJoi'] === true,
    fix: `use zod 4.2 or later, ${OTHERWISE}`,
  },
  {
    library: 'io-ts',
    is: ({ _tag, decode, encode }) =>
      typeof _tag === 'string' && typeof decode === 'function' && typeof encode === 'function',
    fix: `use zod 4.2 or later, ${OTHERWISE}`,
  },
  {
    library: 'superstruct',
    is: ({ coercer, validator, refiner }) =>
      [coercer, validator, refiner].every((one) => typeof one === 'function'),
    fix: `use zod 4.2 or later, ${OTHERWISE}`,
  },
  {
    library: 'effect',
    is: ({ ast, annotations }) =>
      isObject(ast) && typeof ast['_tag'] === 'string' && annotations !== undefined,
    fix: 'pass JSONSchema.make(schema) from "effect"',
  },
];

/** Recognizes a schema from an outdated or unsupported library. Returns `undefined` for anything else. */
export function findForeignLibrary(value: unknown): Pick<ForeignKind, 'library' | 'fix'> | undefined {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return undefined;
  try {
    return KINDS.find(({ is }) => is(value as Readonly<Record<PropertyKey, unknown>>));
  } catch {
    // Schemas have no getters that throw.
    return undefined;
  }
}

/** zod 3 names its types; no zod 4 name starts like this. */
function isZod({ _def: definition }: Readonly<Record<PropertyKey, unknown>>): boolean {
  if (!isObject(definition)) return false;
  const { typeName } = definition;
  return typeof typeName === 'string' && typeName.startsWith('Zod');
}
