import type { AuthView } from '../context/auth-view.interface.js';
import type { Peer } from '../context/peer.interface.js';
import type { Hosting, RequestParts } from '../context/request-parts.interface.js';
import type { Reconsider, Verdict } from '../context/verdict.interface.js';
import type { MemoryHold } from '../memory/memory-hold.js';
import type { RequestTracker } from '../sessions/in-flight-requests.js';

/** The facts about an arriving request. */
export interface Arrival extends Verdict {
  readonly peer: Peer;
  readonly inFlight: RequestTracker;
  /** The access of the request; absent if the server asks for no token. */
  readonly auth?: AuthView | undefined;
  /** Absent if the verdict stays the same whatever the caller sees. */
  readonly reconsider?: Reconsider | undefined;
  /** What came of counting the request, if that was done before. @default it was not counted */
  readonly counted?: Promise<void> | undefined;
  /** What the request takes of the memory that its caller may have. @default not counted */
  readonly memory?: MemoryHold | undefined;
  /** Bytes of the message as it came. @default not counted */
  readonly bytes?: number | undefined;
  /** What is different if not the client makes the request. @default nothing */
  readonly hosting?: Hosting & Pick<RequestParts, 'askers'>;
}

/** If a tool passes a call on, the headers repeat the arguments of that tool, not of the called one. */
export function forgetHeaders(arrival: Arrival): Arrival {
  const { peer } = arrival;
  return peer.headers === undefined ? arrival : { ...arrival, peer: { ...peer, headers: undefined } };
}
