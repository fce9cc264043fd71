import { isDeepStrictEqual } from 'node:util';
import type { JsonSchema } from '../compiled-schema.interface.js';
import type { ValidationMetadata } from './dto-libraries.js';
import { isObject } from '../../../core/protocol/json-rpc.js';
import { DATE_TEXT } from '../listing/shown-marks.js';

const DESIGN_TYPES: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  [String, 'string'],
  [Number, 'number'],
  [Boolean, 'boolean'],
  [Array, 'array'],
]);

/** Facts about a property that its decorators do not provide. */
interface PropertyFacts {
  /** The type that TypeScript emits for the property. */
  readonly designType: unknown;
  /** The schema for the class of the property or its items. */
  readonly nested?: JsonSchema | undefined;
}

/** Combines the constraints from a property's decorators into JSON Schema. */
export function buildPropertyKeywords(
  decorators: readonly ValidationMetadata[],
  { designType, nested }: PropertyFacts,
): JsonSchema {
  const perItem = decorators.filter(({ each }) => each);
  const whole = decorators.filter(({ each }) => !each);
  const keywords = whole.map(readKeywords);
  const isArray = perItem.length > 0 || designType === Array || keywords.some(({ type }) => type === 'array');
  if (!isArray)
    return complete(mergeKeywords([...keywords, nested ?? {}]), whole, DESIGN_TYPES.get(designType));
  const items = complete(mergeKeywords([...perItem.map(readKeywords), nested ?? {}]), perItem);
  const isDescribed = Object.keys(items).length > 0;
  return mergeKeywords([...keywords, { type: 'array' }, isDescribed ? { items } : {}]);
}

/** Returns whether keywords allow any object, or anything. */
export function isOpenObject(keywords: JsonSchema): boolean {
  const { type, ...others } = keywords;
  return (
    (type === undefined || type === 'object') &&
    !['$ref', 'enum', 'const', 'oneOf'].some((name) => name in others)
  );
}

function readKeywords({ name, constraints }: ValidationMetadata): JsonSchema {
  return buildConstraintKeywords(name, constraints);
}

/** Merges keywords that must all hold. A second value for a keyword goes into `allOf`. */
function mergeKeywords(fragments: readonly JsonSchema[]): JsonSchema {
  const merged: Record<string, unknown> = {};
  const others: unknown[] = [];
  for (const [keyword, value] of fragments.flatMap((fragment) => Object.entries(fragment))) {
    if (value === undefined) continue;
    if (keyword === 'allOf') others.push(...(value as readonly unknown[]));
    else if (!(keyword in merged) || (keyword === 'type' && value === 'integer')) merged[keyword] = value;
    else if (keyword !== 'type' && !isDeepStrictEqual(merged[keyword], value))
      others.push({ [keyword]: value });
  }
  return others.length === 0 ? merged : { ...merged, allOf: others };
}

function complete(
  keywords: JsonSchema,
  decorators: readonly ValidationMetadata[],
  designType?: string,
): JsonSchema {
  const isTyped = 'type' in keywords || '$ref' in keywords || 'enum' in keywords || 'const' in keywords;
  const typed = isTyped || designType === undefined ? keywords : { type: designType, ...keywords };
  const refusesEmpty = decorators.some(({ name }) => name === 'isNotEmpty');
  return refusesEmpty && typed['type'] === 'string' ? { minLength: 1, ...typed } : typed;
}

/** Decorators that let an absent value pass; if a property has no others, it is optional. */
const ACCEPT_ABSENCE = new Set([
  'whitelistValidation',
  'nestedValidation',
  'promiseValidation',
  'isEmpty',
  'isNotIn',
  'notEquals',
]);

/** Returns whether a property's decorators make it optional. */
export function acceptsAbsence(decorators: readonly ValidationMetadata[]): boolean {
  if (decorators.some(({ type }) => type === 'conditionalValidation')) return true;
  return decorators.every(
    ({ type, name, validateIf }) =>
      validateIf !== undefined || ACCEPT_ABSENCE.has(type) || ACCEPT_ABSENCE.has(name ?? ''),
  );
}

