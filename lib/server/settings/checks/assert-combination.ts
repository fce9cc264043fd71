import { fail } from '../../../core/checks/option-checks.js';
import { DEFAULT_PATHS } from '../server-settings.js';
import type { McpOptions } from '../mcp-options.interface.js';
import { assertNotOwnMetadata, assertResourceCovers, assertResourceNamed } from './assert-auth-options.js';
import { assertTargetNamed } from './dpop-checks.js';

/** Checks combinations of options, after each option alone was checked. */
export function assertCombination(options: McpOptions): void {
  const { secret, sessions, auth, publicUrl } = options;
  if (sessions?.adopt === true && secret === undefined) {
    fail('secret', 'is required with "sessions.adopt": without it each process signs with its own');
  }
  assertCluster(options);
  assertStateless(options);
  assertPathOfSse(options);
  assertResourceNamed(auth || undefined, publicUrl);
  assertResourceCovers(auth || undefined, publicUrl);
  assertNotOwnMetadata(auth || undefined, publicUrl);
  assertTargetNamed(auth || undefined, publicUrl);
}

function assertCluster({ cluster, secret, sessions, tasks }: McpOptions): void {
  if (cluster === undefined) return;
  if (secret === undefined) {
    fail('secret', 'is required with "cluster": give every process the same, of at least 32 characters');
  }
  if (sessions?.adopt === false) {
    fail('sessions.adopt', 'cannot be off with "cluster": any process takes up the sessions of the others');
  }
  const hasStore = typeof tasks === 'object' ? tasks.store !== undefined : tasks !== true;
  if (!hasStore && cluster.createTaskStore === undefined) {
    fail('tasks.store', 'is required with this "cluster", which keeps no tasks: all processes must share it');
  }
}

function assertStateless({ stateless, sessions, sse }: McpOptions): void {
  if (stateless !== true) return;
  if (sessions?.adopt === true) {
    fail('sessions.adopt', 'has nothing to take over with "stateless": remove one of the two');
  }
  if (sse !== undefined && sse !== false) {
    fail('sse', 'keeps a session for each stream, and "stateless" has none: remove one of the two');
  }
}

function assertPathOfSse({ mcpPath = DEFAULT_PATHS.mcp, sse }: McpOptions): void {
  if (sse === undefined || sse === false) return;
  const { path: own = DEFAULT_PATHS.sse } = sse === true ? {} : sse;
  // Routers may take upper and lower case for the same.
  if (own.toLowerCase() !== mcpPath.toLowerCase()) return;
  fail('sse.path', `must be another path than "mcpPath", such as "${mcpPath}/sse"`);
}
