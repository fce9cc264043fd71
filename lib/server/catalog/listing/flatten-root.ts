import { isDeepStrictEqual } from 'node:util';
import { walkSchemas } from '../../../core/protocol/hosts/find-host-problems.js';
import { isObject } from '../../../core/protocol/json-rpc.js';
import { decodeFragment, findByReference, parsePointer } from '../../../core/protocol/json-schema.js';
import { freezeSchema } from '../../schema/json.js';
import type { JsonSchema } from '../../settings/schema-source.interface.js';
import {
  type Alternative,
  type Members,
  findAlternatives,
  findDiscriminator,
  listValues,
  type Discriminator,
} from './schema-alternatives.js';
import { HEADER_ANNOTATION } from '../../../core/protocol/headers/parameter-headers.js';

const COMBINATORS = ['oneOf', 'anyOf', 'allOf', '$ref'];

/** Keywords that hosts also refuse at the root, and that properties alone cannot express. */
const CONDITIONS = ['if', 'not', 'enum', 'const'];

/** Keywords that the root retains. */
const KEPT = ['$id', '$comment', 'title', 'description', 'default', 'examples', '$defs', 'definitions'];

/**
 * Flattens an input schema with a union, an intersection or a reference at its root into one plain object, because
 * hosts refuse anything else. A property that some alternatives lack is optional, and its description explains when
 * it applies. The discriminator becomes an enumeration. The listed schema may accept more than the original, which
 * remains the one that validates.
 *
 * A schema that names its dialect was written for clients that support all of it, so it is listed unchanged.
 *
 * @returns the schema itself if there is nothing to flatten, or if the result would lose constraints without a
 * description
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
  const formatCondition = createConditionFormatter(alternatives, discriminator);
  const properties = new Map(
    [...names].map((name) => [name, uniteProperty(name, alternatives, formatCondition)] as const),
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
  if (alternatives.length === 1) return addDescription(flat, (alternatives[0]?.descriptions ?? []).join(' '));
  if (discriminator === undefined) return addDescription(flat, describeAlternatives(alternatives));
  const telling = properties.get(discriminator.name) ?? {};
  properties.set(discriminator.name, addDescription(telling, describeValues(alternatives, discriminator)));
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

/** Names that match a pattern are additional properties: without the pattern, the object must stay open. */
function hasAll(common: Members, own: Members): boolean {
  return !own.has('patternProperties') || common.has('patternProperties');
}

/** Removes definitions that nothing references any more. */
function withoutUnused(schema: JsonSchema): JsonSchema {
  const { $defs, ...rest } = schema;
  if (!isObject($defs)) return schema;
  const used = new Set<string>();
  const pending: unknown[] = [rest];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const reference of listReferences(next)) {
      const name = findDefinitionName(reference);
      // Any other kind of reference may target any of them.
      if (name === undefined && reference !== '#') return schema;
      if (name === undefined || used.has(name)) continue;
      used.add(name);
      pending.push($defs[name]);
    }
  }
  const referenced = Object.entries($defs).filter(([name]) => used.has(name));
  return referenced.length === 0 ? rest : { ...rest, $defs: Object.fromEntries(referenced) };
}

function findDefinitionName(reference: string): string | undefined {
  if (!reference.startsWith('#/')) return undefined;
  const [keyword, name] = parsePointer(decodeFragment(reference.slice(1)));
  return keyword === '$defs' ? name : undefined;
}

/** Returns whether all of the schema's references still have their targets. */
function holdsItsReferences(schema: JsonSchema): boolean {
  return listReferences(schema).every((reference) => findByReference(schema, reference) !== undefined);
}

function listReferences(schema: unknown): readonly string[] {
  return [...walkSchemas(schema)].flatMap(({ keywords }) =>
    [keywords['$ref'], keywords['$dynamicRef']].filter((reference) => typeof reference === 'string'),
  );
}

/** One of a property's schemas, with the alternatives that use it. */
interface Variant {
  readonly schema: unknown;
  readonly chosen: Set<Alternative>;
}

/**
 * Merges a property from several alternatives. The result accepts the values of each and describes when they apply.
 */
