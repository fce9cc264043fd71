import { say, show } from './demo/terminal.js';
import { tour } from './demo/tour.js';
import { start } from './start.js';

const LONGEST_DEMO_MS = 60_000;

async function main(): Promise<boolean> {
  const started = await start(0);
  const { url, redisUrl, processes } = started;
  say(`Three processes and ${redisUrl} are one server at ${url.href}`);
  for (const { name, pid, origin } of processes) show(name, `pid ${pid}, ${origin}`);
  try {
    return await tour(started);
  } finally {
    await started.stop();
  }
}

function fail(reason: string): never {
  process.stderr.write(`\nThe demo stopped: ${reason}\n`);
  process.exit(1);
}

setTimeout(() => fail(`it took longer than ${LONGEST_DEMO_MS / 1000} s`), LONGEST_DEMO_MS).unref();

try {
  process.exitCode = (await main()) ? 0 : 1;
} catch (error) {
  fail(error instanceof Error ? error.message : String(error));
}
