import { runDemo } from '../run-demo.js';
import { boundTour } from './demo/bound-tour.js';
import { ScriptedBrowser } from './demo/scripted-browser.js';
import { say } from './demo/terminal.js';
import { tour } from './demo/tour.js';
import { start } from './start.js';

async function main(): Promise<void> {
  const { url, issuer, stop } = await start({ desk: 0, authorizationServer: 0 });
  say(`The desk listens at ${url.href}, its authorization server at ${issuer}`);
  await tour(url);
  await stop();
  const bound = await start({ desk: 0, authorizationServer: 0, dpop: 'required' });
  await boundTour(bound.url, new ScriptedBrowser('ada'));
  await bound.stop();
  say('Done: all have ended');
}

await runDemo(main);
