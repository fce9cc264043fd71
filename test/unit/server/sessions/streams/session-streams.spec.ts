import { beforeEach, describe, expect, it } from '@jest/globals';
import { OutboundNotification } from '../../../../../lib/core/protocol/outbound-message.js';
import { SessionStreams } from '../../../../../lib/server/sessions/streams/session-streams.js';
import { STANDALONE_STREAM } from '../../../../../lib/server/sessions/streams/stream-records.js';
import { buildMessage, resumeStream, StreamReader } from '../../../support/stream-reader.js';

const WIDE = { events: 1000, characters: 1_000_000 };

describe('SessionStreams (MCP 2025-11-25 basic/transports)', () => {
  let streams: SessionStreams;

  function send(stream: string, ...texts: string[]): void {
    for (const text of texts) streams.append(stream, buildMessage(text));
  }

  beforeEach(() => {
    streams = new SessionStreams(WIDE);
  });

  describe('a stream', () => {
    it('gives its events ids that are counted for it alone (HTTP-04)', () => {
      const [first, second] = [streams.create(), streams.create()];
      const readers = [STANDALONE_STREAM, first, second].map((name) => new StreamReader(streams.open(name)));
      send(first, 'a', 'b');
      send(second, 'c');
      send(STANDALONE_STREAM, 'd');
      send(first, 'e');
      expect(readers.map(({ ids }) => ids)).toEqual([['0:1'], ['1:1', '1:2', '1:3'], ['2:1']]);
      expect(readers.map(({ texts }) => texts)).toEqual([['d'], ['a', 'b', 'e'], ['c']]);
    });

    it('keeps what comes before its reader (NOTE-03)', () => {
      send(STANDALONE_STREAM, 'a', 'b');
      const reader = new StreamReader(streams.open(STANDALONE_STREAM));
      send(STANDALONE_STREAM, 'c');
      expect(reader.texts).toEqual(['a', 'b', 'c']);
    });

    it('gives its next reader what the one before was not given (HTTP-04)', () => {
      const first = new StreamReader(streams.open(STANDALONE_STREAM));
      send(STANDALONE_STREAM, 'a');
      first.leave();
      send(STANDALONE_STREAM, 'b', 'c');
      const second = new StreamReader(streams.open(STANDALONE_STREAM));
      expect([first.texts, second.texts]).toEqual([['a'], ['b', 'c']]);
    });

    it('completes after its last event and takes none after it (HTTP-02)', () => {
      const name = streams.create();
      const reader = new StreamReader(streams.open(name));
      streams.append(name, buildMessage('response'), true);
      send(name, 'late');
      expect([reader.texts, reader.isComplete]).toEqual([['response'], true]);
    });

    it('completes without a last event where there will be none (CANC-01)', () => {
      const name = streams.create();
      const reader = new StreamReader(streams.open(name));
      send(name, 'a');
      streams.finish(name);
      send(name, 'late');
      expect([reader.texts, reader.isComplete]).toEqual([['a'], true]);
    });

    it('has one reader: the next one ends the one before (HTTP-04)', () => {
      const first = new StreamReader(streams.open(STANDALONE_STREAM));
      const second = new StreamReader(streams.open(STANDALONE_STREAM));
      send(STANDALONE_STREAM, 'a');
      expect([first.isComplete, first.texts]).toEqual([true, []]);
      expect([second.isComplete, second.texts]).toEqual([false, ['a']]);
    });

    it('does not lose its new reader when the one before leaves late (HTTP-04)', () => {
      const first = new StreamReader(streams.open(STANDALONE_STREAM));
      const second = new StreamReader(streams.open(STANDALONE_STREAM));
      first.leave();
      send(STANDALONE_STREAM, 'a');
      expect([streams.isStandalone, second.texts]).toEqual([true, ['a']]);
    });

    it('gives its first event to the readers that are there then, however long they waited (HTTP-04)', () => {
      const call = streams.create();
      const [gone, standing, ofCall] = [STANDALONE_STREAM, STANDALONE_STREAM, call].map(
        (name) => new StreamReader(streams.open(name)),
      );
      send(call, 'a');
      const late = new StreamReader(streams.open(call));
      send(call, 'b');
      send(STANDALONE_STREAM, 'c');
      expect([gone, standing, ofCall, late].map((reader) => reader?.texts)).toEqual([
        [],
        ['c'],
        ['a'],
        ['b'],
      ]);
    });

    it('is not read any more by who left before its first event (HTTP-04)', () => {
      const reader = new StreamReader(streams.open(STANDALONE_STREAM));
      reader.leave();
      send(STANDALONE_STREAM, 'a');
      expect([reader.texts, streams.hasReader]).toEqual([[], false]);
      expect(new StreamReader(streams.open(STANDALONE_STREAM)).texts).toEqual(['a']);
    });

    it('that nobody created is empty and over (HTTP-04)', () => {
      send('99', 'a');
      streams.finish('99');
      const reader = new StreamReader(streams.open('99'));
      expect([reader.texts, reader.isComplete]).toEqual([[], true]);
    });

    it('knows whether it is read (HTTP-10)', () => {
      const name = streams.create();
      expect([streams.hasReader, streams.isStandalone]).toEqual([false, false]);
      const call = new StreamReader(streams.open(name));
      expect([streams.hasReader, streams.isStandalone]).toEqual([true, false]);
      call.leave();
      const standing = new StreamReader(streams.open(STANDALONE_STREAM));
      expect([streams.hasReader, streams.isStandalone]).toEqual([true, true]);
      standing.leave();
      expect([streams.hasReader, streams.isStandalone]).toEqual([false, false]);
    });
  });

  describe('a message that belongs to no call', () => {
    it('goes on the standing stream where that is read (NOTE-03)', () => {
      const name = streams.create();
      const readers = [name, STANDALONE_STREAM].map((stream) => new StreamReader(streams.open(stream)));
      streams.appendUnrelated(buildMessage('a'));
      expect(readers.map(({ texts }) => texts)).toEqual([[], ['a']]);
    });

    it('else on the stream of an open call, and on one only (NOTE-03)', () => {
      const [unread, done, open, other] = Array.from({ length: 4 }, () => streams.create());
      const readers = [done, open, other].map((stream) => new StreamReader(streams.open(stream!)));
      streams.append(done!, buildMessage('response'), true);
      streams.appendUnrelated(buildMessage('a'));
      expect(readers.map(({ texts }) => texts)).toEqual([['response'], ['a'], []]);
      expect(new StreamReader(streams.open(unread!)).texts).toEqual([]);
      expect(new StreamReader(streams.open(STANDALONE_STREAM)).texts).toEqual([]);
    });

    it('else into the log for the next standing stream (NOTE-03)', () => {
      streams.create();
      streams.appendUnrelated(buildMessage('a'));
      expect(new StreamReader(streams.open(STANDALONE_STREAM)).texts).toEqual(['a']);
    });
  });

  describe('close', () => {
    it('completes every reader and drops everything (HTTP-05)', () => {
      const name = streams.create();
      const readers = [name, STANDALONE_STREAM].map((stream) => new StreamReader(streams.open(stream)));
      streams.close();
      send(STANDALONE_STREAM, 'a');
      send(name, 'b');
      streams.appendUnrelated(buildMessage('c'));
      expect(readers.map(({ isComplete }) => isComplete)).toEqual([true, true]);
      expect(new StreamReader(streams.open(STANDALONE_STREAM))).toMatchObject({
        texts: [],
        isComplete: true,
      });
      expect(streams.hasReader).toBe(false);
    });

    it('lets a stream that comes too late end at once (HTTP-05)', () => {
      streams.close();
      expect(new StreamReader(streams.open(streams.create())).isComplete).toBe(true);
    });
  });

  it('is as it was where a message cannot be serialized (SAFE-04)', () => {
    const reader = new StreamReader(streams.open(STANDALONE_STREAM));
    send(STANDALONE_STREAM, 'a');
    const broken = new OutboundNotification('notifications/message', { data: 1n });
    expect(() => streams.append(STANDALONE_STREAM, broken)).toThrow(TypeError);
    send(STANDALONE_STREAM, 'b');
    expect(reader.ids).toEqual(['0:1', '0:2']);
    expect(new StreamReader(resumeStream(streams, '0:0')).texts).toEqual(['a', 'b']);
  });
});
