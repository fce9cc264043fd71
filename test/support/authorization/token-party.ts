import { json, Party, type Reply, type SeenRequest } from './party.js';

/** A request for a token. */
export interface SeenTokenRequest extends SeenRequest {
  readonly form: { readonly [name: string]: string };
}

/** Answers a request for a token. */
export type TokenReply = (request: SeenTokenRequest) => Reply;

/** An authorization server that gives what the test says to whoever asks, and writes down how they asked. */
export class TokenParty {
  /** Further members of its metadata. */
  readonly metadata: Record<string, unknown> = {};
  /** The requests for tokens, in order. */
  readonly asked: SeenTokenRequest[] = [];
  /** Gives what the next requests are answered with. */
  reply: TokenReply = ({ form }) => json(this.grant({ scope: form['scope'] }));
  /** Seconds that a token lasts. */
  lifetimeSeconds = 300;
  #granted = 0;
  readonly #scopes = new Map<string, readonly string[]>();

  private constructor(readonly party: Party) {
    party.at('/.well-known/oauth-authorization-server', (response, seen) => {
      const { issuer, metadata } = this;
      json({ issuer, token_endpoint: this.tokenEndpoint, ...metadata })(response, seen);
    });
    party.at('/tokens', (response, seen) => {
      const form = Object.fromEntries(new URLSearchParams(seen.body));
      this.asked.push({ ...seen, form });
      this.reply({ ...seen, form })(response, seen);
    });
  }

  static async start(): Promise<TokenParty> {
    return new TokenParty(await Party.start());
  }

  get issuer(): string {
    return this.party.origin;
  }

  get tokenEndpoint(): string {
    return `${this.party.origin}/tokens`;
  }

  /** The forms of the requests for tokens, in order. */
  get forms(): readonly SeenTokenRequest['form'][] {
    return this.asked.map(({ form }) => form);
  }

  /** Makes a token, and the answer that brings it; what is `undefined` is left out. */
  grant(members: { readonly [name: string]: unknown } = {}) {
    this.#granted += 1;
    const token = `token-${this.#granted}`;
    const { scope = '' } = members;
    this.#scopes.set(token, String(scope).split(' '));
    return { access_token: token, token_type: 'Bearer', expires_in: this.lifetimeSeconds, ...members };
  }

  /** Makes a token worthless. */
  revoke(token: string): void {
    this.#scopes.delete(token);
  }

  stop(): Promise<void> {
    return this.party.stop();
  }

  /** Says what a token allows, as the server that it is for may ask. */
  readonly findScopes = async (token: string): Promise<readonly string[] | undefined> =>
    this.#scopes.get(token);
}
