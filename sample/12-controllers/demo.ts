import { runDemo } from '../run-demo.js';
import { tour } from './demo/tour.js';
import { start } from './start.js';

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

await runDemo(async () => {
  const { url, stop } = await start(0);
  say(`The shop listens at ${url.href}`);
  await tour(url, say);
  await stop();
});
