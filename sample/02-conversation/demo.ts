import { say } from './demo/terminal.js';
import { converse } from './demo/tour.js';
import { start } from './start.js';

const LONGEST_DEMO_MS = 60_000;

async function main(): Promise<void> {
  const { app, url } = await start(0);
  say(`The booking assistant listens at ${url.href}`);
  await converse(url, 'auto');
  await converse(url, 'legacy');
  await app.close();
  say('Done: the same handlers, asked through in both ways');
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
