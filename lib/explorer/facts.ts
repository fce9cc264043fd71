import { isLoopbackHost } from '../core/oauth/secure-url.js';

/** What the server says of itself in its page. */
export interface Facts {
  /** The authorization servers that tokens are from. */
  readonly issuers: readonly string[];
  /** Whether the page is for the machine alone that the server runs on. */
  readonly isOfThisMachine: boolean;
}

/** Reads what the server has written into its page. */
export function readFacts(): Facts {
  return JSON.parse(document.getElementById('facts')?.textContent ?? '{}') as Facts;
}

/** The endpoint: the page is at its address. */
export function findEndpoint(): URL {
  return new URL(location.origin + location.pathname);
}

/** Tells whether the browser is on the machine of the server, whatever the server was made to believe. */
export function isOnThisMachine(): boolean {
  return isLoopbackHost(location.hostname);
}
