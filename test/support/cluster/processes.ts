import { McpModule } from 'nestjs-mcp';
import { memoryCluster } from 'nestjs-mcp/testing';
import { ClusterTimeouts } from '../../../lib/server/cluster/cluster-bus.js';
import type { ServerParts } from '../applications/server.js';
import { bootTestingApp, type RunningApp } from '../applications/boot.js';
import { SessionClient } from '../clients/json-rpc.js';
import { FaultyCluster } from './faulty-cluster.js';
import { setWaits } from './set-waits.js';

/** How many processes there are, and what each of them is. */
export interface ProcessParts extends ServerParts {
  /** @default 2 */
  readonly count?: number;
  /** For how long they wait for one another, if that is not what the product waits. */
  readonly waits?: Partial<ClusterTimeouts>;
}

/** Several applications that are one server. */
export interface Processes {
  readonly cluster: FaultyCluster;
  readonly servers: readonly [RunningApp, RunningApp, ...RunningApp[]];
  /** Has no process wait long for what does not come, while something happens. */
  impatiently<T>(act: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

const SECRET = 'the secret that all processes share';

/** The engine is the memory of one process: it counts whoever lives. */
const WAITS: Partial<ClusterTimeouts> = { retryMs: 10, certainMs: 50 };

const IMPATIENCE: Partial<ClusterTimeouts> = { answerMs: 50, postMs: 0, streamMs: 0 };

/** Starts applications that share an engine, as processes of one server do. */
export async function startProcesses({
  count = 2,
  waits,
  options,
  imports = [],
  ...parts
}: ProcessParts): Promise<Processes> {
  const cluster = new FaultyCluster(memoryCluster(), SECRET);
  const shared = { serverInfo: { name: 'desk', version: '1.0.0' }, secret: SECRET, cluster, ...options };
  const patience = { ...new ClusterTimeouts(), ...WAITS, ...waits };
  const servers: RunningApp[] = [];
  for (let index = 0; index < count; index += 1) {
    const server = await bootTestingApp({ ...parts, imports: [McpModule.forRoot(shared), ...imports] });
    setWaits(server, patience);
    servers.push(server);
  }
  const setAll = (given: Partial<ClusterTimeouts>) => servers.forEach((server) => setWaits(server, given));
  return {
    cluster,
    servers: servers as [RunningApp, RunningApp],
    impatiently: async (act) => {
      setAll(IMPATIENCE);
      return act().finally(() => setAll(patience));
    },
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
