import { CallerParts } from '../sessions/callers/caller-parts.js';
import { EndedCallers } from '../sessions/callers/ended-callers.js';
import { DetachedRequests } from '../sessions/in-flight-requests.js';
import { SessionPlaces } from '../sessions/places/session-places.js';
import { SessionRegistry } from '../sessions/session-registry.js';
import { BoundedState } from '../sessions/shared/bounded-state.js';
import { LostRecords } from '../sessions/shared/lost-records.js';
import { SessionNews } from '../sessions/shared/session-news.js';
import { SharedSessions } from '../sessions/shared/shared-sessions.js';
import type { FoundationParts } from './create-foundation.js';
import type { ServerInputs } from './server-inputs.js';

export type SessionParts = ReturnType<typeof createSessions>;

/** Makes what has the sessions of a server, and ends what a caller has. */
export function createSessions(
  { settings }: Pick<ServerInputs, 'settings'>,
  { relay, memory, sealer }: Pick<FoundationParts, 'relay' | 'memory' | 'sealer'>,
) {
  const places = new SessionPlaces(settings);
  const state = new BoundedState(relay);
  const news = new SessionNews(relay, state);
  const registry = new SessionRegistry(settings, sealer, places, memory, relay, news);
  const callers = new CallerParts(relay);
  const ended = new EndedCallers(relay, settings);
  return {
    places,
    state,
    news,
    registry,
    callers,
    ended,
    lost: new LostRecords(relay, registry, ended),
    shared: new SharedSessions(registry, relay, state, settings, ended, news),
    detached: new DetachedRequests(),
  };
}
