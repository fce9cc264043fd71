import { bootServer, type ServerParts } from '../applications/server.js';
import type { RunningApp } from '../applications/boot.js';
import { SessionClient } from '../clients/json-rpc.js';
import { FaultyCluster } from './faulty-cluster.js';
import { SimpleCluster } from './simple-cluster.js';

/** How many processes there are, and what each of them is. */
export interface ProcessParts extends ServerParts {
  /** @default 2 */
  readonly count?: number;
}

/** Several applications that are one server. */
export interface Processes {
  readonly cluster: FaultyCluster;
  readonly servers: readonly [RunningApp, RunningApp, ...RunningApp[]];
  close(): Promise<void>;
}

const SECRET = 'the secret that all processes share';

/** Starts applications that share an engine, as processes of one server do. */
export async function startProcesses({ count = 2, options, ...parts }: ProcessParts): Promise<Processes> {
  const cluster = new FaultyCluster(new SimpleCluster(), SECRET);
  const shared = { secret: SECRET, cluster, ...options };
  const servers: RunningApp[] = [];
  for (let index = 0; index < count; index += 1) {
    servers.push(await bootServer({ ...parts, options: shared }));
  }
  return {
    cluster,
    servers: servers as [RunningApp, RunningApp],
    close: async () => void (await Promise.all(servers.map((server) => server.close()))),
  };
}

/** Gives the same session, by another process, or by another token. */
export function sessionAt(
  { url }: Pick<RunningApp, 'url'>,
  { handshake, extraHeaders }: SessionClient,
  headers = extraHeaders,
): SessionClient {
  return new SessionClient(url, handshake, headers);
}
