import { randomBytes } from 'node:crypto';
import type { Cluster } from '../../../index.js';
import { type CheckContext, CheckedMember } from './checked-member.js';
import { LOG_CHECKS } from './log.checks.js';
import { MEMBER_CHECKS } from './member.checks.js';
import { RECORD_CHECKS } from './record.checks.js';

/** A check of a cluster backend. It rejects if the backend breaks a guarantee. */
export interface ClusterCheck {
  /** The guarantee, as a sentence without a subject or a final period. */
  readonly name: string;
  run(): Promise<void>;
}

/**
 * Returns checks for a cluster backend's guarantees. They do not need a test framework.
 *
 * @param createCluster returns a backend for another process. All backends share one store
 * @example
 * for (const { name, run } of clusterChecks(() => myCluster({ url }))) test(name, run);
 */
export function clusterChecks(createCluster: () => Cluster | Promise<Cluster>): readonly ClusterCheck[] {
  const checks = Object.entries({ ...LOG_CHECKS, ...RECORD_CHECKS, ...MEMBER_CHECKS });
  return checks.map(([name, check]) => ({ name, run: () => runCheck(createCluster, check) }));
}

async function runCheck(
  createCluster: () => Cluster | Promise<Cluster>,
  check: (scene: CheckContext) => Promise<void>,
): Promise<void> {
  const server = `/check-${randomBytes(6).toString('hex')}`;
  const joined: CheckedMember[] = [];
  const join = async (other = ''): Promise<CheckedMember> => {
    const member = await CheckedMember.join(await createCluster(), `${server}${other}`);
    joined.push(member);
    return member;
  };
  try {
    await check({ join });
  } finally {
    await Promise.all(joined.map(({ connection }) => connection.close()));
  }
}
