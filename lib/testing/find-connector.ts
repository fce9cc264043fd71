import type { INestApplicationContext } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { quoteAll } from '../core/words/quote-all.js';
import { getConnectorToken, type McpConnector } from '../index.js';

const TOKEN_PREFIX = getConnectorToken('');

/**
 * Finds what connects clients to a server of the application.
 *
 * @param server the server's key; the default server's without
 * @throws {Error} if the server does not exist. The error names the existing ones
 */
export function findConnector(application: INestApplicationContext, server?: string): McpConnector {
  const known = listServers(application);
  if (known.length === 0) {
    throw new Error('The application has no MCP server: import "McpModule.forRoot({ … })"');
  }
  if (server !== undefined && !known.includes(server)) throw unknownServer(`server "${server}"`, known);
  // If no server is the default one, Nest gives nothing.
  const connector: McpConnector | undefined = application.get(getConnectorToken(server), { strict: false });
  if (connector === undefined) throw unknownServer('default server', known);
  return connector;
}

function listServers(application: INestApplicationContext): readonly string[] {
  const modules = [...application.get(ModulesContainer, { strict: false }).values()];
  return modules
    .flatMap(({ providers }) => [...providers.keys()])
    .filter((token): token is string => typeof token === 'string' && token.startsWith(TOKEN_PREFIX))
    .map((token) => token.slice(TOKEN_PREFIX.length));
}

function unknownServer(missing: string, known: readonly string[]): Error {
  const listed = quoteAll(known);
  return new Error(`There is no ${missing}: give one of ${listed} as "server"`);
}
