import { runDemo } from '../run-demo.js';
import { say, show } from './demo/terminal.js';
import { tour } from './demo/tour.js';
import { start } from './start.js';

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

await runDemo(async () => {
  process.exitCode = (await main()) ? 0 : 1;
});
