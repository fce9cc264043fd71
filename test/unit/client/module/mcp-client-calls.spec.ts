import { afterEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { guardListener } from '../../../../lib/client/module/mcp-client-calls.js';
import { CapturedLog } from '../../support/captured-log.js';

describe('guardListener()', () => {
  afterEach(() => Logger.overrideLogger(['fatal']));

  it('passes on what there is to hear, and keeps failures from the call (CLI-01)', async () => {
    const log = CapturedLog.begin();
    const heard: number[] = [];
    const listen = guardListener('onProgress', (step: number): void => {
      heard.push(step);
      if (step === 2) throw new Error('broken');
    });
    for (const step of [1, 2, 3]) listen(step);
    const reject = guardListener('onStatus', async () => {
      throw new Error('later');
    });
    reject(1);
    await new Promise((resolve) => setImmediate(resolve));
    expect(heard).toEqual([1, 2, 3]);
    expect(log.errors.map((line) => line.split('\n')[0])).toEqual([
      '"onProgress" failed, but the observed operation continues: broken',
      '"onStatus" failed, but the observed operation continues: later',
    ]);
  });
});
