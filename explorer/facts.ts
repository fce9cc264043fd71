import type { Implementation } from '@modelcontextprotocol/client';
import { FACTS_ID, type Access, type PageFacts } from '../lib/core/explorer/page-contract.js';
import { isLoopbackHost } from '../lib/core/oauth/secure-url.js';

/** Reads what the server has written into its page. */
export function readFacts(): PageFacts {
  return JSON.parse(document.getElementById(FACTS_ID)?.textContent ?? '{}') as PageFacts;
}

/** Says what callers of the server need. */
export function readAccess(): Access {
  const { issuers, asksForToken } = readFacts();
  if (!asksForToken) return 'open';
  return issuers.length > 0 ? 'login' : 'token';
}

/** What the page says of itself, as a client and as a host of apps. */
export function readOwnInfo(): Implementation {
  return { name: 'nestjs-mcp-explorer', version: readFacts().version };
}

/** The endpoint: the page is at its address. */
export function findEndpoint(): URL {
  return new URL(location.origin + location.pathname);
}

/** Tells whether the browser is on the machine of the server, whatever the server was made to believe. */
export function isOnThisMachine(): boolean {
  return isLoopbackHost(location.hostname);
}
