import type { TokenScheme } from '../../../core/oauth/challenges.js';
import type { Sealer } from '../../../core/sealing/sealer.js';
import type { Authentication } from '../../context/authentication.js';
import type { MemoryBudget } from '../../memory/memory-budget.js';
import { nameAccount } from '../../memory/memory-account.js';
import type { ClusterBus } from '../../cluster/cluster-bus.js';
import type { BoundedState } from '../../sessions/shared/bounded-state.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import type { AdapterRequest } from '../auth-state.js';
import { RefusedProofError } from '../errors.js';
import { DpopNonces } from './dpop-nonces.js';
import type { DpopProofs } from './dpop-proofs.js';
import { ReplayCache } from './replay-cache.js';
import { RequestTarget } from './request-target.js';

/** How a token was presented. */
interface TokenPresentation {
  /** The request with the token; absent for a token from elsewhere, such as the environment. */
  readonly request?: object | undefined;
  /** @default 'Bearer' for a request */
  readonly scheme?: TokenScheme | undefined;
}

/** The parts of a verifier. */
interface DpopVerifierParts {
  readonly isRequired: boolean;
  readonly proofs: Pick<DpopProofs, 'check'>;
  readonly nonces?: DpopNonces | undefined;
  readonly register: Pick<ReplayCache, 'close'>;
}

/**
 * Accepts a DPoP-bound token only with a proof that its key signed, and never as a bearer token.
 *
 * @see RFC 9449 §7.1, §7.2
 */
export class DpopVerifier {
  constructor(private readonly parts: DpopVerifierParts) {}

  /** The nonce that proofs must currently include; absent if they need none. */
  get nonce(): string | undefined {
    return this.parts.nonces?.current;
  }

  /**
   * Checks how a valid token was presented. Returns a promise if a proof must be checked.
   *
   * @throws {RefusedProofError} if the scheme or proof is wrong, thrown or as a rejection
   * @throws {AuthUnavailableError} if a proof cannot be checked now, thrown or as a rejection
   */
  check(
    { keyThumbprint: thumbprint, identity }: Authentication,
    token: string,
    { request, scheme }: TokenPresentation,
  ): Promise<void> | undefined {
    if (thumbprint === undefined) {
      this.#assertBearer(scheme ?? (request && 'Bearer'));
      return undefined;
    }
    if (scheme !== 'DPoP' || request === undefined) {
      throw new RefusedProofError(
        'The token is bound to a key: send it as DPoP <token>, with a proof',
        'invalid_token',
      );
    }
    const caller = nameAccount(identity);
    return this.parts.proofs.check({ request: request as AdapterRequest, token, thumbprint, caller });
  }

  /** Clears the cache of used proofs. */
  onApplicationShutdown(): void {
    this.parts.register.close();
  }

  #assertBearer(scheme: TokenScheme | undefined): void {
    if (this.parts.isRequired && scheme !== undefined) {
      throw new RefusedProofError(
        'The token is not bound to a key: request one with a proof',
        'invalid_token',
      );
    }
    if (scheme === 'DPoP') {
      throw new RefusedProofError(
        'The token is not bound to a key: send it as Bearer <token>',
        'invalid_token',
      );
    }
  }
}

/** The parts of the server that a verifier needs. */
interface DpopContext {
  readonly memory: MemoryBudget;
  readonly bus: ClusterBus;
  readonly state: BoundedState;
  readonly sealer: Sealer;
  /** The endpoint path, once the application is set up. */
  readonly endpoint: { readonly path: string };
}

/**
 * Creates the verifier for a server that accepts DPoP-bound tokens. Only such a server loads the code that checks
 * proofs.
 */
export async function createDpopVerifier(
  { auth, mcpPath: server }: Pick<ServerSettings, 'auth' | 'mcpPath'>,
  { memory, bus, state, sealer, endpoint }: DpopContext,
): Promise<DpopVerifier | undefined> {
  if (auth?.dpop === undefined) return undefined;
  const { resourceUri = '' } = auth;
  const { DpopProofs } = await import('./dpop-proofs.js');
  const { windowSeconds, nonce, nonceLifetimeSeconds: lifetimeSeconds, mode } = auth.dpop;
  const register = new ReplayCache({ memory, bus, state, windowSeconds });
  const nonces = nonce ? new DpopNonces({ sealer, server, lifetimeSeconds }) : undefined;
  const target = new RequestTarget({ resourceUri, endpoint });
  const proofs = new DpopProofs({ settings: auth.dpop, target, register, nonces });
  return new DpopVerifier({ isRequired: mode === 'required', proofs, nonces, register });
}
