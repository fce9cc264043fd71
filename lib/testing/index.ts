export { McpTestingModule, type TestClientOptions } from './mcp-testing-module.js';
export { BoundToken, ClientKey, type ProvenRequest } from './bound-token.js';
export { FakeIssuer, type FakeClaims, type FakeIssuerOptions, type FakeTokenOptions } from './fake-issuer.js';
export { mcpMatchers, type McpMatchers } from './mcp-matchers.js';
export type { ExpectedChallenge, LintExpectation, MatcherOutcome, MatcherState } from './mcp-matchers.js';
export type { LintSettings } from '../core/lint/lint-catalog.js';
export type { LintSeverity } from '../core/lint/lint-rule.js';
export { McpAppHost, type AppHostOptions, type OpenAppOptions } from './apps/mcp-app-host.js';
export { OpenedApp, type AskedOfHost } from './apps/opened-app.js';
export { clusterChecks, type ClusterCheck } from './cluster/checks/cluster-checks.js';
export {
  memoryCluster,
  type MemoryCluster,
  type MemoryClusterOptions,
} from './cluster/memory/memory-cluster.js';
