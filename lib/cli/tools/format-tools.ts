import type { Tool } from '@modelcontextprotocol/client';
import { isObject } from '../../core/protocol/json-rpc.js';
import { readAcceptedValues, type JsonSchema } from '../call/accepted-values.js';
import { makeLine } from '../visible-text.js';

/** Prints the tools and their arguments, for a person. */
export function formatTools(tools: readonly Tool[]): string {
  return tools.map(formatTool).join('\n\n');
}

function formatTool({ name, title, description, inputSchema }: Tool): string {
  const about = makeLine(description ?? title ?? '');
  const head = about === '' ? makeLine(name) : `${makeLine(name)}  ${about}`;
  return [head, ...formatProperties(inputSchema)].join('\n');
}

function formatProperties(schema: JsonSchema): readonly string[] {
  const properties = isObject(schema['properties']) ? Object.entries(schema['properties']) : [];
  const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : [];
  const rows = properties.map(([name, property]) => ({
    name: makeLine(name),
    kind: `${formatKind(property, schema)}${required.includes(name) ? ', required' : ''}`,
    about: isObject(property) && typeof property['description'] === 'string' ? property['description'] : '',
  }));
  const width = (column: 'name' | 'kind') => Math.max(0, ...rows.map((row) => row[column].length));
  return rows.map(({ name, kind, about }) =>
    `  ${name.padEnd(width('name'))}  ${kind.padEnd(width('kind'))}  ${makeLine(about)}`.trimEnd(),
  );
}

/** Lists within lists beyond this tell a reader nothing more. */
const MOST_LISTS = 8;

/** A list may have itself among its items: what is being written already is not written again. */
function formatKind(property: unknown, root: JsonSchema, outer: readonly JsonSchema[] = []): string {
  const { types, values, items } = readAcceptedValues(property, root);
  if (values !== undefined) return values.map((value) => makeLine(JSON.stringify(value))).join(' | ');
  const lists = [...outer, items];
  const isCut = outer.includes(items) || lists.length === MOST_LISTS;
  const formatItems = () => (isCut ? 'any' : formatKind(items, root, lists));
  const names = [...types].map((type) => (type === 'array' ? `list of ${formatItems()}` : type));
  return names.length === 0 ? 'any' : names.join(' | ');
}
