import {
  describeBridge,
  describeInput,
  describeTyped,
  describeUrl,
  type Entry,
  formatEnvReference,
  formatInputReference,
  formatShellReference,
  nameSecret,
  type SecretName,
  type ServerAddress,
} from '../../lib/core/clients/describe-server.js';
import { encodeBase64 } from '../../lib/core/protocol/base64.js';
import type { Access } from '../../lib/core/explorer/page-contract.js';

/** What a user does to tell each client of a server. */
export interface ClientInstructions {
  readonly codeLink: string;
  readonly cursorLink: string;
  /** The command for Claude Code. */
  readonly claude: string;
  /** What goes into the file of Claude Desktop. */
  readonly bridge: Entry;
  /** The server as other clients are told of it. */
  readonly others: ServerAddress;
  /** The command of this package, and the variable in which it looks for a token. */
  readonly command: { readonly text: string; readonly variable: string };
}

/** Where a user puts a token that nothing else gives. */
const PLACE = '<token>';

/** Builds what a user does to tell each client of a server. No token is in it: if one is needed, its place or its name is. */
export function buildInstructions(name: string, url: string, access: Access): ClientInstructions {
  const secret = nameSecret(name);
  const needsToken = access === 'token';
  const locate = (token: string): ServerAddress => ({
    url,
    headers: needsToken ? { Authorization: `Bearer ${token}` } : {},
  });
  const header = needsToken ? ` --header "Authorization: Bearer $${secret.variable}"` : '';
  return {
    codeLink: buildCodeLink(name, {
      ...describeTyped(locate(formatInputReference(secret))),
      ...(needsToken && { inputs: [describeInput(secret)] }),
    }),
    cursorLink: buildCursorLink(name, describeUrl(locate(formatEnvReference(secret)))),
    claude: `claude mcp add --transport http ${name} ${url}${header}`,
    bridge: {
      mcpServers: { [name]: needsToken ? describeBridgeWithToken(url, secret) : describeBridge(locate('')) },
    },
    others: locate(PLACE),
    command: {
      // What npx is called with stands in npm's log: the command reads the variable itself.
      text: `npx nestjs-mcp-cli add vscode ${url} --name ${name}${needsToken ? ` --token-env ${secret.variable}` : ''}`,
      variable: secret.variable,
    },
  };
}

/** The bridge replaces names in headers itself; clients break arguments with spaces on some systems. */
function describeBridgeWithToken(url: string, secret: SecretName): Entry {
  const headers = { Authorization: formatShellReference(secret) };
  return { ...describeBridge({ url, headers }), env: { [secret.variable]: `Bearer ${PLACE}` } };
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
