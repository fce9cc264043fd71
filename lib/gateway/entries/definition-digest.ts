import { createHash } from 'node:crypto';
import { sortProperties } from '../../core/protocol/canonical-json.js';

/**
 * Computes a definition's digest: SHA-256 over its JSON with sorted properties, in base64url. Definitions that differ
 * only in property order have the same digest.
 */
export function computeDigest(definition: object): string {
  return createHash('sha256')
    .update(JSON.stringify(sortProperties(definition)))
    .digest('base64url');
}

/** The confirmed definitions of one server's tools. */
export class PinnedTools {
  readonly #confirmed = new Map<string, string>();

  /** @param pinned `true` confirms each tool's first definition; an object contains all confirmed digests */
  constructor(private readonly pinned: boolean | { readonly [tool: string]: string }) {
    if (typeof pinned === 'object') {
      for (const [name, digest] of Object.entries(pinned)) this.#confirmed.set(name, digest);
    }
  }

  /** Returns whether a tool with this definition may be called. */
  accepts(tool: string, digest: string): boolean {
    if (this.pinned === false) return true;
    if (this.pinned === true && !this.#confirmed.has(tool)) this.confirm(tool, digest);
    return this.#confirmed.get(tool) === digest;
  }

  confirm(tool: string, digest: string): void {
    this.#confirmed.set(tool, digest);
  }
}
