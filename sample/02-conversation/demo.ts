import { runDemo } from '../run-demo.js';
import { say } from './demo/terminal.js';
import { converse } from './demo/tour.js';
import { start } from './start.js';

async function main(): Promise<void> {
  const { app, url } = await start(0);
  say(`The booking assistant listens at ${url.href}`);
  await converse(url, 'auto');
  await converse(url, 'legacy');
  await app.close();
  say('Done: the same handlers, asked through in both ways');
}

await runDemo(main);
