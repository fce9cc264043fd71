import type { Tool } from '@modelcontextprotocol/client';
import { isObject } from '../../lib/core/protocol/json-rpc.js';
import {
  listBranches,
  readAcceptedValues,
  readTypes,
  readValues,
  resolveReference,
  type JsonSchema,
} from '../call/accepted-values.js';
import { makeLine } from '../visible-text.js';
import { formatConstraints, formatShort } from './format-constraints.js';
import { listShapes, type Shape } from './list-shapes.js';

/** Members of members beyond this, and rows of one tool, tell a reader nothing more. */
const DEEPEST = 4;
const MOST_ROWS = 200;

/** Prints the tools and their arguments, for a person. */
export function formatTools(tools: readonly Tool[]): string {
  return tools.map(formatTool).join('\n\n');
}

function formatTool({ name, title, description, inputSchema }: Tool): string {
  const about = makeLine(description ?? title ?? '');
  const head = about === '' ? makeLine(name) : `${makeLine(name)}  ${about}`;
  const room = { rows: MOST_ROWS };
  const rows = formatMembers(inputSchema, { root: inputSchema, outer: [], room });
  return [head, ...rows, ...(room.rows < 0 ? ['  …'] : [])].join('\n');
}

/** Where a member stands. */
interface Place {
  readonly root: JsonSchema;
  /** The schemas that it is a member of. */
  readonly outer: readonly JsonSchema[];
  /** How many rows may still be written for the tool. */
  readonly room: { rows: number };
}

/** Something that is a member of itself is shown once. */
function formatMembers(given: unknown, { root, outer, room }: Place): readonly string[] {
  const schema = resolveReference(given, root);
  if (schema === undefined || outer.length >= DEEPEST || outer.includes(schema)) return [];
  const place = { root, outer: [...outer, schema], room };
  const shapes = listShapes(schema, root);
  const margin = '  '.repeat(place.outer.length);
  const [only] = shapes;
  if (shapes.length <= 1) return only === undefined ? [] : formatShape(only, place, margin);
  return shapes.flatMap((shape, index) => [
    `${margin}${index === 0 ? 'either' : 'or'}`,
    ...formatShape(shape, place, `${margin}  `),
  ]);
}

function formatShape({ properties, required }: Shape, place: Place, margin: string): readonly string[] {
  const names = [...properties.keys()].map(makeLine);
  const width = Math.max(0, ...names.map((name) => name.length));
  return [...properties].flatMap(([name, property]) => {
    place.room.rows -= 1;
    if (place.room.rows < 0) return [];
    const kind = [
      formatKind(property, place.root),
      ...(required.has(name) ? ['required'] : []),
      ...formatDefault(property, place.root),
    ].join(', ');
    const described = readMember(property, place.root, 'description');
    const about = typeof described === 'string' ? makeLine(described) : '';
    const head = `${margin}${makeLine(name).padEnd(width)}  ${kind}${about === '' ? '' : ` · ${about}`}`;
    return [head, ...formatMembers(property, place)];
  });
}

function formatDefault(property: unknown, root: JsonSchema): readonly string[] {
  const value = readMember(property, root, 'default');
  return value === undefined ? [] : [`default ${formatShort(value)}`];
}

/** What stands beside a reference goes before what it leads to. */
function readMember(property: unknown, root: JsonSchema, name: 'default' | 'description'): unknown {
  const own = isObject(property) ? property[name] : undefined;
  return own ?? resolveReference(property, root)?.[name];
}

/** Lists within lists beyond this tell a reader nothing more. */
const MOST_LISTS = 8;

/** A list may have itself among its items: what is being written already is not written again. */
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
