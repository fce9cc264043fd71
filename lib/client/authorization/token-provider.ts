import type { AuthorizationChallenge } from './authorization-headers.js';
import { NoTokenYetError } from './errors.js';
import type { RequestProof, TokenSource } from './token-source.js';

/** Asks a token source for what calls need, once for all calls that need the same at the same time. */
export class TokenDesk {
  readonly #tokens = new SharedWork<string | undefined>();
  readonly #answers = new SharedWork<string | undefined>();

  constructor(private readonly source: TokenSource) {}

  get proof(): RequestProof | undefined {
    return this.source.proof;
  }

  /** Whether the source can do something about a challenge. */
  get canAnswer(): boolean {
    return this.source.respond !== undefined;
  }

  /** Returns the token at hand, or `undefined` if the source waits for the server to ask for one. */
  findToken(): Promise<string | undefined> {
    return this.#tokens.share('token', async () => {
      return (await findUnlessNone(() => this.source.token())) ?? this.source.recall?.();
    });
  }

  /** Has the source know that the server took a token. */
  confirm(token: string): void {
    this.source.confirm?.(token);
  }

  /** Has the source know of a challenge that nobody answers any more: the next call is better off. */
  async learn(challenge: AuthorizationChallenge): Promise<void> {
    await this.source.respond?.(challenge);
  }

  /** Gets the token that a challenge asks for. Returns `undefined` if a call without a token must first show who issues tokens. */
  async answer(challenge: AuthorizationChallenge): Promise<string | undefined> {
    const { status, refusedToken, scopes } = challenge;
    if (status === 401) {
      // Another call may have brought a token while this one was under way.
      const current = await this.findToken();
      if (current !== undefined && current !== refusedToken) return current;
    }
    const key = JSON.stringify([status, refusedToken, challenge.resourceMetadataUrl, [...scopes].toSorted()]);
    return this.#answers.share(key, async () => {
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

/** Has work done once for all who want the same while it is done. */
export class SharedWork<Result> {
  readonly #running = new Map<string, Promise<Result>>();

  /** Does work, or waits for what was begun under the same name. */
  share(name: string, work: () => Promise<Result>): Promise<Result> {
    const running = this.#running.get(name);
    if (running !== undefined) return running;
    const begun = work().finally(() => this.#running.delete(name));
    this.#running.set(name, begun);
    return begun;
  }
}
