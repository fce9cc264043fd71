import { z } from 'zod';
import { PROTOCOL_VERSIONS } from '../wire.js';
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
export function buildToolDescriptions(count) {
    return Array.from({ length: count }, (_, index) => ({
        name: `search_queue_${index}`,
        description: `Searches the tickets of support queue ${index} and returns the ones that match best`,
    }));
}
/** The one handler behind every tool. */
export function searchTickets({ query, status, limit }) {
    return { content: [{ type: 'text', text: `${limit} ${status} tickets match "${query}"` }] };
}
/** Builds the results a bare server returns, by method; they are what a full server answers to the same requests. */
export function buildResults(wire, tools) {
    const inputSchema = searchArguments['~standard'].jsonSchema.input({ target: 'draft-2020-12' });
    const list = { tools: buildToolDescriptions(tools).map((tool) => ({ ...tool, inputSchema })) };
    const call = searchTickets({ query: 'printer', status: 'open', limit: 10 });
    const initialize = {
        protocolVersion: PROTOCOL_VERSIONS.handshake,
        capabilities: { logging: {}, tools: { listChanged: true } },
        serverInfo: SERVER_INFO,
    };
    if (wire === 'handshake')
        return { 'tools/list': list, 'tools/call': call, initialize };
    const envelope = {
        resultType: 'complete',
        _meta: { 'io.modelcontextprotocol/serverInfo': SERVER_INFO },
    };
    return {
        'tools/list': { ...list, ...envelope, ttlMs: 0, cacheScope: 'private' },
        'tools/call': { ...call, ...envelope },
    };
}
