/** Where a command reads from and writes to. */
export interface Terminal {
  /** The variables of the environment. */
  readonly environment: { readonly [name: string]: string | undefined };
  /** Writes a line of the result. */
  print(line: string): void;
  /** Writes a line about what went wrong, or continues. */
  complain(line: string): void;
  /** A line that changes in its place; absent if nobody would see it change. */
  readonly status?: StatusLine | undefined;
  /** Where answers are typed; absent if there is no input. */
  readonly keyboard?: Keyboard | undefined;
}

/** The last line of a terminal. */
export interface StatusLine {
  /** How many characters fit. */
  readonly columns: number;
  /** Replaces the line before; an empty one ends it. */
  show(line: string): void;
}

/** Where answers are typed. */
export interface Keyboard {
  /** Whether a person sits there, as far as can be told. */
  readonly isTerminal: boolean;
  /** Asks, and gives the line that was typed. Returns `undefined` if there are no more, or if the question is withdrawn. */
  ask(question: string, withdrawn?: AbortSignal): Promise<string | undefined>;
}

/** What `nestjs-mcp <name>` does. */
export interface Command {
  /** Does it, and gives the exit code. */
  run(args: readonly string[], terminal: Terminal): Promise<number>;
}

/** A row of the table of commands; what a command consists of is loaded when it is called. */
export interface CommandEntry {
  readonly name: string;
  /** How it is called and what it does, in a line of the usage. */
  readonly usage: string;
  readonly summary: string;
  readonly load: () => Promise<Command>;
}

/** What a process ends with, as the commands agree on it. */
export const ExitCode = { success: 0, failure: 1, usage: 2, authorization: 3, connection: 4 } as const;
