import type { ProbeClient } from './probe/messages.js';

/** Where the server is that is examined, and who examines it. */
export interface TargetOptions {
  /** The endpoint. */
  readonly url: URL;
  /** The URL by which clients know the endpoint. @default `url` */
  readonly publicUrl?: URL | undefined;
  /** Whom the server is told that it is asked by. */
  readonly clientInfo: ProbeClient;
  /** An access token. */
  readonly token: string | undefined;
  /** Whether it belongs to the stored login. @default false */
  readonly isTokenStored?: boolean;
  /** Whether the key is here that the token is bound to. @default false */
  readonly hasProof?: boolean;
  /** Milliseconds that each answer may take. */
  readonly timeoutMs: number;
  /** Sent to the endpoint with every request. */
  readonly headers: { readonly [name: string]: string };
  /** Where the web page is that shall be able to call. */
  readonly origin: string;
  /** What to do for a token, as the end of a fix. */
  readonly advice: TokenAdvice;
  /** The paths of the probes of health. @default those of docs/health.md */
  readonly probes?: readonly string[] | undefined;
}

/** What to do for a token depends on where the examination is made. */
export interface TokenAdvice {
  /** If there is none. */
  readonly none: string;
  /** If there is one that is bound to a key, and the key is not here. */
  readonly bound: string;
  /** If the endpoint names another URL than the one that is asked. @default nothing */
  readonly publicUrl?: string;
}
