import type { INestApplication } from '@nestjs/common';
import { OpeningMessages } from '../../lib/core/doctor/probe/messages.js';
import type { ListedCatalog } from '../../lib/core/lint/read-catalog.js';
import { readOwnPackage } from '../../lib/core/package/own-package.js';
import { isObject } from '../../lib/core/protocol/json-rpc.js';
import { settleWithin } from '../../lib/core/async/timeouts.js';
import type { McpAuthenticator, McpInMemoryConnector } from '../../lib/index.js';
import { collectCatalog, type SendRequest } from '../lint/collect-catalog.js';
import { makeApplication, type MadeApplication } from './made-module.js';

/** The catalog of one of an application's servers. */
export interface ListedServer {
  /** The server key in its application. */
  readonly server: string;
  readonly catalog: ListedCatalog;
}

/** The maximum wait for the application to close. */
const LONGEST_END_MS = 3_000;

/** The caller that lists the catalog of an application without real callers. */
const CALLER = 'nestjs-mcp-lint';

/**
 * Creates and initializes a file's application, without listening, and collects the catalogs of its servers.
 *
 * @param scopes the scopes of the listing caller, in addition to the scopes that every caller needs
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

/** A server without authentication needs no claims. */
function selectCaller(app: INestApplication, token: string, scopes: readonly string[]) {
  const { isConfigured, routes } = app.get<McpAuthenticator>(token, { strict: false });
  if (!isConfigured) return {};
  return { claims: { sub: CALLER, scopes: [...routes.endpoint.scopes, ...scopes] } };
}

type Transport = Awaited<ReturnType<McpInMemoryConnector['connect']>>;

/** Requests are sent one at a time, so the next response belongs to the last request. */
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
    if (error !== undefined) throw Object.assign(new Error('The server rejected the request'), error);
    return result;
  };
}
