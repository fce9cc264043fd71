import { isObject } from '../json-rpc.js';
import { quoteAll } from '../../words/quote-all.js';
import { HOST_RULES, type HostFaultKind, type HostRuleName } from './host-rules.js';
import { listSteps, walkSchemas, type InnerSchema } from './walk-schemas.js';

/** A tool of any server, as lists show it. */
export interface ListedTool {
  readonly name: unknown;
  readonly inputSchema: unknown;
  readonly description?: unknown;
  readonly outputSchema?: unknown;
}

/** Something in a listed tool that is valid MCP, and that common hosts refuse. */
export interface HostFault {
  readonly kind: HostFaultKind;
  /** What hosts refuse, as the middle of a sentence. */
  readonly found: string;
  /** Where it is, for example `properties.address.properties.zip code`; empty for the tool itself. */
  readonly place: string;
  readonly remedy: string;
  /** The hosts that are known to refuse it. */
  readonly hosts: readonly string[];
}

/** What the APIs of models take for the name of a tool. */
const NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const NAME_START = /^[a-zA-Z_]/;

/** What they take for the name of a property. */
const PROPERTY = /^[a-zA-Z0-9_.-]{1,64}$/;

/** What one of them takes for the description of a tool. */
const LONGEST_DESCRIPTION = 1_024;

/** Keywords that some API, or a host on its behalf, refuses at the root: the parameters of a function are one plain object. */
const REFUSED_AT_ROOT = ['oneOf', 'anyOf', 'allOf', 'not', 'if', 'enum', 'const', '$ref'];

const DIALECT = /^https:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/;

/** The most reported faults of one schema, and the most characters of each name in a path. Other servers may send any number. */
const MOST_FAULTS = 100;
const LONGEST_STEP = 80;

/** Finds what common hosts refuse a tool for: many refuse the whole conversation then, with all other tools in it. */
export function findHostFaults(tool: ListedTool): readonly HostFault[] {
  return [
    ...findToolFaults(tool),
    ...findRootFaults(tool.inputSchema),
    ...findInnerFaults(tool.inputSchema),
    ...findOutputFaults(tool.outputSchema),
  ];
}

/** Says a fault in one sentence, with the hosts that refuse it. */
export function formatHostFault({ found, place, remedy, hosts }: HostFault): string {
  return `${found}${place === '' ? '' : ` at "${place}"`}: ${remedy}; refused by ${hosts.join(', ')}`;
}

function fault(rule: HostRuleName, found: string, place: string): HostFault {
  const { kind, remedy, hosts } = HOST_RULES[rule];
  return { kind, found, place, remedy, hosts: Object.keys(hosts) };
}

function findToolFaults({ name, description }: ListedTool): readonly HostFault[] {
  const faults: HostFault[] = [];
  if (typeof name !== 'string' || !NAME.test(name)) {
    faults.push(fault('name', 'its name is not one of 1 to 64 letters, digits, "_" and "-"', ''));
  } else if (!NAME_START.test(name)) {
    faults.push(fault('nameStart', 'its name does not begin with a letter or "_"', ''));
  }
  if (typeof description === 'string' && description.length > LONGEST_DESCRIPTION) {
    const found = `its description has ${description.length} characters, more than ${LONGEST_DESCRIPTION}`;
    faults.push(fault('description', found, ''));
  }
  return faults;
}

function findRootFaults(schema: unknown): readonly HostFault[] {
  const place = 'inputSchema';
  if (!isObject(schema) || schema['type'] !== 'object') {
    return [fault('rootType', 'its schema does not have "type": "object" at the root', place)];
  }
  const refused = REFUSED_AT_ROOT.filter((keyword) => Object.hasOwn(schema, keyword));
  const faults: HostFault[] = [];
  if (refused.length > 0) {
    faults.push(fault('rootKeyword', `its schema has ${quoteAll(refused)} at the root`, place));
  } else if (!isObject(schema['properties'])) {
    faults.push(fault('rootProperties', 'its schema has no "properties" at the root', place));
  }
  return faults;
}

