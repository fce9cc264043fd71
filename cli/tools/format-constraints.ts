import type { JsonSchema, JsonType } from '../call/accepted-values.js';
import { makeLine } from '../visible-text.js';

/** The maximum length of a pattern or a default in the output. */
const LONGEST_SHOWN = 60;

/** Formats a schema's constraints beyond the type, such as ` 1–100` or ` (date-time)`; empty if there are none. */
export function formatConstraints(type: JsonType, schema: JsonSchema): string {
  switch (type) {
    case 'integer':
    case 'number':
      return formatRange(readBounds(schema)) + formatStep(schema['multipleOf']);
    case 'string':
      return formatFormat(schema) + formatSize(schema, ['minLength', 'maxLength'], 'character');
    case 'array':
      return formatSize(schema, ['minItems', 'maxItems'], 'item');
    default:
      return '';
  }
}

/** Formats a value of a schema as JSON on one line. */
export function formatShort(value: unknown): string {
  return cut(makeLine(JSON.stringify(value) ?? ''));
}

interface RangeLimit {
  readonly value: number;
  /** Whether the limit excludes the value itself. */
  readonly isOpen: boolean;
}

interface RangeLimits {
  readonly lowest: RangeLimit | undefined;
  readonly highest: RangeLimit | undefined;
}

function readBounds(schema: JsonSchema): RangeLimits {
  return {
    lowest: readBound(schema['minimum'], schema['exclusiveMinimum']),
    highest: readBound(schema['maximum'], schema['exclusiveMaximum']),
  };
}

/** In schemas before 2019, `true` makes the other bound exclusive. A bound beyond the safe integers is not a real limit. */
function readBound(closed: unknown, open: unknown): RangeLimit | undefined {
  const found = [
    { value: open, isOpen: true },
    { value: closed, isOpen: open === true },
  ].find((bound): bound is RangeLimit => typeof bound.value === 'number');
  return found === undefined || Math.abs(found.value) >= Number.MAX_SAFE_INTEGER ? undefined : found;
}

function formatRange({ lowest, highest }: RangeLimits): string {
  if (lowest !== undefined && highest !== undefined && !lowest.isOpen && !highest.isOpen)
    return ` ${lowest.value}–${highest.value}`;
  const texts = [
    lowest && `${lowest.isOpen ? '>' : '≥'} ${lowest.value}`,
    highest && `${highest.isOpen ? '<' : '≤'} ${highest.value}`,
  ].filter((text) => text !== undefined);
  return texts.length === 0 ? '' : ` ${texts.join(' and ')}`;
}

function formatStep(step: unknown): string {
  return typeof step === 'number' ? ` in steps of ${step}` : '';
}

function formatFormat({ format, pattern }: JsonSchema): string {
  if (typeof format === 'string') return ` (${cut(makeLine(format))})`;
  return typeof pattern === 'string' ? ` (/${cut(makeLine(pattern))}/)` : '';
}

function formatSize(
  schema: JsonSchema,
  [least, most]: readonly [least: string, most: string],
  noun: string,
): string {
  const [minimum, maximum] = [schema[least], schema[most]];
  const lowest = typeof minimum === 'number' && minimum > 0 ? minimum : undefined;
  const highest = typeof maximum === 'number' ? maximum : undefined;
  if (highest === undefined) return lowest === undefined ? '' : ` of at least ${count(lowest, noun)}`;
  if (lowest === undefined) return ` of at most ${count(highest, noun)}`;
  return ` of ${lowest === highest ? '' : `${lowest}–`}${count(highest, noun)}`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

function cut(line: string): string {
  return line.length > LONGEST_SHOWN ? `${line.slice(0, LONGEST_SHOWN)}…` : line;
}
