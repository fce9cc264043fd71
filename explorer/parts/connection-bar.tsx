import { useEffect, useState } from 'preact/hooks';
import type { Connection, Status } from '../connection/connection.js';
import { LATEST_OF_BOTH, REVISION_CHOICES } from '../connection/revision-choices.js';
import { useStore } from '../connection/use-store.js';
import { readAccess } from '../facts.js';
import { Scopes } from './scopes.js';

const SAYS: Readonly<Record<Status, string>> = {
  connecting: 'Connecting…',
  connected: 'Connected',
  login: 'Login required',
  failed: 'Not connected',
  closed: 'Closed',
};

/** Shows the server and the connection's state. */
export function ConnectionBar({ connection }: { readonly connection: Connection }) {
  const { server, login } = connection;
  useStore(login);
  return (
    <div class="bar">
      <h1>{server?.title ?? server?.name ?? 'MCP server'}</h1>
      <span class="version" title={connection.endpoint.href}>
        {server !== undefined && `${server.title === undefined ? '' : `${server.name} `}${server.version}`}
      </span>
      <StatusPill connection={connection} />
      <Controls connection={connection} />
    </div>
  );
}

function StatusPill({ connection }: { readonly connection: Connection }) {
  const { status, negotiated = '', sessionId } = connection;
  const isConnected = status === 'connected';
  return (
    <span
      role="status"
      id="status"
      class={`pill ${status}`}
      aria-busy={status === 'connecting' || connection.isListing()}
      title={isConnected ? (sessionId === undefined ? 'Without a session' : 'In a session') : undefined}
    >
      {status === 'login' && readAccess() === 'token' ? 'Token required' : SAYS[status]}
      {isConnected && <span class="revision">, {negotiated}</span>}
    </span>
  );
}

/** On a narrow screen, they are behind a button. */
function Controls({ connection }: { readonly connection: Connection }) {
  const [isOpen, setIsOpen] = useState(false);
  const { status, sessionId, login } = connection;
  const [revision, setRevision] = useState(connection.revision);
  useEffect(() => setIsOpen(false), [status]);
  const connect = (event: Event) => {
    event.preventDefault();
    void connection.connect(revision);
  };
  return (
    <>
      <button
        type="button"
        class="small menu"
        aria-expanded={isOpen}
        aria-controls="controls"
        onClick={() => setIsOpen(!isOpen)}
        onKeyDown={(event) => event.key === 'Escape' && setIsOpen(false)}
      >
        Connection
      </button>
      <div
        id="controls"
        class={isOpen ? 'open' : undefined}
        onKeyDown={(event) => event.key === 'Escape' && setIsOpen(false)}
      >
        <form class="buttons" onSubmit={connect}>
          <label>
            Revision{' '}
            <select value={revision} onChange={(event) => setRevision(event.currentTarget.value)}>
              {REVISION_CHOICES.map((one) => (
                <option key={one} value={one}>
                  {one === LATEST_OF_BOTH ? 'automatic' : one}
                </option>
              ))}
            </select>
          </label>
          <button type="submit" class="small">
            Connect again
          </button>
          <button
            type="button"
            class="small"
            disabled={status !== 'connected'}
            onClick={() => void connection.close()}
          >
            {sessionId === undefined ? 'Disconnect' : 'End the session'}
          </button>
          {login.token !== undefined && (
            <button type="button" class="small" onClick={() => void forget(connection, revision)}>
              Forget the token
            </button>
          )}
        </form>
      </div>
    </>
  );
}

/** Hints about the connection, below the navigation. */
export function ConnectionNotices({ connection }: { readonly connection: Connection }) {
  const { failure, status, login } = connection;
  useStore(login);
  return (
    <>
      {failure !== undefined && status !== 'login' && (
        <p role="alert" class="notice problem">
          {failure}
        </p>
      )}
      {login.isBound && (
        <p class="hint">Your token is bound to a key of this page: log in again after a reload.</p>
      )}
      {login.scopes.length > 0 && <Scopes label="Your token has" scopes={login.scopes} />}
    </>
  );
}

async function forget(connection: Connection, revision: string): Promise<void> {
  await connection.close();
  connection.login.forget();
  await connection.connect(revision);
}
