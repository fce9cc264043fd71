/** The facts that the server writes into the page, so that the page knows them before its first request. */
export interface PageFacts {
  /** The authorization servers that issue the tokens. */
  readonly issuers: readonly string[];
  /** Whether the server requires a token; without an authorization server, a fixed one. */
  readonly asksForToken: boolean;
  /** Whether the page is only for the machine that the server runs on. */
  readonly isOfThisMachine: boolean;
  /**
   * Whether the server sends login requests on behalf of the page, for authorization servers that do not allow pages
   * to do so.
   */
  readonly relaysLogin: boolean;
  /** The package's version, which is also the page's client version. */
  readonly version: string;
}

/** What a caller needs: nothing, a login, or a fixed token. */
export type Access = 'open' | 'login' | 'token';

/** The id of the page element that holds the facts, as JSON. */
export const FACTS_ID = 'facts';

/** The query of the frame that shows an app in the page. */
export const APP_FRAME_QUERY = '?explorer=app';

/** The message that the page sends to the frame: the app page, under a name that no app uses. */
export interface AppPageMessage {
  readonly explorer: 'app';
  readonly html: string;
}

/** The query that the page uses to have the server send a login request. */
export const LOGIN_RELAY_QUERY = '?explorer=login';

/** The endpoints used in a login, besides the page where the user logs in. */
export type LoginEndpoint = 'metadata' | 'registration' | 'token';

/** A login request that the page cannot send itself. */
export interface RelayedRequest {
  /** One of the page's issuers. Only its own metadata determines where the request is sent. */
  readonly issuer: string;
  readonly endpoint: LoginEndpoint;
  /** Where the page expects it to be sent; absent for the metadata. */
  readonly url?: string;
  /** The body: JSON for registration, a form for tokens. */
  readonly body?: string;
  /** A proof for the key that tokens should be bound to (RFC 9449 §4). */
  readonly dpop?: string;
  /** The credentials of a client with a secret, using only "Basic". */
  readonly authorization?: string;
}

/** The authorization server's response as the page reads it. */
export interface RelayedResponse {
  readonly status: number;
  readonly body: string;
  /** The nonce that the next proof needs (RFC 9449 §8). */
  readonly dpopNonce?: string;
}

/** Why there is no response, as a sentence. */
export interface RelayProblem {
  readonly problem: string;
}
