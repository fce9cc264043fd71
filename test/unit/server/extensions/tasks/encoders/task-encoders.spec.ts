import { beforeEach, describe, expect, it } from '@jest/globals';
import type { ExtensionHandle } from '../../../../../../lib/server/dispatch/extension.interface.js';
import { ExtensionLink } from '../../../../../../lib/server/extensions/tasks/extension-link.js';
import { TASKS_EXTENSION } from '../../../../../../lib/core/protocol/meta-keys.js';
import {
  CORE_ENCODER,
  PUBLISHED_ENCODER,
  TaskSigner,
  TaskEncoders,
} from '../../../../../../lib/server/extensions/tasks/encoders/task-encoders.js';
import { Sealer } from '../../../../../../lib/core/sealing/sealer.js';
import { buildContext, buildPeer } from '../../../../support/requests.js';
import { buildRecord } from '../build-record.js';

describe('TaskEncoders and TaskSigner', () => {
  const sealer = new Sealer();
  const link = new ExtensionLink();
  let seals: TaskSigner;
  let wires: TaskEncoders;

  beforeEach(() => {
    const handle: Pick<ExtensionHandle, 'sign' | 'verify'> = {
      sign: (value) => sealer.seal('extension', value),
      verify: (sealed) => sealer.open('extension', sealed),
    };
    link.open(handle as ExtensionHandle);
    seals = new TaskSigner(link);
    wires = new TaskEncoders(seals);
  });

  const ask = (version: string, isDeclared: boolean) =>
    buildContext('tasks/get', {
      peer: buildPeer(version, { capabilities: isDeclared ? { extensions: { [TASKS_EXTENSION]: {} } } : {} }),
    });
  const service = () => wires.get(buildRecord({ profile: 'service' }));

  it('shows a task as whoever asks can read it (TASK-01) (TASK-03) (TASK-04)', () => {
    for (const profile of ['published', 'core', 'service'] as const) {
      const record = buildRecord({ profile });
      expect(wires.getFor(record, ask('2026-07-28', true))).toBe(PUBLISHED_ENCODER);
      expect(wires.getFor(record, ask('2025-11-25', false))).toBe(CORE_ENCODER);
      expect(wires.getFor(record, ask('2025-06-18', true))).toBe(service());
      const both = wires.getFor(record, ask('2025-11-25', true));
      expect(both).toBe(profile === 'core' ? CORE_ENCODER : service());
    }
  });

  it('takes the state of its own task alone (TASK-03)', () => {
    const { requestState } = service().encodeTask(buildRecord({ version: 9 }));
    expect(() => seals.assertState('task-1', undefined)).not.toThrow();
    expect(() => seals.assertState('task-1', requestState)).not.toThrow();
    const cursor = seals.formatCursor(buildRecord());
    for (const state of [null, 1, '', {}, 'a.b', cursor, `${String(requestState)}A`]) {
      expect(() => seals.assertState('task-1', state)).toThrow('"requestState"');
    }
    expect(() => seals.assertState('task-2', requestState)).toThrow('"requestState"');
  });

  it('takes its own cursors alone (TASK-04)', () => {
    const { createdAt, taskId } = buildRecord();
    expect(seals.parseCursor(seals.formatCursor(buildRecord()))).toEqual({ after: { createdAt, taskId } });
    expect(seals.parseCursor(undefined)).toEqual({});
    const { requestState } = service().encodeTask(buildRecord());
    for (const cursor of [null, 1, '', {}, 'a.b', requestState]) {
      expect(() => seals.parseCursor(cursor)).toThrow('"cursor"');
    }
  });
});

describe('ExtensionLink', () => {
  it('has no ways out before the extension is registered (MOD-11)', () => {
    const link = new ExtensionLink();
    expect(link.isOpen).toBe(false);
    expect(() => link.handle).toThrow('set the option "tasks"');
  });
});
