import { describe, expect, it } from '@jest/globals';
import { take } from 'rxjs';
import type { StreamEvent } from '../../../../../lib/server/sessions/streams/event-log.js';
import { SessionStreams } from '../../../../../lib/server/sessions/streams/session-streams.js';
import { STANDALONE_STREAM } from '../../../../../lib/server/sessions/streams/stream-records.js';
import { buildMessage, StreamReader, textOf } from '../../../support/stream-reader.js';

const WIDE = { events: 1000, characters: 1_000_000 };

/** Answers each of some messages by another on a stream. */
function echo(streams: SessionStreams, stream: string, answers: Readonly<Record<string, string>>) {
  return ({ message }: StreamEvent): void => {
    const answer = answers[textOf(message)];
    if (answer !== undefined) streams.append(stream, buildMessage(answer));
  };
}

describe('SessionStreams under re-entrancy', () => {
  it('gives a reader that appends while it is fed its own messages in their turn (HTTP-04)', () => {
    const streams = new SessionStreams(WIDE);
    const onEvent = echo(streams, STANDALONE_STREAM, { a: 'A', A: 'AA' });
    const reader = new StreamReader(streams.open(STANDALONE_STREAM), onEvent);
    streams.append(STANDALONE_STREAM, buildMessage('a'));
    streams.append(STANDALONE_STREAM, buildMessage('b'));
    expect(reader.ids).toEqual(['0:1', '0:2', '0:3', '0:4']);
    expect(reader.texts).toEqual(['a', 'A', 'AA', 'b']);
  });

  it('loses nothing that is appended while a reader catches up (HTTP-04)', () => {
    const streams = new SessionStreams(WIDE);
    for (const text of ['a', 'b']) streams.append(STANDALONE_STREAM, buildMessage(text));
    const onEvent = echo(streams, STANDALONE_STREAM, { a: 'A', b: 'B', A: 'AA' });
    const reader = new StreamReader(streams.open(STANDALONE_STREAM), onEvent);
    streams.append(STANDALONE_STREAM, buildMessage('c'));
    expect(reader.texts).toEqual(['a', 'b', 'A', 'B', 'AA', 'c']);
    expect(reader.ids).toEqual(['0:1', '0:2', '0:3', '0:4', '0:5', '0:6']);
  });

  it('ends a stream that its reader ends while it catches up (HTTP-04)', () => {
    const streams = new SessionStreams(WIDE);
    const name = streams.create();
    streams.append(name, buildMessage('a'));
    const reader = new StreamReader(streams.open(name), ({ number }) => {
      if (number === 1) streams.append(name, buildMessage('response'), true);
    });
    expect(reader).toMatchObject({ texts: ['a', 'response'], isComplete: true });
  });

  it('keeps for the next reader what one that leaves while it catches up has not seen (HTTP-04)', () => {
    const streams = new SessionStreams(WIDE);
    for (const text of ['a', 'b', 'c']) streams.append(STANDALONE_STREAM, buildMessage(text));
    let second: StreamReader | undefined;
    const first = new StreamReader(streams.open(STANDALONE_STREAM), ({ number }) => {
      if (number === 1) second = new StreamReader(streams.open(STANDALONE_STREAM));
    });
    streams.append(STANDALONE_STREAM, buildMessage('d'));
    expect(first).toMatchObject({ texts: ['a'], isComplete: true });
    expect(second).toMatchObject({ texts: ['b', 'c', 'd'], isComplete: false });
  });

  it('counts nothing as given to a reader that has left while it catches up (HTTP-04)', () => {
    const streams = new SessionStreams(WIDE);
    for (const text of ['a', 'b', 'c']) streams.append(STANDALONE_STREAM, buildMessage(text));
    const first = new StreamReader(streams.open(STANDALONE_STREAM).pipe(take(1)));
    const second = new StreamReader(streams.open(STANDALONE_STREAM));
    expect([first.texts, second.texts]).toEqual([['a'], ['b', 'c']]);
  });

  it('leaves a stream to the reader that opened it last, even from within the end of another (HTTP-04)', () => {
    const streams = new SessionStreams(WIDE);
    const opened: StreamReader[] = [];
    streams.open(STANDALONE_STREAM).subscribe({
      complete: () => opened.push(new StreamReader(streams.open(STANDALONE_STREAM))),
    });
    opened.push(new StreamReader(streams.open(STANDALONE_STREAM)));
    streams.append(STANDALONE_STREAM, buildMessage('a'));
    expect(opened.flatMap(({ texts }) => texts)).toEqual(['a']);
    expect(opened.filter(({ isComplete }) => !isComplete)).toHaveLength(1);
  });

  it('passes a message on to another stream while the first is fed (SESS-04)', () => {
    const streams = new SessionStreams(WIDE);
    const [from, to] = [streams.create(), streams.create()];
    const source = new StreamReader(streams.open(from), echo(streams, to, { a: 'A', b: 'B' }));
    const target = new StreamReader(streams.open(to));
    for (const text of ['a', 'b']) streams.append(from, buildMessage(text));
    expect([source.texts, target.texts]).toEqual([
      ['a', 'b'],
      ['A', 'B'],
    ]);
  });

  it('can be closed by a reader that is being fed (HTTP-05)', () => {
    for (const isLive of [true, false]) {
      const streams = new SessionStreams(WIDE);
      const texts = ['a', 'b', 'c'];
      if (!isLive) for (const text of texts) streams.append(STANDALONE_STREAM, buildMessage(text));
      const reader = new StreamReader(streams.open(STANDALONE_STREAM), ({ number }) => {
        if (number === 2) streams.close();
      });
      if (isLive) for (const text of texts) streams.append(STANDALONE_STREAM, buildMessage(text));
      expect(reader.isComplete).toBe(true);
      expect(streams.hasReader).toBe(false);
    }
  });
});