type Constraints = readonly unknown[];
type Keywords = JsonSchema | ((constraints: Constraints) => JsonSchema);

const TEXT = { type: 'string' };
const DATE = { type: 'string', anyOf: [{ format: 'date' }, { format: 'date-time' }] };

/**
 * The JSON Schema for each class-validator decorator. A decorator that is missing here adds only its property's type.
 */
const KEYWORDS: ReadonlyMap<string, Keywords> = new Map<string, Keywords>([
  ['isString', TEXT],
  ['isBoolean', { type: 'boolean' }],
  ['isNumber', { type: 'number' }],
  ['isInt', { type: 'integer' }],
  ['isObject', { type: 'object' }],
  ['isArray', { type: 'array' }],
  ['isDate', DATE_TEXT],
  ['isEnum', ([values]) => describeValues(listEnumValues(values))],
  ['isIn', ([values]) => describeValues(values as Constraints)],
  ['isNotIn', ([values]) => ({ not: { enum: values } })],
  ['equals', ([value]) => ({ const: value })],
  ['notEquals', ([value]) => ({ not: { const: value } })],

  ['min', ([minimum]) => ({ type: 'number', minimum })],
  ['max', ([maximum]) => ({ type: 'number', maximum })],
  ['isPositive', { type: 'number', exclusiveMinimum: 0 }],
  ['isNegative', { type: 'number', exclusiveMaximum: 0 }],
  ['isDivisibleBy', ([multipleOf]) => ({ type: 'number', multipleOf })],
  ['minDate', DATE_TEXT],
  ['maxDate', DATE_TEXT],

  ['minLength', ([minLength]) => ({ ...TEXT, minLength })],
  ['maxLength', ([maxLength]) => ({ ...TEXT, maxLength })],
  ['isLength', ([minLength, maxLength]) => ({ ...TEXT, minLength, maxLength })],
  ['matches', ([pattern, flags]) => describePattern(pattern as RegExp | string, flags as string | undefined)],
  ['contains', ([text]) => ({ ...TEXT, pattern: escapePattern(String(text)) })],
  ['notContains', ([text]) => ({ ...TEXT, not: { pattern: escapePattern(String(text)) } })],
  ['isEmail', { ...TEXT, format: 'email' }],
  ['isUrl', { ...TEXT, format: 'uri' }],
  ['isUuid', { ...TEXT, format: 'uuid' }],
  ['isFqdn', { ...TEXT, format: 'hostname' }],
  ['isIp', ([version]) => describeAddress(version)],
  ['isDateString', DATE],
  ['isIso8601', DATE],
  ['isRFC3339', { ...TEXT, format: 'date-time' }],
  ['isBase64', { ...TEXT, contentEncoding: 'base64' }],
  ['isJson', { ...TEXT, contentMediaType: 'application/json' }],
  ['isBooleanString', { ...TEXT, enum: ['true', 'false'] }],
  ['isNumberString', { ...TEXT, pattern: '^[+-]?([0-9]*[.])?[0-9]+$' }],
  ['isHexadecimal', { ...TEXT, pattern: '^(0x|0h)?[0-9A-Fa-f]+$' }],
  ['isMongoId', { ...TEXT, pattern: '^[0-9a-fA-F]{24}$' }],
  ['isMilitaryTime', { ...TEXT, pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' }],

  ['arrayMinSize', ([minItems]) => ({ type: 'array', minItems })],
  ['arrayMaxSize', ([maxItems]) => ({ type: 'array', maxItems })],
  ['arrayNotEmpty', { type: 'array', minItems: 1 }],
  [
    'arrayUnique',
    ([identify]) => ({ type: 'array', uniqueItems: identify === undefined ? true : undefined }),
  ],
  ['arrayContains', ([values]) => ({ type: 'array', allOf: (values as Constraints).map(contain) })],
  ['arrayNotContains', ([values]) => ({ type: 'array', items: { not: { enum: values } } })],
  ['isNotEmptyObject', { type: 'object', minProperties: 1 }],
]);

/** Converts a class-validator decorator to JSON Schema. */
function buildConstraintKeywords(name: string | undefined, constraints: Constraints = []): JsonSchema {
  const keywords = KEYWORDS.get(name ?? '') ?? {};
  return typeof keywords === 'function' ? keywords(constraints) : keywords;
}

/** A numeric TypeScript enum also contains its names as values. */
export function listEnumValues(values: unknown): Constraints {
  if (!isObject(values)) return Array.isArray(values) ? values : [];
  return Object.entries(values)
    .filter(([name]) => !/^-?\d+(?:\.\d+)?$/.test(name))
    .map(([, value]) => value);
}

/** Describes an enumeration. */
export function describeValues(values: Constraints): JsonSchema {
  const [type = 'undefined', ...others] = new Set(values.map((value) => typeof value));
  const hasType = others.length === 0 && ['string', 'number', 'boolean'].includes(type);
  return hasType ? { type, enum: values } : { enum: values };
}

/** JSON Schema patterns have no flags, so an expression with flags is omitted. */
function describePattern(pattern: RegExp | string, flags?: string): JsonSchema {
  const { source, flags: found } = typeof pattern === 'string' ? new RegExp(pattern, flags) : pattern;
  return /[ims]/.test(found) ? TEXT : { ...TEXT, pattern: source };
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

function describeAddress(version: unknown): JsonSchema {
  if (typeof version !== 'string' && typeof version !== 'number')
    return { ...TEXT, anyOf: [{ format: 'ipv4' }, { format: 'ipv6' }] };
  return { ...TEXT, format: `ipv${version}` };
}

function contain(value: unknown): JsonSchema {
  return { contains: { const: value } };
}

/**
 * Removes what a property's type already implies: excluded values of other types, as with `@NotEquals(null)` on a
 * string, and repeated keywords.
 */
export function dropImpossibleValues(schema: JsonSchema): JsonSchema {
  const { not, allOf, items, ...others } = schema;
  const parts = [{ not }, ...(Array.isArray(allOf) ? (allOf as readonly JsonSchema[]) : [])];
  const stored = parts
    .map((part) => shortenNot(part, schema))
    .filter((part) => Object.keys(part).length > 0 && !isDeepStrictEqual(part, pickSame(part, others)));
  const distinct = stored.filter(
    (part, at) => stored.findIndex((other) => isDeepStrictEqual(other, part)) === at,
  );
  const first = distinct.find((part) => isDeepStrictEqual(Object.keys(part), ['not']));
  const rest = distinct.filter((part) => part !== first);
  return {
    ...others,
    ...(items !== undefined && { items: isObject(items) ? dropImpossibleValues(items) : items }),
    ...first,
    ...(rest.length > 0 && { allOf: rest }),
  };
}

function pickSame(part: JsonSchema, schema: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.keys(part).map((name) => [name, schema[name]]));
}

/** A `not` that excludes anything but values is left unchanged. */
function shortenNot(part: JsonSchema, schema: JsonSchema): JsonSchema {
  const { not, ...others } = part;
  if (!isObject(not)) return others;
  const [[keyword, given] = [], ...more] = Object.entries(not);
  if (more.length > 0 || (keyword !== 'const' && keyword !== 'enum')) return part;
  const values: readonly unknown[] = keyword === 'const' ? [given] : (given as readonly unknown[]);
  const possible = values.filter((value) => isPossible(value, schema));
  if (possible.length === 0) return others;
  return keyword === 'const' ? part : { ...others, not: { enum: possible } };
}

function isPossible(value: unknown, { type, enum: listed, $ref: reference }: JsonSchema): boolean {
  if (value === undefined) return false;
  if (Array.isArray(listed)) return listed.includes(value);
  if (reference !== undefined) return isObject(value);
  return (
    typeof type !== 'string' || type === nameType(value) || (type === 'integer' && Number.isInteger(value))
  );
}

function nameType(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
