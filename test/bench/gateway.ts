import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Contender } from './contender.js';
import { buildCallExchange } from './exchange.js';
import type { Plan, Setup } from './plan.js';
import { withAgain } from './rows.js';
import { startServer } from './server-contender.js';
import type { ServerProcess } from './server-process.js';
import { findQuantile, type Sample, sortNumbers, timeFor } from './statistics.js';
import { getSubject, OURS, OURS_ON_FASTIFY, type Subject } from './subjects.js';
import { PROTOCOL_VERSIONS, type Wire } from './wire.js';
import { type Row, TIME_TO_RESULT, type Workload } from './workload.js';

/** The prefix of the tools of the server behind the gateway. */
const PREFIX = 'desk_';
/** The gateway lists the server's tools when it has them. */
const LISTED_MS = 10_000;

/** Gives the id of the row of our server behind a gateway on the same adapter. */
export function formatGatewayId(rowId: string): string {
  return `${rowId}/gateway`;
}

/** Calls that the official client makes one after the other: of our server, and of one behind a gateway. */
export function buildGatewayCall(wire: Wire): Workload {
  const rows = [OURS, OURS_ON_FASTIFY].flatMap((id): Row[] => {
    const subject = getSubject(id);
    const { label } = subject;
    return [
      { id, label, start: (setup) => startDirect(subject, wire, setup) },
      {
        id: formatGatewayId(id),
        label: `${label}, behind a gateway`,
        start: (setup) => startBehindGateway(subject, wire, setup),
      },
    ];
  });
  return {
    name: `gateway-${wire}`,
    title: `tools/call, ${PROTOCOL_VERSIONS[wire]}, by the official client, one after the other`,
    kind: 'load',
    quantity: TIME_TO_RESULT,
    unit: OURS,
    rows: withAgain(OURS, rows),
  };
}

async function startDirect(subject: Subject, wire: Wire, setup: Setup): Promise<Contender> {
  const server = await startServer({ subject, wire, tools: 1 }, setup);
  return OfficialClientContender.connect([server], { wire, plan: setup.plan });
}

async function startBehindGateway(subject: Subject, wire: Wire, setup: Setup): Promise<Contender> {
  const server = await startServer({ subject, wire, tools: 1 }, setup);
  const gateway = { ...subject, program: 'gateway' };
  const forwarded = { url: `http://127.0.0.1:${server.port}/mcp`, prefix: PREFIX };
  const front = await startServer({ subject: gateway, wire, tools: 0 }, setup, { forwarded });
  return OfficialClientContender.connect([front, server], { wire, plan: setup.plan });
}

/** The official client, which calls the first of some servers. A slice gives the time that half of the calls take at most. */
class OfficialClientContender implements Contender {
  private constructor(
    private readonly servers: readonly ServerProcess[],
    private readonly client: Client,
    private readonly options: { readonly name: string; readonly wire: Wire; readonly plan: Plan },
  ) {}

  static async connect(
    servers: readonly [ServerProcess, ...ServerProcess[]],
    { wire, plan }: { readonly wire: Wire; readonly plan: Plan },
  ): Promise<OfficialClientContender> {
    const mode = wire === 'handshake' ? 'legacy' : { pin: PROTOCOL_VERSIONS[wire] };
    const client = new Client({ name: 'bench', version: '1.0.0' }, { versionNegotiation: { mode } });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${servers[0].port}/mcp`)),
    );
    return new OfficialClientContender(servers, client, { name: await findTool(client), wire, plan });
  }

  async warmUp(): Promise<void> {
    const { wire, name } = this.options;
    buildCallExchange(wire).assertResult(await this.client.callTool(createCall(wire, name)));
    await this.run(this.options.plan.firstWarmUpMs);
  }

  async measureSlice(): Promise<Sample> {
    const { warmUpMs, sliceMs } = this.options.plan.load;
    await this.run(warmUpMs);
    const latencies = sortNumbers(await this.run(sliceMs));
    const p50Milliseconds = findQuantile(latencies, 0.5);
    return {
      cost: p50Milliseconds,
      perSecond: (1000 * latencies.length) / sliceMs,
      p50Milliseconds,
      p99Milliseconds: findQuantile(latencies, 0.99),
    };
  }

  async stop(): Promise<void> {
    await this.client.close();
    await Promise.all(this.servers.map((server) => server.stop()));
  }

  /** Calls for so long, and gives the duration of each call in milliseconds. */
  private run(durationMs: number): Promise<number[]> {
    const { wire, name } = this.options;
    const call = createCall(wire, name);
    return timeFor(durationMs, () => this.client.callTool(call));
  }
}

/** Finds the tool that is called, under the name that the server or the gateway gives it. */
async function findTool(client: Client): Promise<string> {
  const { name: own } = createCall('handshake', '');
  const deadline = performance.now() + LISTED_MS;
  while (performance.now() < deadline) {
    const { tools } = await client.listTools();
    const found = tools.find(({ name }) => name === own || name === `${PREFIX}${own}`);
    if (found !== undefined) return found.name;
  }
  throw new Error('The tool of the server behind the gateway is not listed');
}

function createCall(wire: Wire, name: string) {
  const params = buildCallExchange(wire).message.params as { name: string; arguments: object };
  return { name: name === '' ? params.name : name, arguments: { ...params.arguments } };
}
