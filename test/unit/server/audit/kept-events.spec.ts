import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { KeptEvents } from '../../../../lib/server/audit/kept-events.js';

describe('KeptEvents', () => {
  let events: KeptEvents;

  beforeEach(() => {
    jest.useFakeTimers();
    events = new KeptEvents();
  });
  afterEach(() => void jest.useRealTimers());

  it('is not failing before the first event', () => {
    expect(events.isFailing).toBe(false);
  });

  it('is failing once an event could not be kept', () => {
    events.note(false);
    expect(events.isFailing).toBe(true);
  });

  it('is not failing once an event is kept again', () => {
    events.note(false);
    events.note(true);
    expect(events.isFailing).toBe(false);
  });

  it('is not failing if an event was kept shortly before: one caller could take a process out of service', () => {
    events.note(true);
    jest.advanceTimersByTime(10_000);
    events.note(false);
    expect(events.isFailing).toBe(false);
    jest.advanceTimersByTime(1);
    events.note(false);
    expect(events.isFailing).toBe(true);
  });

  it('is not failing for ever if no event follows', () => {
    events.note(false);
    jest.advanceTimersByTime(29_999);
    expect(events.isFailing).toBe(true);
    jest.advanceTimersByTime(1);
    expect(events.isFailing).toBe(false);
  });
});
