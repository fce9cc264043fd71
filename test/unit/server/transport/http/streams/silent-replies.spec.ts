import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import {
  SilentReplies,
  type SilentReply,
} from '../../../../../../lib/server/transport/http/streams/event-streams.js';
import { RecordedLog } from '../../../../../support/records/recorded-log.js';

const AFTER_MS = 1000;

describe('SilentReplies', () => {
  let replies: SilentReplies;
  let begun: string[];

  beforeEach(() => {
    jest.useFakeTimers();
    replies = new SilentReplies(AFTER_MS);
    begun = [];
  });

  afterEach(() => {
    replies.close();
    jest.useRealTimers();
  });

  const createReply = (name: string): SilentReply => ({
    entry: undefined,
    beginStream: () => void begun.push(name),
  });

  it('begin a stream when their time is over, and a quarter later at the latest (HTTP-02)', () => {
    replies.watch(createReply('a'));
    jest.advanceTimersByTime(AFTER_MS - 1);
    expect(begun).toEqual([]);
    jest.advanceTimersByTime(AFTER_MS / 4 + 1);
    expect(begun).toEqual(['a']);
  });

  it('each have their own time (HTTP-02)', () => {
    replies.watch(createReply('early'));
    jest.advanceTimersByTime(AFTER_MS * 0.7);
    replies.watch(createReply('late'));
    jest.advanceTimersByTime(AFTER_MS * 0.6);
    expect(begun).toEqual(['early']);
    jest.advanceTimersByTime(AFTER_MS * 0.65);
    expect(begun).toEqual(['early', 'late']);
  });

  it('begin no stream once they are forgotten, and none twice (HTTP-02)', () => {
    const [forgotten, kept] = [createReply('forgotten'), createReply('kept')];
    for (const reply of [forgotten, kept, kept]) replies.watch(reply);
    replies.forget(forgotten);
    jest.advanceTimersByTime(3 * AFTER_MS);
    expect(begun).toEqual(['kept']);
  });

  it('are watched again after they were forgotten, behind the others (HTTP-02)', () => {
    const [first, second, third] = ['a', 'b', 'c'].map(createReply) as [
      SilentReply,
      SilentReply,
      SilentReply,
    ];
    for (const reply of [first, second, third]) replies.watch(reply);
    for (const reply of [second, first, first]) replies.forget(reply);
    replies.watch(first);
    jest.advanceTimersByTime(2 * AFTER_MS);
    expect(begun).toEqual(['c', 'a']);
  });

  it('need one timer, and none while there are none (MOD-12)', () => {
    expect(jest.getTimerCount()).toBe(0);
    for (const name of ['a', 'b', 'c']) replies.watch(createReply(name));
    expect(jest.getTimerCount()).toBe(1);
    jest.advanceTimersByTime(2 * AFTER_MS);
    expect(jest.getTimerCount()).toBe(0);
    replies.watch(createReply('d'));
    jest.advanceTimersByTime(2 * AFTER_MS);
    expect(begun).toEqual(['a', 'b', 'c', 'd']);
  });

  it('are watched no more when the server has closed (MOD-12)', () => {
    replies.watch(createReply('a'));
    replies.close();
    expect(jest.getTimerCount()).toBe(0);
  });

  it('need no timer where streams are never to begin so (HTTP-02)', () => {
    new SilentReplies(0).watch(createReply('a'));
    expect(jest.getTimerCount()).toBe(0);
  });

  it('whose stream cannot begin end neither the process nor the others (SAFE-04)', () => {
    const log = new RecordedLog();
    Logger.overrideLogger(log);
    replies.watch({
      entry: undefined,
      beginStream: () => {
        throw new Error('a listener of the application');
      },
    });
    replies.watch(createReply('b'));
    jest.advanceTimersByTime(2 * AFTER_MS);
    expect(begun).toEqual(['b']);
    expect(log.text).toContain('a listener of the application');
  });
});
