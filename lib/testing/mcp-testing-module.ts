import type * as OfficialClient from '@modelcontextprotocol/client';
import type { Client, ClientOptions } from '@modelcontextprotocol/client';
import type { INestApplicationContext } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { asserting, callable, nonEmptyString, object, oneOf } from '../core/checks/option-checks.js';
import { optionGroup } from '../core/checks/option-group.js';
import { findRevision, REVISIONS } from '../core/protocol/revisions.js';
import { quoteAll } from '../core/words/words.js';
import {
  getAuthenticatorToken,
  getInMemoryConnectorToken,
  McpConfigurationError,
  type LocalCaller,
  type McpAuthenticator,
  type McpInMemoryConnector,
} from '../index.js';
import { explainMissingTestPackage } from './explain-absence-in-tests.js';

const TOKEN_PREFIX = getInMemoryConnectorToken('');

/**
 * Finds a server's connector in the application.
 *
 * @param server the server's key; absent for the default server
 * @throws {Error} if the server does not exist. The error names the existing ones
 */
function findConnector(application: INestApplicationContext, server?: string): McpInMemoryConnector {
  const known = listServers(application);
  if (known.length === 0) {
    throw new Error('The application has no MCP server: import "McpModule.forRoot({ … })"');
  }
  if (server !== undefined && !known.includes(server)) throw unknownServer(`server "${server}"`, known);
  // Without a default server, Nest returns `undefined`.
  const connector: McpInMemoryConnector | undefined = application.get(getInMemoryConnectorToken(server), {
    strict: false,
  });
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
  return new Error(`There is no ${missing}: pass one of ${listed} as "server"`);
}

/** Options for a test client's connection. */
export interface TestClientOptions {
  /** The protocol revision to use. @default '2026-07-28' */
  readonly revision?: '2024-11-05' | '2025-03-26' | '2025-06-18' | '2025-11-25' | '2026-07-28';
  /** The caller: a token for the server's validators, or claims that are trusted. @default an anonymous caller */
  readonly auth?: LocalCaller;
  /** The server, in an application with several. @default the default server */
  readonly server?: string;
  /** Additional options for the official client, such as capabilities and handlers for changed lists. */
  readonly client?: ClientOptions;
  /** Called with the client before it connects, to set its handlers. */
  readonly prepare?: (client: Client) => void;
}

export const TEST_CLIENT = optionGroup<TestClientOptions, 'auth' | 'server' | 'client' | 'prepare'>({
  revision: [oneOf(...REVISIONS.map(({ version }) => version)), '2026-07-28'],
  auth: object,
  server: nonEmptyString,
  client: object,
  prepare: callable,
});

/** Connects official clients to an application under test, without a socket. */
export class McpTestingModule {
  /**
   * Creates an official client (`@modelcontextprotocol/client`) that is connected to one of the application's
   * servers.
   *
   * @param application a compiled and initialized testing module, an application, or an application context
   * @throws {AuthError} if the caller's token is invalid
   * @throws {Error} if the official client is not installed, the application is not initialized, or does not have
   * this server. Also thrown if the server has no `auth` option and would ignore the caller
   * @example
   * const moduleRef = await Test.createTestingModule({ imports: [DeskModule] }).compile();
   * await moduleRef.init();
   * const client = await McpTestingModule.createClient(moduleRef, { revision: '2025-11-25' });
   * const { tools } = await client.listTools();
   */
  static async createClient(
    application: INestApplicationContext,
    options: TestClientOptions = {},
  ): Promise<Client> {
    asserting(McpConfigurationError, () => TEST_CLIENT.check('createClient', options));
    const { revision, auth, server, prepare } = TEST_CLIENT.build(options);
    const connector = findConnector(application, server);
    if (!connector.isReady) {
      throw new Error('The application is not initialized: call "await moduleRef.init()" first');
    }
    if (auth !== undefined) assertAsksForTokens(application, server);
    const { Client: OfficialClient } = await loadOfficialClient();
    const client = new OfficialClient(
      { name: 'test', version: '1.0.0' },
      { ...selectWire(revision), ...options.client },
    );
    prepare?.(client);
    await client.connect(await connector.connect(auth));
    return client;
  }
}

function assertAsksForTokens(application: INestApplicationContext, server?: string): void {
  const token = getAuthenticatorToken(server);
  if (application.get<McpAuthenticator>(token, { strict: false }).isConfigured) return;
  throw new Error(
    'The server has no "auth" option, so its callers are anonymous: set that option, or call "createClient" without "auth"',
  );
}

function selectWire(version: string): ClientOptions {
  if (findRevision(version)?.kind === 'perRequest') return { versionNegotiation: { mode: { pin: version } } };
  return { versionNegotiation: { mode: 'legacy' }, supportedProtocolVersions: [version] };
}

/**
 * Loads the official client, which applications install only for their tests.
 *
 * @throws {Error} if it is not installed; the message names the fix
 */
async function loadOfficialClient(): Promise<typeof OfficialClient> {
  try {
    return await import('@modelcontextprotocol/client');
  } catch (cause) {
    throw explainMissingTestPackage('nestjs-mcp/testing', '@modelcontextprotocol/client', cause);
  }
}
