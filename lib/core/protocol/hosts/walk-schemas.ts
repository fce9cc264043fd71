import { isObject } from '../json-rpc.js';
import { SCHEMA_MAPS, VALUE_KEYWORDS } from '../schema-keywords.js';

/** A schema inside a schema, and the way there. */
export interface InnerSchema {
  readonly keywords: Readonly<Record<string, unknown>>;
  /** Nothing for the root. */
  readonly way: Way | undefined;
}

/** One step on the path from the root to a schema, with a link to the previous step. Most paths are never printed, so they are not copied. */
interface Way {
  readonly step: string;
  readonly before: Way | undefined;
  readonly length: number;
}

interface Pending {
  readonly value: object;
  readonly way: Way | undefined;
}

/** Deeper or larger schemas of other servers are not read to their end. */
const DEEPEST = 64;
const MOST_SCHEMAS = 20_000;

/** Walks a schema and every schema inside it, in the order of the text. */
export function* walkSchemas(root: unknown): Generator<InnerSchema> {
  const pending: Pending[] = [];
  addPending(pending, root, undefined);
  for (let count = 0; count < MOST_SCHEMAS; count += 1) {
    const next = pending.pop();
    if (next === undefined) return;
    const { value, way } = next;
    if (isObject(value)) yield { keywords: value, way };
    if ((way?.length ?? 0) >= DEEPEST) continue;
    const first = pending.length;
    if (isObject(value)) addMembers(pending, value, way);
    else addItems(pending, value as readonly unknown[], way);
    reverseFrom(pending, first);
  }
}

/** Lists the steps from the root, for example `['properties', 'address']`. */
export function listSteps(way: Way | undefined): string[] {
  const steps: string[] = [];
  for (let last = way; last !== undefined; last = last.before) steps.push(last.step);
  return steps.toReversed();
}

function addMembers(pending: Pending[], schema: Readonly<Record<string, unknown>>, way: Way | undefined) {
  for (const keyword of Object.keys(schema)) {
    const value = schema[keyword];
    if (typeof value !== 'object' || value === null || VALUE_KEYWORDS.has(keyword)) continue;
    const inner = lengthen(way, keyword);
    if (SCHEMA_MAPS.has(keyword)) addNamed(pending, value as Record<string, unknown>, inner);
    else pending.push({ value, way: inner });
  }
}

function addNamed(pending: Pending[], schemas: Readonly<Record<string, unknown>>, way: Way) {
  for (const name of Object.keys(schemas)) addPending(pending, schemas[name], lengthen(way, name));
}

function addItems(pending: Pending[], items: readonly unknown[], way: Way | undefined) {
  for (const [index, item] of items.entries()) addPending(pending, item, lengthen(way, String(index)));
}

function addPending(pending: Pending[], value: unknown, way: Way | undefined) {
  if (typeof value === 'object' && value !== null) pending.push({ value, way });
}

function lengthen(before: Way | undefined, name: string): Way {
  return { step: name, before, length: (before?.length ?? 0) + 1 };
}

/** What was found last is walked first. One by one: a function takes fewer arguments than a schema may have members. */
function reverseFrom(pending: Pending[], first: number) {
  for (const inner of pending.splice(first).toReversed()) pending.push(inner);
}
