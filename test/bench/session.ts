import type { Connection } from './connection.js';
import { findHeader } from './http-answer.js';
import { buildInitialize, buildPost, buildSessionEnd, type Destination } from './wire.js';

/** Where a server listens, and what opens it. */
export type Server = Pick<Destination, 'port' | 'token'>;

/** Performs the handshake and gives the session's id, or `undefined` if the server keeps no sessions. */
export async function openSession(
  connection: Connection,
  { port, token }: Server,
): Promise<string | undefined> {
  const destination: Destination = { port, token, wire: 'handshake' };
  const answer = await connection.exchange(buildPost(destination, buildInitialize(), 1));
  if (answer.status !== 200)
    throw new Error(`"initialize" was answered ${answer.status}: ${answer.body.toString()}`);
  const sessionId = findHeader(answer.head, 'mcp-session-id');
  const initialized = { method: 'notifications/initialized', params: {} };
  const { status } = await connection.exchange(buildPost({ ...destination, sessionId }, initialized));
  if (status >= 300) throw new Error(`"notifications/initialized" was answered ${status}`);
  return sessionId;
}

/** Opens sessions over one connection that nobody uses any more. */
export async function openIdleSessions(
  connection: Connection,
  server: Server,
  { count, uri }: IdleSessions,
): Promise<void> {
  for (let opened = 0; opened < count; opened += 1) {
    const sessionId = await openSession(connection, server);
    if (sessionId === undefined) throw new Error('The server keeps no sessions');
    if (uri !== undefined) await subscribe(connection, server, { sessionId, uri });
  }
}

/** Sessions that are open and never used. */
export interface IdleSessions {
  readonly count: number;
  /** What each is subscribed to, if anything. */
  readonly uri?: string | undefined;
}

/** Subscribes a session to a resource. */
export async function subscribe(
  connection: Connection,
  { port, token }: Server,
  { sessionId, uri }: { sessionId: string | undefined; uri: string },
): Promise<void> {
  const message = { method: 'resources/subscribe', params: { uri } };
  const destination: Destination = { port, token, wire: 'handshake', sessionId };
  const { status, body } = await connection.exchange(buildPost(destination, message, 1));
  if (status !== 200) throw new Error(`The subscription was answered ${status}: ${body.toString()}`);
}

/** Ends sessions over one connection. */
export async function endSessions(
  connection: Connection,
  { port, token }: Server,
  sessionIds: string[],
): Promise<void> {
  for (const sessionId of sessionIds) {
    await connection.exchange(buildSessionEnd({ port, token, wire: 'handshake', sessionId }));
  }
}
