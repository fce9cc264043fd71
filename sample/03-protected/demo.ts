import { runDemo } from '../run-demo.js';
import { say } from './demo/terminal.js';
import { tour } from './demo/tour.js';
import { start } from './start.js';

async function main(): Promise<void> {
  const { url, issuer, stop } = await start({ desk: 0, authorizationServer: 0 });
  say(`The desk listens at ${url.href}, its authorization server at ${issuer}`);
  await tour(url);
  await stop();
  say('Done: both have ended');
}

await runDemo(main);
