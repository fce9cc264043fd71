import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../support/clients/message.js';
import type { StatelessCaller } from '../stateless-caller.js';
import { assertSame } from '../tally.js';
import { textOf } from '../visit.js';
import type { Act } from './session-acts.js';

const FOREVER_MS = 60_000;
/** How many events a client waits for before it goes. */
const EVENTS = 2;
const EVENT_MS = 30_000;

/** What the revision without sessions is used for. */
export const STATELESS_ACTS: readonly Act<StatelessCaller>[] = [
  { name: 'stateless call', weight: 20, run: callOnce },
  { name: 'stateless discovery', weight: 3, run: discover },
  { name: 'stateless rounds', weight: 6, run: answerInRounds },
  { name: 'stateless rounds dropped', weight: 2, run: dropRound },
  { name: 'stateless call cut', weight: 4, run: cancelByLeaving },
  { name: 'stateless listening', weight: 4, run: listen },
  { name: 'stateless events', weight: 4, run: streamEvents },
  { name: 'stateless task', weight: 4, run: runTask },
];

async function callOnce(caller: StatelessCaller): Promise<void> {
  const text = randomUUID();
  const result = await caller.request('tools/call', { name: 'echo', arguments: { text } });
  assertSame(textOf(result), text);
}

async function discover(caller: StatelessCaller): Promise<void> {
  const { capabilities } = await caller.request('server/discover');
  assertSame(typeof capabilities, 'object');
  await caller.request('tools/list');
}

async function answerInRounds(caller: StatelessCaller): Promise<void> {
  const text = randomUUID();
  const call = { name: 'ask', arguments: { text } };
  const { requestState, inputRequests } = await caller.request('tools/call', call);
  const [key = ''] = Object.keys(inputRequests as object);
  const inputResponses = { [key]: { action: 'accept', content: { text } } };
  const result = await caller.request('tools/call', { ...call, requestState, inputResponses });
  assertSame(textOf(result), text);
}

async function dropRound(caller: StatelessCaller): Promise<void> {
  const result = await caller.request('tools/call', { name: 'ask', arguments: { text: 'Never mind' } });
  assertSame(result['resultType'], 'input_required');
}

async function cancelByLeaving(caller: StatelessCaller): Promise<void> {
  const params = { name: 'wait', arguments: {}, _meta: { progressToken: randomUUID() } };
  const stream = await caller.open('tools/call', params);
  await stream.close();
}

async function listen(caller: StatelessCaller): Promise<void> {
  const notifications = { toolsListChanged: true, resourceSubscriptions: ['soak://board/1'] };
  const stream = await caller.open('subscriptions/listen', { notifications });
  for (let count = 0; count < EVENTS; count += 1) {
    await stream.nextMessage(({ method }) => method?.endsWith('d') === true, EVENT_MS);
  }
  await stream.close();
}

async function streamEvents(caller: StatelessCaller): Promise<void> {
  const stream = await caller.open('events/stream', { name: 'soak.tick' });
  for (let count = 0; count < EVENTS; count += 1) {
    await stream.nextNotification('notifications/events/event', EVENT_MS);
  }
  await stream.close();
}

async function runTask(caller: StatelessCaller): Promise<void> {
  const isCancelled = Math.random() < 0.5;
  const params: JsonObject = { name: 'work', arguments: { ms: isCancelled ? FOREVER_MS : 1 } };
  const { taskId } = await caller.request('tools/call', params);
  if (isCancelled) await caller.request('tasks/cancel', { taskId });
  const { status } = await caller.request('tasks/get', { taskId });
  assertSame(isCancelled ? status === 'cancelled' : status === 'completed' || status === 'working', true);
}
