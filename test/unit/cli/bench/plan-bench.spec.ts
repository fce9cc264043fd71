import { describe, expect, it } from '@jest/globals';
import { parseBenchOptions } from '../../../../cli/bench/bench-options.js';
import { planBench, selectNotifyCall, selectCall } from '../../../../cli/bench/plan-bench.js';
import type { ServedWire } from '../../../../cli/bench/server-probe.js';

const capabilities = { tools: {}, prompts: {} };
const WIRES: readonly ServedWire[] = [
  { version: '2026-07-28', isHandshake: false, capabilities },
  { version: '2025-11-25', isHandshake: true, capabilities },
];
const TOOLS = [
  { name: 'order', inputSchema: { type: 'object' } },
  { name: 'hours', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } },
];

function plan(
  args: readonly string[] = [],
  { wires = WIRES, sessions = 'ended' as const, tools = TOOLS } = {},
) {
  const options = parseBenchOptions(['http://127.0.0.1:3000/mcp', ...args], {});
  const call = selectCall(options, tools);
  const notifyCall = selectNotifyCall(options, tools);
  const { workloads, leftOut } = planBench({ profile: { wires, sessions }, call, notifyCall }, options);
  return { measured: workloads.map(({ workload }) => workload), leftOut };
}

describe('planBench()', () => {
  it('measures a harmless call and a list in both kinds of revision, and handshakes', () => {
    expect(plan().measured).toEqual([
      'tools/call hours, 2026-07-28',
      'tools/call hours, 2025-11-25 in a session',
      'tools/list, 2026-07-28',
      'tools/list, 2025-11-25 in a session',
      'initialize, 2025-11-25',
    ]);
  });

  it('measures the tool that is named, and what streams hear of one that announces', () => {
    const { measured, leftOut } = plan(['--tool', 'order', '--notify-tool', 'order', '--streams', '7']);
    expect(measured[0]).toBe('tools/call order, 2026-07-28');
    expect(measured.at(-1)).toBe('fan-out of tools/call order to 7 streams, 2025-11-25');
    expect(leftOut).toEqual([]);
  });

  it('leaves out calls if no tool is harmless, and says how to name one', () => {
    const { measured, leftOut } = plan([], { tools: TOOLS.slice(0, 1) });
    expect(measured).not.toContainEqual(expect.stringContaining('tools/call'));
    expect(leftOut[0]).toMatchObject({ workload: 'tools/call', isFailed: false });
    expect(leftOut[0]?.why).toContain('pass one with "--tool"');
  });

  it('leaves out handshakes if there are none, or if their sessions would stay', () => {
    const [stateless] = WIRES;
    const without = plan([], { wires: stateless === undefined ? [] : [stateless] });
    expect(without.leftOut).toContainEqual(expect.objectContaining({ workload: 'initialize' }));
    const options = parseBenchOptions(['http://127.0.0.1:3000/mcp'], {});
    const call = selectCall(options, TOOLS);
    const notifyCall = selectNotifyCall(options, TOOLS);
    const kept = planBench({ profile: { wires: WIRES, sessions: 'kept' }, call, notifyCall }, options);
    expect(kept.leftOut[0]?.why).toContain('thousands would remain');
  });

  it('measures the first list that there is, or says that there is none', () => {
    const wires = (names: object) => [
      { version: '2026-07-28', isHandshake: false, capabilities: names as ServedWire['capabilities'] },
    ];
    expect(plan([], { wires: wires({ prompts: {} }), tools: [] }).measured).toEqual([
      'prompts/list, 2026-07-28',
    ]);
    expect(plan([], { wires: wires({}), tools: [] }).leftOut).toContainEqual(
      expect.objectContaining({ workload: 'lists', why: 'the server has none' }),
    );
  });
});
