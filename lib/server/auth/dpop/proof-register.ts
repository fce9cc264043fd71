import { hash } from 'node:crypto';
import type { MemoryBudget } from '../../memory/memory-budget.js';
import { MemoryLimitError } from '../../memory/memory-limit.error.js';
import type { ClusterBus } from '../../cluster/cluster-bus.js';
import type { BoundedState } from '../../sessions/shared/bounded-state.js';
import { AuthUnavailableError } from '../validators/auth-unavailable.error.js';
import { UsedProofs, type ProofUse } from './used-proofs.js';

/** The parts that remember proofs. */
export interface RegisterParts {
  readonly memory: Pick<MemoryBudget, 'hold'>;
  readonly bus: Pick<ClusterBus, 'isShared' | 'member'>;
  readonly state: Pick<BoundedState, 'swap'>;
  /** Seconds in which a proof is taken, before and after it was made. */
  readonly windowSeconds: number;
}

/** What others know longer than a proof counts: their clocks differ. */
const MARGIN_MS = 10_000;

/**
 * Knows which proofs were used, by any process of the server.
 *
 * @see RFC 9449 §11.1
 */
export class ProofRegister {
  readonly #used: UsedProofs;
  #uses = 0;

  constructor(private readonly parts: RegisterParts) {
    this.#used = new UsedProofs(parts.memory, parts.windowSeconds);
  }

  /**
   * Remembers a proof, and tells whether that is its first use.
   *
   * @throws {AuthUnavailableError} if other processes cannot be asked, or the caller has no memory left; the same as a rejection
   */
  use(use: ProofUse): boolean | Promise<boolean> {
    if (!this.#isFirstHere(use)) return false;
    return this.parts.bus.isShared ? this.#isFirstAnywhere(use) : true;
  }

  /** Forgets what this process knows. */
  close(): void {
    this.#used.close();
  }

  #isFirstHere(use: ProofUse): boolean {
    try {
      return this.#used.use(use);
    } catch (cause) {
      if (!(cause instanceof MemoryLimitError)) throw cause;
      const { retryAfterSeconds, httpStatus } = cause;
      throw new AuthUnavailableError('there is no memory left to remember proofs', {
        cause,
        httpStatus: httpStatus === 503 ? 503 : 429,
        ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
      });
    }
  }

  async #isFirstAnywhere({ thumbprint, jti, iat }: ProofUse): Promise<boolean> {
    const { bus, state, windowSeconds } = this.parts;
    this.#uses += 1;
    const ours = `${bus.member}.${this.#uses}`;
    const swapped = await state.swap({
      key: `proof:${hash('sha256', `${thumbprint} ${jti}`, 'base64url')}`,
      field: 'use',
      to: ours,
      expires: (iat + windowSeconds) * 1000 + MARGIN_MS,
    });
    if (swapped !== undefined) return swapped.field === ours;
    // Otherwise a used proof would pass once in each process.
    throw new AuthUnavailableError('other processes cannot be asked whether a proof was used');
  }
}
