import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Subject } from 'rxjs';
import {
  EventStream,
  OpenStreams,
} from '../../../../../../lib/server/extensions/events/streams/event-stream.js';
import {
  buildEventsSettings,
  type EventsOptions,
} from '../../../../../../lib/server/settings/extensions/events-options.js';
import { ANYBODY, buildFeed } from '../../../../support/event-feed.js';
import { buildContext, buildPeer, RecordingChannel } from '../../../../support/requests.js';

class Channel extends RecordingChannel {
  unread = 0;
}

const values = new Subject<object>();
const feed = buildFeed(values, { options: { cursorless: true } });

function open(identity?: string) {
  const channel = new Channel();
  const context = buildContext('events/stream', {
    id: 'e',
    peer: buildPeer(undefined, { identity }),
    channel,
  });
  const stream = new EventStream({
    context,
    feed,
    recipient: ANYBODY,
    position: { after: 0, isTruncated: false },
  });
  const heard = () =>
    channel.messages.map(({ method }) => String(method).replace('notifications/events/', ''));
  return { stream, context, channel, heard };
}

const createStreams = (options: EventsOptions = {}) => new OpenStreams(buildEventsSettings(options));

describe('OpenStreams', () => {
  const opened: OpenStreams[] = [];

  afterEach(() => {
    for (const streams of opened.splice(0)) streams.close();
    jest.useRealTimers();
  });

  function create(options: EventsOptions = {}): OpenStreams {
    const streams = createStreams(options);
    opened.push(streams);
    return streams;
  }

  it('runs a stream until its request is cancelled, and leaves nothing behind (EVT-01)', async () => {
    const streams = create();
    const { stream, context, heard } = open();
    const running = streams.run(stream);
    expect([streams.size, values.observed]).toEqual([1, true]);
    context.cancel('The client is gone');
    await running;
    expect([streams.size, values.observed]).toEqual([0, false]);
    expect(heard()).toEqual(['active']);
  });

  it('runs no stream whose request is over already (EVT-01)', async () => {
    const streams = create();
    const { stream, context } = open();
    context.cancel('The client is gone');
    await streams.run(stream);
    const late = open();
    late.context.cancel('The client is gone');
    const { stream: again } = open();
    again.finish();
    expect([streams.size, values.observed]).toEqual([0, false]);
  });

  it('limits the streams of one caller, and of all together (EVT-01)', async () => {
    const streams = create({ maxStreams: 3, maxStreamsPerCaller: 2 });
    const own = [open('ada'), open('ada')];
    const running = own.map(({ stream }) => streams.run(stream));
    const refusal = { code: -32013, data: { limit: 'subscriptions', max: 2 } };
    await expect(streams.run(open('ada').stream)).rejects.toMatchObject(refusal);
    running.push(streams.run(open('bob').stream));
    await expect(streams.run(open('eve').stream)).rejects.toMatchObject({ ...refusal, data: { max: 3 } });
    own[0]?.stream.finish();
    await running[0];
    void streams.run(open('ada').stream);
    expect(streams.size).toBe(3);
  });

  it('limits callers that are not known together alone (EVT-01)', async () => {
    const streams = create({ maxStreams: 3, maxStreamsPerCaller: 1 });
    for (let count = 0; count < 3; count += 1) void streams.run(open().stream);
    expect(streams.size).toBe(3);
    await expect(streams.run(open().stream)).rejects.toMatchObject({ data: { max: 3 } });
  });

  it('shows clients that read that their streams live, and ends those of clients that do not (EVT-01)', async () => {
    jest.useFakeTimers();
    const streams = create({ heartbeatMs: 1000, unreadTimeoutMs: 3000 });
    const [reading, stalled] = [open(), open()];
    const running = [reading, stalled].map(({ stream }) => streams.run(stream));
    stalled.channel.unread = Number.POSITIVE_INFINITY;
    jest.advanceTimersByTime(1000);
    // Somebody sets the clock of the day, which moves nothing.
    jest.setSystemTime(Date.now() - 86_400_000);
    jest.advanceTimersByTime(1000);
    expect([reading.heard(), stalled.heard()]).toEqual([['active', 'heartbeat', 'heartbeat'], ['active']]);
    expect(streams.size).toBe(2);
    jest.advanceTimersByTime(1000);
    await running[1];
    expect(streams.size).toBe(1);
    reading.stream.finish();
    await running[0];
    expect(jest.getTimerCount()).toBe(0);
  });

  it('ends all streams at once and lets none begin when it is closed (EVT-01)', async () => {
    const streams = create();
    const running = [open(), open('ada')].map(({ stream }) => streams.run(stream));
    streams.close();
    await Promise.all(running);
    expect(streams.size).toBe(0);
    await expect(streams.run(open().stream)).rejects.toMatchObject({ code: -32603, httpStatus: 503 });
  });
});
