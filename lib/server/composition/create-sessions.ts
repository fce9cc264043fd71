import { CallerParts } from '../sessions/callers/caller-parts.js';
import { EndedCallers } from '../sessions/callers/ended-callers.js';
import { StatelessRequests } from '../sessions/in-flight-requests.js';
import { SessionPlaces } from '../sessions/places/session-places.js';
import { SessionRegistry } from '../sessions/session-registry.js';
import { BoundedState } from '../sessions/shared/bounded-state.js';
import { LostRecords } from '../sessions/shared/lost-records.js';
import { SessionNews } from '../sessions/shared/session-news.js';
import { SharedSessions } from '../sessions/shared/shared-sessions.js';
import type { FoundationParts } from './create-foundation.js';
import type { ServerInputs } from './server-inputs.js';

export type SessionParts = ReturnType<typeof createSessions>;

/** Creates the sessions of a server, and the way to end everything of a caller. */
export function createSessions(
  { settings }: Pick<ServerInputs, 'settings'>,
  { bus, memory, sealer }: Pick<FoundationParts, 'bus' | 'memory' | 'sealer'>,
) {
  const places = new SessionPlaces(settings);
  const state = new BoundedState(bus);
  const news = new SessionNews(bus, state);
  const registry = new SessionRegistry(settings, sealer, places, memory, bus, news);
  const callers = new CallerParts(bus);
  const ended = new EndedCallers(bus, settings);
  return {
    places,
    state,
    news,
    registry,
    callers,
    ended,
    lost: new LostRecords(bus, registry, ended),
    shared: new SharedSessions(registry, bus, state, settings, ended, news),
    detached: new StatelessRequests(),
  };
}
