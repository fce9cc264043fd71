import { memoryCluster } from 'nestjs-mcp/testing';
import { type ClusterTimeouts, Topic } from '../../../lib/server/cluster/cluster-bus.js';
import type { RunningApp } from '../applications/boot.js';
import { bootServer, type ServerParts } from '../applications/server.js';
import { SessionClient } from '../clients/json-rpc.js';
import { setWaits } from './set-waits.js';
import { WatchedCluster } from './watched-cluster.js';
import { getParts } from '../applications/get-parts.js';

/** One process of a server. */
export interface ClusterProcess extends RunningApp {
  /** What the others call it. */
  readonly member: string;
  /** The engine as this process has it. */
  readonly watched: WatchedCluster;
}

/** What the processes of a server are started with. */
export interface ClusterParts extends ServerParts {
  /** For how long they wait for one another, if that is not what the product waits. */
  readonly waits?: Partial<ClusterTimeouts>;
}

/** A server of several processes. */
export interface RunningCluster {
  readonly processes: readonly [ClusterProcess, ClusterProcess, ClusterProcess];
  readonly engine: ReturnType<typeof memoryCluster>;
  /** Starts one more process. */
  start(): Promise<ClusterProcess>;
  close(): Promise<void>;
}

const SECRET = 'the secret that all processes were given';

/** Starts three applications that are one server, each with handlers of its own. */
export async function startCluster({ options, waits, ...parts }: ClusterParts = {}): Promise<RunningCluster> {
  const engine = memoryCluster();
  const started: ClusterProcess[] = [];
  const start = async (): Promise<ClusterProcess> => {
    const watched = new WatchedCluster(engine);
    const app = await bootServer({ ...parts, options: { secret: SECRET, ...options, cluster: watched } });
    if (waits !== undefined) setWaits(app, waits);
    const process = { ...app, watched, member: getParts(app.app).foundation.bus.member };
    started.push(process);
    return process;
  };
  const processes = [await start(), await start(), await start()] as const;
  const close = async (): Promise<void> => {
    engine.heal();
    await Promise.all(started.map((process) => process.close()));
  };
  return { processes, engine, start, close };
}

const SETTLED = new Topic<object>('test.settled');

/** Waits until whatever a process has published is in the log. */
export function settle({ app }: RunningApp): Promise<void> {
  return getParts(app).foundation.bus.publishFlushed(SETTLED, {});
}

/** The same client, whose next requests reach another process. */
export function moveTo({ url }: RunningApp, { handshake, extraHeaders }: SessionClient): SessionClient {
  return new SessionClient(url, handshake, extraHeaders);
}
