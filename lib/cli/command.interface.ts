/** Where a command reads from and writes to. */
export interface Terminal {
  /** The variables of the environment. */
  readonly environment: { readonly [name: string]: string | undefined };
  /** Writes a line of what was asked for. */
  print(line: string): void;
  /** Writes a line about what went wrong. */
  complain(line: string): void;
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
export const ExitCode = { success: 0, failure: 1, usage: 2 } as const;
