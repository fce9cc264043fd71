import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { StorageHealth } from '../../../../lib/server/audit/audit-trail.js';

describe('StorageHealth', () => {
  let events: StorageHealth;

  beforeEach(() => {
    jest.useFakeTimers();
    events = new StorageHealth();
  });
  afterEach(() => void jest.useRealTimers());

  it('is not failing before the first event', () => {
    expect(events.isFailing).toBe(false);
  });

  it('is failing once an event could not be kept', () => {
    events.record(false);
    expect(events.isFailing).toBe(true);
  });

  it('is not failing once an event is kept again', () => {
    events.record(false);
    events.record(true);
    expect(events.isFailing).toBe(false);
  });

  it('is not failing if an event was kept shortly before: one caller could take a process out of service', () => {
    events.record(true);
    jest.advanceTimersByTime(10_000);
    events.record(false);
    expect(events.isFailing).toBe(false);
    jest.advanceTimersByTime(1);
    events.record(false);
    expect(events.isFailing).toBe(true);
  });

  it('is not failing for ever if no event follows', () => {
    events.record(false);
    jest.advanceTimersByTime(29_999);
    expect(events.isFailing).toBe(true);
    jest.advanceTimersByTime(1);
    expect(events.isFailing).toBe(false);
  });
});
