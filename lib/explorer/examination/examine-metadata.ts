import { coversEndpoint } from '../../core/oauth/covers-endpoint.js';
import { buildResourceMetadataUrl } from '../../core/oauth/well-known.js';
import { isObject } from '../../core/protocol/json-rpc.js';
import type { Finding } from './finding.js';

/**
 * Judges the metadata of the resource, by which clients find out who gives tokens.
 *
 * @see RFC 9728 §3
 */
export async function examineMetadata(
  endpoint: URL,
  issuers: readonly string[],
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const url = buildResourceMetadataUrl(endpoint.href);
  const document = await read(url, signal);
  if (typeof document === 'string') {
    const remedy = 'Let the path through to the server: without it clients do not find who gives tokens';
    return [{ id: 'metadata', status: 'fault', found: `${url} ${document}`, remedy }];
  }
  return [
    { id: 'metadata', status: 'ok', found: `It is at ${url}`, remedy: '' },
    judgeResource(document['resource'], endpoint),
    judgeServers(document['authorization_servers'], issuers),
  ];
}

/** Gives the document, or what is wrong with it. */
async function read(url: string, signal: AbortSignal): Promise<Readonly<Record<string, unknown>> | string> {
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(LONGEST_MS)]);
    const response = await fetch(url, { credentials: 'omit', redirect: 'error', signal: limit });
    if (!response.ok) return `answers ${response.status}`;
    const document: unknown = await response.json();
    return isObject(document) ? document : 'answers with something else than an object';
  } catch {
    signal.throwIfAborted();
    return 'gives no JSON';
  }
}

const LONGEST_MS = 10_000;

function judgeResource(resource: unknown, endpoint: URL): Finding {
  const id = 'metadata-resource';
  if (typeof resource === 'string' && URL.canParse(resource) && coversEndpoint(new URL(resource), endpoint)) {
    return { id, status: 'ok', found: `It is about ${resource}`, remedy: '' };
  }
  return {
    id,
    status: 'fault',
    found: `It is about ${JSON.stringify(resource)}, and the page is at ${endpoint.href}: clients refuse tokens for something else`,
    remedy: 'Open the endpoint by that address, or give "auth.resourceUri" the address that clients use',
  };
}

function judgeServers(named: unknown, issuers: readonly string[]): Finding {
  const id = 'metadata-servers';
  const missing = issuers.filter((issuer) => !Array.isArray(named) || !named.includes(issuer));
  if (missing.length === 0) {
    return { id, status: 'ok', found: `It names ${issuers.join(', ')}`, remedy: '' };
  }
  return {
    id,
    status: 'fault',
    found: `It does not name ${missing.join(', ')}`,
    remedy: 'See whether another server, or a cache, answers at its place',
  };
}
