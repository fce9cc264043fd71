import { isObject } from '../../../core/protocol/json-rpc.js';
import { findStaticSchema } from '../../schema/compile-schema.js';

/** What zod makes of nothing but a value of that type, unless it coerces. */
const TYPES_OF_ZOD: ReadonlySet<unknown> = new Set([
  'array',
  'bigint',
  'boolean',
  'int',
  'null',
  'number',
  'object',
  'record',
  'tuple',
]);

/** What zod puts around a type without changing which strings it takes. */
const AROUND: ReadonlySet<unknown> = new Set(['default', 'nonoptional', 'nullable', 'optional', 'readonly']);

/**
 * Says that a schema of zod has an argument that no client can give: zod coerces only if it is told to, and its JSON Schema
 * does not show that. Returns `undefined` if there is none, and for other schemas.
 *
 * @param subject names the prompt
 */
export function findPromptMisfit(subject: string, source: unknown): string | undefined {
  const { type: kind, shape } = readDefinition(findStaticSchema(source) ?? source);
  if (kind !== 'object' || !isObject(shape)) return undefined;
  for (const [name, member] of Object.entries(shape)) {
    const type = findStrictType(member);
    if (type === undefined) continue;
    return `${subject} wants its argument "${name}" to be "${type}", but the arguments of prompts are always strings: write a schema that converts it, such as "z.coerce.number()"`;
  }
  return undefined;
}

function findStrictType(schema: unknown): string | undefined {
  const { type, coerce, innerType } = readDefinition(schema);
  if (AROUND.has(type)) return findStrictType(innerType);
  return TYPES_OF_ZOD.has(type) && coerce !== true ? String(type) : undefined;
}

function readDefinition(schema: unknown): Readonly<Record<string, unknown>> {
  const internals: unknown = isReference(schema) ? Reflect.get(schema, '_zod') : undefined;
  const definition: unknown = isReference(internals) ? Reflect.get(internals, 'def') : undefined;
  return isObject(definition) ? definition : {};
}

function isReference(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}
