import { describe, expect, it } from '@jest/globals';
import { onInterruption } from '../../../../lib/server/limits/concurrency-slots.js';
import { buildContext } from '../../support/requests.js';

describe('onInterruption()', () => {
  it('tells each listener of the end of a request, and those no more that have left (OPS-04)', () => {
    const context = buildContext('tools/call');
    const heard: string[] = [];
    context.onInterrupt = () => void heard.push('first');
    const forgetSecond = onInterruption(context, () => void heard.push('second'));
    const forgetThird = onInterruption(context, () => void heard.push('third'));
    context.onInterrupt({});
    expect(heard.splice(0)).toEqual(['third', 'second', 'first']);
    forgetThird();
    context.onInterrupt({});
    expect(heard.splice(0)).toEqual(['second', 'first']);
    forgetSecond();
    context.onInterrupt({});
    expect(heard).toEqual(['first']);
  });

  it('leaves alone who came later and stays (OPS-04)', () => {
    const context = buildContext('tools/call');
    const heard: string[] = [];
    const forget = onInterruption(context, () => undefined);
    onInterruption(context, () => void heard.push('later'));
    forget();
    context.onInterrupt?.({});
    expect(heard).toEqual(['later']);
  });
});
