import type { JsonRpcRequest } from '../../core/protocol/json-rpc.js';
import type { AuthView } from '../context/auth-view.interface.js';
import type { Peer, ReplyChannel } from '../context/peer.interface.js';
import type { Hosting } from '../context/request-parts.interface.js';
import type { Session } from '../sessions/session.js';

/** A peer that may have shaken hands meanwhile. */
export type OpeningPeer = Peer & { readonly opened?: Session | undefined };

/** A request as it is followed. */
export interface FollowedRequest {
  readonly request: JsonRpcRequest;
  readonly channel: ReplyChannel;
  readonly peer: OpeningPeer;
  readonly auth?: AuthView | undefined;
  /** Bytes of the message, if they were counted. */
  readonly bytes?: number | undefined;
  readonly hosting?: Hosting | undefined;
}
