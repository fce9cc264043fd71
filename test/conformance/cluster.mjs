import requireRedis from '../cluster/require-redis.js';
import buildPrograms from '../support/programs/build-programs.js';

/** Starts three fixtures that are one server, a Redis of their own, and a balancer that chooses one of them for each request. */
export async function startCluster() {
  requireRedis();
  buildPrograms();
  const { ProcessCluster } = await import('../../.build/test/support/cluster/process-cluster.js');
  return ProcessCluster.start({ program: 'fixture' });
}
