import { runDemo } from '../run-demo.js';
import { say } from '../03-protected/demo/terminal.js';
import { tour } from './demo/tour.js';
import { start } from './start.js';

async function main(): Promise<void> {
  const { url, desk, boathouse, issuer, stop } = await start(0);
  say(`The agent listens at ${url.href}`);
  say(`It uses ${desk} (protected) and ${boathouse}; tokens are from ${issuer}`);
  await tour(url);
  await stop();
  say('Done: all have ended');
}

await runDemo(main);
