import type { Tool } from '@modelcontextprotocol/client';
import {
  type JsonSchema,
  listBranches,
  readAcceptedValues,
  readTypes,
  readValues,
  resolveReference,
} from '../call/accepted-values.js';
import { makeLine } from '../visible-text.js';
import { formatConstraints, formatShort } from './format-constraints.js';
import { isObject } from '../../lib/core/protocol/json-rpc.js';
import { listRequired } from '../call/build-arguments.js';

/** Limits for a readable output: levels of nested properties, and rows per tool. */
const DEEPEST = 4;
const MOST_ROWS = 200;

/** Formats tools and their arguments for a person. */
export function formatTools(tools: readonly Tool[]): string {
  return tools.map(formatTool).join('\n\n');
}

function formatTool({ name, title, description, inputSchema }: Tool): string {
  const about = makeLine(description ?? title ?? '');
  const head = about === '' ? makeLine(name) : `${makeLine(name)}  ${about}`;
  const budget = { rows: MOST_ROWS };
  const rows = formatMembers(inputSchema, { root: inputSchema, outer: [], budget });
  return [head, ...rows, ...(budget.rows < 0 ? ['  …'] : [])].join('\n');
}

/** The schemas around a property, and the remaining output. */
interface PropertyContext {
  readonly root: JsonSchema;
  /** The schemas that contain the property. */
  readonly outer: readonly JsonSchema[];
  /** The number of rows left for the tool. */
  readonly budget: { rows: number };
}

/** A recursive schema is shown once. */
function formatMembers(given: unknown, { root, outer, budget }: PropertyContext): readonly string[] {
  const schema = resolveReference(given, root);
  if (schema === undefined || outer.length >= DEEPEST || outer.includes(schema)) return [];
  const context = { root, outer: [...outer, schema], budget };
  const shapes = listShapes(schema, root);
  const margin = '  '.repeat(context.outer.length);
  const [only] = shapes;
  if (shapes.length <= 1) return only === undefined ? [] : formatShape(only, context, margin);
  return shapes.flatMap((shape, index) => [
    `${margin}${index === 0 ? 'either' : 'or'}`,
    ...formatShape(shape, context, `${margin}  `),
  ]);
}

function formatShape(
  { properties, required }: Shape,
  context: PropertyContext,
  margin: string,
): readonly string[] {
  const names = [...properties.keys()].map(makeLine);
  const width = Math.max(0, ...names.map((name) => name.length));
  return [...properties].flatMap(([name, property]) => {
    context.budget.rows -= 1;
    if (context.budget.rows < 0) return [];
    const kind = [
      formatKind(property, context.root),
      ...(required.has(name) ? ['required'] : []),
      ...formatDefault(property, context.root),
    ].join(', ');
    const described = readMember(property, context.root, 'description');
    const about = typeof described === 'string' ? makeLine(described) : '';
    const head = `${margin}${makeLine(name).padEnd(width)}  ${kind}${about === '' ? '' : ` · ${about}`}`;
    return [head, ...formatMembers(property, context)];
  });
}

function formatDefault(property: unknown, root: JsonSchema): readonly string[] {
  const value = readMember(property, root, 'default');
  return value === undefined ? [] : [`default ${formatShort(value)}`];
}

/** A keyword next to a reference overrides its target. */
function readMember(property: unknown, root: JsonSchema, name: 'default' | 'description'): unknown {
  const own = isObject(property) ? property[name] : undefined;
  return own ?? resolveReference(property, root)?.[name];
}

/** The maximum depth of nested lists in the output. */
const MOST_LISTS = 8;

/** Formats a property's type. A recursive schema is cut where it repeats. */
function formatKind(property: unknown, root: JsonSchema, outer: readonly JsonSchema[] = []): string {
  const { types, values, items } = readAcceptedValues(property, root);
  if (values !== undefined) return values.map(formatShort).join(' | ');
  if (types.size === 0) return 'any';
  const lists = [...outer, items];
  const isCut = outer.includes(items) || lists.length === MOST_LISTS;
  const formatItems = () => (isCut ? 'any' : formatKind(items, root, lists));
  const kinds = listBranches(property, root).flatMap((branch) =>
    readTypes(branch).map((type) => {
      const constraints = readValues(branch) === undefined ? formatConstraints(type, branch) : '';
      return type === 'array' ? `list${constraints} of ${formatItems()}` : `${type}${constraints}`;
    }),
  );
  return [...new Set(kinds)].join(' | ');
}

/** An object's properties in one alternative of its schema. */
export interface Shape {
  readonly properties: ReadonlyMap<string, unknown>;
  readonly required: ReadonlySet<string>;
}

/** Limits for the alternatives of an object. */
const MOST_SHAPES = 8;
const DEEPEST_SHAPE = 8;

/** Without a limit, a schema that refers to itself in several alternatives would be expanded forever. */
const MOST_SCHEMAS = 200;

interface Search {
  readonly root: JsonSchema;
  /** The number of schemas that may still be read. */
  left: number;
}

/** Lists the alternatives of an object with properties, following references, combinations and lists. */
export function listShapes(schema: unknown, root: JsonSchema): readonly Shape[] {
  return collectShapes(schema, { root, left: MOST_SCHEMAS }, 0)
    .filter(({ properties }) => properties.size > 0)
    .slice(0, MOST_SHAPES);
}

function collectShapes(given: unknown, search: Search, depth: number): readonly Shape[] {
  const schema = resolveReference(given, search.root);
  search.left -= 1;
  if (schema === undefined || depth > DEEPEST_SHAPE || search.left < 0) return [];
  const collect = (one: unknown) => collectShapes(one, search, depth + 1).slice(0, MOST_SHAPES);
  const own = readShape(schema);
  const parts = list(schema['allOf']).flatMap((part) => collect(part).slice(0, 1));
  const whole = [own, ...parts].reduce(join);
  const alternatives = [...list(schema['anyOf']), ...list(schema['oneOf'])]
    .slice(0, MOST_SHAPES)
    .flatMap(collect);
  if (alternatives.length > 0) return alternatives.map((one) => join(whole, one));
  if (whole.properties.size > 0 || !isObject(schema['items'])) return [whole];
  return collect(schema['items']);
}

function readShape(schema: JsonSchema): Shape {
  const properties = isObject(schema['properties']) ? Object.entries(schema['properties']) : [];
  return { properties: new Map(properties), required: new Set(listRequired(schema)) };
}

function join(one: Shape, other: Shape): Shape {
  return {
    properties: new Map([...one.properties, ...other.properties]),
    required: new Set([...one.required, ...other.required]),
  };
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}
