import { describeTyped, nameServer } from '../../lib/core/clients/describe-server.js';
import type { Access } from '../../lib/core/explorer/page-contract.js';
import { readAccess } from '../facts.js';
import { CodeToCopy } from '../parts/code-to-copy.js';
import { CopyButton } from '../parts/copy-button.js';
import { JsonView } from '../parts/json-view.js';
import type { PanelProps } from './panel.js';
import { buildInstructions } from './client-instructions.js';

/** Other clients' configuration. Clients that support links install the server with one. */
export function ConnectPanel({ connection }: PanelProps) {
  const url = connection.endpoint.href;
  const name = nameServer(connection.server?.name ?? '');
  const access = readAccess();
  const { codeLink, cursorLink, claude, bridge, others, command } = buildInstructions(name, url, access);
  return (
    <section aria-labelledby="connect" class="prose">
      <h2 id="connect">Add the server to a client</h2>
      <Hint access={access} variable={command.variable} />
      <h3>VS Code</h3>
      {access === 'token' && <p>VS Code asks for the token and stores it.</p>}
      <p>
        <a class="button" href={codeLink}>
          Add to VS Code
        </a>
      </p>
      <h3>Cursor</h3>
      {access === 'token' && (
        <p>
          Cursor reads the token from the variable <code>{command.variable}</code>: set it before you start
          Cursor.
        </p>
      )}
      <p>
        <a class="button" href={cursorLink}>
          Add to Cursor
        </a>
      </p>
      <h3>Claude Code</h3>
      <CodeToCopy text={claude} label="Copy the command" />
      <h3>Claude Desktop</h3>
      <p>In its claude_desktop_config.json{access === 'token' && ', with the token instead of <token>'}:</p>
      <Json value={bridge} />
      <h3>ChatGPT</h3>
      {access === 'token' ? (
        <p>ChatGPT does not support fixed tokens: the server must be open, or have logins.</p>
      ) : (
        <>
          <p>
            In the settings of ChatGPT, under connectors, with developer mode on: create a connector with this
            address. ChatGPT only reaches public addresses.
          </p>
          <CodeToCopy text={url} label="Copy the address" />
        </>
      )}
      <h3>Others</h3>
      <Json value={{ mcpServers: { [name]: describeTyped(others) } }} />
      <p>The CLI configures these and other clients:</p>
      <CodeToCopy text={command.text} label="Copy this command" />
    </section>
  );
}

function Hint({ access, variable }: { readonly access: Access; readonly variable: string }) {
  if (access === 'open') return <p class="hint">The server requires no token.</p>;
  if (access === 'login')
    return <p class="hint">None of these contain tokens of this page: each client logs in separately.</p>;
  return (
    <p class="hint">
      The server requires a fixed token, and has no login. None of these contain the token: each has a
      placeholder, or reads it from the variable <code>{variable}</code>.
    </p>
  );
}

function Json({ value }: { readonly value: object }) {
  return (
    <>
      <JsonView value={value} />
      <CopyButton label="Copy the JSON" text={JSON.stringify(value, undefined, 2)} />
    </>
  );
}
