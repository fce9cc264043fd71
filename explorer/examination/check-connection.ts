import { failure, type Finding, ok, type Outcome, warning } from '../../lib/core/doctor/finding.js';
import { NEWEST_REVISION, REVISIONS } from '../../lib/core/protocol/revisions.js';
import type { Connection } from '../connection/connection.js';
import { LATEST_OF_BOTH } from '../connection/revision-choices.js';
import { readAccess } from '../facts.js';

/** The facts about the page's connection. */
type Facts = Pick<Connection, 'status' | 'failure' | 'negotiated' | 'revision'>;

/** Checks the page's connection, without sending anything. */
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
  return failure(found, 'Check the logs of the server and its proxies');
}

function judgeRevision({ negotiated = '', revision }: Facts): Outcome {
  const isNewest = negotiated === NEWEST_REVISION.version;
  if (isNewest || revision !== LATEST_OF_BOTH) return ok(`The page uses ${negotiated} with the server`);
  const later = REVISIONS.map(({ version }) => version).filter((version) => version > negotiated);
  return warning(
    `The page negotiated ${negotiated}, although the server supports ${later.join(', ')}`,
    'Check whether a proxy removes headers, such as "MCP-Protocol-Version" and "Mcp-Method"',
  );
}

function judgeLists({ failure: found }: Facts): Outcome {
  if (found === undefined) return ok('All declared lists can be fetched');
  return failure(found, 'Check the server log, or log in as a user with more permissions');
}
