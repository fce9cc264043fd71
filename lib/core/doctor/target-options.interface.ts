import type { ProbeClient } from './probe/messages.js';

/** The server that is examined, and how. */
export interface TargetOptions {
  /** The endpoint. */
  readonly url: URL;
  /** The URL under which clients know the endpoint. @default `url` */
  readonly publicUrl?: URL | undefined;
  /** The client name and version that the server gets. */
  readonly clientInfo: ProbeClient;
  /** An access token. */
  readonly token: string | undefined;
  /** Whether it belongs to the stored login. @default false */
  readonly isTokenStored?: boolean;
  /** Whether the key that the token is bound to is available. @default false */
  readonly hasProof?: boolean;
  /** The time limit of each response, in milliseconds. */
  readonly timeoutMs: number;
  /** Sent to the endpoint with every request. */
  readonly headers: { readonly [name: string]: string };
  /** The origin of the web page that should be able to call. */
  readonly origin: string;
  /** How to get a token, as the end of a fix. */
  readonly advice: TokenAdvice;
  /** The paths of the health probes. @default the paths in docs/health.md */
  readonly probes?: readonly string[] | undefined;
}

/** How to get a token, which depends on where the examination runs. */
export interface TokenAdvice {
  /** If there is none. */
  readonly none: string;
  /** If the token is bound to a key that is not available. */
  readonly bound: string;
  /** If the endpoint names a URL other than the examined one. @default nothing */
  readonly publicUrl?: string;
}
