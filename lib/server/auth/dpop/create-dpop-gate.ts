import type { Sealer } from '../../../core/sealing/sealer.js';
import type { MemoryBudget } from '../../memory/memory-budget.js';
import type { ClusterBus } from '../../cluster/cluster-bus.js';
import type { BoundedState } from '../../sessions/shared/bounded-state.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import { DpopGate } from './dpop-gate.js';
import { DpopNonces } from './dpop-nonces.js';
import { ProofRegister } from './proof-register.js';
import { RequestTarget } from './request-target.js';

/** What a server gives its gate. */
export interface GateSurroundings {
  readonly memory: MemoryBudget;
  readonly bus: ClusterBus;
  readonly state: BoundedState;
  readonly sealer: Sealer;
  /** The path of the endpoint, once the application is set up. */
  readonly endpoint: { readonly path: string };
}

/** Creates what checks proofs, if a server takes bound tokens. What verifies them is loaded for those alone. */
export async function createDpopGate(
  { auth, mcpPath: server }: Pick<ServerSettings, 'auth' | 'mcpPath'>,
  { memory, bus, state, sealer, endpoint }: GateSurroundings,
): Promise<DpopGate | undefined> {
  if (auth?.dpop === undefined) return undefined;
  const { resourceUri = '' } = auth;
  const { DpopProofs } = await import('./dpop-proofs.js');
  const { windowSeconds, nonce, nonceLifetimeSeconds: lifetimeSeconds, mode } = auth.dpop;
  const register = new ProofRegister({ memory, bus, state, windowSeconds });
  const nonces = nonce ? new DpopNonces({ sealer, server, lifetimeSeconds }) : undefined;
  const target = new RequestTarget({ resourceUri, endpoint });
  const proofs = new DpopProofs({ settings: auth.dpop, target, register, nonces });
  return new DpopGate({ isRequired: mode === 'required', proofs, nonces, register });
}
