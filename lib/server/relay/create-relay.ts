import type { ServerSettings } from '../settings/server-settings.js';
import { LocalRelay } from './local-relay.js';
import type { Relay } from './relay.js';
import type { RelayWaits } from './relay-waits.js';
import type { TraceCarrier } from './trace-carrier.interface.js';

/** Creates the relay of a server: one that joins the others, which is loaded for that alone, or one that is alone. */
export async function createRelay(
  { cluster, mcpPath, keyring }: Pick<ServerSettings, 'cluster' | 'mcpPath' | 'keyring'>,
  waits: RelayWaits,
  telemetry?: { readonly traces?: TraceCarrier | undefined },
): Promise<Relay> {
  if (cluster === undefined) return new LocalRelay();
  const { ClusterRelay } = await import('./cluster-relay.js');
  return new ClusterRelay(cluster, mcpPath, keyring, telemetry?.traces, waits);
}
