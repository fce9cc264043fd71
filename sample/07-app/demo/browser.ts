import { existsSync } from 'node:fs';
import type { Client } from '@modelcontextprotocol/client';
import { McpAppHost } from 'nestjs-mcp/testing';
import { say, show } from './terminal.js';

const { CHROMIUM = '/usr/bin/chromium' } = process.env;

/** Shows the board in a real browser, as a host does, and clicks in it. */
export async function clickInBrowser(client: Client, others: Client): Promise<void> {
  if (!existsSync(CHROMIUM)) {
    say(`There is no Chromium at "${CHROMIUM}", so that nobody clicks: say by CHROMIUM where it is`);
    return;
  }
  say('The same host, in Chromium: the app in its sandbox');
  const host = await McpAppHost.launch({ executablePath: CHROMIUM });
  const app = await host.open(client, { tool: 'show_board' });
  await app.waitForText('The printer is on fire');
  show('App', oneLine(await app.text()));

  say('Somebody else opens a ticket, and the app shows it at once');
  await others.callTool({ name: 'open_ticket', arguments: { title: 'The lift is stuck' } });
  await app.waitForText('The lift is stuck');
  show('App', oneLine(await app.text()));

  say('A click: the tool needs the scope "board:write", and the host asks its user');
  await app.click('Close ticket 1');
  await app.frame.getByText('The printer is on fire').waitFor({ state: 'detached' });
  show('App', oneLine(await app.text()));
  show('Model', `hears ${JSON.stringify(app.asked.modelContexts.at(-1))}`);
  await app.close();
  await host.close();
}

function oneLine(text: string): string {
  return text
    .split(/\s*\n\s*/)
    .filter(Boolean)
    .join(' | ');
}
