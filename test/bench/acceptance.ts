import type { Quantile } from './bench-output.js';
import { FLOOR_LIMITS } from './floor.js';
import { formatGatewayId } from './gateway.js';
import type { Limit } from './limit.js';
import { AUDITED, PROTECTED, RECORDED, RECORDED_BY_HAND } from './own-calls.js';
import { MANY_IDLE, SHARED } from './sharing.js';
import {
  BARE_HTTP,
  FASTMCP,
  formatRawId,
  MCP_NEST,
  OURS,
  OURS_ON_FASTIFY,
  PEERS,
  REFERENCE,
  REFERENCE_ON_FASTIFY,
  SDK,
  SDK_ON_NODE,
  WITHOUT_MCP,
} from './subjects.js';
import type { Wire } from './wire.js';
import { formatCountId, MANY } from './workload.js';
import { JOSE, OUR_VALIDATION } from './workloads.js';

const WIRES: Wire[] = ['handshake', 'perRequest'];

const ADAPTERS = [
  { adapter: 'Express', ours: OURS, bare: REFERENCE, callLimit: 0.9, timesCheaper: 2.5 },
  { adapter: 'Fastify', ours: OURS_ON_FASTIFY, bare: REFERENCE_ON_FASTIFY, callLimit: 1.5, timesCheaper: 6 },
];

/** How much more the large one may cost than the small one. */
const GROWTH = 1.1;

export const LIMITS: Limit[] = [
  ...WIRES.flatMap(limitCall),
  ...WIRES.map((wire): Limit => ({
    workload: `jwt-${wire}`,
    text: 'a call with a cached JWT against one without',
    row: PROTECTED,
    against: [OURS],
    measure: 'ratio',
    limit: 1.05,
  })),
  ...WIRES.map((wire): Limit => ({
    workload: `telemetry-${wire}`,
    text: 'a call with spans and metrics, kept in memory, against one without',
    row: RECORDED,
    against: [OURS],
    measure: 'ratio',
    limit: 1.35,
  })),
  ...WIRES.map((wire): Limit => ({
    workload: `audit-${wire}`,
    text: 'a call with a subscriber of the audit against one without',
    row: AUDITED,
    against: [OURS],
    measure: 'ratio',
    limit: 1.1,
  })),
  ...WIRES.map((wire): Limit => ({
    workload: `telemetry-${wire}`,
    text: 'a call with spans and metrics against one whose handler records them by hand',
    row: RECORDED,
    against: [RECORDED_BY_HAND],
    measure: 'ratio',
    limit: 1.1,
  })),
  {
    workload: 'first-validation',
    text: "a JWT that is seen for the first time against jose's jwtVerify",
    row: OUR_VALIDATION,
    against: [JOSE],
    measure: 'ratio',
    limit: 1.3,
  },
  ...WIRES.flatMap(limitList),
  ...limitEach('initialize', 'the handshake', ({ bare }) => ({ against: bare, limit: 2 })),
  ...WIRES.map((wire) => limitGrowth(`call-many-${wire}`, 'tools', MANY)),
  limitGrowth('call-sessions', 'open sessions', 10_000),
  ...WIRES.map((wire) => limitGrowth(`call-resources-${wire}`, 'resources', MANY)),
  ...WIRES.map((wire) => limitGrowth(`read-resources-${wire}`, 'resources', MANY)),
  ...limitEach('fan-out', 'a notification to 1,000 streams', () => ({ against: BARE_HTTP, limit: 1.5 })),
  ...limitEach('fan-out-10000', 'a notification to 10,000 streams', () => ({
    against: BARE_HTTP,
    limit: 1.5,
  })).filter(({ measure }) => measure === 'ratio'),
  ...limitEach('memory', 'an idle session with a stream', ({ bare }) => ({
    against: formatRawId(bare),
    limit: 1.5,
  })),
  ...WIRES.map((wire): Limit => ({
    workload: `shared-call-${wire}`,
    text: 'a call with Redis against one without',
    row: SHARED,
    against: [OURS],
    measure: 'ratio',
    limit: 1.03,
  })),
  ...WIRES.flatMap((wire) =>
    ADAPTERS.map(({ adapter, ours }): Limit => ({
      workload: `gateway-${wire}`,
      text: `a call through a gateway on ${adapter} against a direct one`,
      row: formatGatewayId(ours),
      against: [ours],
      measure: 'ratio',
      limit: 1.6,
    })),
  ),
  {
    workload: 'shared-fan-out',
    text: 'an update to 1,000 streams with Redis against one without',
    row: SHARED,
    against: [OURS],
    measure: 'ratio',
    limit: 1.15,
  },
  ...ADAPTERS.map(({ adapter, ours }): Limit => ({
    workload: 'pauses',
    text: `the longest pause of the event loop on ${adapter}`,
    row: ours,
    against: [],
    measure: 'pauseMilliseconds',
    limit: 50,
  })),
  limitDelivery('p50Milliseconds', 'half', 3),
  limitDelivery('p99Milliseconds', 'all but a hundredth', 15),
  {
    workload: 'shared-idle',
    text: `an update with ${MANY_IDLE.toLocaleString('en')} idle sessions against one with few`,
    row: formatCountId(SHARED, MANY_IDLE),
    against: [SHARED],
    measure: 'ratio',
    limit: GROWTH,
  },
  {
    workload: 'start-up',
    text: 'an app with 200 tools against the same without McpModule',
    row: OURS,
    against: [WITHOUT_MCP],
    measure: 'milliseconds',
    limit: 150,
  },
  {
    workload: 'start-up',
    text: 'an app with 200 tools against the peer',
    row: OURS,
    against: MCP_NEST,
    measure: 'timesCheaper',
    limit: 1,
  },
  ...FLOOR_LIMITS,
];

