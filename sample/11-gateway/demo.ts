import { setTimeout as delay } from 'node:timers/promises';
import { runDemo } from '../run-demo.js';
import { tour } from './demo/tour.js';
import { start } from './start.js';

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

await runDemo(async () => {
  const { url, gateway, stop } = await start(0);
  say(`The gateway listens at ${url.href}`);
  while (gateway.servers.some(({ state }) => state !== 'ready')) await delay(50);
  await tour(url, say);
  await stop();
});
