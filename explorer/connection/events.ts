import type { Client } from '@modelcontextprotocol/client';
import { isObject } from '../../lib/core/protocol/json-rpc.js';
import type { JsonSchema } from '../forms/json-schema.js';
import { listPages } from './list-pages.js';

/** An event type in the server's list. */
export interface EventType {
  readonly name: string;
  readonly title: string;
  readonly description: string | undefined;
  /** The delivery modes: `poll`, `push`, `webhook`. */
  readonly delivery: readonly string[];
  readonly inputSchema: JsonSchema;
  readonly payloadSchema: unknown;
}

/** Lists a server's event types. */
export async function listEvents(client: Client): Promise<readonly EventType[]> {
  return (await listPages(client, 'events/list', 'events')).flatMap(readEvent);
}

function readEvent(listed: Readonly<Record<string, unknown>>): readonly EventType[] {
  const { name, title, description, delivery, inputSchema, payloadSchema } = listed;
  if (typeof name !== 'string') return [];
  return [
    {
      name,
      title: typeof title === 'string' ? title : name,
      description: typeof description === 'string' ? description : undefined,
      delivery: Array.isArray(delivery) ? delivery.filter((one) => typeof one === 'string') : [],
      inputSchema: isObject(inputSchema) ? inputSchema : {},
      payloadSchema,
    },
  ];
}
