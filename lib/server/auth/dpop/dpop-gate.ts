import type { TokenScheme } from '../../../core/oauth/challenge.js';
import { nameAccount } from '../../memory/name-account.js';
import type { Authentication } from '../../context/authentication.interface.js';
import type { AdapterRequest } from '../auth-state.js';
import type { DpopNonces } from './dpop-nonces.js';
import type { DpopProofs } from './dpop-proofs.js';
import type { ProofRegister } from './proof-register.js';
import { RefusedProofError } from './refused-proof.error.js';

/** How a token came. */
export interface TokenPresentation {
  /** The request that brought it; absent for a token from elsewhere, such as the environment. */
  readonly request?: object | undefined;
  /** @default 'Bearer' for a request */
  readonly scheme?: TokenScheme | undefined;
}

/** The parts of a gate. */
export interface GateParts {
  readonly isRequired: boolean;
  readonly proofs: Pick<DpopProofs, 'check'>;
  readonly nonces?: DpopNonces | undefined;
  readonly register: Pick<ProofRegister, 'close'>;
}

/**
 * Accepts a bound token only if its sender proves to have the key. A bound token is never accepted as a bearer token.
 *
 * @see RFC 9449 §7.1, §7.2
 */
export class DpopGate {
  constructor(private readonly parts: GateParts) {}

  /** The nonce that proofs need from now on; absent if they need none. */
  get nonce(): string | undefined {
    return this.parts.nonces?.current;
  }

  /**
   * Checks how a valid token was sent. Returns a promise if a proof must be checked.
   *
   * @throws {RefusedProofError} if it may not come so; the same as a rejection
   * @throws {AuthUnavailableError} if a proof cannot be checked now; the same as a rejection
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

  /** Forgets which proofs were used. */
  onApplicationShutdown(): void {
    this.parts.register.close();
  }

  #assertBearer(scheme: TokenScheme | undefined): void {
    if (this.parts.isRequired && scheme !== undefined) {
      throw new RefusedProofError('The token is bound to no key: get one with a proof', 'invalid_token');
    }
    if (scheme === 'DPoP') {
      throw new RefusedProofError('The token is bound to no key: send it as Bearer <token>', 'invalid_token');
    }
  }
}
