import type { Limit } from './limit.js';
import { formatProtectedId, formatRecordedId } from './own-calls.js';
import { formatSharedId } from './sharing.js';
import { FEW, WITHOUT_MCP_ON_FASTIFY } from './start-ups.js';
import { BODY_BYTES, formatStructureName, formatUnboundedId } from './structures.js';
import { BARE_HTTP, formatRawId, OURS, OURS_ON_FASTIFY, WITHOUT_MCP } from './subjects.js';
import type { Wire } from './wire.js';
import { formatCountId, MANY } from './workload.js';

const WIRES: Wire[] = ['handshake', 'perRequest'];

const ADAPTERS = [
  { adapter: 'Express', ours: OURS, without: WITHOUT_MCP },
  { adapter: 'Fastify', ours: OURS_ON_FASTIFY, without: WITHOUT_MCP_ON_FASTIFY },
];

type Adapter = (typeof ADAPTERS)[number];

/** How far above the floor a server may be: above a bare `node:http`, or above itself without what is measured. */
export const FLOOR_LIMITS: Limit[] = [
  ...ADAPTERS.flatMap(limitAdapter),
  limitTime('start-up-stdio', 'a start at a pipe with 20 tools against the same without McpModule', {
    row: OURS,
    against: WITHOUT_MCP,
    milliseconds: 60,
  }),
];

/** The names of the workloads that these limits are of. */
export const FLOOR_WORKLOADS: ReadonlySet<string> = new Set(FLOOR_LIMITS.map(({ workload }) => workload));

function limitAdapter({ adapter, ours, without }: Adapter): Limit[] {
  const limitRatio = (
    workload: string,
    text: string,
    [row, against, limit]: [string, string, number],
  ): Limit => ({
    workload,
    text: `${text} on ${adapter}`,
    row,
    against: [against],
    measure: 'ratio',
    limit,
  });
  return [
    ...WIRES.flatMap((wire) => [
      limitRatio(`call-${wire}`, 'a call against bare node:http', [ours, BARE_HTTP, 1.4]),
      limitRatio(`jwt-${wire}`, 'a call with a cached JWT against one without', [
        formatProtectedId(ours),
        ours,
        1.05,
      ]),
      limitRatio(
        `list-${wire}`,
        'a list of 100 tools against bare node:http that writes bytes made beforehand',
        [ours, formatRawId(BARE_HTTP), 1.4],
      ),
      limitRatio(`shared-call-${wire}`, 'a call with Redis against one without', [
        formatSharedId(ours),
        ours,
        1.03,
      ]),
      limitRatio(`telemetry-${wire}`, 'a call with spans and metrics against one without', [
        formatRecordedId(ours),
        ours,
        1.35,
      ]),
      limitRatio(`call-many-${wire}`, 'a call with 5,000 tools against one with 50', [
        formatCountId(ours, MANY),
        ours,
        1.05,
      ]),
    ]),
    limitRatio('initialize', 'the handshake against bare node:http', [ours, BARE_HTTP, 3]),
    limitRatio('fan-out', 'a notification to 1,000 streams against bare node:http', [ours, BARE_HTTP, 1.2]),
    limitRatio('fan-out-10000', 'a notification to 10,000 streams against bare node:http', [
      ours,
      BARE_HTTP,
      1.2,
    ]),
    limitRatio('memory', 'an idle session with a stream against a bare response', [
      ours,
      formatRawId(BARE_HTTP),
      1.4,
    ]),
    ...BODY_BYTES.map((bytes) =>
      limitRatio(
        formatStructureName(bytes),
        `${bytes.toLocaleString('en')} bytes with bounds on structure against without`,
        [ours, formatUnboundedId(ours), 1.05],
      ),
    ),
    limitTime('start-up-few', `a start with 20 tools on ${adapter} against the same without McpModule`, {
      row: ours,
      against: without,
      milliseconds: 60,
    }),
    limitTime('start-up-many', `a start with 5,000 tools on ${adapter}, a millisecond for each beyond 50`, {
      row: formatCountId(ours, MANY),
      against: ours,
      milliseconds: MANY - FEW,
    }),
    {
      workload: 'memory-many',
      text: `memory with 5,000 tools on ${adapter}, 6 kB for each beyond 50`,
      row: formatCountId(ours, MANY),
      against: [ours],
      measure: 'bytes',
      limit: (MANY - FEW) * 6000,
    },
  ];
}

function limitTime(
  workload: string,
  text: string,
  { row, against, milliseconds }: { row: string; against: string; milliseconds: number },
): Limit {
  return { workload, text, row, against: [against], measure: 'milliseconds', limit: milliseconds };
}
