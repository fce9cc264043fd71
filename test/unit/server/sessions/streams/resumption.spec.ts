import { describe, expect, it } from '@jest/globals';
import { OutboundResult, type OutboundMessage } from '../../../../../lib/core/protocol/outbound-message.js';
import { SessionStreams } from '../../../../../lib/server/sessions/streams/session-streams.js';
import { STANDALONE_STREAM } from '../../../../../lib/server/sessions/streams/stream-records.js';
import { Random } from '../../../core/protocol/random.js';
import { buildMessage, resumeStream, StreamReader } from '../../../support/stream-reader.js';

const WIDE = { events: 1000, characters: 1_000_000 };

function send(streams: SessionStreams, stream: string, ...texts: string[]): void {
  for (const text of texts) streams.append(stream, buildMessage(text));
}

describe('Resumption (MCP 2025-11-25 basic/transports, "Resumability and Redelivery")', () => {
  it('goes on after the event it names, with that stream alone (HTTP-04)', () => {
    const streams = new SessionStreams(WIDE);
    const [name, other] = [streams.create(), streams.create()];
    send(streams, name, 'a', 'b', 'c');
    send(streams, other, 'x');
    const reader = new StreamReader(resumeStream(streams, `${name}:1`));
    send(streams, other, 'y');
    send(streams, name, 'd');
    expect(reader.ids).toEqual(['1:2', '1:3', '1:4']);
    expect(reader.texts).toEqual(['b', 'c', 'd']);
  });

  it('repeats what the lost reader was given after that event (HTTP-04)', () => {
    const streams = new SessionStreams(WIDE);
    const lost = new StreamReader(streams.open(STANDALONE_STREAM));
    send(streams, STANDALONE_STREAM, 'a', 'b', 'c');
    lost.leave();
    expect(new StreamReader(resumeStream(streams, '0:1')).texts).toEqual(['b', 'c']);
  });

  it('keeps of a message what is sent, and nothing that it was made of (SAFE-03)', () => {
    const streams = new SessionStreams(WIDE);
    const name = streams.create();
    const message = new OutboundResult('x'.repeat(1000), { content: [] });
    streams.append(name, message, true);
    const kept: OutboundMessage[] = [];
    resumeStream(streams, `${name}:0`).subscribe((event) => kept.push(event.message));
    expect(kept.map((event) => [event.json, 'result' in event])).toEqual([[message.json, false]]);
  });

  it('keeps for whom an event is (FAIR-06)', () => {
    const streams = new SessionStreams(WIDE);
    streams.appendUnrelated(buildMessage('for admins'), ['admin']);
    streams.appendUnrelated(buildMessage('for all'));
    const lesser = new StreamReader(streams.open(STANDALONE_STREAM, { scopes: new Set(['read']) }));
    expect(lesser.texts).toEqual(['for all']);
    const admin = new StreamReader(resumeStream(streams, '0:0', { scopes: new Set(['admin']) }));
    expect(admin.texts).toEqual(['for admins', 'for all']);
  });

  it('keeps what a reader could not see for the next one who can, and gives nothing twice (FAIR-06)', () => {
    const streams = new SessionStreams(WIDE);
    const [lesser, admin] = [{ scopes: new Set(['read']) }, { scopes: new Set(['admin']) }];
    const first = new StreamReader(streams.open(STANDALONE_STREAM, lesser));
    streams.appendStandalone(buildMessage('for admins'), ['admin']);
    streams.appendStandalone(buildMessage('for all'));
    first.leave();
    streams.reclaim();
    expect(streams.formatPosition(STANDALONE_STREAM, lesser)).toBe('0:2');
    const second = new StreamReader(streams.open(STANDALONE_STREAM, lesser));
    streams.appendStandalone(buildMessage('for all again'));
    second.leave();
    expect(streams.formatPosition(STANDALONE_STREAM, admin)).toBe('0:0');
    const third = new StreamReader(streams.open(STANDALONE_STREAM, admin));
    streams.appendStandalone(buildMessage('the last'));
    expect([first.texts, second.texts, third.texts]).toEqual([
      ['for all'],
      ['for all again'],
      ['for admins', 'the last'],
    ]);
    third.leave();
    expect(new StreamReader(streams.open(STANDALONE_STREAM, admin)).texts).toEqual([]);
  });

  it('remembers of what readers could not see no more than the log keeps (SAFE-03)', () => {
    const streams = new SessionStreams({ ...WIDE, events: 4 });
    const lesser = new StreamReader(streams.open(STANDALONE_STREAM, { scopes: new Set() }));
    for (let count = 0; count < 100; count += 1) {
      streams.appendStandalone(buildMessage(`secret ${count}`), ['admin']);
    }
    streams.appendStandalone(buildMessage('for all'));
    lesser.leave();
    const admin = new StreamReader(streams.open(STANDALONE_STREAM, { scopes: new Set(['admin']) }));
    expect([lesser.texts, admin.texts]).toEqual([['for all'], ['secret 97', 'secret 98', 'secret 99']]);
  });

  it('takes the stream from a reader that is still on it (HTTP-04)', () => {
    const streams = new SessionStreams(WIDE);
    const stale = new StreamReader(streams.open(STANDALONE_STREAM));
    send(streams, STANDALONE_STREAM, 'a');
    const next = new StreamReader(resumeStream(streams, '0:1'));
    send(streams, STANDALONE_STREAM, 'b');
    expect([stale.isComplete, stale.texts, next.texts]).toEqual([true, ['a'], ['b']]);
  });

  it('gives the response of a call that ended meanwhile, and ends (HTTP-04)', () => {
    const streams = new SessionStreams(WIDE);
    const name = streams.create();
    new StreamReader(streams.open(name)).leave();
    send(streams, name, 'progress');
    streams.append(name, buildMessage('response'), true);
    send(streams, name, 'late');
    for (const [id, texts] of [
      [`${name}:0`, ['progress', 'response']],
      [`${name}:1`, ['response']],
      [`${name}:2`, []],
    ] as const) {
      expect(new StreamReader(resumeStream(streams, id))).toMatchObject({ texts, isComplete: true });
    }
  });

  it.each([
    '',
    '0',
    '0:',
    ':1',
    '0:1:2',
    '0:-1',
    '0:1.0',
    '0:1e0',
    ' 0:0',
    '0:0\n',
    '00:0',
    '0:00',
    'x:1',
    '0:9999999999999999',
    '7:0',
    '0:4',
    '__proto__:0',
  ])('knows no event %j (HTTP-04)', (id) => {
    const streams = new SessionStreams(WIDE);
    send(streams, STANDALONE_STREAM, 'a', 'b', 'c');
    expect(streams.resume(id)).toBe('unknown');
  });

  it('is over for events that are no longer kept (HTTP-04)', () => {
    const streams = new SessionStreams({ ...WIDE, events: 4 });
    send(streams, STANDALONE_STREAM, 'a', 'b', 'c', 'd', 'e', 'f');
    expect([streams.resume('0:0'), streams.resume('0:1')]).toEqual(['expired', 'expired']);
    expect(new StreamReader(resumeStream(streams, '0:2')).texts).toEqual(['c', 'd', 'e', 'f']);
    expect(new StreamReader(resumeStream(streams, '0:6')).texts).toEqual([]);
  });

  it('knows no event of a process that had the session before (HTTP-04) (SESS-05)', () => {
    const streams = new SessionStreams(WIDE, 1000);
    send(streams, STANDALONE_STREAM, 'a');
    expect([streams.resume('0:1'), streams.resume('7:1'), streams.resume('2000:1')]).toEqual([
      'unknown',
      'unknown',
      'unknown',
    ]);
    expect(new StreamReader(resumeStream(streams, '1000:0')).texts).toEqual(['a']);
  });

  it('is over, not unknown, for a call of which nothing is kept (HTTP-04)', () => {
    const streams = new SessionStreams({ ...WIDE, events: 2 });
    const name = streams.create();
    streams.append(name, buildMessage('response'), true);
    send(streams, STANDALONE_STREAM, 'a', 'b');
    expect(streams.resume(`${name}:0`)).toBe('expired');
  });

  it('is over after a message that was longer than the log, for its stream alone (HTTP-04)', () => {
    const streams = new SessionStreams({ events: 100, characters: 500 });
    const name = streams.create();
    const reader = new StreamReader(streams.open(name));
    send(streams, STANDALONE_STREAM, 'a');
    send(streams, name, 'b', 'x'.repeat(1000), 'c');
    expect(reader.texts).toEqual(['b', 'x'.repeat(1000), 'c']);
    expect(streams.resume(`${name}:1`)).toBe('expired');
    expect(new StreamReader(resumeStream(streams, `${name}:2`)).texts).toEqual(['c']);
    expect(new StreamReader(resumeStream(streams, '0:0')).texts).toEqual(['a']);
  });

  it('does not need a log to serve readers (HTTP-04)', () => {
    const streams = new SessionStreams({ events: 0, characters: 0 });
    const reader = new StreamReader(streams.open(STANDALONE_STREAM));
    send(streams, STANDALONE_STREAM, 'a', 'b');
    expect(reader.texts).toEqual(['a', 'b']);
    expect(streams.resume('0:1')).toBe('expired');
  });

  it('gives a reader without an id the newest messages, where the oldest had to go (NOTE-03)', () => {
    const streams = new SessionStreams({ ...WIDE, events: 4 });
    send(streams, STANDALONE_STREAM, 'a', 'b', 'c', 'd', 'e', 'f');
    const position = streams.formatPosition(STANDALONE_STREAM);
    expect(new StreamReader(streams.open(STANDALONE_STREAM)).ids).toEqual(['0:3', '0:4', '0:5', '0:6']);
    expect(position).toBe('0:2');
    expect(new StreamReader(resumeStream(streams, position)).texts).toEqual(['c', 'd', 'e', 'f']);
  });

  it('can begin with the position that a reader is told first (HTTP-04)', () => {
    const streams = new SessionStreams(WIDE);
    expect(streams.formatPosition(STANDALONE_STREAM)).toBe('0:0');
    const lost = new StreamReader(streams.open(STANDALONE_STREAM));
    send(streams, STANDALONE_STREAM, 'a');
    lost.leave();
    const position = streams.formatPosition(STANDALONE_STREAM);
    send(streams, STANDALONE_STREAM, 'b');
    expect(new StreamReader(resumeStream(streams, position)).texts).toEqual(['b']);
  });

  it('brings each message once and in order to a client whose connection breaks at random (HTTP-04)', () => {
    const random = new Random(7);
    for (let run = 0; run < 40; run++) {
      const streams = new SessionStreams({ events: 32, characters: 100_000 });
      const name = random.below(2) === 0 ? STANDALONE_STREAM : streams.create();
      const received: string[] = [];
      let reader = new StreamReader(streams.open(name));
      let lastId = streams.formatPosition(name);
      for (let sent = 0, missed = 0; sent < 300; sent++) {
        send(streams, name, String(sent));
        send(streams, random.below(2) === 0 ? '99' : name === '0' ? streams.create() : '0', 'noise');
        if (random.below(5) === 0) reader.leave();
        missed += 1;
        if (sent < 299 && random.below(4) > 0 && missed < 10) continue;
        received.push(...reader.texts);
        lastId = reader.ids.at(-1) ?? lastId;
        reader = new StreamReader(resumeStream(streams, lastId));
        missed = 0;
      }
      received.push(...reader.texts);
      expect(received).toEqual(Array.from({ length: 300 }, (_, index) => String(index)));
    }
  });
});

