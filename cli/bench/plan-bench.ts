import { isObject } from '../../lib/core/protocol/json-rpc.js';
import { makeName } from '../visible-text.js';
import type { BenchOptions } from './bench-options.js';
import { buildNamedCall, findHarmlessCall } from './select-call.js';
import type { ServedWire, ServerProfile } from './server-probe.js';
import type { BenchRow } from './workloads/bench-row.js';
import type { BenchScenario } from './workloads/bench-scenario.js';
import { measureFanOut } from './workloads/measure-fan-out.js';
import { measureLoad } from './workloads/measure-load.js';
import { buildHandshake, type McpRequest } from './wire/mcp-request.js';

/** A workload to measure. */
export interface PlannedWorkload {
  readonly workload: string;
  readonly run: (scene: BenchScenario) => Promise<BenchRow>;
}

/** A workload that is not measured, and the reason. */
export interface LeftOut {
  readonly workload: string;
  readonly why: string;
  /** Whether it was tried. */
  readonly isFailed: boolean;
}

/** The workloads in order, and the omitted workloads. */
export interface BenchPlan {
  readonly workloads: readonly PlannedWorkload[];
  readonly leftOut: readonly LeftOut[];
}

/** The parts of a plan. */
export interface PlanParts {
  readonly profile: Pick<ServerProfile, 'wires' | 'sessions'>;
  /** The call to measure, or the reason why there is none. */
  readonly call: McpRequest | LeftOut;
  /** The call that sends a notification, or the reason why there is none. */
  readonly notifyCall: McpRequest | LeftOut;
}

/** Selects the call to measure: the named call, or else a read-only call. */
export function selectCall({ call }: BenchOptions, tools: ServerProfile['tools']): McpRequest | LeftOut {
  if (call !== undefined) return buildNamedCall(call, tools);
  const why =
    tools.length === 0
      ? 'the server has no tools'
      : 'no tool is both read-only ("readOnlyHint") and callable without arguments: pass one with "--tool", which is then called thousands of times';
  return findHarmlessCall(tools) ?? { workload: 'tools/call', why, isFailed: false };
}

/** Selects the call that sends a notification, which the user must name because no list reveals it. */
export function selectNotifyCall(
  { notifyCall }: BenchOptions,
  tools: ServerProfile['tools'],
): McpRequest | LeftOut {
  if (notifyCall !== undefined) return buildNamedCall(notifyCall, tools);
  const why = 'pass a tool that sends a notification to every open stream with "--notify-tool"';
  return { workload: 'fan-out to streams', why, isFailed: false };
}

/** Plans a server's workloads. */
export function planBench({ profile, call, notifyCall }: PlanParts, options: BenchOptions): BenchPlan {
  const { wires } = profile;
  const plans = [
    'why' in call ? { workloads: [], leftOut: [call] } : planCalls(call, wires),
    planLists(wires),
    planHandshake(profile),
    'why' in notifyCall ? { workloads: [], leftOut: [notifyCall] } : planFanOut(notifyCall, wires, options),
  ];
  return {
    workloads: plans.flatMap(({ workloads }) => workloads),
    leftOut: plans.flatMap(({ leftOut }) => leftOut),
  };
}

function planCalls(call: McpRequest, wires: readonly ServedWire[]): BenchPlan {
  const name = nameCall(call);
  return {
    workloads: wires.filter(has('tools')).map((wire) => planLoad(`${name}, ${nameWire(wire)}`, wire, call)),
    leftOut: [],
  };
}

/** Measures the server's first list, usually its tools. */
function planLists(wires: readonly ServedWire[]): BenchPlan {
  const kind = ['tools', 'resources', 'prompts'].find((one) => wires.some(has(one)));
  if (kind === undefined) return leaveOut('lists', 'the server has none');
  const request = { method: `${kind}/list`, params: {} };
  const workloads = wires
    .filter(has(kind))
    .map((wire) => planLoad(`${request.method}, ${nameWire(wire)}`, wire, request));
  return { workloads, leftOut: [] };
}

function planHandshake({ wires, sessions }: PlanParts['profile']): BenchPlan {
  const wire = wires.find(({ isHandshake }) => isHandshake);
  const workload = 'initialize';
  if (wire === undefined)
    return leaveOut(workload, 'the server does not support a revision with a handshake');
  if (sessions === 'kept') {
    return leaveOut(workload, 'the server does not let clients end sessions, so thousands would remain');
  }
  const request = buildHandshake(wire.version);
  const run = (scene: BenchScenario) =>
    measureLoad(scene, { workload: `${workload}, ${wire.version}`, wire, request, isInSession: false });
  return { workloads: [{ workload: `${workload}, ${wire.version}`, run }], leftOut: [] };
}

function planFanOut(
  request: McpRequest,
  wires: readonly ServedWire[],
  { streams, subscribedUri }: BenchOptions,
): BenchPlan {
  const wire = wires.find(({ isHandshake }) => isHandshake) ?? wires[0];
  if (wire === undefined) return { workloads: [], leftOut: [] };
  const workload = `fan-out of ${nameCall(request)} to ${streams} streams, ${wire.version}`;
  const run = (scene: BenchScenario) =>
    measureFanOut(scene, { workload, wire, request, streams, subscribedUri });
  return { workloads: [{ workload, run }], leftOut: [] };
}

function leaveOut(workload: string, why: string): BenchPlan {
  return { workloads: [], leftOut: [{ workload, why, isFailed: false }] };
}

function planLoad(workload: string, wire: ServedWire, request: McpRequest): PlannedWorkload {
  const run = (scene: BenchScenario) =>
    measureLoad(scene, { workload, wire, request, isInSession: wire.isHandshake });
  return { workload, run };
}

function has(kind: string): (wire: ServedWire) => boolean {
  return ({ capabilities }) => isObject(capabilities[kind]);
}

function nameCall({ method, params }: McpRequest): string {
  return `${method} ${makeName(String(params['name']))}`;
}

function nameWire({ version, isHandshake }: ServedWire): string {
  return isHandshake ? `${version} in a session` : version;
}
