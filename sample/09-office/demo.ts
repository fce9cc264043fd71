import { tour } from './demo/tour.js';
import { start } from './start.js';

const LONGEST_DEMO_MS = 60_000;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function fail(reason: string): never {
  process.stderr.write(`\nThe demo stopped: ${reason}\n`);
  process.exit(1);
}

setTimeout(() => fail(`it took longer than ${LONGEST_DEMO_MS / 1000} s`), LONGEST_DEMO_MS).unref();

try {
  const { app, url, adminUrl } = await start(0);
  say(`The office listens at ${url.href}`);
  await tour(url, adminUrl, say);
  await app.close();
} catch (error) {
  fail(error instanceof Error ? error.message : String(error));
}
