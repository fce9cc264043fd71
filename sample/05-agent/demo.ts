import { say } from '../03-protected/demo/terminal.js';
import { tour } from './demo/tour.js';
import { start } from './start.js';

const LONGEST_DEMO_MS = 60_000;

async function main(): Promise<void> {
  const { url, desk, boathouse, issuer, stop } = await start(0);
  say(`The agent listens at ${url.href}`);
  say(`It uses ${desk} (protected) and ${boathouse}; tokens are from ${issuer}`);
  await tour(url);
  await stop();
  say('Done: all have ended');
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
