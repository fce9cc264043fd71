import { useState } from 'preact/hooks';
import type { Connection, Status } from '../connection/connection.js';
import { LATEST_OF_BOTH, REVISION_CHOICES } from '../connection/revision-choices.js';
import { useStore } from '../connection/store.js';
import { readAccess } from '../facts.js';
import { Scopes } from './scopes.js';

const SAYS: Readonly<Record<Status, string>> = {
  connecting: 'Connecting…',
  connected: 'Connected',
  login: 'A login is needed',
  failed: 'Not connected',
  closed: 'Closed',
};

/** Says who the server is, and how the page speaks with it. */
export function ConnectionBar({ connection }: { readonly connection: Connection }) {
  const { server, status, failure, negotiated, sessionId, login } = connection;
  useStore(login);
  const [revision, setRevision] = useState(connection.revision);
  const connect = (event: Event) => {
    event.preventDefault();
    void connection.connect(revision);
  };
  return (
    <header>
      <h1>{server?.title ?? server?.name ?? 'MCP server'}</h1>
      <p class="hint">
        {server !== undefined && `${server.name} ${server.version} · `}
        <span class="uri">{connection.endpoint.href}</span>
      </p>
      <p role="status" id="status">
        {status === 'login' && readAccess() === 'token' ? 'A token is needed' : SAYS[status]}
        {status === 'connected' &&
          `, ${negotiated ?? ''}${sessionId === undefined ? ' without a session' : ' in a session'}`}
      </p>
      {failure !== undefined && status !== 'login' && (
        <p role="alert" class="fault">
          {failure}
        </p>
      )}
      <form class="bar" onSubmit={connect}>
        <label>
          Revision{' '}
          <select value={revision} onChange={(event) => setRevision(event.currentTarget.value)}>
            {REVISION_CHOICES.map((one) => (
              <option key={one} value={one}>
                {one === LATEST_OF_BOTH ? 'automatic: the newest' : one}
              </option>
            ))}
          </select>
        </label>
        <button type="submit">Connect again</button>
        <button type="button" disabled={status !== 'connected'} onClick={() => void connection.close()}>
          {sessionId === undefined ? 'Disconnect' : 'End the session'}
        </button>
        {login.token !== undefined && (
          <button type="button" onClick={() => void forget(connection, revision)}>
            Forget the token
          </button>
        )}
      </form>
      {login.isBound && (
        <p class="hint">Your token is bound to a key of this page: after a reload you log in again.</p>
      )}
      {login.scopes.length > 0 && <Scopes label="Your token has" scopes={login.scopes} />}
    </header>
  );
}

async function forget(connection: Connection, revision: string): Promise<void> {
  await connection.close();
  connection.login.forget();
  await connection.connect(revision);
}
