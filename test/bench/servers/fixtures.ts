import { z } from 'zod';

import { PROTOCOL_VERSIONS, type Wire } from '../wire.js';

export const SERVER_INFO = { name: 'bench', version: '1.0.0' };

export const ANNOUNCE_TOOL = {
  name: 'announce_change',
  description: 'Announces a changed tool list to every open stream',
};

export const LIST_CHANGED = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' };

export const searchArguments = z.object({
  query: z.string().min(1).max(200).describe('Words that must occur in the ticket'),
  status: z.enum(['open', 'pending', 'closed']).describe('The state the tickets are in'),
  limit: z.number().int().min(1).max(100).describe('How many tickets to return at most'),
  tags: z.array(z.string()).optional().describe('Labels of which the ticket has at least one'),
});

export type SearchArguments = z.infer<typeof searchArguments>;

export interface ToolDescription {
  name: string;
  description: string;
}

export function buildToolDescriptions(count: number): ToolDescription[] {
  return Array.from({ length: count }, (_, index) => ({
    name: `search_queue_${index}`,
    description: `Searches the tickets of support queue ${index} and returns the ones that match best`,
  }));
}

export function buildResourceDescriptions(count: number): (ToolDescription & { uri: string })[] {
  return Array.from({ length: count }, (_, index) => ({
    uri: `desk://queues/${index}`,
    name: `queue_${index}`,
    description: `How many tickets wait in support queue ${index}`,
  }));
}

/** The one handler behind every resource. */
export function readQueue(): string {
  return '10 open tickets';
}

/** The one handler behind every tool. */
export function searchTickets({ query, status, limit }: SearchArguments): {
  content: { type: 'text'; text: string }[];
} {
  return { content: [{ type: 'text', text: `${limit} ${status} tickets match "${query}"` }] };
}

/** Builds the results a bare server returns, by method; they are what a full server answers to the same requests. */
export function buildResults(wire: Wire, tools: number): Record<string, object> {
  const inputSchema = searchArguments['~standard'].jsonSchema.input({ target: 'draft-2020-12' });
  const list = { tools: buildToolDescriptions(tools).map((tool) => ({ ...tool, inputSchema })) };
  const call = searchTickets({ query: 'printer', status: 'open', limit: 10 });
  const initialize = {
    protocolVersion: PROTOCOL_VERSIONS.handshake,
    capabilities: { logging: {}, tools: { listChanged: true } },
    serverInfo: SERVER_INFO,
  };
  if (wire === 'handshake') return { 'tools/list': list, 'tools/call': call, initialize };
  const envelope = {
    resultType: 'complete',
    _meta: { 'io.modelcontextprotocol/serverInfo': SERVER_INFO },
  };
  return {
    'tools/list': { ...list, ...envelope, ttlMs: 0, cacheScope: 'private' },
    'tools/call': { ...call, ...envelope },
  };
}
