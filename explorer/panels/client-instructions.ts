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

/** Each client's configuration for a server. */
export interface ClientInstructions {
  readonly codeLink: string;
  readonly cursorLink: string;
  /** The command for Claude Code. */
  readonly claude: string;
  /** The entry in Claude Desktop's configuration file. */
  readonly bridge: Entry;
  /** The entry for other clients. */
  readonly others: ServerAddress;
  /** This package's command, and the variable from which it reads a token. */
  readonly command: { readonly text: string; readonly variable: string };
}

/** The placeholder for a token that users enter. */
const PLACE = '<token>';

/**
 * Builds each client's configuration for a server. It does not contain a token, only a placeholder or a variable
 * name.
 */
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
      // npm logs the arguments of npx, so the command reads the variable itself.
      text: `npx nestjs-mcp-cli add vscode ${url} --name ${name}${needsToken ? ` --token-env ${secret.variable}` : ''}`,
      variable: secret.variable,
    },
  };
}

/** The bridge expands variables in headers. Clients break arguments with spaces on some systems. */
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
