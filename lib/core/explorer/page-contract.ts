/** What the page knows of its server before it asks: the server writes it into the page. */
export interface PageFacts {
  /** The authorization servers that tokens are from. */
  readonly issuers: readonly string[];
  /** Whether the server asks for a token: a fixed one if no authorization server gives it. */
  readonly asksForToken: boolean;
  /** Whether the page is for the machine alone that the server runs on. */
  readonly isOfThisMachine: boolean;
  /** Whether the server sends requests of a login for the page, if an authorization server lets no page do so. */
  readonly relaysLogin: boolean;
  /** The version of the package, which is that of the page as a client. */
  readonly version: string;
}

/** What a caller needs: nothing, a login, or a fixed token that somebody gives out. */
export type Access = 'open' | 'login' | 'token';

/** The id of the element of the page that holds the facts, as JSON. */
export const FACTS_ID = 'facts';

/** The query of the frame in which the page shows an app. */
export const APP_FRAME_QUERY = '?explorer=app';

/** What the page sends into the frame: the page of the app, under a name that no app uses. */
export interface AppPageMessage {
  readonly explorer: 'app';
  readonly html: string;
}

/** The query at which the page has the server send a request of its login. */
export const LOGIN_RELAY_QUERY = '?explorer=login';

/** What a login asks an authorization server for, besides the page on which the user logs in. */
export type LoginEndpoint = 'metadata' | 'registration' | 'token';

/** A request of a login that the page cannot send itself. */
export interface RelayedRequest {
  /** One of the issuers of the page. Only its own metadata says where the request goes. */
  readonly issuer: string;
  readonly endpoint: LoginEndpoint;
  /** Where the page expects it to go; absent for the metadata. */
  readonly url?: string;
  /** What is sent: JSON to register, a form for tokens. */
  readonly body?: string;
  /** A proof of the key that tokens are to be bound to (RFC 9449 §4). */
  readonly dpop?: string;
  /** The credentials of a client that has a secret: "Basic" alone. */
  readonly authorization?: string;
}

/** The answer of an authorization server, which the page reads as its own. */
export interface RelayedAnswer {
  readonly status: number;
  readonly body: string;
  /** The nonce that the next proof needs (RFC 9449 §8). */
  readonly dpopNonce?: string;
}

/** Why there is no answer, as a sentence. */
export interface RelayFault {
  readonly fault: string;
}
