import type { Help } from './help.js';
import type { Keyboard } from './line-keyboard.js';

/** The input and output of a command. */
export interface Terminal {
  /** The environment variables. */
  readonly environment: { readonly [name: string]: string | undefined };
  /** Writes a line of the result to standard output. */
  print(line: string): void;
  /** Writes a line about errors or progress to standard error. */
  complain(line: string): void;
  /** A line that is updated in place; absent if standard error is not a terminal. */
  readonly status?: StatusLine | undefined;
  /** Reads what the user types; absent if there is no input. */
  readonly keyboard?: Keyboard | undefined;
}

/** The last line of a terminal, which shows progress. */
export interface StatusLine {
  /** The width of the terminal in characters. */
  readonly columns: number;
  /** Replaces the line. An empty line removes it. */
  show(line: string): void;
}

/** A command, as run with `nestjs-mcp-cli <name>`. */
export interface Command {
  /** The help. Absent if the command formats its usage itself. */
  readonly help?: Help;
  /** Runs the command and returns its exit code. */
  run(args: readonly string[], terminal: Terminal): Promise<number>;
}

/** A row in the command table. The implementation is loaded when the command is run. */
export interface CommandEntry {
  readonly name: string;
  /** The command and its arguments, as shown by `--help`. */
  readonly usage: string;
  readonly summary: string;
  readonly load: () => Promise<Command>;
}

/** The exit codes that the commands share. */
export const ExitCode = { success: 0, failure: 1, usage: 2, authorization: 3, connection: 4 } as const;
