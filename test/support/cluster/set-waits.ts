import { RelayWaits } from '../../../lib/server/relay/relay-waits.js';
import { ServerParts } from '../../../lib/server/server-parts.js';
import type { RunningApp } from '../applications/boot.js';

/** Sets for how long a process waits for others. Nest does not know of the waits, so that no provider can be overridden. */
export function setWaits({ app }: RunningApp, waits: Partial<RelayWaits>): void {
  const kept = app.get(ServerParts).find(RelayWaits);
  if (kept === undefined) throw new Error('The process waits for nobody');
  Object.assign(kept, waits);
}
