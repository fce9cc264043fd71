import type { INestApplication } from '@nestjs/common';
import { OpeningMessages } from '../../lib/core/doctor/probe/messages.js';
import type { ListedCatalog } from '../../lib/core/lint/read-catalog.js';
import { readOwnPackage } from '../../lib/core/package/own-package.js';
import { isObject } from '../../lib/core/protocol/json-rpc.js';
import { settleWithin } from '../../lib/core/async/timeouts.js';
import type { McpAuthenticator, McpInMemoryConnector } from '../../lib/index.js';
import { collectCatalog, type SendRequest } from '../lint/collect-catalog.js';
import { makeApplication, type MadeApplication } from './made-module.js';

/** What one server of an application lists. */
export interface ListedServer {
  /** The key of the server in its application. */
  readonly server: string;
  readonly catalog: ListedCatalog;
}

/** What has begun is ended, as long as that takes no longer. */
const LONGEST_END_MS = 3_000;

/** Who asks an application that is not there for callers yet. */
const CALLER = 'nestjs-mcp-lint';

/**
 * Makes and initializes the application of a file, without having it listen, and collects what its servers list.
 *
 * @param scopes the rights of the caller who lists, in addition to those that every caller needs
 */
export async function listModule(
  target: string,
  scopes: readonly string[],
): Promise<readonly ListedServer[]> {
  const made = await makeApplication(target);
  const servers = made.entry.describeServers(made.app).map(({ server }) => server);
  await made.app.init();
  try {
    const listed: ListedServer[] = [];
    for (const server of servers) listed.push({ server, catalog: await listServer(made, server, scopes) });
    return listed;
  } finally {
    await settleWithin(made.app.close(), LONGEST_END_MS);
  }
}

async function listServer(
  { entry, app }: MadeApplication,
  server: string,
  scopes: readonly string[],
): Promise<ListedCatalog> {
  const connector = app.get<McpInMemoryConnector>(entry.getInMemoryConnectorToken(server), { strict: false });
  const transport = await connector.connect(selectCaller(app, entry.getAuthenticatorToken(server), scopes));
  const ask = createAsk(transport);
  await transport.start();
  try {
    const discovered = await ask('server/discover', {});
    const { capabilities, instructions } = isObject(discovered) ? discovered : {};
    return await collectCatalog(
      { capabilities: isObject(capabilities) ? capabilities : {}, instructions },
      ask,
    );
  } finally {
    await transport.close();
  }
}

/** A server without tokens asks nobody who they are. */
function selectCaller(app: INestApplication, token: string, scopes: readonly string[]) {
  const { isConfigured, routes } = app.get<McpAuthenticator>(token, { strict: false });
  if (!isConfigured) return {};
  return { claims: { sub: CALLER, scopes: [...routes.endpoint.scopes, ...scopes] } };
}

type Transport = Awaited<ReturnType<McpInMemoryConnector['connect']>>;

/** Each request goes alone, so that whatever is answered next is its answer. */
function createAsk(transport: Transport): SendRequest {
  const introductions = new OpeningMessages({ name: CALLER, version: readOwnPackage().version });
  return async (method, params) => {
    const answer = new Promise<Readonly<Record<string, unknown>>>((resolve) => {
      transport.onmessage = (message) => {
        if ('id' in message) resolve({ ...message });
      };
    });
    await transport.send(introductions.buildPerRequest(method, params).message);
    const { result, error } = await answer;
    if (error !== undefined) throw Object.assign(new Error('The server refuses'), error);
    return result;
  };
}
