import type { AuthorizationChallenge } from './authorization-headers.js';
import { NoTokenYetError } from './errors.js';
import type { RequestProof, TokenSource } from './token-source.js';

/** Gets tokens from a source. Concurrent calls that need the same token share one request. */
export class TokenProvider {
  readonly #tokens = new SingleFlight<string | undefined>();
  readonly #answers = new SingleFlight<string | undefined>();

  constructor(private readonly source: TokenSource) {}

  get proof(): RequestProof | undefined {
    return this.source.proof;
  }

  /** Whether the source responds to challenges. */
  get canRespond(): boolean {
    return this.source.respond !== undefined;
  }

  /** Returns the current token, or `undefined` if the source waits for a challenge. */
  findToken(): Promise<string | undefined> {
    return this.#tokens.run('token', async () => {
      return (await findUnlessNone(() => this.source.token())) ?? this.source.recall?.();
    });
  }

  /** Reports that the server accepted a token. */
  confirm(token: string): void {
    this.source.confirm?.(token);
  }

  /** Reports a challenge when this call has no retries left, so that the next call gets a better token. */
  async report(challenge: AuthorizationChallenge): Promise<void> {
    await this.source.respond?.(challenge);
  }

  /**
   * Gets the token that a challenge requires. Returns `undefined` if the server must first be called without a token,
   * to name its issuer.
   */
  async resolve(challenge: AuthorizationChallenge): Promise<string | undefined> {
    const { status, refusedToken, scopes } = challenge;
    if (status === 401) {
      // A concurrent call may have fetched a token already.
      const current = await this.findToken();
      if (current !== undefined && current !== refusedToken) return current;
    }
    const key = JSON.stringify([status, refusedToken, challenge.resourceMetadataUrl, [...scopes].toSorted()]);
    return this.#answers.run(key, async () => {
      await this.source.respond?.(challenge);
      const find = async () => (await this.source.tokenForScopes?.(scopes)) ?? this.source.token();
      return status === 403 ? findUnlessNone(find) : find();
    });
  }
}

async function findUnlessNone(find: () => Promise<string>): Promise<string | undefined> {
  try {
    return await find();
  } catch (error) {
    if (error instanceof NoTokenYetError) return undefined;
    throw error;
  }
}

/** Runs concurrent work with the same key only once. */
export class SingleFlight<Result> {
  readonly #running = new Map<string, Promise<Result>>();

  /** Starts the work, or joins the running work with the same key. */
  run(name: string, work: () => Promise<Result>): Promise<Result> {
    const running = this.#running.get(name);
    if (running !== undefined) return running;
    const begun = work().finally(() => this.#running.delete(name));
    this.#running.set(name, begun);
    return begun;
  }
}
