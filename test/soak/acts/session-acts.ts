import { randomUUID } from 'node:crypto';
import type { Message } from '../../support/clients/message.js';
import { within } from '../../support/until.js';
import { assertSame } from '../tally.js';
import { textOf, type Visit } from '../visit.js';

/** Something that a visitor does. */
export interface Act<Subject> {
  readonly name: string;
  readonly weight: number;
  run(subject: Subject): Promise<void>;
}

const SOON_MS = 20_000;

/** What a session is used for when nothing goes wrong. */
export const SESSION_ACTS: readonly Act<Visit>[] = [
  { name: 'call', weight: 20, run: callOnce },
  { name: 'lists', weight: 6, run: listAll },
  { name: 'reading', weight: 6, run: readResources },
  { name: 'prompt', weight: 3, run: getPrompt },
  { name: 'subscription', weight: 6, run: subscribe },
  { name: 'progress', weight: 8, run: followProgress },
  { name: 'elicitation', weight: 5, run: answerQuestion },
  { name: 'events', weight: 3, run: pollEvents },
];

async function callOnce(visit: Visit): Promise<void> {
  const text = randomUUID();
  assertSame(await visit.call('echo', { text }), text);
}

async function listAll(visit: Visit): Promise<void> {
  const { tools } = await visit.request('tools/list');
  assertSame((tools as unknown[]).length >= 10, true);
  await visit.request('resources/list');
  await visit.request('prompts/list');
  await visit.request('ping');
}

async function readResources(visit: Visit): Promise<void> {
  const { contents } = await visit.request('resources/read', { uri: 'soak://board/3' });
  assertSame(JSON.parse((contents as { text: string }[])[0]?.text ?? '{}').board, '3');
  const ref = { type: 'ref/resource', uri: 'soak://board/{board}' };
  const { completion } = await visit.request('completion/complete', {
    ref,
    argument: { name: 'board', value: '1' },
  });
  assertSame((completion as { values: string[] }).values.join(), '1');
}

async function getPrompt(visit: Visit): Promise<void> {
  const { messages } = await visit.request('prompts/get', { name: 'greet', arguments: { name: 'Ada' } });
  assertSame((messages as { content: { text: string } }[])[0]?.content.text, 'Greet Ada');
}

async function subscribe(visit: Visit): Promise<void> {
  const uri = `soak://board/${Math.floor(Math.random() * 10)}`;
  await visit.request('resources/subscribe', { uri });
  await visit.request('logging/setLevel', { level: Math.random() < 0.5 ? 'info' : 'error' });
  if (Math.random() < 0.3) await visit.request('resources/unsubscribe', { uri });
}

async function followProgress(visit: Visit): Promise<void> {
  const text = randomUUID();
  const { id, stream } = await visit.start('steps', { text });
  const response = await stream.nextMessage((message) => message.id === id, SOON_MS);
  assertSame(textOf(response.result), text);
  const steps = stream.messages.filter(({ method }) => method === 'notifications/progress');
  assertSame(steps.length, 3);
  await within(stream.ended, 'the end of a call', SOON_MS);
}

async function answerQuestion(visit: Visit): Promise<void> {
  const text = randomUUID();
  const { id, stream } = await visit.start('ask', { text });
  const question = await stream.nextMessage(isQuestion, SOON_MS);
  const isWilling = Math.random() < 0.7;
  const answer = isWilling ? { action: 'accept', content: { text } } : { action: 'decline' };
  await visit.respond(question.id, answer);
  const response = await stream.nextMessage((message) => message.id === id, SOON_MS);
  const given = textOf(response.result);
  // A question that came late on a busy machine was given up before it was answered.
  if (!given.includes('in time')) assertSame(given, isWilling ? text : 'decline');
  await stream.close();
}

async function pollEvents(visit: Visit): Promise<void> {
  const first = await visit.request('events/poll', { name: 'soak.tick' });
  const { events } = await visit.request('events/poll', { name: 'soak.tick', cursor: first['cursor'] });
  assertSame(Array.isArray(events), true);
}

/** Tells whether a message is a question to the user. */
export function isQuestion({ method }: Message): boolean {
  return method === 'elicitation/create';
}
