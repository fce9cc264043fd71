import { describe, expect, it } from '@jest/globals';
import { EventCounter } from '../../../../cli/bench/workloads/event-counter.js';

const CHANGE = 'id: 1:1\ndata: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n\n';
const UPDATE = 'data: {"method": "notifications/resources/updated","params":{"uri":"a://b"}}\r\n\r\n';
const OTHERS = ': keep-alive\n\nid: 1:0\ndata: \n\ndata: {"method":"notifications/message"}\n\n';

describe('EventCounter', () => {
  it.each([1, 3, 50, 1000])('counts what announces a change, in pieces of %d characters', (size) => {
    const counter = new EventCounter();
    const text = OTHERS + CHANGE + OTHERS + UPDATE + CHANGE;
    for (let start = 0; start < text.length; start += size) counter.read(text.slice(start, start + size));
    expect([counter.count, counter.text]).toEqual([3, CHANGE + UPDATE + CHANGE]);
  });

  it('begins again', () => {
    const counter = new EventCounter();
    counter.read(CHANGE);
    counter.reset();
    counter.read(CHANGE);
    expect([counter.count, counter.text]).toEqual([1, CHANGE]);
  });

  it('keeps no event that never ends', () => {
    const counter = new EventCounter();
    counter.read(`data: ${'a'.repeat(70_000)}`);
    counter.read(CHANGE);
    expect(counter.count).toBe(1);
  });
});
