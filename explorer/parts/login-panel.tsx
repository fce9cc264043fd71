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

/** Asks its user to log in, or for more than the token allows. Nothing is sent before a click. */
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
        {isStepUp ? 'The server asks for more than your token allows' : `The server asks for a ${access}`}
      </h2>
      <p role="alert" class="problem">
        {alert}
      </p>
      {failure?.endpoint !== undefined && <OtherLogins connection={connection} />}
      {scope !== undefined && <Scopes label="It asks for" scopes={scope.split(' ')} />}
      {isStepUp && login.scopes.length > 0 && <Scopes label="Your token has" scopes={login.scopes} />}
      {issuers.length > 0 && <LoginForm connection={connection} issuers={issuers} isStepUp={isStepUp} />}
      <TokenForm connection={connection} label={LABELS[access]} />
      <p class="hint">
        This tab keeps the token until it is closed; one that is bound to a key, until the page is left. It is
        sent to this server alone.
      </p>
    </section>
  );
}

/** What works where a request of a login does not. */
function OtherLogins({ connection: { endpoint } }: { readonly connection: Connection }) {
  const command = formatCommand('login', { url: endpoint.href, name: '', access: 'login' });
  return (
    <>
      <p>What you can do instead:</p>
      <ul>
        <li>
          allow the origin <code>{endpoint.origin}</code> at the authorization server (CORS), also where
          clients register
        </li>
        <li>enter the id of a client that you have registered there, below</li>
        <li>paste a token that you have, below</li>
        <li>
          log in at the command line, which needs no CORS:
          <CodeToCopy text={command} label="Copy the command of the login" />
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
        <summary>Log in with a client id of your own</summary>
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
          {isStepUp ? 'Ask for it' : 'Log in'}
        </button>
        {isStepUp && (
          <button type="button" onClick={() => login.dismiss()}>
            Stay as it is
          </button>
        )}
      </p>
    </form>
  );
}

const LABELS = { login: 'Or a token that you have', token: 'The token' };

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
