import { isSecureUrl } from '../../core/oauth/secure-url.js';
import { NEWEST_REVISION, REVISIONS } from '../../core/protocol/revisions.js';
import type { Connection } from '../connection/connection.js';
import { LATEST_OF_BOTH } from '../connection/revision-choices.js';
import { examineMetadata } from './examine-metadata.js';
import type { Finding } from './finding.js';

/** Says what can be seen of the connection from inside of a browser. The one thing that it sends is a GET of the resource's metadata. */
export async function examineConnection(
  connection: Connection,
  issuers: readonly string[],
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const metadata = issuers.length === 0 ? [] : await examineMetadata(connection.endpoint, issuers, signal);
  const isConnected = connection.status === 'connected';
  const talk = isConnected ? [judgeRevision(connection), judgeLists(connection)] : [judgeFailure(connection)];
  return [judgeSecurity(connection), ...talk, ...metadata];
}

function judgeFailure({ status, failure = 'There is no connection' }: Connection): Finding {
  const id = 'connection';
  if (status === 'login') return { id, status: 'warning', found: failure, remedy: 'Log in above' };
  return {
    id,
    status: 'fault',
    found: failure,
    remedy: 'Read the log of the server, and of what stands before it',
  };
}

function judgeSecurity({ endpoint: { href, protocol } }: Connection): Finding {
  const id = 'tls';
  if (protocol === 'https:') return { id, status: 'ok', found: 'Nobody on the way reads along', remedy: '' };
  if (isSecureUrl(href)) return { id, status: 'ok', found: 'What is sent stays on this machine', remedy: '' };
  return {
    id,
    status: 'fault',
    found: 'Whoever is on the way can read what is sent, tokens too',
    remedy: 'Serve the endpoint by https',
  };
}

function judgeRevision({ negotiated = '', revision }: Connection): Finding {
  const id = 'revision';
  const isNewest = negotiated === NEWEST_REVISION.version;
  if (isNewest || revision !== LATEST_OF_BOTH) {
    return { id, status: 'ok', found: `The page speaks ${negotiated} with the server`, remedy: '' };
  }
  const later = REVISIONS.map(({ version }) => version).filter((version) => version > negotiated);
  return {
    id,
    status: 'warning',
    found: `The newest revision that comes through is ${negotiated}, though the server has ${later.join(', ')}`,
    remedy: 'See whether a proxy takes headers away, such as "MCP-Protocol-Version" and "Mcp-Method"',
  };
}

function judgeLists({ failure }: Connection): Finding {
  const id = 'lists';
  if (failure === undefined)
    return { id, status: 'ok', found: 'All that is declared can be listed', remedy: '' };
  return {
    id,
    status: 'fault',
    found: failure,
    remedy: 'Read the log of the server, or log in as somebody who may',
  };
}
