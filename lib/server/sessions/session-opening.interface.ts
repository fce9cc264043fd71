import type { Peer } from '../context/peer.interface.js';
import type { Negotiated } from './negotiated.interface.js';

/** A peer that has not shaken hands yet: `initialize` opens its session. */
export interface SessionOpening extends Peer {
  /** Whether nothing of the handshake is kept, so that nothing can be promised beyond each request. @default false */
  readonly keepsNothing?: boolean;
  /** Takes what the handshake settled; a transport without sessions keeps nothing. */
  open(negotiated: Negotiated): void;
}

/** Returns whether a server without sessions serves a peer. */
export function isWithoutSession(peer: Peer): boolean {
  return isSessionOpening(peer) && peer.keepsNothing === true;
}

/** Returns whether a peer may still shake hands. */
export function isSessionOpening(peer: Peer): peer is SessionOpening {
  return 'open' in peer && typeof peer.open === 'function';
}
