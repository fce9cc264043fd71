import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';

import type { AuthOptions } from 'nestjs-mcp';

import type { Wire } from '../wire.js';

/** Who records what a server does. */
export type Recorder = 'server' | 'handler';

/** What a handler has around it, and what checks its arguments. */
export type HandlerStyle =
  'plain' | 'guard' | 'interceptor' | 'pipe' | 'pipeline' | 'request-scoped' | 'zod' | 'dto' | 'json-schema';

/** What the harness tells a server process on its command line. */
export interface ServerSettings {
  wire: Wire;
  /** How many tools to register. */
  tools: number;
  /** How many resources to register, where the program has any. */
  resources: number;
  /** How many sessions it will have to hold, where it would refuse so many. */
  sessions?: number;
  /** Registers one more tool, which announces a changed tool list to every open stream. */
  announces: boolean;
  /** What that tool says changed instead of the list: a resource. */
  announcedUri?: string;
  /** Has our server share what it must with other processes, by that Redis. */
  redisUrl?: string;
  /** What the processes of one server, and no others, have in common there. */
  redisPrefix?: string;
  /** Protects the server, if it is ours. */
  auth?: AuthOptions;
  /** Who records spans and metrics: our server, or its handler by hand. @default nobody */
  recorder?: Recorder;
  /** Whether somebody subscribes to the audit. @default false */
  isAudited?: boolean;
  /** What the handler has, where its program offers a choice. @default 'plain' */
  handler?: HandlerStyle;
  /** Which server a gateway forwards calls to, and the prefix of its tools. */
  forwarded?: { readonly url: string; readonly prefix: string };
  /** What a program that offers a choice shall be: an HTTP adapter, or a way of keeping sessions. */
  variant?: string;
}

/** What a server process tells the harness. */
export interface Ready {
  port: number;
}

/** What the harness asks a server process. */
export type Question = 'cpu' | 'memory' | 'pause';

/** What a process holds once nothing is left to collect, in bytes. */
export interface HeldMemory {
  /** On the heap, and outside of it on behalf of objects there. */
  heapBytes: number;
  residentBytes: number;
}

export function readSettings(): ServerSettings {
  const [, , settings] = process.argv;
  if (settings === undefined)
    throw new Error('A bench server expects its settings as JSON in the first argument');
  return JSON.parse(settings) as ServerSettings;
}

/** Tells the harness the port, answers its questions, and ends when the harness does. */
export function reportReady(server: Server): void {
  reportPort((server.address() as AddressInfo).port);
}

/** Does the same for a server that shows no more of itself than its port. */
export function reportPort(port: number): void {
  process.on('message', (question: Question) => void answer(question));
  process.on('disconnect', () => process.exit());
  const ready: Ready = { port };
  process.send?.(ready);
}

async function answer(question: Question): Promise<void> {
  process.send?.(await findAnswer(question));
}

async function findAnswer(question: Question): Promise<NodeJS.CpuUsage | HeldMemory | number> {
  if (question === 'cpu') return process.cpuUsage();
  return question === 'pause' ? readPause() : readMemory();
}

/** How often the event loop is looked at, which costs the server next to nothing. */
const RESOLUTION_MS = 10;

let delays: IntervalHistogram | undefined;

function readPause(): number {
  if (delays === undefined) {
    delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
    delays.enable();
    return 0;
  }
  // The histogram has the time from one look to the next.
  const pause = Math.max(delays.max / 1e6 - RESOLUTION_MS, 0);
  delays.reset();
  return pause;
}

async function readMemory(): Promise<HeldMemory> {
  if (!globalThis.gc) throw new Error('A server whose memory is measured is started with "--expose-gc"');
  // What one collection releases may hold something that only the next one finds.
  for (let count = 0; count < 3; count += 1) {
    globalThis.gc();
    await setImmediate();
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heapBytes: heapUsed + external, residentBytes: rss };
}
