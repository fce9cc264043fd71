import { nameSecret, nameServer } from '../lib/core/clients/describe-server.js';
import type { Access } from '../lib/core/explorer/page-contract.js';

/** The server that a command is about. */
export interface CommandTarget {
  readonly url: string;
  /** The name that the server gives itself; empty if nobody knows it yet. */
  readonly name: string;
  readonly access: Access;
}

/** Writes a command of this package. If the server takes only a token that somebody gives out, the command names its variable. */
export function formatCommand(words: string, { url, name, access }: CommandTarget): string {
  const variable = access === 'token' ? ` --token-env ${nameSecret(nameServer(name)).variable}` : '';
  return `npx nestjs-mcp-cli ${words} ${url}${variable}`;
}
