import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { AccessPolicy } from '../../auth/access-policy.js';
import { McpAuthenticator } from '../../auth/mcp-authenticator.js';
import { McpError } from '../../protocol/mcp.error.js';
import { OutboundNotification, type OutboundMessage } from '../../protocol/outbound-message.js';
import { parseJson } from '../../protocol/parse-message.js';
import { SERVER_SETTINGS } from '../../settings/mcp.constants.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import type { PipeCaller, PipeConnection } from '../pipe/pipe-connection.js';
import { PipeConnections } from '../pipe/pipe-connections.js';
import { LineReader } from './line-reader.js';

/** The two ends of a pipe. */
export interface Pipe {
  readonly input: Readable;
  readonly output: Writable;
  /** The token of the pipe's user, as the environment gives it. @default none */
  readonly token?: string | undefined;
}

/** Serves one client over a pipe: a message a line (MCP basic/transports, "stdio"). */
@Injectable()
export class StdioTransport {
  readonly #logger = new Logger('McpStdio');

  constructor(
    private readonly connections: PipeConnections,
    private readonly access: AccessPolicy,
    private readonly authenticator: McpAuthenticator,
    @Inject(SERVER_SETTINGS) private readonly settings: ServerSettings,
  ) {}

  /**
   * Serves until the input ends, and resolves when everything that came over it is answered.
   *
   * @throws {AuthError} where the token is no good
   */
  async serve({ input, output, token }: Pipe): Promise<void> {
    const authentication = token === undefined ? undefined : await this.authenticator.authenticate(token);
    const caller: PipeCaller = {
      authentication,
      authorize: (request) => this.access.authorizeLocal(request, authentication),
    };
    const connection = this.connections.open((message) => this.#write(output, message));
    const reader = new LineReader(this.settings.limits.bodyBytes, {
      onLine: (line) => receive(line, connection, caller),
      onTooLong: () => connection.refuse(this.#describeTooLong()),
    });
    // Whoever does not read is not read either.
    output.on('error', () => input.destroy());
    for await (const chunk of input.on('error', () => undefined)) {
      reader.read(chunk as Buffer);
      if (output.writableNeedDrain) await Promise.race([once(output, 'drain'), once(output, 'close')]);
      if (connection.size >= this.settings.limits.requestsInFlight) await turn();
    }
    reader.end();
    await connection.drain();
    connection.close('The input ended');
  }

  /** A reader that does not read loses hints of changes, progress and log entries before the server loses its memory. */
  #write(output: Writable, message: OutboundMessage): void {
    const isJammed = output.writableLength > this.settings.streams.maximumQueuedBytes;
    if (isJammed && message instanceof OutboundNotification) {
      return this.#logger.warn(`The client does not read: "${message.method}" was dropped`);
    }
    if (output.writable) output.write(`${message.json}\n`);
  }

  #describeTooLong(): McpError {
    return McpError.invalidRequest(`a line may have ${this.settings.limits.bodyBytes} bytes at most`);
  }
}

function receive(line: string, connection: PipeConnection, caller: PipeCaller): void {
  try {
    connection.receive(parseJson(line), caller);
  } catch (error) {
    connection.refuse(error instanceof McpError ? error : McpError.internal());
  }
}

/** Lets what was received be answered before more is. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
