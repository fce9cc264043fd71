import { hash } from 'node:crypto';
import { callAfter } from '../../../core/async/timers.js';
import { HeapCost, MemoryLimitError } from '../../memory/memory-limits.js';
import type { MemoryBudget, MemoryReservation } from '../../memory/memory-budget.js';
import type { ClusterBus } from '../../cluster/cluster-bus.js';
import type { BoundedState } from '../../sessions/shared/bounded-state.js';
import { AuthUnavailableError } from '../errors.js';

/** The parts of the cache. */
interface ReplayCacheParts {
  readonly memory: Pick<MemoryBudget, 'hold'>;
  readonly bus: Pick<ClusterBus, 'isShared' | 'member'>;
  readonly state: Pick<BoundedState, 'swap'>;
  /** How many seconds before and after its `iat` a proof is accepted. */
  readonly windowSeconds: number;
}

/** Extra milliseconds that the cluster remembers a proof after it is no longer accepted, because clocks differ. */
const MARGIN_MS = 10_000;

/**
 * Remembers the proofs that any of the server's processes has seen.
 *
 * @see RFC 9449 §11.1
 */
export class ReplayCache {
  readonly #used: LocalReplayCache;
  #uses = 0;

  constructor(private readonly parts: ReplayCacheParts) {
    this.#used = new LocalReplayCache(parts.memory, parts.windowSeconds);
  }

  /**
   * Records a proof. Returns whether it is the first use.
   *
   * @throws {AuthUnavailableError} if the cluster is unavailable, or the caller has no memory left, thrown or as a
   *   rejection
   */
  use(use: ProofUse): boolean | Promise<boolean> {
    if (!this.#isFirstHere(use)) return false;
    return this.parts.bus.isShared ? this.#isFirstAnywhere(use) : true;
  }

  /** Clears this process's cache. */
  close(): void {
    this.#used.close();
  }

  #isFirstHere(use: ProofUse): boolean {
    try {
      return this.#used.use(use);
    } catch (cause) {
      if (!(cause instanceof MemoryLimitError)) throw cause;
      const { retryAfterSeconds, httpStatus } = cause;
      throw new AuthUnavailableError('there is no memory left to store used proofs', {
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
    // Otherwise each process would accept the proof once.
    throw new AuthUnavailableError(
      'the cluster is unavailable, so it is unknown whether the proof was used before',
    );
  }
}

/** One use of a proof. */
export interface ProofUse {
  /** The caller toward whose memory the proofs count. */
  readonly caller: string;
  /** The key. Together with `jti`, it identifies the proof. */
  readonly thumbprint: string;
  readonly jti: string;
  /** When the proof was created, in seconds since the epoch. */
  readonly iat: number;
}

/** The maximum number of proofs to remember per key. Beyond that, the oldest proofs expire earlier. */
const MOST_OF_KEY = 20_000;

/** After a second, older proofs may have expired. */
const RETRY_AFTER_SECONDS = 1;

/** Characters of a digest, enough to make collisions improbable. */
const DIGEST_CHARACTERS = 22;

/** The remembered proofs for one of a caller's keys. */
interface KeyProofs {
  /** Digests of all proofs. */
  readonly seen: Set<string>;
  /** Digests by the second of `iat`. */
  readonly bySecond: Map<number, string[]>;
  readonly hold: MemoryReservation;
  /** Proofs of this second or earlier are no longer accepted. */
  floor: number;
}

/**
 * Remembers used proofs for as long as they would be accepted. The number per key is limited, and the proofs count
 * toward the caller's memory. A caller with too many proofs shortens their validity, without affecting others.
 *
 * @see RFC 9449 §11.1
 */
export class LocalReplayCache {
  readonly #byKey = new Map<string, KeyProofs>();
  #stopClock: (() => void) | undefined;
  /** The clock may be set back. Proofs that were dropped before must not be accepted again. */
  #latest = 0;

  constructor(
    private readonly memory: Pick<MemoryBudget, 'hold'>,
    private readonly windowSeconds: number,
  ) {}

  /** The number of remembered proofs. */
  get size(): number {
    return [...this.#byKey.values()].reduce((sum, { seen }) => sum + seen.size, 0);
  }

  /**
   * Records a proof. Returns whether it is the first use.
   *
   * @throws {MemoryLimitError} if the caller has no memory left
   */
  use({ caller, thumbprint, jti, iat }: ProofUse): boolean {
    const key = `${caller} ${thumbprint}`;
    const own = this.#byKey.get(key) ?? this.#add(key, caller);
    const second = Math.floor(iat);
    this.#forgetOld(own);
    if (second <= own.floor) return false;
    const digest = hash('sha256', `${thumbprint} ${jti}`, 'base64url').slice(0, DIGEST_CHARACTERS);
    if (own.seen.has(digest)) return false;
    makeRoom(own, second);
    own.seen.add(digest);
    const proofs = own.bySecond.get(second);
    if (proofs === undefined) own.bySecond.set(second, [digest]);
    else proofs.push(digest);
    return true;
  }

  /** Clears the cache. */
  close(): void {
    this.#stopClock?.();
    for (const { hold } of this.#byKey.values()) hold.release();
    this.#byKey.clear();
  }

  #add(key: string, caller: string): KeyProofs {
    const hold = this.memory.hold({ identity: caller }, HeapCost.usedProof);
    const own = { seen: new Set<string>(), bySecond: new Map(), hold, floor: Number.NEGATIVE_INFINITY };
    this.#byKey.set(key, own);
    this.#stopClock ??= callAfter(this.windowSeconds * 1000, () => this.#sweep());
    return own;
  }

  #forgetOld(own: KeyProofs): void {
    const floor = this.#findFloor();
    if (floor <= own.floor) return;
    own.floor = floor;
    for (const second of own.bySecond.keys()) if (second <= floor) forgetSecond(own, second);
  }

  /** Returns the latest second whose proofs are no longer accepted. */
  #findFloor(): number {
    this.#latest = Math.max(this.#latest, Date.now() / 1000);
    return Math.floor(this.#latest - this.windowSeconds) - 1;
  }

  /** Drops keys whose proofs have all expired. */
  #sweep(): void {
    for (const [key, own] of this.#byKey) {
      this.#forgetOld(own);
      if (own.seen.size > 0 || own.floor > this.#findFloor()) continue;
      own.hold.release();
      this.#byKey.delete(key);
    }
    const isEmpty = this.#byKey.size === 0;
    this.#stopClock = isEmpty ? undefined : callAfter(this.windowSeconds * 1000, () => this.#sweep());
  }
}

/**
 * Evicts a key's oldest proofs until there is room for one more. Proofs dated in the future stay. Otherwise, a sender
 * could postdate proofs and have all others refused until that time.
 *
 * @throws {MemoryLimitError} if nothing can be evicted
 */
function makeRoom(own: KeyProofs, second: number): void {
  const now = Date.now() / 1000;
  while (own.seen.size >= MOST_OF_KEY || !own.hold.tryAdd(HeapCost.usedProof)) {
    const oldest = Math.min(...own.bySecond.keys());
    if (oldest >= second || oldest > now) throw new MemoryLimitError(RETRY_AFTER_SECONDS);
    own.floor = oldest;
    forgetSecond(own, oldest);
  }
}

function forgetSecond(own: KeyProofs, second: number): void {
  const digests = own.bySecond.get(second) ?? [];
  for (const digest of digests) own.seen.delete(digest);
  own.bySecond.delete(second);
  own.hold.add(-digests.length * HeapCost.usedProof);
}
