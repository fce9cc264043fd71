import { estimateText } from '../../core/protocol/measured-json.js';
import { HeapCost } from '../memory/heap-costs.js';
import type { ClusterPosition } from '../settings/cluster/cluster.interface.js';

/** The resources to which a client is subscribed. */
export class Subscriptions {
  readonly #uris = new Set<string>();
  /** Where the log stood when they began, in a server of several processes. */
  #beginnings: Map<string, ClusterPosition> | undefined;
  #characters = 0;

  get uris(): ReadonlySet<string> {
    return this.#uris;
  }

  /** Characters that these have together. */
  get characters(): number {
    return this.#characters;
  }

  add(uri: string): void {
    if (this.#uris.has(uri)) return;
    this.#uris.add(uri);
    this.#characters += uri.length;
  }

  /** Takes one away, and tells whether it was there. */
  delete(uri: string): boolean {
    if (!this.#uris.delete(uri)) return false;
    this.#characters -= uri.length;
    this.#beginnings?.delete(uri);
    return true;
  }

  /** Notes where the log stood when one began. A repeated subscription counts from the first time. */
  setBeginning(uri: string, position: ClusterPosition): void {
    if (!this.#uris.has(uri) || this.#beginnings?.has(uri) === true) return;
    this.#beginnings ??= new Map();
    this.#beginnings.set(uri, position);
  }

  findBeginning(uri: string): ClusterPosition | undefined {
    return this.#beginnings?.get(uri);
  }
}

/** Counts what a subscription takes of the heap. */
export function countSubscription(uri: string): number {
  return HeapCost.subscription + estimateText(uri);
}
