import { randomBytes } from 'node:crypto';
import { say } from './demo/terminal.js';
import { tour } from './demo/tour.js';
import { start } from './start.js';

const LONGEST_DEMO_MS = 60_000;

/** Nobody waits for a minute to see what a minute looks like. */
const CHAPTER_MS = 400;

async function main(): Promise<void> {
  const token = randomBytes(24).toString('base64url');
  const { app, url } = await start(0, { token, chapterMs: CHAPTER_MS });
  say(`The report office listens at ${url.href}`);
  await tour(url, token);
  await app.close();
  say('Done: two reports were written, one was not, and whoever wanted to know was told');
}

function fail(reason: string): never {
  process.stderr.write(`\nThe demo stopped: ${reason}\n`);
  process.exit(1);
}

setTimeout(() => fail(`it took longer than ${LONGEST_DEMO_MS / 1000} s`), LONGEST_DEMO_MS).unref();

try {
  await main();
} catch (error) {
  fail(error instanceof Error ? error.message : String(error));
}
