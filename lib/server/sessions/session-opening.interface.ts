import type { Peer } from '../context/peer.interface.js';
import type { Negotiated } from './negotiated.interface.js';

/** A peer before its handshake: `initialize` opens its session. */
export interface SessionOpening extends Peer {
  /** Whether the server discards the handshake and so promises nothing beyond each request. @default false */
  readonly keepsNothing?: boolean;
  /** Receives what the handshake negotiated; a transport without sessions does not store it. */
  open(negotiated: Negotiated): void;
}

/** Returns whether a peer is served without a session. */
export function isWithoutSession(peer: Peer): boolean {
  return isSessionOpening(peer) && peer.keepsNothing === true;
}

/** Returns whether a peer can still perform a handshake. */
export function isSessionOpening(peer: Peer): peer is SessionOpening {
  return 'open' in peer && typeof peer.open === 'function';
}
