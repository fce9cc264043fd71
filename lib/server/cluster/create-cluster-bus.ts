import type { ClusterBus, ClusterTimeouts } from './cluster-bus.js';
import type { TraceCarrier } from './inbox.js';
import { LocalBus } from './local-bus.js';
import type { ServerSettings } from '../settings/server-settings.js';

/** Creates a server's bus. The cluster bus is loaded only if the server is part of a cluster. */
export async function createClusterBus(
  { cluster, mcpPath, keyring }: Pick<ServerSettings, 'cluster' | 'mcpPath' | 'keyring'>,
  waits: ClusterTimeouts,
  telemetry?: { readonly traces?: TraceCarrier | undefined },
): Promise<ClusterBus> {
  if (cluster === undefined) return new LocalBus();
  const { DistributedBus } = await import('./distributed-bus.js');
  return new DistributedBus(cluster, mcpPath, keyring, telemetry?.traces, waits);
}
