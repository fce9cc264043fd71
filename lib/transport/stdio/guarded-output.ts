import { Writable } from 'node:stream';

/** Standard output while it is kept for the protocol. */
export interface GuardedOutput {
  /** What still writes there. */
  readonly output: Writable;
  /** Gives it back to everybody. */
  release(): void;
}

/**
 * Keeps standard output for the protocol: whatever else the process writes there, its loggers and `console` among it,
 * goes to standard error.
 *
 * @see MCP basic/transports, "stdio"
 */
export function guardStandardOutput(): GuardedOutput {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  const output = new Writable({
    decodeStrings: false,
    write: (text: string, encoding, done) => void write(text, encoding, done),
  });
  stdout.on('error', (error) => output.destroy(error));
  return {
    output,
    release() {
      stdout.write = write;
    },
  };
}