function uniteProperty(
  name: string,
  alternatives: readonly Alternative[],
  formatCondition: FormatCondition,
): JsonSchema {
  const having = alternatives.filter(({ members }) => members.has(name));
  const variants = findVariants(name, having);
  const addition = describePresence(name, alternatives, having, formatCondition);
  // A property that identifies its alternative needs no condition.
  const isMark = addition.includes(`with ${JSON.stringify(name)}`);
  return addDescription(uniteVariants(variants, formatCondition), isMark ? '' : addition);
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

function uniteVariants(variants: readonly Variant[], formatCondition: FormatCondition): JsonSchema {
  const schemas = variants.map(({ schema }) => toObject(schema));
  const [first = {}] = schemas;
  if (schemas.length === 1) return first;
  const common = findCommon(schemas);
  const values = schemas.map(listValues);
  if (values.every(({ length }) => length > 0)) return { ...common, enum: [...new Set(values.flat())] };
  return {
    // Clients look for the annotation on the property itself.
    ...(HEADER_ANNOTATION in common && common),
    anyOf: schemas.map((schema, at) => {
      const { [HEADER_ANNOTATION]: _, ...alone } = schema;
      return addDescription(alone, capitalize(`${formatCondition(variants[at]?.chosen ?? new Set())}.`));
    }),
  };
}

/** Finds the keywords on which all schemas agree, apart from the values that they list. */
function findCommon([first = {}, ...others]: readonly JsonSchema[]): JsonSchema {
  const common = Object.entries(first).filter(
    ([keyword, value]) =>
      keyword !== 'const' &&
      keyword !== 'enum' &&
      others.every((other) => isDeepStrictEqual(other[keyword], value)),
  );
  return Object.fromEntries(common);
}

function describePresence(
  name: string,
  alternatives: readonly Alternative[],
  having: readonly Alternative[],
  formatCondition: FormatCondition,
): string {
  const requiring = new Set(having.filter(({ required }) => required.has(name)));
  const isRequired = requiring.size > 0 && requiring.size < alternatives.length;
  if (having.length === alternatives.length)
    return isRequired ? `Required ${formatCondition(requiring)}.` : '';
  const only = `Only ${formatCondition(new Set(having))}`;
  if (!isRequired) return `${only}.`;
  return requiring.size === having.length
    ? `${only}; required in that case.`
    : `${only}; required ${formatCondition(requiring)}.`;
}

/** Appends to a schema's description. */
function addDescription(schema: JsonSchema, addition: string): JsonSchema {
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

const MOST_VALUES = 12;
const LONGEST_VALUE = 60;

/** Describes when some of the alternatives apply, phrased to follow the word "Only". */
type FormatCondition = (chosen: ReadonlySet<Alternative>) => string;

/**
 * Names alternatives after the value of their discriminator, or after a property that only one of them has. Otherwise
 * they are numbered, and the root's description explains the numbers.
 */
function createConditionFormatter(
  alternatives: readonly Alternative[],
  discriminator: Discriminator | undefined,
): FormatCondition {
  if (discriminator !== undefined) {
    const { name, values } = discriminator;
    return (chosen) => {
      const named = values.filter((_, at) => chosen.has(alternatives[at] as Alternative)).flat();
      return `if ${quote(name)} is ${joinWords(named.map(show))}`;
    };
  }
  const marks = alternatives.map((one) => findMark(one, alternatives));
  return (chosen) => {
    const picked = alternatives.flatMap((one, at) =>
      chosen.has(one) ? [marks[at] ?? `alternative ${at + 1}`] : [],
    );
    return `with ${joinWords(picked)}`;
  };
}

/** Describes each alternative's properties, for alternatives without a discriminator. */
function describeAlternatives(alternatives: readonly Alternative[]): string {
  const common = [...(alternatives[0]?.required ?? [])].filter((name) =>
    alternatives.every(({ required }) => required.has(name)),
  );
  const described = alternatives.map((one, at) => `(${at + 1}) ${describeAlternative(one, common)}`);
  return `Provide the properties of one alternative: ${described.join('; ')}.`;
}

/** Quotes the authors' descriptions of alternatives, each following the values that select it. */
function describeValues(alternatives: readonly Alternative[], { values }: Discriminator): string {
  const described = alternatives.flatMap(({ descriptions }, at) =>
    descriptions.length === 0
      ? []
      : [`${joinWords((values[at] ?? []).map(show))}: ${endSentence(descriptions.join(' '))}`],
  );
  return described.join(' ');
}

/** Ends a string with a period, as a sentence. */
function endSentence(text: string): string {
  const trimmed = text.trim();
  return /[.!?…]$/.test(trimmed) || trimmed === '' ? trimmed : `${trimmed}.`;
}

function describeAlternative(
  { required, members, descriptions }: Alternative,
  common: readonly string[],
): string {
  const needed = [...required].filter((name) => !common.includes(name));
  const optional = [...members.keys()].filter((name) => !required.has(name));
  const parts = [
    needed.length === 0 ? 'no other properties' : needed.map(quote).join(' and '),
    ...(optional.length === 0 || optional.length > MOST_VALUES
      ? []
      : [`optional ${optional.map(quote).join(', ')}`]),
  ];
  const text = descriptions.join(' ').replace(/[.\s]+$/, '');
  return text === '' ? parts.join(', ') : `${parts.join(', ')}: ${text}`;
}

/** Finds a property that only one alternative has and requires. */
function findMark(one: Alternative, alternatives: readonly Alternative[]): string | undefined {
  const others = alternatives.filter((other) => other !== one);
  const name = [...one.required].find(
    (required) => !others.some(({ members, required: theirs }) => isKnown(required, members, theirs, one)),
  );
  return name && quote(name);
}

/** A property of the root schema is in each alternative, so only the requirement identifies it. */
function isKnown(
  name: string,
  members: Alternative['members'],
  required: ReadonlySet<string>,
  one: Alternative,
): boolean {
  return required.has(name) || (members.has(name) && members.get(name) !== one.members.get(name));
}

function joinWords(words: readonly string[]): string {
  const shown = words.slice(0, MOST_VALUES);
  if (words.length > MOST_VALUES) shown.push(`${words.length - MOST_VALUES} others`);
  const last = shown.pop() ?? '';
  return shown.length === 0 ? last : `${shown.join(', ')} or ${last}`;
}

function quote(name: string): string {
  return JSON.stringify(name);
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length <= LONGEST_VALUE ? text : `${text.slice(0, LONGEST_VALUE)}…`;
}
