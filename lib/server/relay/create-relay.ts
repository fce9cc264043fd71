import type { ServerSettings } from '../settings/server-settings.js';
import { ClusterRelay } from './cluster-relay.js';
import { LocalRelay } from './local-relay.js';
import type { Relay } from './relay.js';
import type { TraceCarrier } from './trace-carrier.interface.js';

/** Creates the relay of a server: one that joins the others, or one that is alone. */
export function createRelay(
  { cluster, mcpPath, secrets }: Pick<ServerSettings, 'cluster' | 'mcpPath' | 'secrets'>,
  telemetry?: { readonly traces?: TraceCarrier | undefined },
): Relay {
  return cluster === undefined
    ? new LocalRelay()
    : new ClusterRelay(cluster, mcpPath, secrets, telemetry?.traces);
}
