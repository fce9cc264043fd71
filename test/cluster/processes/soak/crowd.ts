import { readResult } from '../../../../cli/bench/wire/read-result.js';
import type { LoadConnection } from '../../../../cli/bench/wire/load-connection.js';
import { connect } from '../../../bench/session.js';
import { buildHandshake, type McpRequest } from '../../../../cli/bench/wire/mcp-request.js';
import { findHeader } from '../../../../cli/bench/wire/raw-response.js';
import { createRequest, PROTOCOL_VERSIONS, type Destination } from '../../../bench/wire.js';

/** How long calls took, in milliseconds, and whether one was answered otherwise than it should be. */
export interface TakenUp {
  readonly latencies: readonly number[];
  readonly failures: readonly string[];
}

const CONNECTIONS = 32;
const HANDSHAKE = buildHandshake(PROTOCOL_VERSIONS.handshake);
const WHERE: McpRequest = { method: 'tools/call', params: { name: 'where', arguments: {} } };

/** Makes handshakes at one process, and gives the ids of the sessions. */
export async function openSessions(url: string, count: number): Promise<readonly string[]> {
  const { port } = addressOf(url);
  const ids: string[] = [];
  let begun = 0;
  await onConnections([port], async (connection) => {
    const request = createRequest({ port, wire: 'handshake' }, HANDSHAKE);
    while (begun < count) {
      begun += 1;
      const { status, head, body } = await connection.exchange(request.next().bytes);
      const id = findHeader(head, 'mcp-session-id');
      if (status !== 200 || id === undefined)
        throw new Error(`A handshake was answered ${status} ${body.toString()}`);
      ids.push(id);
    }
  });
  return ids;
}

/**
 * Has each session call a tool once at so many processes, which have to adopt it by its id.
 *
 * @param urls of the processes; each session begins at another one
 */
export async function useSessions(
  urls: readonly string[],
  ids: readonly string[],
  spread: number,
): Promise<TakenUp> {
  const ports = urls.map((url) => addressOf(url).port);
  const [latencies, failures]: [number[], string[]] = [[], []];
  const next = ports.map(() => 0);
  const work = async (connection: LoadConnection, port: number, process: number): Promise<void> => {
    for (;;) {
      const index = next[process] ?? 0;
      if (index >= ids.length) return;
      next[process] = index + 1;
      if ((index + ports.length - process) % ports.length >= spread) continue;
      const begun = performance.now();
      const session = {
        'mcp-session-id': ids[index] ?? '',
        'mcp-protocol-version': PROTOCOL_VERSIONS.handshake,
      };
      const failure = await callWhere(connection, { port, wire: 'handshake', session });
      latencies.push(performance.now() - begun);
      if (failure !== undefined) failures.push(failure);
    }
  };
  await onConnections(ports, work);
  return { latencies, failures };
}

async function callWhere(connection: LoadConnection, destination: Destination): Promise<string | undefined> {
  const answer = await connection.exchange(createRequest(destination, WHERE).next().bytes);
  try {
    readResult(answer);
    return undefined;
  } catch {
    return `${answer.status} ${answer.body.toString().slice(0, 200)}`;
  }
}

/** Does something on connections to each of some ports. */
async function onConnections(
  ports: readonly number[],
  act: (connection: LoadConnection, port: number, index: number) => Promise<void>,
): Promise<void> {
  const share = Math.ceil(CONNECTIONS / ports.length);
  await Promise.all(
    ports.flatMap((port, index) =>
      Array.from({ length: share }, async () => {
        const connection = await connect({ port });
        try {
          await act(connection, port, index);
        } finally {
          connection.destroy();
        }
      }),
    ),
  );
}

function addressOf(url: string): { readonly port: number } {
  return { port: Number(new URL(url).port) };
}
