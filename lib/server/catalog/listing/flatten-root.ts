import { isDeepStrictEqual } from 'node:util';
import { walkSchemas } from '../../../core/protocol/hosts/walk-schemas.js';
import { isObject } from '../../../core/protocol/json-rpc.js';
import { decodeFragment, findByReference, parsePointer } from '../../../core/protocol/json-pointer.js';
import { freezeSchema } from '../../schema/json.js';
import type { JsonSchema } from '../../settings/schema-source.interface.js';
import type { Alternative, Members } from './alternative.js';
import { findAlternatives } from './find-alternatives.js';
import { findDiscriminator } from './find-discriminator.js';
import { createSayWhen, describeAlternatives, describeValues } from './name-alternatives.js';
import { describe, uniteMember } from './unite-members.js';

const COMBINATORS = ['oneOf', 'anyOf', 'allOf', '$ref'];

/** What hosts refuse at the root too, and what members alone do not say. */
const CONDITIONS = ['if', 'not', 'enum', 'const'];

/** What the root keeps as it is. */
const KEPT = ['$id', '$comment', 'title', 'description', 'default', 'examples', '$defs', 'definitions'];

/**
 * Lists an input schema with a union, an intersection or a reference at its root as one plain object, since hosts refuse the
 * others. A member that some alternatives lack is optional, and its description says when it applies. The member that tells
 * alternatives apart becomes one list of values. The list takes what the schema takes, and more: validation remains that of
 * the schema.
 *
 * A schema that names its dialect was written for clients that read all of it. So it is listed unchanged.
 *
 * @returns the schema itself if there is nothing to flatten, or if it would say less without saying so
 * @example
 * flattenRoot({ type: 'object', oneOf: [circle, square] });
 * // { type: 'object', properties: { kind: { enum: ['circle', 'square'] }, radius: { … }, side: { … } }, required: ['kind'] }
 */
export function flattenRoot(schema: JsonSchema): JsonSchema {
  const isNamed = Object.hasOwn(schema, '$schema');
  if (isNamed || !COMBINATORS.some((keyword) => Object.hasOwn(schema, keyword))) return schema;
  const alternatives = findAlternatives(schema);
  const [first] = alternatives ?? [];
  if (alternatives === undefined || first === undefined) return schema;
  // An intersection stays unchanged if it cannot be shown in full, or if hosts would still refuse it.
  if (
    alternatives.length === 1 &&
    (first.isLoose || CONDITIONS.some((keyword) => first.others.has(keyword)))
  ) {
    return schema;
  }
  const flat = withoutUnused(build(schema, alternatives));
  return holdsItsReferences(flat) ? freezeSchema(flat, 'input') : schema;
}

function build(schema: JsonSchema, alternatives: readonly Alternative[]): JsonSchema {
  const names = new Set(alternatives.flatMap(({ members }) => [...members.keys()]));
  const discriminator = findDiscriminator(alternatives);
  const sayWhen = createSayWhen(alternatives, discriminator);
  const properties = new Map(
    [...names].map((name) => [name, uniteMember(name, alternatives, sayWhen)] as const),
  );
  const required = listCommon(alternatives);
  const others = findCommonKeywords(alternatives);
  const isClosed = alternatives.every((one) => one.isClosed && hasAll(others, one.others));
  const flat: JsonSchema = {
    ...Object.fromEntries(KEPT.flatMap((name) => (name in schema ? [[name, schema[name]]] : []))),
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
    ...Object.fromEntries(others),
    ...(isClosed && { additionalProperties: false }),
  };
  if (alternatives.length === 1) return describe(flat, (alternatives[0]?.texts ?? []).join(' '));
  if (discriminator === undefined) return describe(flat, describeAlternatives(alternatives));
  const telling = properties.get(discriminator.name) ?? {};
  properties.set(discriminator.name, describe(telling, describeValues(alternatives, discriminator)));
  return { ...flat, properties: Object.fromEntries(properties) };
}

function listCommon(alternatives: readonly Alternative[]): readonly string[] {
  const [first, ...others] = alternatives;
  return [...(first?.required ?? [])].filter((name) => others.every(({ required }) => required.has(name)));
}

function findCommonKeywords([first, ...rest]: readonly Alternative[]): Members {
  const common = [...(first?.others ?? [])].filter(([keyword, value]) =>
    rest.every(({ others }) => others.has(keyword) && isDeepStrictEqual(others.get(keyword), value)),
  );
  return new Map(common);
}

/** Names that match a pattern are other ones too: without the pattern the object must stay open. */
function hasAll(common: Members, own: Members): boolean {
  return !own.has('patternProperties') || common.has('patternProperties');
}

/** Leaves out the definitions that nothing refers to any more. */
function withoutUnused(schema: JsonSchema): JsonSchema {
  const { $defs, ...rest } = schema;
  if (!isObject($defs)) return schema;
  const used = new Set<string>();
  const pending: unknown[] = [rest];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const reference of listReferences(next)) {
      const name = findDefinitionName(reference);
      // What refers in any other way may be meant for any of them.
      if (name === undefined && reference !== '#') return schema;
      if (name === undefined || used.has(name)) continue;
      used.add(name);
      pending.push($defs[name]);
    }
  }
  const kept = Object.entries($defs).filter(([name]) => used.has(name));
  return kept.length === 0 ? rest : { ...rest, $defs: Object.fromEntries(kept) };
}

function findDefinitionName(reference: string): string | undefined {
  if (!reference.startsWith('#/')) return undefined;
  const [keyword, name] = parsePointer(decodeFragment(reference.slice(1)));
  return keyword === '$defs' ? name : undefined;
}

/** Tells whether all references of the schema still have their targets. */
function holdsItsReferences(schema: JsonSchema): boolean {
  return listReferences(schema).every((reference) => findByReference(schema, reference) !== undefined);
}

function listReferences(schema: unknown): readonly string[] {
  return [...walkSchemas(schema)].flatMap(({ keywords }) =>
    [keywords['$ref'], keywords['$dynamicRef']].filter((reference) => typeof reference === 'string'),
  );
}