function findInnerFaults(schema: unknown): readonly HostFault[] {
  const faults: HostFault[] = [];
  for (const inner of walkSchemas(schema)) {
    if (faults.length >= MOST_FAULTS) break;
    faults.push(...findPropertyFaults(inner));
    // What is at the root is refused there for another reason.
    const isRoot = inner.way === undefined;
    for (const { rule, found, judge } of KEYWORD_RULES) {
      if (judge(inner.keywords, isRoot)) faults.push(fault(rule, found, formatPlace(listSteps(inner.way))));
    }
  }
  return faults;
}

function* findPropertyFaults({ keywords: { properties }, way }: InnerSchema): Generator<HostFault> {
  if (!isObject(properties)) return;
  let count = 0;
  for (const [name, schema] of Object.entries(properties)) {
    const isRefused = !PROPERTY.test(name);
    if (!isRefused && typeof schema !== 'boolean') continue;
    if (count === MOST_FAULTS) return;
    count += 1;
    const place = formatPlace([...listSteps(way), 'properties', name]);
    const found =
      'its schema has a property whose name is not one of 1 to 64 letters, digits, "_", "." and "-"';
    if (isRefused) yield fault('property', found, place);
    if (typeof schema === 'boolean')
      yield fault('booleanSchema', `its schema has ${schema} for a property`, place);
  }
}

type Keywords = InnerSchema['keywords'];

interface KeywordRule {
  readonly rule: HostRuleName;
  readonly found: string;
  readonly judge: (keywords: Keywords, isRoot: boolean) => boolean;
}

/** What is looked for in every schema inside an input schema. */
const KEYWORD_RULES: readonly KeywordRule[] = [
  { rule: 'noItems', found: 'its schema has an array without "items"', judge: isArrayWithoutItems },
  {
    rule: 'tupleItems',
    found: 'its schema has an array whose "items" are no single schema',
    judge: ({ items }) => items !== undefined && !isObject(items),
  },
  {
    rule: 'emptyEnum',
    found: 'its schema has an "enum" with an empty string',
    judge: ({ enum: values }) => Array.isArray(values) && values.includes(''),
  },
  {
    rule: 'enumType',
    found: 'its schema has an "enum" with values that are not strings',
    judge: ({ enum: values }, isRoot) => !isRoot && Array.isArray(values) && !values.every(isText),
  },
  {
    rule: 'const',
    found: 'its schema has "const"',
    judge: (keywords, isRoot) => !isRoot && Object.hasOwn(keywords, 'const'),
  },
  {
    rule: 'typeList',
    found: 'its schema has a list of types',
    judge: ({ type }, isRoot) => !isRoot && Array.isArray(type),
  },
  {
    rule: 'unionType',
    found: 'its schema has "type" beside "anyOf"',
    judge: ({ type, anyOf }, isRoot) => !isRoot && type !== undefined && anyOf !== undefined,
  },
  {
    rule: 'reference',
    found: 'its schema has a "$ref"',
    judge: ({ $ref }, isRoot) => !isRoot && isText($ref),
  },
  {
    rule: 'booleanLimit',
    found: 'its schema has a boolean for an exclusive limit',
    judge: ({ exclusiveMinimum, exclusiveMaximum }) =>
      typeof exclusiveMinimum === 'boolean' || typeof exclusiveMaximum === 'boolean',
  },
];

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function findOutputFaults(schema: unknown): readonly HostFault[] {
  const dialect = isObject(schema) ? schema['$schema'] : undefined;
  if (dialect === undefined || (isText(dialect) && DIALECT.test(dialect))) return [];
  const found = 'its output schema names another dialect than draft 2020-12 in "$schema"';
  return [fault('outputDialect', found, 'outputSchema')];
}

function formatPlace(path: readonly string[]): string {
  return path
    .map((step) => (step.length > LONGEST_STEP ? `${step.slice(0, LONGEST_STEP)}…` : step))
    .join('.');
}

function isArrayWithoutItems(keywords: Keywords): boolean {
  const { type } = keywords;
  const isArray = Array.isArray(type) ? type.includes('array') : type === 'array';
  return isArray && !Object.hasOwn(keywords, 'items');
}
