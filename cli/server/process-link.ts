import type { Client, ClientOptions } from '@modelcontextprotocol/client';
import { Interrupt } from '../call/interrupt.js';
import type { StartedServer } from './called-server.js';
import { createClient, type ClientLink, type ClientSetup, type OfficialClient } from './client-link.js';
import { ServerProcess } from './server-process.js';

/** What ends a command from outside, beside Ctrl-C. */
const ENDING: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGHUP'];

/** How long a server may take to answer what those before 2026-07-28 do not know. It is asked for its handshake after that. */
const DISCOVERY_MS = 10_000;

/** Leads to a server that the command starts. Nothing of it is left when the command ends, however it ends. */
export class ProcessLink implements ClientLink {
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
    const timeoutMs = Math.min(this.setup.patienceMs, DISCOVERY_MS);
    try {
      return await this.#start({ mode: 'auto', probe: { timeoutMs } });
    } catch (error) {
      // Some servers end if the first message is no handshake.
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
    const { server, patienceMs: timeout, interrupted: signal } = this.setup;
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
