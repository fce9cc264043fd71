import { runDemo } from '../run-demo.js';
import { DeskProcess } from './demo/desk-process.js';
import { connect } from './demo/connect.js';
import { say, show } from './demo/terminal.js';
import {
  audit,
  closeAgain,
  complete,
  hearOfChange,
  listEverything,
  openTicket,
  search,
} from './demo/tour.js';

const LONGEST_DEMO_MS = 90_000;

async function main(): Promise<void> {
  say('Starting the desk');
  const desk = await DeskProcess.start();
  show(desk.url.href);

  say('Connecting');
  const client = await connect(desk.url, 'demo');
  show(`${client.getServerVersion()?.title}, protocol ${client.getNegotiatedProtocolVersion()}`);

  await listEverything(client);
  await search(client);
  await audit(client);
  const id = await openTicket(client);
  await complete(client, id);
  await hearOfChange(client, desk.url, id);
  await closeAgain(client, id);

  await client.close();
  await desk.stop();
  say('Done, and the desk has ended');
}

await runDemo(main, LONGEST_DEMO_MS);
