import type { OutboundMessage } from '../../../lib/core/protocol/outbound-message.js';
import type { StreamEvent } from '../../../lib/server/sessions/streams/event-log.js';
import { SessionStreams } from '../../../lib/server/sessions/streams/session-streams.js';
import { assertHolds } from '../contract.js';

const MESSAGE: OutboundMessage = { json: '{}' };
const EVENTS_PER_STREAM = 4;

/** Resumes a stream by whatever stands in `Last-Event-ID`. */
export function fuzz(bytes: Buffer): void {
  const id = bytes.toString('latin1');
  for (const first of [0, 1000]) assertResumes(id, first);
}

function assertResumes(id: string, first: number): void {
  const streams = createStreams(first);
  const resumed = streams.resume(id);
  if (typeof resumed === 'string') {
    assertHolds(resumed === 'unknown' || resumed === 'expired', 'a failure is one of two');
    streams.close();
    return;
  }
  const events: StreamEvent[] = [];
  resumed.subscribe((event) => events.push(event)).unsubscribe();
  const [stream, number] = id.split(':').map(Number);
  for (const [index, event] of events.entries()) {
    assertHolds(first + Number(event.stream) === stream, 'events are of the stream that was named');
    assertHolds(event.number === Number(number) + 1 + index, 'no event is missed and none comes twice');
  }
  assertHolds(Number(number) + events.length === EVENTS_PER_STREAM, 'all events come that were missed');
  streams.close();
}

function createStreams(first: number): SessionStreams {
  const streams = new SessionStreams({ events: 64, characters: 4096 }, first);
  for (const stream of ['0', streams.create(), streams.create()]) {
    for (let number = 1; number <= EVENTS_PER_STREAM; number += 1) streams.append(stream, MESSAGE);
  }
  return streams;
}
