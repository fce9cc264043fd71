import { describe, expect, it } from '@jest/globals';
import {
  CORE_ENCODER,
  PUBLISHED_ENCODER,
  createServiceEncoder,
} from '../../../../../../lib/server/extensions/tasks/encoders/task-encoders.js';
import type { TaskRecord } from '../../../../../../lib/server/settings/extensions/task-store.interface.js';
import { buildRecord, QUESTION } from '../build-record.js';

const SERVICE_WIRE = createServiceEncoder(({ taskId, version }) => `sealed ${taskId} ${version}`);
const TIMES = { createdAt: '2026-07-28T10:00:00.000Z', lastUpdatedAt: '2026-07-28T10:00:00.000Z' };
const FIELDS = { taskId: 'task-1', ...TIMES, ttlMs: 60_000, pollIntervalMs: 1000 };
const RESULT = { content: [] };
const FAILED: TaskRecord = buildRecord({
  status: 'failed',
  error: { code: -1, message: 'why' },
  statusMessage: 'why',
});
const COMPLETED: TaskRecord = buildRecord({ status: 'completed', result: RESULT });
const ASKING: TaskRecord = buildRecord({ status: 'input_required', inputRequests: { a: QUESTION } });

describe('The published wire (MCP extension tasks, "Tasks")', () => {
  it('shows a task that began flat, and nothing of its status besides (TASK-01)', () => {
    expect(PUBLISHED_ENCODER.encodeCreated(ASKING)).toEqual({
      resultType: 'task',
      ...FIELDS,
      status: 'input_required',
    });
  });

  it.each([
    [buildRecord({ statusMessage: 'busy' }), { status: 'working', statusMessage: 'busy' }],
    [ASKING, { status: 'input_required', inputRequests: { a: QUESTION } }],
    [COMPLETED, { status: 'completed', result: RESULT }],
    [FAILED, { status: 'failed', statusMessage: 'why', error: { code: -1, message: 'why' } }],
    [buildRecord({ status: 'cancelled' }), { status: 'cancelled' }],
  ])('shows what is in a task of its status (TASK-02)', (record, members) => {
    expect(PUBLISHED_ENCODER.encodeTask(record)).toEqual({ ...FIELDS, ...members });
  });

  it('says nothing of who called, and what (TASK-07)', () => {
    const record = buildRecord({ owner: 'ada', sessionId: 's', worker: 'h' });
    for (const wire of [PUBLISHED_ENCODER, CORE_ENCODER, SERVICE_WIRE]) {
      for (const shown of [
        wire.encodeTask(record),
        wire.encodeCreated(record),
        wire.encodeCancelled(record),
      ]) {
        expect(JSON.stringify(shown)).not.toMatch(/owner|sessionId|worker|call|expires|"version"/);
      }
    }
  });

  it('acknowledges a cancellation with nothing (TASK-01)', () => {
    expect(PUBLISHED_ENCODER.encodeCancelled(COMPLETED)).toEqual({});
  });
});

describe('The wire of 2025-11-25', () => {
  const SHOWN = { taskId: 'task-1', ...TIMES, ttl: 60_000, pollInterval: 1000 };

  it('shows a task under its name, with the names of its revision (TASK-04)', () => {
    expect(CORE_ENCODER.encodeCreated(ASKING)).toEqual({ task: { ...SHOWN, status: 'input_required' } });
  });

  it('never shows what a task came to or asks (TASK-04)', () => {
    expect(CORE_ENCODER.encodeTask(COMPLETED)).toEqual({ ...SHOWN, status: 'completed' });
    expect(CORE_ENCODER.encodeTask(FAILED)).toEqual({ ...SHOWN, status: 'failed', statusMessage: 'why' });
  });

  it('calls a result failed that says so (TASK-04)', () => {
    const record = buildRecord({ status: 'completed', result: { ...RESULT, isError: true } });
    expect(CORE_ENCODER.encodeTask(record)).toMatchObject({ status: 'failed' });
  });

  it('gives the task that was cancelled (TASK-04)', () => {
    const record = buildRecord({ status: 'cancelled' });
    expect(CORE_ENCODER.encodeCancelled(record)).toEqual({ ...SHOWN, status: 'cancelled' });
    expect(CORE_ENCODER.refusesToCancelTwice).toBe(true);
  });
});

describe('The wire of the service', () => {
  it('calls a task running, and seals its state (TASK-03)', () => {
    const shown = { ...FIELDS, status: 'running', requestState: 'sealed task-1 1' };
    expect(SERVICE_WIRE.encodeTask(buildRecord())).toEqual(shown);
    expect(SERVICE_WIRE.encodeCreated(buildRecord())).toEqual({ resultType: 'task', ...shown });
  });

  it('says when a task was over, with its result complete or its error (TASK-03)', () => {
    const completedAt = TIMES.lastUpdatedAt;
    expect(SERVICE_WIRE.encodeTask(COMPLETED)).toMatchObject({
      completedAt,
      result: { resultType: 'complete', ...RESULT },
    });
    expect(SERVICE_WIRE.encodeTask(FAILED)).toMatchObject({ completedAt, error: { code: -1 } });
    expect(SERVICE_WIRE.encodeTask(ASKING)).not.toHaveProperty('completedAt');
  });

  it('keeps the kind of a result that has one (TASK-03)', () => {
    const record = buildRecord({ status: 'completed', result: { resultType: 'other' } });
    expect(SERVICE_WIRE.encodeTask(record)).toMatchObject({ result: { resultType: 'other' } });
  });
});
