import { useState } from 'preact/hooks';
import type { Connection } from '../connection/connection.js';
import { formatCommand } from '../commands.js';
import { useStore } from '../connection/use-store.js';
import { CodeToCopy } from './code-to-copy.js';
import { Scopes } from './scopes.js';

export interface LoginPanelProps {
  readonly connection: Connection;
  readonly issuers: readonly string[];
}

/** Asks the user to log in, or to log in again for more scopes. Nothing is sent before the user clicks. */
export function LoginPanel({ connection, issuers }: LoginPanelProps) {
  const { login } = connection;
  useStore(login);
  const { challenge, failure, refusal } = login;
  if (challenge === undefined && failure === undefined) return null;
  const { isStepUp = false, scope } = challenge ?? {};
  const access = issuers.length > 0 ? 'login' : 'token';
  const alert = failure === undefined ? refusal : `The login failed. ${failure.text}`;
  return (
    <section class="panel" aria-labelledby="login">
      <h2 id="login">
        {isStepUp ? 'The server requires more scopes than your token has' : `The server requires a ${access}`}
      </h2>
      <p role="alert" class="problem">
        {alert}
      </p>
      {failure?.endpoint !== undefined && <OtherLogins connection={connection} />}
      {scope !== undefined && <Scopes label="Required scopes" scopes={scope.split(' ')} />}
      {isStepUp && login.scopes.length > 0 && <Scopes label="Your token has" scopes={login.scopes} />}
      {issuers.length > 0 && <LoginForm connection={connection} issuers={issuers} isStepUp={isStepUp} />}
      <TokenForm connection={connection} label={LABELS[access]} />
      <p class="hint">
        This tab keeps the token until you close it, or a key-bound token until you leave the page. The token
        is sent only to this server.
      </p>
    </section>
  );
}

/** Alternatives if a login request fails. */
function OtherLogins({ connection: { endpoint } }: { readonly connection: Connection }) {
  const command = formatCommand('login', { url: endpoint.href, name: '', access: 'login' });
  return (
    <>
      <p>Alternatives:</p>
      <ul>
        <li>
          allow the origin <code>{endpoint.origin}</code> at the authorization server (CORS), also where
          clients register
        </li>
        <li>enter, below, the id of a client that is registered there</li>
        <li>paste a token below</li>
        <li>
          log in on the command line, which does not require CORS:
          <CodeToCopy text={command} label="Copy the login command" />
        </li>
      </ul>
    </>
  );
}

function LoginForm({ connection, issuers, isStepUp }: LoginPanelProps & { readonly isStepUp: boolean }) {
  const { login } = connection;
  const [clientId, setClientId] = useState(login.clientId);
  const begin = async (event: Event) => {
    event.preventDefault();
    if (await login.begin(clientId)) await connection.connect(connection.revision);
  };
  return (
    <form onSubmit={(event) => void begin(event)}>
      <p>
        Tokens are from{' '}
        {issuers.map((issuer) => (
          <code key={issuer}>{issuer}</code>
        ))}
      </p>
      <details open={clientId !== '' || login.failure?.endpoint === 'registration'}>
        <summary>Log in with your client ID</summary>
        <div class="field">
          <label for="client-id">
            Client id that you have registered there, for the address {connection.endpoint.href}
          </label>
          <input
            id="client-id"
            value={clientId}
            autocomplete="off"
            onInput={(event) => setClientId(event.currentTarget.value)}
          />
        </div>
      </details>
      <p class="buttons">
        <button type="submit" class="main">
          {isStepUp ? 'Request them' : 'Log in'}
        </button>
        {isStepUp && (
          <button type="button" onClick={() => login.dismiss()}>
            Not now
          </button>
        )}
      </p>
    </form>
  );
}

const LABELS = { login: 'Or paste a token', token: 'The token' };

function TokenForm({ connection, label }: { readonly connection: Connection; readonly label: string }) {
  const [token, setToken] = useState('');
  const use = async (event: Event) => {
    event.preventDefault();
    connection.login.use(token);
    await connection.connect(connection.revision);
  };
  return (
    <form onSubmit={(event) => void use(event)}>
      <div class="field">
        <label for="token">{label}</label>
        <input
          id="token"
          type="password"
          value={token}
          autocomplete="off"
          onInput={(event) => setToken(event.currentTarget.value)}
        />
      </div>
      <button type="submit" disabled={token.trim() === ''}>
        Use the token
      </button>
    </form>
  );
}
