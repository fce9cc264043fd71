import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { within } from '../../support/until.js';
import { assertSame, SessionGone } from '../tally.js';
import { textOf, type Visit } from '../visit.js';
import { Refusal } from '../wire.js';
import { isQuestion, type Act } from './session-acts.js';

const SOON_MS = 20_000;
const UNREAD_MS = 1000;

/** What goes wrong with sessions: clients that cancel, do not answer, lose their streams, or do not read them. */
export const RUDE_ACTS: readonly Act<Visit>[] = [
  { name: 'cancellation', weight: 5, run: cancel },
  { name: 'silence', weight: 3, run: leaveUnanswered },
  { name: 'question dropped', weight: 2, run: dropQuestion },
  { name: 'call cut and resumed', weight: 4, run: cutAndResume },
  { name: 'call cut for good', weight: 2, run: cutForGood },
  { name: 'connection let go', weight: 3, run: comeBack },
  { name: 'standing stream resumed', weight: 4, run: resumeStanding },
  { name: 'slow reader', weight: 0.5, run: floodUnread },
];

async function cancel(visit: Visit): Promise<void> {
  const { id, stream } = await visit.start(Math.random() < 0.8 ? 'wait' : 'stubborn');
  await stream.nextNotification('notifications/progress', SOON_MS);
  await visit.notify('notifications/cancelled', { requestId: id, reason: 'no longer needed' });
  await within(stream.ended, 'the end of a cancelled call', SOON_MS);
  assertSame(stream.messages.find((message) => message.id === id)?.result, undefined);
}

/** Does not answer a question, which the server gives up in time. */
async function leaveUnanswered(visit: Visit): Promise<void> {
  const { id, stream } = await visit.start('ask', { text: 'Are you there?' });
  const { result } = await stream.nextMessage((message) => message.id === id, SOON_MS);
  assertSame(textOf(result).includes('in time'), true);
  await stream.close();
}

/** Goes away from a question, and never comes back to it. */
async function dropQuestion(visit: Visit): Promise<void> {
  const { stream } = await visit.start('ask', { text: 'Never mind' });
  await stream.nextMessage(isQuestion, SOON_MS);
  await stream.close();
}

async function cutAndResume(visit: Visit): Promise<void> {
  const text = randomUUID();
  const { id, stream } = await visit.start('steps', { text });
  await stream.nextNotification('notifications/progress', SOON_MS);
  await stream.close();
  // A client that is slow may have been sent all of it before it went.
  const isWhole = stream.messages.some((message) => message.id === id);
  if (!isWhole) await readRest(visit, { id, text, lastEventId: stream.lastEventId });
}

async function cutForGood(visit: Visit): Promise<void> {
  const { stream } = await visit.start('steps', { text: 'Never read' });
  await stream.nextNotification('notifications/progress', SOON_MS);
  await stream.close();
}

async function comeBack(visit: Visit): Promise<void> {
  const text = randomUUID();
  const { id, stream } = await visit.start('release', { text });
  await within(stream.ended, 'the end of a connection that is let go', SOON_MS);
  await readRest(visit, { id, text, lastEventId: stream.lastEventId });
}

async function readRest(
  visit: Visit,
  { id, text, lastEventId }: { id: number; text: string; lastEventId: string | undefined },
): Promise<void> {
  const rest = await visit.read(lastEventId);
  const { result } = await rest.nextMessage((message) => message.id === id, SOON_MS);
  assertSame(textOf(result), text);
  await within(rest.ended, 'the end of a call that was resumed', SOON_MS);
}

/** Cuts the standing stream, and takes it up where it was, or anew where the server has no longer kept so much. */
async function resumeStanding(visit: Visit): Promise<void> {
  const { standing } = visit;
  if (standing === undefined) {
    visit.standing = await visit.read();
    return;
  }
  await standing.close();
  visit.standing = await visit.read(standing.lastEventId).catch((error: unknown) => {
    if (error instanceof SessionGone) throw error;
    if (error instanceof Refusal && error.answer.status < 500) return visit.read();
    throw error;
  });
}

/** Leaves unread what a tool writes, and is cut off where the network has no room for all of it. */
async function floodUnread(visit: Visit): Promise<void> {
  const { stream } = await visit.start('flood');
  stream.response.socket.pause();
  await visit.call('echo', { text: 'meanwhile' });
  await delay(UNREAD_MS);
  stream.response.socket.resume();
  await within(stream.ended, 'the end of a stream that was not read', SOON_MS);
}
