import { isDeepStrictEqual } from 'node:util';
import type { JsonSchema } from '../compiled-schema.interface.js';
import { buildConstraintKeywords } from './constraint-keywords.js';
import type { ValidationMetadata } from './dto-libraries.js';

const TYPES: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  [String, 'string'],
  [Number, 'number'],
  [Boolean, 'boolean'],
  [Array, 'array'],
]);

/** Facts about a property that its decorators do not give. */
export interface PropertyFacts {
  /** The type that TypeScript has written beside the property. */
  readonly designType: unknown;
  /** The schema of the class that the property or its items are instances of. */
  readonly nested?: JsonSchema | undefined;
}

/** Says in JSON Schema what all decorators of a property check together. */
export function buildPropertyKeywords(
  decorators: readonly ValidationMetadata[],
  { designType, nested }: PropertyFacts,
): JsonSchema {
  const perItem = decorators.filter(({ each }) => each);
  const whole = decorators.filter(({ each }) => !each);
  const keywords = whole.map(readKeywords);
  const isArray = perItem.length > 0 || designType === Array || keywords.some(({ type }) => type === 'array');
  if (!isArray) return complete(mergeKeywords([...keywords, nested ?? {}]), whole, TYPES.get(designType));
  const items = complete(mergeKeywords([...perItem.map(readKeywords), nested ?? {}]), perItem);
  const isDescribed = Object.keys(items).length > 0;
  return mergeKeywords([...keywords, { type: 'array' }, isDescribed ? { items } : {}]);
}

/** Tells whether nothing but an object may be there, or nothing is said at all. */
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

/** Joins keywords that must all hold; of a keyword that comes twice, the second goes into `allOf`. */
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
