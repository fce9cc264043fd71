import { hash } from 'node:crypto';
import type { MemoryBudget } from '../../memory/memory-budget.js';
import type { MemoryHold } from '../../memory/memory-hold.js';
import { HeapCost } from '../../memory/heap-costs.js';
import { actAfter } from '../../../core/waiting/act-after.js';

/** A proof that is used. */
export interface ProofUse {
  /** Whose it is: what is remembered takes of the memory of that caller. */
  readonly caller: string;
  /** The key, and what tells its proofs apart. */
  readonly thumbprint: string;
  readonly jti: string;
  /** When it was made, in seconds of the epoch. */
  readonly iat: number;
}

/** Proofs that are remembered of one caller: for the oldest of more the time is shortened in which they count. */
const MOST_OF_CALLER = 20_000;

/** Bytes of a digest: no two proofs have the same by chance. */
const DIGEST_CHARACTERS = 22;

/** What is remembered of one caller. */
interface CallerProofs {
  /** Digests of proofs, whenever they were made. */
  readonly seen: Set<string>;
  /** The same by the second in which they were made. */
  readonly bySecond: Map<number, string[]>;
  readonly hold: MemoryHold;
  /** Proofs of this second and before count no longer. */
  floor: number;
}

/**
 * Remembers the proofs that were used, as long as they would be taken again. It is bounded for each caller: whoever uses more
 * has less time for each, and takes nothing from others.
 *
 * @see RFC 9449 §11.1
 */
export class UsedProofs {
  readonly #byCaller = new Map<string, CallerProofs>();
  #stopClock: (() => void) | undefined;
  /** The clock may be set back: what was forgotten before is not taken again. */
  #latest = 0;

  constructor(
    private readonly memory: Pick<MemoryBudget, 'hold'>,
    private readonly windowSeconds: number,
  ) {}

  /** How many proofs are remembered. */
  get size(): number {
    return [...this.#byCaller.values()].reduce((sum, { seen }) => sum + seen.size, 0);
  }

  /**
   * Remembers a proof, and tells whether that is its first use.
   *
   * @throws {MemoryLimitError} where the caller has no memory left
   */
  use({ caller, thumbprint, jti, iat }: ProofUse): boolean {
    const own = this.#byCaller.get(caller) ?? this.#add(caller);
    const second = Math.floor(iat);
    this.#forgetOld(own);
    if (second <= own.floor) return false;
    const digest = hash('sha256', `${thumbprint} ${jti}`, 'base64url').slice(0, DIGEST_CHARACTERS);
    if (own.seen.has(digest) || !makeRoom(own, second)) return false;
    own.seen.add(digest);
    const proofs = own.bySecond.get(second);
    if (proofs === undefined) own.bySecond.set(second, [digest]);
    else proofs.push(digest);
    return true;
  }

  /** Forgets everything. */
  close(): void {
    this.#stopClock?.();
    for (const { hold } of this.#byCaller.values()) hold.release();
    this.#byCaller.clear();
  }

  #add(caller: string): CallerProofs {
    const hold = this.memory.hold({ identity: caller }, HeapCost.usedProof);
    const own = { seen: new Set<string>(), bySecond: new Map(), hold, floor: Number.NEGATIVE_INFINITY };
    this.#byCaller.set(caller, own);
    this.#stopClock ??= actAfter(this.windowSeconds * 1000, () => this.#sweep());
    return own;
  }

  #forgetOld(own: CallerProofs): void {
    const floor = this.#findFloor();
    if (floor <= own.floor) return;
    own.floor = floor;
    for (const second of own.bySecond.keys()) if (second <= floor) forgetSecond(own, second);
  }

  /** Gives the latest second of which no proof is taken any more. */
  #findFloor(): number {
    this.#latest = Math.max(this.#latest, Date.now() / 1000);
    return Math.floor(this.#latest - this.windowSeconds) - 1;
  }

  /** Whoever does not come again is forgotten too, once nothing of theirs would be taken again. */
  #sweep(): void {
    for (const [caller, own] of this.#byCaller) {
      this.#forgetOld(own);
      if (own.seen.size > 0 || own.floor > this.#findFloor()) continue;
      own.hold.release();
      this.#byCaller.delete(caller);
    }
    const isEmpty = this.#byCaller.size === 0;
    this.#stopClock = isEmpty ? undefined : actAfter(this.windowSeconds * 1000, () => this.#sweep());
  }
}

/** Makes room for one more proof, by what is oldest of the same caller; tells whether there is some, and the proof still counts. */
function makeRoom(own: CallerProofs, second: number): boolean {
  while (own.seen.size >= MOST_OF_CALLER || !own.hold.tryAdd(HeapCost.usedProof)) {
    if (own.seen.size === 0) return false;
    const oldest = Math.min(...own.bySecond.keys());
    own.floor = oldest;
    forgetSecond(own, oldest);
  }
  if (second > own.floor) return true;
  own.hold.add(-HeapCost.usedProof);
  return false;
}

function forgetSecond(own: CallerProofs, second: number): void {
  const digests = own.bySecond.get(second) ?? [];
  for (const digest of digests) own.seen.delete(digest);
  own.bySecond.delete(second);
  own.hold.add(-digests.length * HeapCost.usedProof);
}
