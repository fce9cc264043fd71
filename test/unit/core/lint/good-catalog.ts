import type { ListedCatalog } from '../../../../lib/core/lint/read-catalog.js';

type Members = Readonly<Record<string, unknown>>;

const TICKET = { type: 'object', properties: { id: { type: 'string' } } };

/** A tool in which there is nothing to find. */
export function buildTool(members: Members = {}): Members {
  return {
    name: 'find_tickets',
    title: 'Find tickets',
    description: 'Finds tickets by words of their text; gives the ten newest, with their ids',
    inputSchema: {
      type: 'object',
      properties: { words: { type: 'string', description: 'What to look for, such as "printer jam"' } },
      required: ['words'],
    },
    outputSchema: TICKET,
    annotations: { readOnlyHint: true },
    ...members,
  };
}

/** A tool that takes these arguments. */
export function buildTaking(properties: Members, members: Members = {}): Members {
  return buildTool({ inputSchema: { type: 'object', properties, ...members } });
}

/** A catalog in which there is nothing to find. */
export function buildCatalog(): ListedCatalog {
  return {
    instructions: 'Finds and closes tickets of the help desk: call find_tickets before close_ticket.',
    tools: [
      buildTool(),
      buildTool({
        name: 'close_ticket',
        description: 'Closes one ticket for good and tells whoever opened it',
        inputSchema: {
          type: 'object',
          properties: {
            ticket_id: { type: 'string', description: 'As find_tickets gives it, such as "T-1012"' },
          },
        },
        annotations: { readOnlyHint: false, destructiveHint: true },
      }),
    ],
    prompts: [
      {
        name: 'triage',
        description: 'Sorts a new ticket by how urgent it is',
        arguments: [{ name: 'ticket', description: 'The id of the ticket' }],
      },
    ],
    resources: [
      {
        uri: 'desk://rules',
        name: 'rules',
        description: 'How fast tickets are answered',
        mimeType: 'text/plain',
      },
    ],
    resourceTemplates: [
      {
        uriTemplate: 'desk://tickets/{id}',
        name: 'ticket',
        description: 'The whole text of one entry of the desk',
        mimeType: 'application/json',
      },
    ],
  };
}
