import { quoteVisible } from '../visible-text.js';

/** How a process ended. */
export interface ProcessEnding {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Is thrown if the server that a command started cannot be started, or has ended before it was done with. */
export class ServerEndedError extends Error {
  override readonly name = 'ServerEndedError';

  constructor(message: string, cause: unknown) {
    super(message, { cause });
  }

  /** Creates the error of a process that ended by itself. */
  static ofEnding(command: string, { code, signal }: ProcessEnding, cause: unknown): ServerEndedError {
    const how = signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`;
    return new ServerEndedError(
      `The server ${quoteVisible(command)} ${how} before it had answered: run the command by itself to see why`,
      cause,
    );
  }

  /** Creates the error of a process that did not begin. */
  static ofStart(
    command: string,
    { code, cwd }: { readonly code: string; readonly cwd: string | undefined },
    cause: unknown,
  ): ServerEndedError {
    const folder = cwd === undefined ? '' : ', and that there is the folder of "--cwd"';
    return new ServerEndedError(
      `The server ${quoteVisible(command)} cannot be started (${code}): make sure that the program is installed${folder}`,
      cause,
    );
  }
}
