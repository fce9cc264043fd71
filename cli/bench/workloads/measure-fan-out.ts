import type { LoadConnection } from '../wire/load-connection.js';
import { maskHeaders } from '../wire/load-target.js';
import type { BenchWire, McpRequest } from '../wire/mcp-request.js';
import { readResult } from '../wire/read-result.js';
import { RequestBytes } from '../wire/request-bytes.js';
import type { GivenHeaders } from '../../server/parse-header.js';
import { buildRow, type BenchRow } from './bench-row.js';
import type { BenchScenario } from './bench-scenario.js';
import { FanOutSide } from './fan-out-side.js';
import { measurePairs } from './measure-pairs.js';
import { WorkloadTime } from './workload-time.js';

/** A fan-out to measure. */
export interface FanOutWorkload {
  /** The row name. */
  readonly workload: string;
  readonly wire: BenchWire;
  /** The call that makes the server send a notification. */
  readonly request: McpRequest;
  readonly streams: number;
  /** The resource that changes, unless a list does. */
  readonly subscribedUri: string | undefined;
}

/** Each stream requires an initialization before it opens. */
const OPENING_MS = 30_000;

/** Measures how fast a call's notification reaches all open streams, compared to the baseline server. */
export async function measureFanOut(
  scene: BenchScenario,
  { workload, wire, request, streams, subscribedUri }: FanOutWorkload,
): Promise<BenchRow> {
  const { target, bare, sessions } = scene;
  const time = new WorkloadTime(scene.budgetMs, scene.interrupt, OPENING_MS);
  const common = { wire, request, streams, subscribedUri, time };
  const sessionHeaders: GivenHeaders[] = [];
  const openSession = async (connection: LoadConnection) => {
    if (!wire.isHandshake) return {};
    const session = await sessions.open(connection);
    sessionHeaders.push(session);
    if (subscribedUri === undefined) return session;
    const subscription = { method: 'resources/subscribe', params: { uri: subscribedUri } };
    const { bytes } = new RequestBytes(target, subscription, { wire, session }).next();
    readResult(await connection.exchange(bytes));
    return session;
  };
  const server = new FanOutSide({ ...common, target, openSession });
  let bareSide: FanOutSide | undefined;
  try {
    await server.open();
    const recorded = await server.record();
    await bare.play(recorded);
    const [masked = {}] = sessionHeaders.map(maskHeaders);
    bareSide = new FanOutSide({
      ...common,
      target: bare.buildTarget(target.headers),
      openSession: () => Promise.resolve(masked),
    });
    await bareSide.open();
    await bareSide.record();
    const pairs = await measurePairs({ server, bare: bareSide }, time);
    const bytes = Buffer.byteLength(recorded.event);
    return buildRow({ workload, method: request.method, revision: wire.version, bytes }, pairs);
  } finally {
    time.end();
    server.close();
    bareSide?.close();
  }
}
