import type { Terminal } from '../command.interface.js';
import { Elicitor } from '../call/elicitor.js';
import { LimitWaiting } from './limit-waiting.js';
import { type CalledServer, selectRequestTimeout } from './called-server.js';
import { createTokenSource } from './token-source.js';
import { withClient, type ConnectedClient } from './with-client.js';

/** A connected client, and its requests' options. */
export interface InteractiveClient extends ConnectedClient {
  /** Options of each request. */
  readonly options: { readonly timeout: number };
}

/** Runs work with a connected client that handles elicitation at the terminal. */
export async function withInteractiveClient<Result>(
  server: CalledServer,
  terminal: Terminal,
  work: (client: InteractiveClient) => Promise<Result>,
): Promise<Result> {
  const { keyboard } = terminal;
  const elicitor = keyboard?.isTerminal === true ? new Elicitor(terminal, keyboard) : undefined;
  const tokenSource = createTokenSource(server, terminal);
  const timeout = selectRequestTimeout(server, elicitor !== undefined || terminal.status !== undefined);
  const waiting = new LimitWaiting(server.limitWaitMs, terminal);
  return withClient(
    {
      server,
      terminal,
      tokenSource,
      requestTimeoutMs: timeout,
      waiting,
      capabilities: elicitor === undefined ? {} : { elicitation: Elicitor.capabilities },
      prepare: (client) => elicitor?.attach(client),
    },
    (connected) => waiting.run(() => work({ ...connected, options: { timeout } })),
  );
}
