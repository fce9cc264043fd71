import { CallerParts } from '../sessions/callers/caller-parts.js';
import { EndedCallers } from '../sessions/callers/ended-callers.js';
import { StatelessRequests } from '../sessions/in-flight-requests.js';
import { SessionSlots } from '../sessions/slots/session-slots.js';
import { SessionRegistry } from '../sessions/session-registry.js';
import { BoundedState } from '../sessions/shared/bounded-state.js';
import { LostRecords } from '../sessions/shared/lost-records.js';
import { SessionUpdates } from '../sessions/shared/session-updates.js';
import { SharedSessions } from '../sessions/shared/shared-sessions.js';
import type { FoundationParts } from './create-foundation.js';
import type { ServerInputs } from './server-inputs.js';

export type SessionParts = ReturnType<typeof createSessions>;

/** Creates a server's sessions, and the service that ends all of a caller's work. */
export function createSessions(
  { settings }: Pick<ServerInputs, 'settings'>,
  { bus, memory, sealer }: Pick<FoundationParts, 'bus' | 'memory' | 'sealer'>,
) {
  const slots = new SessionSlots(settings);
  const state = new BoundedState(bus);
  const updates = new SessionUpdates(bus, state);
  const registry = new SessionRegistry(settings, sealer, slots, memory, bus, updates);
  const callers = new CallerParts(bus);
  const ended = new EndedCallers(bus, settings);
  return {
    slots,
    state,
    updates,
    registry,
    callers,
    ended,
    lost: new LostRecords(bus, registry, ended),
    shared: new SharedSessions(registry, bus, state, settings, ended, updates),
    detached: new StatelessRequests(),
  };
}
