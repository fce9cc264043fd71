import { isObject } from '../../lib/core/protocol/json-rpc.js';
import { makeLine } from '../visible-text.js';
import {
  readAcceptedValues,
  type AcceptedValues,
  type JsonSchema,
  type JsonType,
} from './accepted-values.js';
import { type Reading, readNumber } from './read-number.js';

const MOST_SHOWN = 40;
const LONGEST_SHOWN = 80;

/** Converts strings to the value that a schema expects. Several strings make a list. */
export function convertTexts(texts: readonly string[], schema: unknown, root: JsonSchema): Reading {
  const accepted = readAcceptedValues(schema, root);
  const [first = ''] = texts;
  const isList = accepted.types.has('array');
  if (texts.length > 1) {
    return isList
      ? convertItems(texts, accepted, root)
      : { expected: 'a single value, but was passed several times' };
  }
  const converted = convertText(first, accepted);
  if ('value' in converted || !isList) return converted;
  return convertItems(texts, accepted, root);
}

function convertItems(texts: readonly string[], { items }: AcceptedValues, root: JsonSchema): Reading {
  const converted = texts.map((text) => convertText(text, readAcceptedValues(items, root)));
  const wrong = converted.find((item) => 'expected' in item);
  if (wrong !== undefined) return { expected: `a list in which each item is ${wrong.expected}` };
  return { value: converted.map((item) => ('value' in item ? item.value : undefined)) };
}

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

/** The order of attempts, because every input is also a string. */
const READERS: { readonly [type in JsonType]: (text: string) => unknown } = {
  null: (text) => (text === 'null' ? null : undefined),
  boolean: (text) => BOOLEANS.get(text),
  integer: readInteger,
  number: readNumber,
  array: (text) => readJson(text, Array.isArray),
  object: (text) => readJson(text, isObject),
  string: (text) => text,
};

const NAMES: { readonly [type in JsonType]: string } = {
  null: '"null"',
  boolean: '"true" or "false"',
  integer: 'a whole number',
  number: 'a number',
  array: 'a JSON array',
  object: 'a JSON object, such as {"key":"value"}',
  string: 'a string',
};

/** Converts one string. */
function convertText(text: string, { types, values }: AcceptedValues): Reading {
  if (values !== undefined) return selectValue(text, values);
  if (types.size === 0) return { value: readAny(text) };
  for (const [type, read] of Object.entries(READERS) as [JsonType, (text: string) => unknown][]) {
    const value = types.has(type) ? read(text) : undefined;
    // A number that is written differently, such as 05, is an identifier.
    const isText = types.has('string') && typeof value === 'number' && String(value) !== text;
    if (value !== undefined && !isText) return { value };
  }
  const names = Object.entries(NAMES).flatMap(([type, name]) => (types.has(type as JsonType) ? [name] : []));
  return { expected: names.join(' or ') };
}

/** Parses JSON if the schema does not restrict the type. A number must serialize to the same string. */
function readAny(text: string): unknown {
  const value = readJson(text, () => true);
  const isLost = value === undefined || (typeof value === 'number' && String(value) !== text);
  return isLost ? text : value;
}

function selectValue(text: string, values: readonly unknown[]): Reading {
  const chosen = values.find((value) => formatValue(value) === text);
  if (chosen !== undefined) return { value: chosen };
  const shown = values.slice(0, MOST_SHOWN).map(showValue);
  return { expected: `one of ${shown.join(', ')}${values.length > MOST_SHOWN ? ', …' : ''}` };
}

/** Formats accepted values as JSON on one line. */
function showValue(value: unknown): string {
  const line = makeLine(JSON.stringify(value));
  return line.length > LONGEST_SHOWN ? `${line.slice(0, LONGEST_SHOWN)}…` : line;
}

function formatValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function readInteger(text: string): number | undefined {
  const value = readNumber(text);
  return Number.isInteger(value) ? value : undefined;
}

function readJson(text: string, isWanted: (value: unknown) => boolean): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isWanted(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
