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
  const destroy = (error: Error): void => void output.destroy(error);
  stdout.on('error', destroy);
  // A log that nobody reads any more is no reason to crash.
  stderr.on('error', ignore);
  return {
    output,
    release() {
      stdout.write = write;
      stdout.off('error', destroy);
      stderr.off('error', ignore);
    },
  };
}

function ignore(): void {
  // There is nobody to tell.
}
