import type { Named } from '../../catalog/entries.js';
import type { ToolOptions } from '../../settings/handler-options.interface.js';
import type { ToolSearchSettings } from '../../settings/catalog-options.js';

/** The arguments of a search. */
export interface SearchArguments {
  readonly query: string;
  readonly limit?: number;
  readonly cursor?: string;
}

/** Characters of a query. */
const LONGEST_QUERY = 1000;

/** Characters of a cursor, which has a number in it. */
const LONGEST_CURSOR = 100;

const FOUND = {
  type: 'object',
  properties: {
    tools: {
      type: 'array',
      description: 'Definitions as `tools/list` has them, the best first',
      items: {
        type: 'object',
        properties: { name: { type: 'string' }, inputSchema: { type: 'object' } },
        required: ['name', 'inputSchema'],
      },
    },
    nextCursor: { type: 'string', description: 'Present if there are more: give it as `cursor`' },
  },
  required: ['tools'],
};

/** Describes the tool that searches. */
export function describeSearchTool({
  name,
  callTool,
  limit,
  maxLimit,
}: ToolSearchSettings): Named<ToolOptions> {
  const way = callTool === undefined ? 'by its name' : `by its name, or with "${callTool}" if you cannot`;
  return {
    name,
    title: 'Search tools',
    description: `Finds tools of this server that are not listed, by what they do. Gives their definitions, with the schemas of their arguments. Call a tool that was found ${way}.`,
    inputSchema: {
      type: 'object',
      properties: {
        query: {
          type: 'string',
          minLength: 1,
          maxLength: LONGEST_QUERY,
          description: 'What the tool should do, in words that its name or description may have',
        },
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: maxLimit,
          default: limit,
          description: 'How many tools to give',
        },
        cursor: {
          type: 'string',
          maxLength: LONGEST_CURSOR,
          description: 'The `nextCursor` of the previous search, for further tools',
        },
      },
      required: ['query'],
      additionalProperties: false,
    },
    outputSchema: FOUND,
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  };
}

/** Describes the tool that calls others. */
export function describeCallTool(name: string, { name: searchTool }: ToolSearchSettings): Named<ToolOptions> {
  return {
    name,
    title: 'Call a tool',
    description: `Calls a tool that "${searchTool}" has found, with arguments that fit its "inputSchema".`,
    inputSchema: {
      type: 'object',
      properties: {
        name: { type: 'string', description: 'The name of the tool' },
        arguments: { type: 'object', description: 'Its arguments', additionalProperties: true },
      },
      required: ['name'],
      additionalProperties: false,
    },
  };
}
