import { cpus } from 'node:os';
import { isObject } from '../../lib/core/protocol/json-rpc.js';
import { ExitCode, type Terminal } from '../command.interface.js';
import { ProbeError } from '../../lib/core/doctor/probe/probe-wire.js';
import { explainFailure } from '../server/explain-failure.js';
import { makeName } from '../visible-text.js';
import { BareProcess } from './bare/bare-process.js';
import type { BenchOptions } from './bench-options.js';
import { formatMoreSeconds } from './format-more-seconds.js';
import { readMachineLoad, type MachineLoad } from './machine-load.js';
import { planBench, selectNotifyCall, selectCall, type BenchPlan, type LeftOut } from './plan-bench.js';
import { ServerProbe, type ServerProfile } from './server-probe.js';
import { MeasurementError } from './measurement.error.js';
import { LoadSessions } from './wire/load-sessions.js';
import type { BenchRow } from './workloads/bench-row.js';
import type { BenchScenario } from './workloads/bench-scenario.js';
import type { McpRequest } from './wire/mcp-request.js';

/** A run's result. */
export interface BenchReport {
  readonly url: string;
  /** The name and version that the server reports. */
  readonly server: string;
  /** The machine on which the load and the baseline server ran. */
  readonly machine: string;
  /** The machine's load before the run. */
  readonly load: MachineLoad;
  readonly seconds: number;
  readonly connections: number;
  readonly rows: readonly BenchRow[];
  readonly leftOut: readonly LeftOut[];
  /** Whether the server retains sessions that clients try to end. */
  readonly keepsSessions: boolean;
  /** The error that ended the run early. */
  readonly failure?: unknown;
}

/** The callbacks of a run. */
export interface BenchProgress {
  /** Called when the load starts. From then on, interruptions must be handled. */
  readonly onLoad: () => AbortSignal;
}

/** The maximum duration of a tool's first call, as a share of the run. */
const TRIAL_SHARE = 0.5;

/** Examines a server, and measures everything that it supports, one workload at a time. */
export async function measureServer(
  options: BenchOptions,
  terminal: Terminal,
  { onLoad }: BenchProgress,
): Promise<BenchReport> {
  const load = readMachineLoad();
  const { profile, plan } = await prepare(options, terminal);
  const interrupt = onLoad();
  const common = {
    url: options.server.url.href,
    server: profile.name,
    machine: describeMachine(),
    load,
    seconds: options.seconds,
    connections: options.connections,
    keepsSessions: profile.sessions === 'kept',
  };
  const outcome = await runPlan(plan, { profile, options, terminal, interrupt });
  return { ...common, ...outcome, leftOut: [...plan.leftOut, ...outcome.leftOut] };
}

async function prepare(
  options: BenchOptions,
  terminal: Terminal,
): Promise<{ readonly profile: ServerProfile; readonly plan: BenchPlan }> {
  const probe = new ServerProbe(options, terminal);
  try {
    const found = await probe.take();
    const notifyCall = selectNotifyCall(options, found.tools);
    const call = await tryCall(selectCall(options, found.tools), { probe, found, options });
    const profile = { ...found, ...(await probe.end()) };
    return { profile, plan: planBench({ profile, call, notifyCall }, options) };
  } catch (error) {
    await probe.end();
    throw error;
  }
}

interface Attempt {
  readonly probe: ServerProbe;
  readonly found: Pick<ServerProfile, 'wires'>;
  readonly options: BenchOptions;
}

/**
 * Calls the tool once, with a login if it requires one, so that a failing call is not repeated thousands of times.
 */
async function tryCall(
  call: McpRequest | LeftOut,
  { probe, found, options }: Attempt,
): Promise<McpRequest | LeftOut> {
  const wire = found.wires.find(({ capabilities }) => isObject(capabilities['tools']));
  if ('why' in call || wire === undefined) return call;
  const trialMs = options.seconds * 1000 * TRIAL_SHARE;
  const late = AbortSignal.timeout(trialMs);
  try {
    await probe.ask(wire, call, late);
    return call;
  } catch (error) {
    const failed = { workload: `tools/call ${makeName(String(call.params['name']))}`, isFailed: true };
    if (late.aborted)
      return {
        ...failed,
        why: `a call lasts longer than ${trialMs / 1000} s: ${formatMoreSeconds(options.seconds)}`,
      };
    const why = explainLeavingOut(error);
    if (why === undefined) throw error;
    return { ...failed, why };
  }
}

/** Explains why something is not measured. Returns `undefined` if nothing else can be measured either. */
function explainLeavingOut(error: unknown): string | undefined {
  if (error instanceof MeasurementError) return error.message;
  const failure = explainFailure(error);
  return failure === undefined || failure.exitCode === ExitCode.connection ? undefined : failure.message;
}

interface Run {
  readonly profile: ServerProfile;
  readonly options: BenchOptions;
  readonly terminal: Terminal;
  readonly interrupt: AbortSignal;
}

async function runPlan(
  { workloads }: BenchPlan,
  run: Run,
): Promise<Pick<BenchReport, 'rows' | 'leftOut' | 'failure'>> {
  const { options, terminal, interrupt } = run;
  const rows: BenchRow[] = [];
  const leftOut: LeftOut[] = [];
  const bare = await BareProcess.start();
  const scene = buildScene(run, bare, (options.seconds * 1000) / Math.max(workloads.length, 1));
  try {
    for (const [index, { workload, run: measure }] of workloads.entries()) {
      if (interrupt.aborted) break;
      showProgress(`${index + 1} of ${workloads.length}: ${workload}`, terminal);
      const outcome = await measure(scene).catch((error: unknown) => leaveOut(workload, error));
      if ('failure' in outcome) return { rows, leftOut, failure: outcome.failure };
      if ('why' in outcome) leftOut.push(outcome);
      else rows.push(outcome);
      if ((await scene.sessions.leave()) || interrupt.aborted) continue;
      return { rows, leftOut, failure: new ProbeError('no longer responds') };
    }
    return { rows, leftOut };
  } finally {
    await scene.sessions.leave();
    bare.stop();
  }
}

function leaveOut(workload: string, error: unknown): LeftOut | { readonly failure: unknown } {
  const why = explainLeavingOut(error);
  return why === undefined ? { failure: error } : { workload, why, isFailed: true };
}

function showProgress(line: string, { status }: Terminal): void {
  status?.show([...line].slice(0, Math.max(0, status.columns - 1)).join(''));
}

function buildScene(
  { profile, options, interrupt }: Run,
  bare: BareProcess,
  budgetMs: number,
): BenchScenario {
  const { server, isRemote, connections } = options;
  const target = { url: server.url, isRemote, headers: profile.headers };
  const wire = profile.wires.find(({ isHandshake }) => isHandshake);
  const sessions = new LoadSessions(target, wire ?? { version: '', isHandshake: true });
  return { target, bare, sessions, connections, budgetMs, interrupt };
}

function describeMachine(): string {
  return `Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}`;
}
