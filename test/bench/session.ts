import { readResult } from '../../cli/bench/wire/read-result.js';
import { LoadConnection } from '../../cli/bench/wire/load-connection.js';
import { LoadSessions } from '../../cli/bench/wire/load-sessions.js';
import { buildTarget, createRequest, type Headers, type Server, WIRES } from './wire.js';

/** Connects to a server on this machine. */
export function connect(server: Server): Promise<LoadConnection> {
  return LoadConnection.open(buildTarget(server));
}

/** The sessions that a server keeps, to be opened and ended. */
export function trackSessions(server: Server): LoadSessions {
  return new LoadSessions(buildTarget(server), WIRES.handshake);
}

/** Sessions that are open and never used. */
export interface IdleSessions {
  readonly count: number;
  /** What each is subscribed to, if anything. */
  readonly uri?: string | undefined;
}

/** Opens sessions that nobody uses any more, over some connections. */
export async function openIdleSessions(
  server: Server,
  { count, uri }: IdleSessions,
  connections: number,
): Promise<void> {
  const share = Math.ceil(count / connections);
  await Promise.all(
    Array.from({ length: Math.min(count, connections) }, async () => {
      const connection = await connect(server);
      const sessions = trackSessions(server);
      for (let opened = 0; opened < share; opened += 1) {
        const session = await sessions.open(connection);
        if (sessions.size === 0) throw new Error('The server keeps no sessions');
        if (uri !== undefined) await subscribe(connection, server, { session, uri });
      }
      connection.destroy();
    }),
  );
}

/** Subscribes a session to a resource. */
export async function subscribe(
  connection: LoadConnection,
  server: Server,
  { session, uri }: { readonly session: Headers; readonly uri: string },
): Promise<void> {
  const request = { method: 'resources/subscribe', params: { uri } };
  const { bytes } = createRequest({ ...server, wire: 'handshake', session }, request).next();
  readResult(await connection.exchange(bytes));
}
