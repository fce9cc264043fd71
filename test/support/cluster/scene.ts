import type { RedisServer } from '../redis/redis-server.js';
import { announce, Audience } from './audience.js';
import { CallLoad } from './call-load.js';
import type { Begin } from './end-after-each.js';
import { ProcessCluster, type ClusterParts } from './process-cluster.js';

/** A server, those who listen to it, and those who call it. */
export interface Scene {
  readonly cluster: ProcessCluster;
  /** Two at each of three processes, in the order of these. */
  readonly audience: Audience;
  readonly load: CallLoad;
}

/** Starts a server on a Redis, with clients that listen and clients that call. All have heard the numbers 1 to 20 then. */
export async function openScene(begin: Begin, redis: RedisServer, parts: ClusterParts = {}): Promise<Scene> {
  const cluster = await begin(ProcessCluster.start({ redis, ...parts }));
  const audience = await begin(Audience.open([0, 0, 1, 1, 2, 2].map((index) => cluster.urlOf(index))));
  const load = await begin(CallLoad.start(cluster.url, { repeats: 0 }));
  await announce(cluster.urlOf(0), { count: 20 });
  await audience.heard(20);
  return { cluster, audience, load };
}
