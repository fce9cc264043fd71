import type { Client } from '@modelcontextprotocol/client';
import { orAborted } from '../../lib/core/waiting/or-aborted.js';
import { ExitCode } from '../command.interface.js';
import { nameServer, type StartedServer } from './called-server.js';
import type { ClientLink, ClientSetup, OfficialClient } from './client-link.js';
import { explainFailure } from './explain-failure.js';
import { HttpLink } from './http-link.js';
import { ProcessLink } from './process-link.js';
import { ServerFailureError } from './server-failure.error.js';
import type { ServerOptions } from './server-options.js';

/** A connected client, and its package. */
export interface ConnectedClient {
  readonly client: Client;
  readonly sdk: OfficialClient;
}

/** Does work with a client that is connected, and lets the connection go. */
export async function withClient<Result>(
  setup: ClientSetup,
  work: (connected: ConnectedClient) => Promise<Result>,
): Promise<Result> {
  const sdk = await import('@modelcontextprotocol/client');
  const link = createLink(setup, sdk);
  try {
    return await orAborted(
      link.connect().then((client) => work({ client, sdk })),
      link.ended,
    );
  } catch (error) {
    const explained = link.explain(error);
    const isInterrupted = link.ended?.aborted === true || setup.interrupted?.aborted === true;
    const isOfConnection = explainFailure(explained)?.exitCode === ExitCode.connection;
    if (!isOfConnection || isInterrupted) throw explained;
    for (const line of link.log) setup.terminal.complain(`  | ${line}`);
    throw new ServerFailureError(nameServer(setup.server), explained);
  } finally {
    await link.close();
  }
}

function createLink(setup: ClientSetup, sdk: OfficialClient): ClientLink {
  const { server } = setup;
  return 'url' in server
    ? new HttpLink(setup as ClientSetup<ServerOptions>, sdk)
    : new ProcessLink(setup as ClientSetup<StartedServer>, sdk);
}
