import type { Ticket } from '../tickets/ticket.js';
import { DeskClient } from './desk-client.js';
import { ScriptedBrowser } from './scripted-browser.js';
import { say, show } from './terminal.js';

/** Connects, reads, is asked for more when it writes, and writes. */
export async function tour(url: URL): Promise<void> {
  const client = new DeskClient(url, new ScriptedBrowser('ada'));
  say('Connecting without a token: the server says whom to ask for one, and for which scope');
  await client.connect();
  show('Tools', (await client.listTools()).join(', '));

  say('list_tickets: what is open?');
  const { tickets } = await client.call<{ tickets: Ticket[] }>('list_tickets', { status: 'open' });
  for (const { id, subject } of tickets) show(id, subject);

  say('my_tickets: the token says who asks');
  const mine = await client.call<{ tickets: Ticket[] }>('my_tickets');
  for (const { id, openedBy } of mine.tickets) show(id, `opened by ${openedBy}`);

  say('close_ticket: needs "desk:write", so the client is stepped up');
  const resolution = 'The clinic is in another time zone; set right.';
  const id = mine.tickets[0]?.id;
  const closed = await client.call<Ticket>('close_ticket', { id, resolution });
  show(closed.id, `${closed.status} by ${closed.closedBy}: ${closed.resolution}`);

  say('open_ticket: the token suffices by now');
  const opened = await client.call<Ticket>('open_ticket', {
    subject: 'Demo ticket, please ignore',
    customer: 'orchard-school',
  });
  show(opened.id, `${opened.status}, opened by ${opened.openedBy}`);

  say('customer_history: which scope it needs depends on the customer');
  const clinic = await client.call<{ tickets: Ticket[] }>('customer_history', {
    customer: 'tidewater-clinic',
  });
  for (const { id: number, resolution: solved } of clinic.tickets) show(number, solved ?? 'open');
  await client.close();
}
