import { isDeepStrictEqual } from 'node:util';
import { HEADER_ANNOTATION } from '../../../core/protocol/headers/parameter-headers.js';
import { isObject } from '../../../core/protocol/json-rpc.js';
import type { JsonSchema } from '../../settings/schema-source.interface.js';
import type { Alternative } from './alternative.js';
import { listValues } from './list-values.js';
import { endSentence, type SayWhen } from './name-alternatives.js';

/** A schema that some alternatives have for a member. */
interface Variant {
  readonly schema: unknown;
  readonly chosen: Set<Alternative>;
}

/** Lists a member of alternatives once: it takes what each of them takes for it, and says when that applies. */
export function uniteMember(
  name: string,
  alternatives: readonly Alternative[],
  sayWhen: SayWhen,
): JsonSchema {
  const having = alternatives.filter(({ members }) => members.has(name));
  const variants = findVariants(name, having);
  const addition = sayWhenGiven(name, alternatives, having, sayWhen);
  // A member that marks its alternative itself needs no word of that.
  const isMark = addition.includes(`with ${JSON.stringify(name)}`);
  return describe(uniteVariants(variants, sayWhen), isMark ? '' : addition);
}

function findVariants(name: string, having: readonly Alternative[]): readonly Variant[] {
  const variants: Variant[] = [];
  for (const one of having) {
    const schema = one.members.get(name);
    const same = variants.find((variant) => isDeepStrictEqual(variant.schema, schema));
    if (same === undefined) variants.push({ schema, chosen: new Set([one]) });
    else same.chosen.add(one);
  }
  return variants;
}

function uniteVariants(variants: readonly Variant[], sayWhen: SayWhen): JsonSchema {
  const schemas = variants.map(({ schema }) => toObject(schema));
  const [first = {}] = schemas;
  if (schemas.length === 1) return first;
  const common = findCommon(schemas);
  const values = schemas.map(listValues);
  if (values.every(({ length }) => length > 0)) return { ...common, enum: [...new Set(values.flat())] };
  return {
    // Clients look for the annotation at the member itself.
    ...(HEADER_ANNOTATION in common && common),
    anyOf: schemas.map((schema, at) => {
      const { [HEADER_ANNOTATION]: _, ...alone } = schema;
      return describe(alone, capitalize(`${sayWhen(variants[at]?.chosen ?? new Set())}.`));
    }),
  };
}

/** Finds the keywords that all schemas have alike, except for the values that they name. */
function findCommon([first = {}, ...others]: readonly JsonSchema[]): JsonSchema {
  const common = Object.entries(first).filter(
    ([keyword, value]) =>
      keyword !== 'const' &&
      keyword !== 'enum' &&
      others.every((other) => isDeepStrictEqual(other[keyword], value)),
  );
  return Object.fromEntries(common);
}

function sayWhenGiven(
  name: string,
  alternatives: readonly Alternative[],
  having: readonly Alternative[],
  sayWhen: SayWhen,
): string {
  const requiring = new Set(having.filter(({ required }) => required.has(name)));
  const isRequired = requiring.size > 0 && requiring.size < alternatives.length;
  if (having.length === alternatives.length) return isRequired ? `Required ${sayWhen(requiring)}.` : '';
  const only = `Only ${sayWhen(new Set(having))}`;
  if (!isRequired) return `${only}.`;
  return requiring.size === having.length
    ? `${only}, required then.`
    : `${only}; required ${sayWhen(requiring)}.`;
}

/** Adds to what a schema says of itself. */
export function describe(schema: JsonSchema, addition: string): JsonSchema {
  if (addition === '') return schema;
  const { description } = schema;
  const own = typeof description === 'string' ? endSentence(description) : '';
  return { ...schema, description: own === '' ? addition : `${own} ${addition}` };
}

function toObject(schema: unknown): JsonSchema {
  return isObject(schema) ? schema : {};
}

function capitalize(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
