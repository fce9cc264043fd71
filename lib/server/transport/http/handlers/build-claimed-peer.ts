import type { PerRequestClaim } from '../../../../core/protocol/headers/per-request-claim.js';
import type { Peer } from '../../../context/peer.interface.js';
import type { ServerSettings } from '../../../settings/server-settings.js';

/** Builds the peer of a request that says all there is to know of it. */
export function buildClaimedPeer(
  claim: PerRequestClaim,
  { capabilities }: Pick<ServerSettings, 'capabilities'>,
  sender: Pick<Peer, 'identity' | 'headers'>,
): Peer {
  const logLevel = capabilities.logging === false ? undefined : claim.logLevel;
  return { revision: claim.revision, client: claim, logLevel, ...sender };
}
