import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ADAPTERS } from '../support/applications/boot.js';
import { callTool } from '../support/clients/tools.js';
import { perRequest } from '../support/clients/json-rpc.js';
import { NodeProgram } from '../support/programs/node-program.js';
import { callBeside, expectServed } from './second-caller.js';

const PROGRAM = fileURLToPath(new URL('../../.build/test/programs/limited-server.js', import.meta.url));
const LIMIT = 20;
const FLOOD = 1000;
/** However long the flood takes, it is over before another one may call. */
const WINDOW_MS = '3600000';
const AT_ONCE = 50;
const bearer = (subject: string) => ({ authorization: `Bearer token-of-${subject}-0123456789` });

class LimitedProgram extends NodeProgram {
  static async start(environment: NodeJS.ProcessEnv): Promise<LimitedProgram> {
    const program = new LimitedProgram(PROGRAM, environment);
    await program.prints('ready');
    return program;
  }

  get url(): string {
    return /ready (\S+)/.exec(this.stdout)?.[1] ?? '';
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }
}

describe.each(ADAPTERS)('A server with limits that is flooded, on %s', (adapter) => {
  let program: LimitedProgram;
  let quiet: LimitedProgram;

  beforeAll(async () => {
    const start = () => LimitedProgram.start({ ADAPTER: adapter, LIMIT: String(LIMIT), WINDOW_MS });
    [program, quiet] = await Promise.all([start(), start()]);
  });

  afterAll(() => Promise.all([program.stop(), quiet.stop()]));

  /** Calls a tool over and over, and counts the statuses of the answers. */
  async function flood(name: string, headers: Record<string, string>): Promise<Record<number, number>> {
    const statuses: Record<number, number> = {};
    let left = FLOOD;
    const press = async (): Promise<void> => {
      const client = perRequest(program.url, { headers });
      while (left-- > 0) {
        const { status } = await client.request('tools/call', { name, arguments: {} });
        statuses[status] = (statuses[status] ?? 0) + 1;
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, press));
    return statuses;
  }

  it.each([
    ['a caller', 'limited', bearer('ada')],
    ['strangers', 'limited', {}],
  ])(
    'refuses what %s sends too much, and serves another caller (OPS-04) (FAIR-03)',
    async (_who, name, headers) => {
      let statuses: Record<number, number> = {};
      const act = async (): Promise<void> => {
        statuses = await flood(name, headers);
      };
      expectServed(...(await callBeside([program.port, quiet.port], act, bearer('bob'))));
      expect(statuses).toEqual({ 200: LIMIT, 429: FLOOD - LIMIT });
    },
    120_000,
  );

  it('gives another caller his turn at a dear tool, of which two run at once at most (OPS-04) (FAIR-03)', async () => {
    const bob = perRequest(program.url, { headers: bearer('bob') });
    const refused: number[] = [];
    const over = new AbortController();
    const calling = async (): Promise<number> => {
      for (let calls = 0; ; calls += 1) {
        if (over.signal.aborted) return calls;
        const { status } = await bob.request('tools/call', { name: 'dear', arguments: {} });
        if (status !== 200) refused.push(status);
      }
    };
    const flooding = flood('dear', bearer('ada')).finally(() => over.abort());
    const [statuses, calls] = await Promise.all([flooding, calling()]);
    expect(refused).toEqual([]);
    expect(calls).toBeGreaterThan(10);
    expect(Object.keys(statuses).every((status) => ['200', '429'].includes(status))).toBe(true);
    expect(Number(await callTool(program.url, 'most', {}))).toBeLessThanOrEqual(2);
  }, 120_000);
});
