import { randomBytes } from 'node:crypto';
import { runDemo } from '../run-demo.js';
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

await runDemo(main, LONGEST_DEMO_MS);
