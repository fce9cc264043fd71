import { McpClientError } from './mcp-client.error.js';

/** What is known of a program that was not started. */
export interface FailedCommand {
  readonly command: string;
  /** What the system says, for example `ENOENT`. */
  readonly code: string;
  /** Whether a folder was named to start it in, which the system does not tell from the program. */
  readonly hasFolder: boolean;
}

/** The program of a server that is a process cannot be started. */
export class McpClientCommandError extends McpClientError {
  override readonly name = 'McpClientCommandError';
  /** What the system says, for example `ENOENT`. */
  readonly code: string;

  constructor(client: string, { command, code, hasFolder }: FailedCommand, cause: unknown) {
    const folder = hasFolder ? ', and such a "cwd"' : '';
    super(
      client,
      `The client "${client}" cannot start "${command}" (${code}): see to it that there is such a program${folder}`,
      { cause },
    );
    this.code = code;
  }
}
