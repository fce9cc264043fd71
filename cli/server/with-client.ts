import type { Client, ClientOptions, RequestOptions, Tool } from '@modelcontextprotocol/client';
import { untilAborted } from '../../lib/core/async/promises.js';
import { Interrupt } from '../call/interrupt.js';
import { ExitCode } from '../command.interface.js';
import { nameServer, type StartedServer } from './called-server.js';
import { createClient, type ClientLink, type ClientSetup, type OfficialClient } from './client-link.js';
import { explainFailure, ServerFailureError } from './explain-failure.js';
import { HttpLink } from './http-link.js';
import type { ServerOptions } from './server-options.js';
import { ServerProcess } from './server-process.js';

/** The signals that end a command, besides Ctrl-C. */
const ENDING: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGHUP'];

/**
 * The discovery request's timeout, which servers before 2026-07-28 may ignore. The client sends `initialize` after
 * that.
 */
const DISCOVERY_MS = 10_000;

/** Connects to a server that the command starts, and shuts it down however the command ends. */
class ProcessLink implements ClientLink {
  readonly #interrupt: Interrupt;
  #process: ServerProcess | undefined;

  constructor(
    private readonly setup: ClientSetup<StartedServer>,
    private readonly sdk: OfficialClient,
  ) {
    this.#interrupt = new Interrupt(setup.interrupted === undefined ? ['SIGINT', ...ENDING] : ENDING);
  }

  get log(): readonly string[] {
    return this.#process?.log ?? [];
  }

  get ended(): AbortSignal {
    return this.#interrupt.signal;
  }

  async connect(): Promise<Client> {
    this.#interrupt.begin();
    const timeoutMs = Math.min(this.setup.requestTimeoutMs, DISCOVERY_MS);
    try {
      return await this.#start({ mode: 'auto', probe: { timeoutMs } });
    } catch (error) {
      // Some servers exit if the first message is not "initialize".
      if (!this.#isEndOfProbe(error)) throw error;
      return this.#start({ mode: 'legacy' });
    }
  }

  explain(error: unknown): unknown {
    return this.#process?.explain(error) ?? error;
  }

  async close(): Promise<void> {
    await this.#process?.close();
    this.#interrupt.end();
  }

  async #start(negotiation: NonNullable<ClientOptions['versionNegotiation']>): Promise<Client> {
    await this.#process?.close();
    const { server, requestTimeoutMs: timeout, interrupted: signal } = this.setup;
    this.#process = await ServerProcess.prepare(server);
    const client = createClient(this.setup, this.sdk, negotiation);
    await client.connect(this.#process.transport, { timeout, ...(signal && { signal }) });
    return client;
  }

  #isEndOfProbe(error: unknown): boolean {
    const { SdkError, SdkErrorCode } = this.sdk;
    const isOfProbe = error instanceof SdkError && error.code === SdkErrorCode.EraNegotiationFailed;
    return isOfProbe && this.#process?.ending !== undefined;
  }
}

/** A connected client, and its package. */
export interface ConnectedClient {
  readonly client: Client;
  readonly sdk: OfficialClient;
}

/** Runs work with a connected client, and closes the connection. */
export async function withClient<Result>(
  setup: ClientSetup,
  work: (connected: ConnectedClient) => Promise<Result>,
): Promise<Result> {
  const sdk = await import('@modelcontextprotocol/client');
  const link = createLink(setup, sdk);
  try {
    return await untilAborted(
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

/** Lists a server's tools. Without the capability, no request is sent, and the list is empty. */
export async function listTools(client: Client, options: RequestOptions): Promise<readonly Tool[]> {
  if (client.getServerCapabilities()?.tools === undefined) return [];
  const { tools } = await client.listTools(undefined, options);
  return tools;
}
