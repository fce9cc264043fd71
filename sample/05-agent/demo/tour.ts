import { DeskClient } from '../../03-protected/demo/desk-client.js';
import { ScriptedBrowser } from '../../03-protected/demo/scripted-browser.js';
import { say, show } from '../../03-protected/demo/terminal.js';

interface Day {
  readonly user: string;
  readonly tickets: readonly string[];
  readonly bookings: readonly string[];
}

/** Two people use the agent: each sees tickets of their own, and both the same house. */
export async function tour(url: URL): Promise<void> {
  const [ada, grace] = [await logIn(url, 'ada'), await logIn(url, 'grace')];

  say('my_day: the desk is asked in the name of whoever calls');
  await tellDay(ada);
  await tellDay(grace);

  say('meet_about: a ticket of the caller, and a room of the house, which asks the agent to choose');
  const meeting = { ticket: 'T-1003', day: '2027-03-01' };
  const { number, room, purpose } = await ada.call<{ number: string; room: string; purpose: string }>(
    'meet_about',
    meeting,
  );
  show(number, `${room}: ${purpose}`);
  await tellDay(grace);

  say('meet_about, by somebody whose ticket it is not');
  const refusal = await grace.call('meet_about', meeting).catch((error: unknown) => String(error));
  show('grace', String(refusal));
  await Promise.all([ada.close(), grace.close()]);
}

async function logIn(url: URL, user: string): Promise<DeskClient> {
  say(`${user} logs in to the agent, and to nothing else`);
  const client = new DeskClient(url, new ScriptedBrowser(user));
  await client.connect();
  return client;
}

async function tellDay(client: DeskClient): Promise<void> {
  const { user, tickets, bookings } = await client.call<Day>('my_day');
  show(user, tickets.join('; ') || 'no open tickets');
  show('', bookings.join('; ') || 'nothing is booked');
}
