/** Nobody waits longer for a demo that hangs. */
const LONGEST_DEMO_MS = 60_000;

/** Runs a demo; if it fails or takes too long, it says why and ends the process. */
export async function runDemo(demo: () => Promise<void>, longestMs = LONGEST_DEMO_MS): Promise<void> {
  setTimeout(() => fail(`it took longer than ${longestMs / 1000} s`), longestMs).unref();
  try {
    await demo();
  } catch (error) {
    fail(error instanceof Error ? error.message : String(error));
  }
}

function fail(reason: string): never {
  process.stderr.write(`\nThe demo stopped: ${reason}\n`);
  process.exit(1);
}
