import { isObject } from '../../../core/protocol/json-rpc.js';
import type { JsonSchema } from '../compiled-schema.interface.js';
import { DATE_TEXT } from '../listing/shown-marks.js';

type Constraints = readonly unknown[];
type Keywords = JsonSchema | ((constraints: Constraints) => JsonSchema);

const TEXT = { type: 'string' };
const DATE = { type: 'string', anyOf: [{ format: 'date' }, { format: 'date-time' }] };

/** The JSON Schema of each decorator of class-validator. A decorator that is missing here adds only the type of its property. */
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

/** Says in JSON Schema what a decorator of class-validator checks. */
export function buildConstraintKeywords(name: string | undefined, constraints: Constraints = []): JsonSchema {
  const keywords = KEYWORDS.get(name ?? '') ?? {};
  return typeof keywords === 'function' ? keywords(constraints) : keywords;
}

/** A numeric enum of TypeScript has its names among its members' values. */
export function listEnumValues(values: unknown): Constraints {
  if (!isObject(values)) return Array.isArray(values) ? values : [];
  return Object.entries(values)
    .filter(([name]) => !/^-?\d+(?:\.\d+)?$/.test(name))
    .map(([, value]) => value);
}

/** Says that a value is one of some. */
export function describeValues(values: Constraints): JsonSchema {
  const [type = 'undefined', ...others] = new Set(values.map((value) => typeof value));
  const hasType = others.length === 0 && ['string', 'number', 'boolean'].includes(type);
  return hasType ? { type, enum: values } : { enum: values };
}

/** JSON Schema has no flags: an expression that needs one is left out rather than told wrongly. */
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
