import type { Implementation } from '@modelcontextprotocol/client';
import { FACTS_ID, type Access, type PageFacts } from '../lib/core/explorer/page-contract.js';
import { isLoopbackHost } from '../lib/core/oauth/secure-url.js';

/** Reads the facts that the server has written into its page. */
export function readFacts(): PageFacts {
  return JSON.parse(document.getElementById(FACTS_ID)?.textContent ?? '{}') as PageFacts;
}

/** Returns what the server requires of callers. */
export function readAccess(): Access {
  const { issuers, asksForToken } = readFacts();
  if (!asksForToken) return 'open';
  return issuers.length > 0 ? 'login' : 'token';
}

/** The page's name and version, as a client and as an app host. */
export function readOwnInfo(): Implementation {
  return { name: 'nestjs-mcp-explorer', version: readFacts().version };
}

/** The endpoint, which has the page's URL. */
export function findEndpoint(): URL {
  return new URL(location.origin + location.pathname);
}

/** Returns whether the browser is on the server's machine, regardless of forwarded headers. */
export function isOnThisMachine(): boolean {
  return isLoopbackHost(location.hostname);
}
