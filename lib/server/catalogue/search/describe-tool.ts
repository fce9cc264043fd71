import type { OpenObject } from '../../../core/protocol/capabilities.js';
import { isObject } from '../../../core/protocol/json-rpc.js';
import type { ToolEntry } from '../entries.js';

/** The searchable text of a tool. */
export interface ToolDescription {
  readonly id: number;
  readonly name: string;
  readonly title: string;
  readonly tags: string;
  readonly description: string;
  /** Names and descriptions of its parameters. */
  readonly parameters: string;
}

/** Characters of a tool that are read: descriptions may be as long as books. */
const LONGEST_TEXT = 8192;

/** How deep parameters are looked for in parameters. */
const DEEPEST = 4;

/** Describes a tool for the search, from its entry in the list. */
export function describeTool({ sequence, definition, options }: ToolEntry): ToolDescription {
  const { name, title = '', description = '', inputSchema } = definition;
  const parameters = listParameters(inputSchema, 0).join(' ').slice(0, LONGEST_TEXT);
  return {
    id: sequence,
    name,
    title: title.slice(0, LONGEST_TEXT),
    tags: (options.tags ?? []).join(' ').slice(0, LONGEST_TEXT),
    description: description.slice(0, LONGEST_TEXT),
    parameters,
  };
}

function listParameters({ properties, items }: OpenObject, depth: number): readonly string[] {
  if (depth === DEEPEST) return [];
  const inner = isObject(items) ? listParameters(items, depth + 1) : [];
  if (!isObject(properties)) return inner;
  const own = Object.entries(properties).flatMap(([name, schema]) => {
    if (!isObject(schema)) return [name];
    const { title, description } = schema;
    const texts = [name, title, description].filter((text) => typeof text === 'string');
    return [...texts, ...listParameters(schema, depth + 1)];
  });
  return [...own, ...inner];
}
