import { Writable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { OutboundNotification, OutboundResult } from '../../../../../lib/core/protocol/outbound-message.js';
import { LineWriter } from '../../../../../lib/server/transport/stdio/lines.js';
import { CapturedLog } from '../../../support/captured-log.js';

/** A stream that stalls until `flow()`. */
class StalledStream extends Writable {
  text = '';
  #waiting: (() => void) | undefined;
  isStalled = true;

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    if (this.isStalled) this.#waiting = done;
    else done();
  }

  flow(): void {
    this.isStalled = false;
    this.#waiting?.();
  }
}

const PROGRESS = new OutboundNotification('notifications/progress', { progressToken: 1, progress: 1 });
const UPDATED = new OutboundNotification('notifications/resources/updated', { uri: 'desk://1' });
const CANCELLED = new OutboundNotification('notifications/cancelled', { requestId: 1 });
const ACKNOWLEDGED = new OutboundNotification('notifications/subscriptions/acknowledged', {});
const LONG = 'x'.repeat(30_000);

describe('LineWriter', () => {
  let output: StalledStream;
  let writer: LineWriter;
  let log: CapturedLog;

  beforeEach(() => {
    output = new StalledStream();
    writer = new LineWriter(output, 20_000);
    log = CapturedLog.begin();
  });

  afterEach(() => log.release());

  function methods(): unknown[] {
    const lines = output.text.trim().split('\n');
    return lines.map((line) => {
      const { id, method } = JSON.parse(line) as { id?: number; method?: string };
      return method ?? id;
    });
  }

  it('writes a message a line (STDIO-01)', () => {
    output.flow();
    writer.write(new OutboundResult(1, { text: 'two\nlines' }));
    writer.write(PROGRESS);
    expect(output.text.split('\n')).toHaveLength(3);
    expect(methods()).toEqual([1, 'notifications/progress']);
  });

  it('drops hints while the client does not read, and nothing that it asked for (STDIO-01)', async () => {
    writer.write(new OutboundResult(1, { LONG }));
    for (const hint of [PROGRESS, UPDATED, UPDATED.taggedFor(7)]) writer.write(hint);
    for (const owed of [CANCELLED, ACKNOWLEDGED.taggedFor(7), CANCELLED.taggedFor(7)]) writer.write(owed);
    writer.write(new OutboundResult(2, {}));
    output.flow();
    await writer.drained();
    expect(methods()).toEqual([
      1,
      'notifications/cancelled',
      'notifications/subscriptions/acknowledged',
      'notifications/cancelled',
      2,
    ]);
  });

  it('says once that it drops, and again when it begins to drop again (STDIO-01)', async () => {
    writer.write(new OutboundResult(1, { LONG }));
    for (let count = 0; count < 1000; count++) writer.write(PROGRESS);
    expect(log.warnings).toEqual([expect.stringContaining('"notifications/progress" was dropped')]);
    output.flow();
    await writer.drained();
    output.isStalled = true;
    writer.write(UPDATED);
    writer.write(new OutboundResult(2, { LONG }));
    writer.write(UPDATED);
    expect(log.warnings).toHaveLength(2);
  });

  it('says whose client does not read (OPS-06)', () => {
    const authentication = { claims: { sub: 'ada', aud: [], scopes: [], extra: {} } };
    const named = new LineWriter(output, 20_000, () => ({ authentication }));
    named.write(new OutboundResult(1, { LONG }));
    named.write(PROGRESS);
    expect(log.warnings).toEqual([
      expect.stringMatching(/ \[caller="ada" session=- address=- method=- target=-\]$/m),
    ]);
  });

  it('waits for a client that reads slowly, however often, with two listeners in all (STDIO-01)', async () => {
    const listeners = () => output.listenerCount('drain') + output.listenerCount('close');
    const before = listeners();
    for (let count = 0; count < 50; count++) {
      output.isStalled = true;
      writer.write(new OutboundResult(count, { LONG }));
      const drained = writer.drained();
      output.flow();
      await drained;
    }
    expect(listeners()).toBe(before);
  });

  it('waits for nobody where the output is closed, breaks, or the wait is given up (STDIO-02)', async () => {
    writer.write(new OutboundResult(1, { LONG }));
    const abandoned = writer.drained();
    writer.abandon();
    await abandoned;
    output.on('error', () => undefined);
    const broken = writer.drained();
    output.destroy(new Error('EPIPE'));
    await broken;
    await writer.drained();
    writer.write(PROGRESS);
    expect(output.writableLength).toBeLessThan(2 * LONG.length);
  });
});
