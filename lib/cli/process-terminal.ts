import type { Terminal } from './command.interface.js';

/** Gives the terminal of this process. */
export function createProcessTerminal(): Terminal {
  return {
    environment: process.env,
    print: (line) => void process.stdout.write(`${line}\n`),
    complain: (line) => void process.stderr.write(`${line}\n`),
  };
}