describe('The record of a stream', () => {
  /** A stream that is forgotten stands at its beginning again. */
  const isForgotten = (streams: SessionStreams, name: string) => streams.formatPosition(name) === `${name}:0`;

  it('goes when the call is over and its last event has left the log (SAFE-03)', () => {
    const streams = new SessionStreams({ ...WIDE, events: 8 });
    const names = Array.from({ length: 100 }, () => {
      const name = streams.create();
      streams.open(name).subscribe();
      send(streams, name, 'progress');
      streams.append(name, buildMessage('response'), true);
      return name;
    });
    expect(names.filter((name) => !isForgotten(streams, name)).length).toBeLessThanOrEqual(4);
  });

  it('goes at once where nothing of the call is kept (SAFE-03)', () => {
    const streams = new SessionStreams({ events: 8, characters: 10 });
    const [finished, answered] = [streams.create(), streams.create()];
    send(streams, finished, 'longer than the log');
    streams.finish(finished);
    streams.append(answered, buildMessage('longer than the log'), true);
    expect([finished, answered].map((name) => isForgotten(streams, name))).toEqual([true, true]);
  });

  it('stays while the call runs, however little of it is kept (HTTP-04)', () => {
    const streams = new SessionStreams({ ...WIDE, events: 2 });
    const name = streams.create();
    send(streams, name, 'a');
    send(streams, STANDALONE_STREAM, 'b', 'c', 'd');
    send(streams, name, 'e');
    expect(new StreamReader(resumeStream(streams, `${name}:1`)).ids).toEqual([`${name}:2`]);
  });
});
