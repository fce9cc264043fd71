import { nameSecret, nameServer } from '../lib/core/clients/describe-server.js';
import type { Access } from '../lib/core/explorer/page-contract.js';

/** The server that a command refers to. */
export interface CommandTarget {
  readonly url: string;
  /** The name that the server reports; empty if it is unknown. */
  readonly name: string;
  readonly access: Access;
}

/** Formats a command of this package. If the server requires a fixed token, the command names its variable. */
export function formatCommand(words: string, { url, name, access }: CommandTarget): string {
  const variable = access === 'token' ? ` --token-env ${nameSecret(nameServer(name)).variable}` : '';
  return `npx nestjs-mcp-cli ${words} ${url}${variable}`;
}
