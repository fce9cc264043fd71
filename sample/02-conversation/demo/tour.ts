import type { Booking } from '../bookings/bookings.service.js';
import { ScriptedClient } from './scripted-client.js';
import { say } from './terminal.js';

/** One conversation, the same on both wires: a booking with gaps, and a cancellation that the user does not want. */
export async function converse(url: URL, mode: 'auto' | 'legacy'): Promise<void> {
  const client = await ScriptedClient.connect(url, mode);
  const sessions = mode === 'auto' ? 'without sessions' : 'in a session';
  say(`Revision ${client.revision}, ${sessions}: book_room, told only what for and for how many`);
  client.script = { day: '2027-03-01', equipment: ['screen', 'whiteboard'], project: 'tide-tables' };
  const booking = await client.call<Booking>('book_room', { purpose: 'Spring planning', people: 5 });
  if (typeof booking === 'string') throw new Error(`Nothing was booked: ${booking}`);

  say(`Revision ${client.revision}, ${sessions}: cancel_booking, and the user declines`);
  client.script = 'decline';
  await client.call('cancel_booking', { number: booking.number });
  await client.close();
}
