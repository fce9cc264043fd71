import { failure, type Finding, ok, type Outcome, warning } from '../../lib/core/doctor/finding.js';
import { NEWEST_REVISION, REVISIONS } from '../../lib/core/protocol/revisions.js';
import type { Connection } from '../connection/connection.js';
import { LATEST_OF_BOTH } from '../connection/revision-choices.js';
import { readAccess } from '../facts.js';

/** What is known of the page's own connection. */
type Facts = Pick<Connection, 'status' | 'failure' | 'negotiated' | 'revision'>;

/** Says what can be seen of the connection of the page. Nothing is sent for that. */
export function checkConnection(connection: Facts): readonly Finding[] {
  if (connection.status !== 'connected') return [{ id: 'connection', ...judgeFailure(connection) }];
  return [
    { id: 'revision', ...judgeRevision(connection) },
    { id: 'lists', ...judgeLists(connection) },
  ];
}

function judgeFailure({ status, failure: found = 'There is no connection' }: Facts): Outcome {
  if (status === 'login')
    return warning(found, readAccess() === 'token' ? 'Paste the token above' : 'Log in above');
  return failure(found, 'Read the log of the server, and of what stands before it');
}

function judgeRevision({ negotiated = '', revision }: Facts): Outcome {
  const isNewest = negotiated === NEWEST_REVISION.version;
  if (isNewest || revision !== LATEST_OF_BOTH) return ok(`The page speaks ${negotiated} with the server`);
  const later = REVISIONS.map(({ version }) => version).filter((version) => version > negotiated);
  return warning(
    `The newest revision that comes through is ${negotiated}, though the server has ${later.join(', ')}`,
    'See whether a proxy takes headers away, such as "MCP-Protocol-Version" and "Mcp-Method"',
  );
}

function judgeLists({ failure: found }: Facts): Outcome {
  if (found === undefined) return ok('All that is declared can be listed');
  return failure(found, 'Read the log of the server, or log in as somebody who may');
}
