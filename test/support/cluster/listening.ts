import type { OutgoingHttpHeaders } from 'node:http';
import type { EventStream } from '../clients/event-stream.js';
import { initialize, perRequest } from '../clients/json-rpc.js';
import type { JsonObject } from '../clients/message.js';
import { SseClient } from '../clients/sse-client.js';

/** Who listens, and to what. */
export interface ListenerParts {
  readonly headers?: OutgoingHttpHeaders;
  readonly capabilities?: JsonObject;
  /** A resource to hear updates of. @default none */
  readonly uri?: string;
}

/** Opens at a process, by its origin, a stream on which its client hears what all are told. */
export type Listen = (origin: string, parts?: ListenerParts) => Promise<EventStream>;

/** The ways in which a client listens, by transport. */
export const WAYS_TO_LISTEN: readonly [string, Listen][] = [
  ['a standing stream of 2025-03-26', (origin, parts) => listenInSession(origin, '2025-03-26', parts)],
  ['a standing stream of 2025-11-25', (origin, parts) => listenInSession(origin, '2025-11-25', parts)],
  ['a stream of HTTP+SSE', listenBySse],
  ['a stream of subscriptions/listen', listenStateless],
];

async function listenInSession(
  origin: string,
  version: string,
  { uri, ...parts }: ListenerParts = {},
): Promise<EventStream> {
  const session = await initialize(`${origin}/mcp`, { version, ...parts });
  if (uri !== undefined) await session.request('resources/subscribe', { uri });
  return session.openStream();
}

async function listenBySse(origin: string, { uri, ...parts }: ListenerParts = {}): Promise<EventStream> {
  const client = await SseClient.connect(`${origin}/sse`, parts);
  if (uri !== undefined) await client.request('resources/subscribe', { uri });
  return client.stream;
}

async function listenStateless(origin: string, { uri, ...parts }: ListenerParts = {}): Promise<EventStream> {
  return perRequest(`${origin}/mcp`, parts).listen({
    toolsListChanged: true,
    promptsListChanged: true,
    resourcesListChanged: true,
    ...(uri !== undefined && { resourceSubscriptions: [uri] }),
  });
}
