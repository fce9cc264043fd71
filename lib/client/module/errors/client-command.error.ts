import { McpClientError } from './mcp-client.error.js';

/** Facts about a program that was not started. */
export interface FailedCommand {
  readonly command: string;
  /** What the system says, for example `ENOENT`. */
  readonly code: string;
  /** Whether it had a `cwd`. The system does not say whether the folder or the program is missing. */
  readonly hasFolder: boolean;
}

/** Is thrown if the program of a server cannot be started. */
export class McpClientCommandError extends McpClientError {
  override readonly name = 'McpClientCommandError';
  /** What the system says, for example `ENOENT`. */
  readonly code: string;

  constructor(client: string, { command, code, hasFolder }: FailedCommand, cause: unknown) {
    const folder = hasFolder ? ', and the folder of "cwd"' : '';
    super(
      client,
      `The client "${client}" cannot start "${command}" (${code}): make sure that the program exists${folder}`,
      { cause },
    );
    this.code = code;
  }
}
