import { Logger } from '../../core/logger/logger.js';
import { Sealer } from '../../core/sealing/sealer.js';
import { isTelemetryWanted } from '../../core/telemetry/telemetry-options.js';
import { MemoryBudget } from '../memory/memory-budget.js';
import { createClusterBus } from '../cluster/create-cluster-bus.js';
import { Owners } from '../cluster/owners.js';
import { ClusterTimeouts } from '../cluster/cluster-bus.js';
import { isStillAccepted } from '../settings/is-still-accepted.js';
import type { ServerIdentity } from '../settings/mcp.constants.js';
import type { ServerSettings } from '../settings/server-settings.js';
import { Draining } from '../shutdown/draining.js';
import { CallerStates } from '../state/caller-states.js';
import type { ServerTelemetry } from '../telemetry/server-telemetry.js';
import { EndpointPath } from '../transport/http/endpoint-path.js';
import type { CatalogContents } from './create-catalog.js';
import type { ServerInputs } from './server-inputs.js';

export type FoundationParts = Awaited<ReturnType<typeof createFoundation>>;

/** Creates the parts that all other parts of a server depend on. */
export async function createFoundation(
  { settings, identity, nest }: ServerInputs,
  { changes }: Pick<CatalogContents, 'changes'>,
) {
  const telemetry = await loadTelemetry(settings, identity);
  const memory = new MemoryBudget(settings);
  const sealer = createSealer(settings);
  const waits = new ClusterTimeouts();
  const bus = await createClusterBus(settings, waits, telemetry);
  return {
    telemetry,
    memory,
    sealer,
    waits,
    bus,
    // Entries may be added to a catalog before its server's options, and therefore its bus, are known.
    changes: { onModuleInit: () => changes.open(bus) },
    owners: new Owners(bus, waits),
    states: new CallerStates(bus, sealer, memory, settings),
    endpoint: new EndpointPath(settings, nest.application),
    draining: new Draining(nest.host, settings),
  };
}

/** Recording code is loaded only if something is recorded. */
async function loadTelemetry(
  { telemetry }: ServerSettings,
  { server }: ServerIdentity,
): Promise<ServerTelemetry | undefined> {
  if (!isTelemetryWanted(telemetry)) return undefined;
  const { ServerTelemetry } = await import('../telemetry/server-telemetry.js');
  return ServerTelemetry.load(telemetry, server, new Logger('McpTelemetry'));
}

function createSealer({ keyring, acceptFormerFormatUntil: until }: ServerSettings): Sealer {
  if (until !== undefined && !isStillAccepted(until)) {
    new Logger('McpServer').warn(
      '"acceptFormerFormatUntil" has passed and no longer has any effect: remove it',
    );
  }
  return new Sealer(keyring);
}
