import { runDemo } from '../run-demo.js';
import { tour } from './demo/tour.js';
import { start } from './start.js';

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

await runDemo(async () => {
  const { app, url, adminUrl } = await start(0);
  say(`The office listens at ${url.href}`);
  await tour(url, adminUrl, say);
  await app.close();
});
