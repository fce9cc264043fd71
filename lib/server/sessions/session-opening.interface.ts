import type { Peer } from '../context/peer.interface.js';
import type { Negotiated } from './negotiated.interface.js';

/** A peer before initialization, which opens its session. */
export interface SessionOpening extends Peer {
  /** Whether the server discards the negotiated state and so promises nothing beyond each request. @default false */
  readonly keepsNothing?: boolean;
  /** Receives what initialization negotiated; a transport without sessions does not store it. */
  open(negotiated: Negotiated): void;
}

/** Returns whether a peer is served without a session. */
export function isWithoutSession(peer: Peer): boolean {
  return isSessionOpening(peer) && peer.keepsNothing === true;
}

/** Returns whether a peer can still be initialized. */
export function isSessionOpening(peer: Peer): peer is SessionOpening {
  return 'open' in peer && typeof peer.open === 'function';
}
