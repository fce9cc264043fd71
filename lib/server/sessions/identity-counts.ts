/** Counts what each caller has. Callers that are not known are not counted: they are many, and share the bound of all alone. */
export class IdentityCounts {
  readonly #counts = new Map<string, number>();

  get(identity: string | undefined): number {
    return identity === undefined ? 0 : (this.#counts.get(identity) ?? 0);
  }

  add(identity: string | undefined): void {
    if (identity !== undefined) this.#counts.set(identity, this.get(identity) + 1);
  }

  /** Subtracts one. A caller without any is forgotten. */
  remove(identity: string | undefined): void {
    if (identity === undefined) return;
    const left = this.get(identity) - 1;
    if (left > 0) this.#counts.set(identity, left);
    else this.#counts.delete(identity);
  }
}
