import { describe, expect, it } from '@jest/globals';
import {
  findProfile,
  selectProfile,
} from '../../../../../../lib/server/extensions/tasks/encoders/select-profile.js';
import { TASKS_EXTENSION } from '../../../../../../lib/core/protocol/meta-keys.js';
import { RequestAuth } from '../../../../../../lib/server/context/request-auth.js';
import type { AuthView } from '../../../../../../lib/server/context/auth-view.interface.js';
import { Challenges } from '../../../../../../lib/core/oauth/challenges.js';
import { buildContext, buildPeer } from '../../../../support/requests.js';

const DECLARED = { extensions: { [TASKS_EXTENSION]: {} } };
const BY_ANYBODY = new RequestAuth(new Challenges({ getFirstScopes: () => [] }), undefined, []);

interface Parts {
  readonly auth?: AuthView;
  readonly declared?: boolean;
  readonly task?: unknown;
}

const contextOf = (version: string, { declared = false, task, ...parts }: Parts = {}) =>
  buildContext('tools/call', {
    params: { name: 'run', ...(task !== undefined && { task }) },
    peer: buildPeer(version, { capabilities: declared ? DECLARED : {} }),
    ...parts,
  });

describe('selectProfile', () => {
  it.each([
    ['2026-07-28', { declared: true }, 'published'],
    ['2026-07-28', { declared: true, task: {} }, 'published'],
    ['2026-07-28', { task: {} }, undefined],
    ['2025-11-25', { task: {} }, 'core'],
    ['2025-11-25', { declared: true, task: {} }, 'core'],
    ['2025-11-25', { declared: true }, 'service'],
    ['2025-11-25', { task: 'yes' }, undefined],
    ['2025-11-25', { task: null }, undefined],
    ['2025-11-25', {}, undefined],
    ['2025-06-18', { declared: true, task: {} }, 'service'],
    ['2025-06-18', { task: {} }, undefined],
    ['2024-11-05', { declared: true }, 'service'],
  ])(
    'selects for a client of %s with %j the way %s (TASK-01) (TASK-03) (TASK-04)',
    (version, parts, profile) => {
      expect(selectProfile('optional', contextOf(version, parts))).toBe(profile);
      expect(findProfile(contextOf(version, parts))).toBe(profile);
    },
  );

  it.each([
    ['2026-07-28', -32021],
    ['2025-11-25', -32601],
    ['2025-06-18', -32021],
    ['2024-11-05', -32021],
  ])(
    'refuses a client of %s that knows no tasks where one is required, with %d (TASK-01)',
    (version, code) => {
      expect(() => selectProfile('required', contextOf(version))).toThrow(expect.objectContaining({ code }));
    },
  );

  it.each([
    ['2026-07-28', { declared: true }],
    ['2025-11-25', { declared: true }],
    ['2025-06-18', { declared: true }],
  ])('answers a client of %s with %j at once that could not look at a task (TASK-07)', (version, parts) => {
    const context = contextOf(version, { ...parts, auth: BY_ANYBODY });
    expect(selectProfile('optional', context)).toBeUndefined();
    expect(findProfile(context)).toBeUndefined();
  });

  it.each([
    ['2026-07-28', 'required', { declared: true }],
    ['2025-11-25', 'required', { declared: true }],
    ['2025-11-25', 'optional', { task: {} }],
  ] as const)(
    'asks a client of %s for a token where a tool that is %s can be a task alone, with %j (TASK-07)',
    (version, support, parts) => {
      const select = () => selectProfile(support, contextOf(version, { ...parts, auth: BY_ANYBODY }));
      expect(select).toThrow(expect.objectContaining({ code: 401 }));
    },
  );

  it('refuses a client that asks for a task where none is to be had, in the revision that says so (TASK-04)', () => {
    const select = (version: string) => () => selectProfile('forbidden', contextOf(version, { task: {} }));
    expect(select('2025-11-25')).toThrow(expect.objectContaining({ code: -32601 }));
    for (const version of ['2024-11-05', '2025-03-26', '2025-06-18', '2026-07-28']) {
      expect(select(version)()).toBeUndefined();
    }
  });
});
