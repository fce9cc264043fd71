import { isObject } from '../json-rpc.js';
import { quoteAll } from '../../words/quote-all.js';
import { listSteps, walkSchemas } from './walk-schemas.js';

/** A tool of any server, as lists show it. */
export interface ListedTool {
  readonly name: unknown;
  readonly inputSchema: unknown;
}

/** The part that hosts refuse: the name, the root of the schema, the name of a property, or an array without items. */
export type HostFaultKind = 'name' | 'root' | 'property' | 'items';

/** Something in a listed tool that is valid MCP, and that common hosts refuse. */
export interface HostFault {
  readonly kind: HostFaultKind;
  /** What hosts refuse, as the middle of a sentence. */
  readonly found: string;
  /** Where it is, for example `properties.address.properties.zip code`; empty for the tool itself. */
  readonly place: string;
  readonly remedy: string;
}

/** What the APIs of models take for the name of a tool. */
const NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** What they take for the name of a property. */
const PROPERTY = /^[a-zA-Z0-9_.-]{1,64}$/;

/** Keywords that some API, or a host on its behalf, refuses at the root: the parameters of a function are one plain object. */
const REFUSED_AT_ROOT = ['oneOf', 'anyOf', 'allOf', 'not', 'if', 'enum', 'const', '$ref'];

/** The most reported faults of one schema, and the most characters of each name in a path. Other servers may send any number. */
const MOST_FAULTS = 100;
const LONGEST_STEP = 80;

/** Finds what common hosts refuse a tool for: many refuse the whole conversation then, with all other tools in it. */
export function findHostFaults({ name, inputSchema }: ListedTool): readonly HostFault[] {
  return [...findNameFaults(name), ...findRootFaults(inputSchema), ...findInnerFaults(inputSchema)];
}

/** Says a fault in one sentence. */
export function formatHostFault({ found, place, remedy }: HostFault): string {
  return `${found}${place === '' ? '' : ` at "${place}"`}: ${remedy}`;
}

function findNameFaults(name: unknown): readonly HostFault[] {
  if (typeof name === 'string' && NAME.test(name)) return [];
  const found = 'its name is not one of 1 to 64 letters, digits, "_" and "-"';
  return [{ kind: 'name', found, place: '', remedy: 'give it such a "name"' }];
}

function findRootFaults(schema: unknown): readonly HostFault[] {
  const place = 'inputSchema';
  if (!isObject(schema) || schema['type'] !== 'object') {
    const remedy = 'let the arguments be an object';
    return [{ kind: 'root', found: 'its schema does not have "type": "object" at the root', place, remedy }];
  }
  const refused = REFUSED_AT_ROOT.filter((keyword) => Object.hasOwn(schema, keyword));
  if (refused.length === 0) return [];
  const names = quoteAll(refused);
  const remedy = 'list the members under "properties", or put this inside one of them';
  return [{ kind: 'root', found: `its schema has ${names} at the root`, place, remedy }];
}

function findInnerFaults(schema: unknown): readonly HostFault[] {
  const faults: HostFault[] = [];
  for (const { keywords, way } of walkSchemas(schema)) {
    if (faults.length >= MOST_FAULTS) break;
    for (const name of listRefusedProperties(keywords)) {
      faults.push({
        kind: 'property',
        found: 'its schema has a property whose name is not one of 1 to 64 letters, digits, "_", "." and "-"',
        place: formatPlace([...listSteps(way), 'properties', name]),
        remedy: 'rename it',
      });
    }
    if (!isArrayWithoutItems(keywords)) continue;
    faults.push({
      kind: 'items',
      found: 'its schema has an array without "items"',
      place: formatPlace(listSteps(way)),
      remedy: 'say what its items are',
    });
  }
  return faults;
}

function formatPlace(path: readonly string[]): string {
  return path
    .map((step) => (step.length > LONGEST_STEP ? `${step.slice(0, LONGEST_STEP)}…` : step))
    .join('.');
}

function listRefusedProperties({ properties }: Readonly<Record<string, unknown>>): readonly string[] {
  if (!isObject(properties)) return [];
  return Object.keys(properties)
    .filter((name) => !PROPERTY.test(name))
    .slice(0, MOST_FAULTS);
}

function isArrayWithoutItems(keywords: Readonly<Record<string, unknown>>): boolean {
  const { type } = keywords;
  const isArray = Array.isArray(type) ? type.includes('array') : type === 'array';
  return isArray && !Object.hasOwn(keywords, 'items');
}
