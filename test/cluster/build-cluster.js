import requireRedis from './require-redis.js';
import buildPrograms from '../support/programs/build-programs.js';

/** Compiles the programs that specs start as processes of one server, if there is a Redis for them. */
export default function buildCluster() {
  requireRedis();
  buildPrograms();
}
