import { parseSecret } from './sign-message.js';

/** The keys of a subscription: the current one, and for a while the one before it. */
export class SigningKeys {
  #secret: string;
  #current: Buffer;
  #former: { readonly key: Buffer; readonly until: number } | undefined;

  constructor(
    secret: string,
    private readonly overlapMs: number,
  ) {
    this.#secret = secret;
    this.#current = parseSecret(secret);
  }

  /** Replaces the current secret, if the other differs. */
  replace(secret: string): void {
    if (secret === this.#secret) return;
    const key = parseSecret(secret);
    this.#former = { key: this.#current, until: performance.now() + this.overlapMs };
    this.#secret = secret;
    this.#current = key;
  }

  /** Returns the keys that sign now. */
  select(): readonly Buffer[] {
    const former = this.#former;
    return former !== undefined && performance.now() < former.until
      ? [this.#current, former.key]
      : [this.#current];
  }
}
