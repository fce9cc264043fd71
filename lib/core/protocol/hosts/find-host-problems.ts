import { HOST_RULES, type HostProblemKind, type HostRuleName } from './host-rules.js';
import { isObject } from '../json-rpc.js';
import { SCHEMA_MAPS, VALUE_KEYWORDS } from '../json-schema.js';
import { quoteAll } from '../../words/words.js';

/** A tool from any server, as listed. */
export interface ListedTool {
  readonly name: unknown;
  readonly inputSchema: unknown;
  readonly description?: unknown;
  readonly outputSchema?: unknown;
}

/** A property of a listed tool that is valid MCP but refused by common hosts. */
export interface HostProblem {
  readonly kind: HostProblemKind;
  /** The rejected property, phrased to fit mid-sentence. */
  readonly found: string;
  /** Its path, for example `properties.address.properties.zip code`; empty for the tool itself. */
  readonly path: string;
  readonly fix: string;
  /** The hosts that are known to refuse it. */
  readonly hosts: readonly string[];
}

/** The tool names that model APIs accept. */
const NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const NAME_START = /^[a-zA-Z_]/;

/** The property names that they accept. */
const PROPERTY = /^[a-zA-Z0-9_.-]{1,64}$/;

/** The maximum length of a tool description that the strictest of them accepts. */
const LONGEST_DESCRIPTION = 1_024;

/**
 * Keywords that an API, or a host on its behalf, refuses at the root, because a function's parameters must be one
 * plain object.
 */
const REFUSED_AT_ROOT = ['oneOf', 'anyOf', 'allOf', 'not', 'if', 'enum', 'const', '$ref'];

const DIALECT = /^https:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/;

/**
 * The maximum number of problems per schema, and of characters per name in a path. Other servers may send any number.
 */
const MOST_PROBLEMS = 100;
const LONGEST_STEP = 80;

/**
 * Finds the reasons why common hosts refuse a tool. Many of them then refuse the whole conversation, including all
 * other tools in it.
 */
export function findHostProblems(tool: ListedTool): readonly HostProblem[] {
  return [
    ...findToolProblems(tool),
    ...findRootProblems(tool.inputSchema),
    ...findInnerProblems(tool.inputSchema),
    ...findOutputProblems(tool.outputSchema),
  ];
}

/** Formats a problem as one sentence, with the hosts that refuse it. */
export function formatHostProblem({ found, path, fix, hosts }: HostProblem): string {
  return `${found}${path === '' ? '' : ` at "${path}"`}: ${fix}; refused by ${hosts.join(', ')}`;
}

function createProblem(rule: HostRuleName, found: string, path: string): HostProblem {
  const { kind, fix, hosts } = HOST_RULES[rule];
  return { kind, found, path, fix, hosts: Object.keys(hosts) };
}

function findToolProblems({ name, description }: ListedTool): readonly HostProblem[] {
  const problems: HostProblem[] = [];
  if (typeof name !== 'string' || !NAME.test(name)) {
    problems.push(
      createProblem('name', 'its name does not consist of 1 to 64 letters, digits, "_" and "-"', ''),
    );
  } else if (!NAME_START.test(name)) {
    problems.push(createProblem('nameStart', 'its name does not start with a letter or "_"', ''));
  }
  if (typeof description === 'string' && description.length > LONGEST_DESCRIPTION) {
    const found = `its description has ${description.length} characters, more than ${LONGEST_DESCRIPTION}`;
    problems.push(createProblem('description', found, ''));
  }
  return problems;
}

function findRootProblems(schema: unknown): readonly HostProblem[] {
  const path = 'inputSchema';
  if (!isObject(schema) || schema['type'] !== 'object') {
    return [createProblem('rootType', 'its schema does not have "type": "object" at the root', path)];
  }
  const refused = REFUSED_AT_ROOT.filter((keyword) => Object.hasOwn(schema, keyword));
  const problems: HostProblem[] = [];
  if (refused.length > 0) {
    problems.push(createProblem('rootKeyword', `its schema has ${quoteAll(refused)} at the root`, path));
  } else if (!isObject(schema['properties'])) {
    problems.push(createProblem('rootProperties', 'its schema has no "properties" at the root', path));
  }
  return problems;
}

function findInnerProblems(schema: unknown): readonly HostProblem[] {
  const problems: HostProblem[] = [];
  for (const inner of walkSchemas(schema)) {
    if (problems.length >= MOST_PROBLEMS) break;
    problems.push(...findPropertyProblems(inner));
    // Other rules apply at the root.
    const isRoot = inner.path === undefined;
    for (const { rule, found, judge } of KEYWORD_RULES) {
      if (judge(inner.keywords, isRoot))
        problems.push(createProblem(rule, found, formatPath(listSteps(inner.path))));
    }
  }
  return problems;
}

