import { maskHeaders } from '../wire/load-target.js';
import type { BenchWire, McpRequest } from '../wire/mcp-request.js';
import type { LoadConnection } from '../wire/load-connection.js';
import type { LoadSessions } from '../wire/load-sessions.js';
import type { GivenHeaders } from '../../server/parse-header.js';
import { buildRow, type BenchRow } from './bench-row.js';
import type { BenchScenario } from './bench-scenario.js';
import { LoadSide, type OpenedByAnswers } from './load-side.js';
import { measurePairs } from './measure-pairs.js';
import { WorkloadTime } from './workload-time.js';

/** The requests, and their revision. */
export interface LoadWorkload {
  /** The row name. */
  readonly workload: string;
  readonly wire: BenchWire;
  readonly request: McpRequest;
  /** Whether each connection has its own session. */
  readonly isInSession: boolean;
}

/**
 * The number of sessions that initializations open before they are ended, because a server may have limits and memory
 * is not measured.
 */
const MOST_OPEN = 200;

/** Measures a repeated request, compared to the baseline server. */
export async function measureLoad(
  scene: BenchScenario,
  { workload, wire, request, isInSession }: LoadWorkload,
): Promise<BenchRow> {
  const { target, bare, connections, sessions } = scene;
  const time = new WorkloadTime(scene.budgetMs, scene.interrupt);
  const common = { wire, request, connections, time };
  const sessionHeaders: GivenHeaders[] = [];
  const openSession = async (connection: LoadConnection) => {
    const session = await sessions.open(connection);
    sessionHeaders.push(session);
    return session;
  };
  const server = new LoadSide({
    ...common,
    target,
    openSession: isInSession ? openSession : undefined,
    opened: request.method === 'initialize' ? keepOpened(sessions) : undefined,
  });
  let bareSide: LoadSide | undefined;
  try {
    const recorded = await server.record();
    await bare.play(recorded);
    const [masked] = sessionHeaders.map(maskHeaders);
    bareSide = new LoadSide({
      ...common,
      target: bare.buildTarget(target.headers),
      openSession: masked && (() => Promise.resolve(masked)),
    });
    const pairs = await measurePairs({ server, bare: bareSide }, time);
    const { length: bytes } = recorded.answer.body;
    return buildRow({ workload, method: request.method, revision: wire.version, bytes }, pairs);
  } finally {
    time.end();
    server.close();
    bareSide?.close();
  }
}

function keepOpened(sessions: LoadSessions): OpenedByAnswers {
  return {
    note: (answer) => void sessions.note(answer),
    get isFull() {
      return sessions.size >= MOST_OPEN;
    },
    close: (connections) => sessions.endAll(connections),
  };
}
