import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { TelemetryName } from '../../../lib/server/telemetry/instruments.js';

interface Panel {
  readonly title: string;
  readonly type: string;
  readonly targets?: readonly { readonly expr: string }[];
}

const FILE = new URL('../../../docs/grafana-dashboard.json', import.meta.url);
const { panels } = JSON.parse(readFileSync(FILE, 'utf8')) as { readonly panels: readonly Panel[] };

/** Names and labels as Prometheus has them, after the rules by which OpenTelemetry's names become its own. */
const METRICS: ReadonlySet<string> = new Set([
  ...histogram('mcp.server.operation.duration'),
  ...histogram('mcp.client.operation.duration'),
  ...histogram('mcp.server.session.duration'),
  ...histogram('mcp.client.session.duration'),
  ...histogram(TelemetryName.keyFetches),
  translate(TelemetryName.sessions),
  translate(TelemetryName.streams),
  `${translate(TelemetryName.queuedBytes)}_bytes`,
  `${translate(TelemetryName.refusedRequests)}_total`,
  `${translate(TelemetryName.tokens)}_total`,
  `${translate(TelemetryName.authorizations)}_total`,
  translate(TelemetryName.tasks),
  `${translate(TelemetryName.endedTasks)}_total`,
  `${translate(TelemetryName.droppedAuditEvents)}_total`,
  `${translate(TelemetryName.clusterLag)}_seconds`,
  translate(TelemetryName.clusterConnected),
  translate(TelemetryName.clusterWaiting),
  ...[
    TelemetryName.clusterReconnections,
    TelemetryName.clusterDropped,
    TelemetryName.clusterReplayed,
    TelemetryName.clusterUnreadable,
    TelemetryName.clusterGaps,
  ].map((name) => `${translate(name)}_total`),
]);

const LABELS: ReadonlySet<string> = new Set([
  ...[
    'job',
    'le',
    'mcp_method_name',
    'gen_ai_tool_name',
    'error_type',
    'server_address',
    'network_transport',
  ],
  ...[
    TelemetryName.server,
    TelemetryName.refusalReason,
    TelemetryName.tokenResult,
    TelemetryName.authorizationType,
    TelemetryName.authorizationOutcome,
    TelemetryName.taskStatus,
  ].map(translate),
]);

describe('docs/grafana-dashboard.json', () => {
  const drawn = panels.filter(({ type }) => type !== 'row');

  it.each(drawn)('asks for what is recorded: $title (OPS-02)', ({ targets = [] }) => {
    for (const { expr } of targets) {
      const named = [...expr.matchAll(/([a-z_]+)\{([^}]*)\}/g)];
      expect(named).not.toEqual([]);
      for (const [, metric = '', filter = ''] of named) {
        expect(METRICS).toContain(metric);
        for (const [, label = ''] of filter.matchAll(/([a-z_]+)[=!]/g)) expect(LABELS).toContain(label);
      }
      const [, groups = ''] = /by \(([^)]*)\)/.exec(expr) ?? [];
      for (const label of groups.split(', ')) expect(LABELS).toContain(label);
    }
  });

  it('shows every metric (OPS-02)', () => {
    const text = drawn.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)).join('\n');
    const bases = [...METRICS].map((name) => name.replace(/_(bucket|count|sum)$/, ''));
    expect([...new Set(bases)].filter((name) => !text.includes(name))).toEqual([]);
  });
});

function translate(name: string): string {
  return name.replaceAll('.', '_');
}

function histogram(name: string): readonly string[] {
  return ['bucket', 'count', 'sum'].map((part) => `${translate(name)}_seconds_${part}`);
}
