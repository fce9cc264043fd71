import { setTimeout as delay } from 'node:timers/promises';
import type { FinishedReport } from '../reports/report.js';
import { askAfter } from './ask-after.js';
import { cancel } from './cancel.js';
import { EventFollower } from './follow-events.js';
import { listenInSession } from './listen-in-session.js';
import { SessionClient } from './session-client.js';
import { StatelessClient } from './stateless-client.js';
import { say, show } from './terminal.js';
import { WebhookReceiver } from './webhook-receiver.js';

const EVENT = 'report.finished';

/** Three reports, each watched in another way, and two who hear when one is finished. */
export async function tour(url: URL, token: string): Promise<void> {
  const client = new StatelessClient(url, token);
  const follower = new EventFollower(client);
  const receiver = new WebhookReceiver();
  say('Who wants to know when a report is finished: one by a stream of events, one by webhooks');
  await follower.start(EVENT);
  await subscribe(client, receiver);

  say('Revision 2026-07-28, without sessions: a report that is asked after, by tasks/get');
  await askAfter(client, 'the harbour');

  say('Revision 2025-11-25, in a session: a report that tells how it goes, by notifications');
  const session = await SessionClient.connect(url, token);
  await listenInSession(session, 'the lighthouse');
  await session.close();

  say('Revision 2026-07-28: a report that is listened to by subscriptions/listen, and cancelled');
  await cancel(client, 'the weather');

  say('Both have heard of the two reports that were finished');
  while (follower.numbers.length < 2 || receiver.numbers.length < 2) await delay(20);
  show('SSE', follower.numbers.join(', '));
  show('Webhook', receiver.numbers.join(', '));

  say('The archive is an extension of the office alone, for clients that declare it');
  const { reports } = await client.request<{ reports: FinishedReport[] }>('archive/list', {});
  for (const { number, topic } of reports) show(number, topic);
  await follower.stop();
  await receiver.stop();
}

/** Subscribes the receiver, and shows that it does not believe everybody. */
async function subscribe(client: StatelessClient, receiver: WebhookReceiver): Promise<void> {
  const url = await receiver.start();
  const delivery = { mode: 'webhook', url: url.href, secret: receiver.secret };
  const { id } = await client.request<{ id: string }>('events/subscribe', { name: EVENT, delivery });
  show('Webhook', `${url.href} is subscribed as ${id}`);
  await fetch(url, { method: 'POST', body: JSON.stringify({ name: EVENT, data: { number: 'R-0' } }) });
}
