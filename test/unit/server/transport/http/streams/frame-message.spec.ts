import { describe, expect, it } from '@jest/globals';
import { frameMessage } from '../../../../../../lib/server/transport/http/streams/event-stream-writer.js';

describe('frameMessage (HTML Living Standard §9.2)', () => {
  it('frames a message with the id to come back to', () => {
    expect(frameMessage('{"a":1}', '0:7')).toBe('event: message\nid: 0:7\ndata: {"a":1}\n\n');
  });

  it('frames a message that nobody can come back to without an id', () => {
    expect(frameMessage('{"a":1}', undefined)).toBe('event: message\ndata: {"a":1}\n\n');
  });

  it('takes no frame for that of another id or another message', () => {
    const frames = [
      frameMessage('{"a":1}', '0:1'),
      frameMessage('{"a":1}', '0:2'),
      frameMessage('{"a":2}', '0:2'),
      frameMessage('{"a":2}', undefined),
      frameMessage('{"a":2}', undefined),
    ];
    expect(frames.map((frame) => /id: (.*)/.exec(frame)?.[1])).toEqual([
      '0:1',
      '0:2',
      '0:2',
      undefined,
      undefined,
    ]);
    expect(frames.map((frame) => /data: (.*)/.exec(frame)?.[1])).toEqual([
      '{"a":1}',
      '{"a":1}',
      '{"a":2}',
      '{"a":2}',
      '{"a":2}',
    ]);
  });

  it('frames long messages too', () => {
    const text = 'x'.repeat(10_000);
    for (const id of ['0:1', '0:1', '0:2']) {
      expect(frameMessage(text, id)).toBe(`event: message\nid: ${id}\ndata: ${text}\n\n`);
    }
  });
});