function* findPropertyProblems({
  keywords: { properties },
  path: above,
}: InnerSchema): Generator<HostProblem> {
  if (!isObject(properties)) return;
  let count = 0;
  for (const [name, schema] of Object.entries(properties)) {
    const isRefused = !PROPERTY.test(name);
    if (!isRefused && typeof schema !== 'boolean') continue;
    if (count === MOST_PROBLEMS) return;
    count += 1;
    const path = formatPath([...listSteps(above), 'properties', name]);
    const found =
      'its schema has a property whose name does not consist of 1 to 64 letters, digits, "_", "." and "-"';
    if (isRefused) yield createProblem('property', found, path);
    if (typeof schema === 'boolean')
      yield createProblem('booleanSchema', `its schema has ${schema} for a property`, path);
  }
}

type Keywords = InnerSchema['keywords'];

interface KeywordRule {
  readonly rule: HostRuleName;
  readonly found: string;
  readonly judge: (keywords: Keywords, isRoot: boolean) => boolean;
}

/** The rules for every schema inside an input schema. */
const KEYWORD_RULES: readonly KeywordRule[] = [
  { rule: 'noItems', found: 'its schema has an array without "items"', judge: isArrayWithoutItems },
  {
    rule: 'tupleItems',
    found: 'its schema has an array whose "items" is not a single schema',
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
    found: 'its schema has "type" next to "anyOf"',
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

function findOutputProblems(schema: unknown): readonly HostProblem[] {
  const dialect = isObject(schema) ? schema['$schema'] : undefined;
  if (dialect === undefined || (isText(dialect) && DIALECT.test(dialect))) return [];
  const found = 'its output schema declares a dialect other than draft 2020-12 in "$schema"';
  return [createProblem('outputDialect', found, 'outputSchema')];
}

function formatPath(path: readonly string[]): string {
  return path
    .map((step) => (step.length > LONGEST_STEP ? `${step.slice(0, LONGEST_STEP)}…` : step))
    .join('.');
}

function isArrayWithoutItems(keywords: Keywords): boolean {
  const { type } = keywords;
  const isArray = Array.isArray(type) ? type.includes('array') : type === 'array';
  return isArray && !Object.hasOwn(keywords, 'items');
}

/** A nested schema, with the path to it. */
export interface InnerSchema {
  readonly keywords: Readonly<Record<string, unknown>>;
  /** Absent for the root. */
  readonly path: SchemaPath | undefined;
}

/** A path from the root to a schema: its last step, linked to the previous ones. Most paths are never printed, so they are not copied. */
interface SchemaPath {
  readonly step: string;
  readonly before: SchemaPath | undefined;
  readonly length: number;
}

interface Pending {
  readonly value: object;
  readonly path: SchemaPath | undefined;
}

/** Deeper or larger schemas from other servers are not read completely. */
const DEEPEST = 64;
const MOST_SCHEMAS = 20_000;

/** Walks a schema and every schema inside it, in document order. */
export function* walkSchemas(root: unknown): Generator<InnerSchema> {
  const pending: Pending[] = [];
  addPending(pending, root, undefined);
  for (let count = 0; count < MOST_SCHEMAS; count += 1) {
    const next = pending.pop();
    if (next === undefined) return;
    const { value, path } = next;
    if (isObject(value)) yield { keywords: value, path };
    if ((path?.length ?? 0) >= DEEPEST) continue;
    const first = pending.length;
    if (isObject(value)) addMembers(pending, value, path);
    else addItems(pending, value as readonly unknown[], path);
    reverseFrom(pending, first);
  }
}

/** Lists the steps from the root, for example `['properties', 'address']`. */
export function listSteps(path: SchemaPath | undefined): string[] {
  const steps: string[] = [];
  for (let last = path; last !== undefined; last = last.before) steps.push(last.step);
  return steps.toReversed();
}

function addMembers(
  pending: Pending[],
  schema: Readonly<Record<string, unknown>>,
  path: SchemaPath | undefined,
) {
  for (const keyword of Object.keys(schema)) {
    const value = schema[keyword];
    if (typeof value !== 'object' || value === null || VALUE_KEYWORDS.has(keyword)) continue;
    const inner = lengthen(path, keyword);
    if (SCHEMA_MAPS.has(keyword)) addNamed(pending, value as Record<string, unknown>, inner);
    else pending.push({ value, path: inner });
  }
}

function addNamed(pending: Pending[], schemas: Readonly<Record<string, unknown>>, path: SchemaPath) {
  for (const name of Object.keys(schemas)) addPending(pending, schemas[name], lengthen(path, name));
}

function addItems(pending: Pending[], items: readonly unknown[], path: SchemaPath | undefined) {
  for (const [index, item] of items.entries()) addPending(pending, item, lengthen(path, String(index)));
}

function addPending(pending: Pending[], value: unknown, path: SchemaPath | undefined) {
  if (typeof value === 'object' && value !== null) pending.push({ value, path });
}

function lengthen(before: SchemaPath | undefined, name: string): SchemaPath {
  return { step: name, before, length: (before?.length ?? 0) + 1 };
}

/**
 * Restores document order on the stack. Items are pushed individually, because a call accepts fewer arguments than a
 * schema may have properties.
 */
function reverseFrom(pending: Pending[], first: number) {
  for (const inner of pending.splice(first).toReversed()) pending.push(inner);
}
