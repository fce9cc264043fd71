import {
  describeBridge,
  describeTyped,
  describeUrl,
  type Entry,
} from '../../core/clients/describe-server.js';
import { encodeBase64 } from '../../core/protocol/base64.js';
import { CodeToCopy } from '../parts/code-to-copy.js';
import { CopyButton } from '../parts/copy-button.js';
import { JsonView } from '../parts/json-view.js';
import type { AreaProps } from './area.js';

/** How other clients are told about the server; if a client takes a link, the link installs it. */
export function ConnectArea({ connection }: AreaProps) {
  const url = connection.endpoint.href;
  const name = findName(connection.server?.name);
  const address = { url, headers: {} };
  const claude = `claude mcp add --transport http ${name} ${url}`;
  return (
    <section aria-labelledby="connect" class="prose">
      <h2 id="connect">Add the server to a client</h2>
      <p class="hint">Tokens of this page are not in any of these: each client logs in for itself.</p>
      <h3>VS Code</h3>
      <p>
        <a class="button" href={buildCodeLink(name, describeTyped(address))}>
          Add to VS Code
        </a>
      </p>
      <h3>Cursor</h3>
      <p>
        <a class="button" href={buildCursorLink(name, describeUrl(address))}>
          Add to Cursor
        </a>
      </p>
      <h3>Claude Code</h3>
      <CodeToCopy text={claude} label="Copy the command" />
      <h3>Claude Desktop</h3>
      <p>In its claude_desktop_config.json:</p>
      <Json value={{ mcpServers: { [name]: describeBridge(address) } }} />
      <h3>ChatGPT</h3>
      <p>
        In the settings of ChatGPT, under connectors, with developer mode on: create a connector with this
        address. ChatGPT reaches public addresses alone.
      </p>
      <CodeToCopy text={url} label="Copy the address" />
      <h3>Others</h3>
      <Json value={{ mcpServers: { [name]: describeTyped(address) } }} />
      <p>The command line writes it into the files of these and further clients:</p>
      <CodeToCopy text={`npx nestjs-mcp add vscode ${url}`} label="Copy this command" />
    </section>
  );
}

function Json({ value }: { readonly value: Entry }) {
  return (
    <>
      <JsonView value={value} />
      <CopyButton label="Copy the JSON" text={JSON.stringify(value, undefined, 2)} />
    </>
  );
}

/** A name that every client takes, and that shells leave as it is. */
function findName(name = 'server'): string {
  const plain = name.replace(/[^\w-]+/g, '-').replace(/^-+|-+$/g, '');
  return plain === '' ? 'server' : plain;
}

/** @see https://code.visualstudio.com/api/extension-guides/ai/mcp */
function buildCodeLink(name: string, entry: Entry): string {
  return `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name, ...entry }))}`;
}

/** @see https://cursor.com/docs/mcp/install-links */
function buildCursorLink(name: string, entry: Entry): string {
  const config = encodeBase64(new TextEncoder().encode(JSON.stringify(entry)));
  return `cursor://anysphere.cursor-deeplink/mcp/install?name=${encodeURIComponent(name)}&config=${encodeURIComponent(config)}`;
}
