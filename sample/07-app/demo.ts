import { randomBytes } from 'node:crypto';
import { say } from './demo/terminal.js';
import { tour } from './demo/tour.js';
import { start } from './start.js';

const LONGEST_DEMO_MS = 90_000;

const token = (): string => randomBytes(24).toString('base64url');

async function main(): Promise<void> {
  const tokens = { reading: token(), writing: token() };
  const { app, url } = await start(0, tokens);
  say(`The board listens at ${url.href}`);
  await tour(url, tokens);
  await app.close();
  say('Done: one board, as text for a model and as an app for its user');
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