type Adapter = (typeof ADAPTERS)[number];

function limitCall(wire: Wire): Limit[] {
  const workload = `call-${wire}`;
  return ADAPTERS.flatMap(({ adapter, ours, bare, callLimit, timesCheaper }): Limit[] => [
    {
      workload,
      text: `a call on ${adapter} against a bare Nest controller on it`,
      row: ours,
      against: [bare],
      measure: 'ratio',
      limit: callLimit,
    },
    ...limitAgainstPeers(workload, `a call on ${adapter}`, { ours, timesCheaper }),
    {
      workload,
      text: `a call on ${adapter} against the SDK on nothing but node:http`,
      row: ours,
      against: SDK_ON_NODE,
      measure: 'timesCheaper',
      limit: 1,
    },
  ]);
}

function limitList(wire: Wire): Limit[] {
  const workload = `list-${wire}`;
  return ADAPTERS.flatMap(({ adapter, ours, bare }): Limit[] => [
    {
      workload,
      text: `a list of 100 tools on ${adapter} against a bare Nest controller that writes the same bytes`,
      row: ours,
      against: [formatRawId(bare)],
      measure: 'ratio',
      limit: 1.15,
    },
    ...limitAgainstPeers(workload, `a list of 100 tools on ${adapter}`, { ours, timesCheaper: 10 }),
  ]);
}

/** What is asked of us towards those peers for which a factor is set; towards fastmcp to be the cheaper one. */
function limitAgainstPeers(
  workload: string,
  text: string,
  { ours, timesCheaper }: { ours: string; timesCheaper: number },
): Limit[] {
  const limit = { workload, row: ours, measure: 'timesCheaper' } as const;
  return [
    {
      ...limit,
      text: `${text} against @rekog/mcp-nest and the SDK`,
      against: [...MCP_NEST, ...SDK],
      limit: timesCheaper,
    },
    ...(workload.endsWith('handshake')
      ? [{ ...limit, text: `${text} against fastmcp`, against: FASTMCP, limit: 1 }]
      : []),
  ];
}

/** The same on both adapters: at most a multiple of something bare, and cheaper than every peer. */
function limitEach(
  workload: string,
  text: string,
  choose: (adapter: Adapter) => { against: string; limit: number },
): Limit[] {
  return ADAPTERS.flatMap((adapter): Limit[] => {
    const { against, limit } = choose(adapter);
    const row = { workload, row: adapter.ours };
    const subject = `${text} on ${adapter.adapter}`;
    return [
      { ...row, text: `${subject} against a bare server`, against: [against], measure: 'ratio', limit },
      { ...row, text: `${subject} against every peer`, against: PEERS, measure: 'timesCheaper', limit: 1 },
    ];
  });
}

function limitDelivery(measure: Quantile, share: string, limit: number): Limit {
  const text = `${share} of what is announced on a stream of another process`;
  return { workload: 'shared-delivery', text, row: SHARED, against: [], measure, limit };
}

function limitGrowth(workload: string, what: string, many: number): Limit {
  return {
    workload,
    text: `${workload.startsWith('read') ? 'a read' : 'a call'} with ${many.toLocaleString('en')} ${what} against one with few`,
    row: formatCountId(OURS, many),
    against: [OURS],
    measure: 'ratio',
    limit: GROWTH,
  };
}
