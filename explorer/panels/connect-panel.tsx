import { describeTyped, nameServer } from '../../lib/core/clients/describe-server.js';
import type { Access } from '../../lib/core/explorer/page-contract.js';
import { readAccess } from '../facts.js';
import { CodeToCopy } from '../parts/code-to-copy.js';
import { CopyButton } from '../parts/copy-button.js';
import { JsonView } from '../parts/json-view.js';
import type { PanelProps } from './panel.js';
import { buildInstructions } from './client-instructions.js';

/** How other clients are told about the server; if a client takes a link, the link installs it. */
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
      {access === 'token' && <p>VS Code asks for the token, and keeps it.</p>}
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
        <p>ChatGPT takes no fixed token: it needs a server without one, or with logins.</p>
      ) : (
        <>
          <p>
            In the settings of ChatGPT, under connectors, with developer mode on: create a connector with this
            address. ChatGPT reaches public addresses alone.
          </p>
          <CodeToCopy text={url} label="Copy the address" />
        </>
      )}
      <h3>Others</h3>
      <Json value={{ mcpServers: { [name]: describeTyped(others) } }} />
      <p>The command line writes it into the files of these and further clients:</p>
      <CodeToCopy text={command.text} label="Copy this command" />
    </section>
  );
}

function Hint({ access, variable }: { readonly access: Access; readonly variable: string }) {
  if (access === 'open') return <p class="hint">The server asks for no token.</p>;
  if (access === 'login')
    return <p class="hint">Tokens of this page are not in any of these: each client logs in for itself.</p>;
  return (
    <p class="hint">
      The server takes a fixed token, and has no login. The token is not in any of these: each has a place for
      it, or reads it from the variable <code>{variable}</code>.
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
