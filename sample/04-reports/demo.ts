import { randomBytes } from 'node:crypto';
import { runDemo } from '../run-demo.js';
import { say } from './demo/terminal.js';
import { tour } from './demo/tour.js';
import { start } from './start.js';

/** Nobody waits for a minute to see what a minute looks like. */
const CHAPTER_MS = 400;

async function main(): Promise<void> {
  const token = randomBytes(24).toString('base64url');
  const { app, url } = await start(0, { token, chapterMs: CHAPTER_MS });
  say(`The report office listens at ${url.href}`);
  await tour(url, token);
  await app.close();
  say('Done: two reports were written, one was not, and whoever wanted to know was told');
}

await runDemo(main);
