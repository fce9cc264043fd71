import { type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';

import { type AuthOptions } from 'nestjs-mcp';

import { type Wire } from '../wire.js';

/** Who records what a server does. */
export type Recorder = 'server' | 'handler';

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
  /** Protects the server, if it is ours. */
  auth?: AuthOptions;
  /** Who records spans and metrics: our server, or its handler by hand. @default nobody */
  recorder?: Recorder;
  /** What a program that offers a choice shall be: an HTTP adapter, or a way of keeping sessions. */
  variant?: string;
}

/** What a server process tells the harness. */
export interface Ready {
  port: number;
}

/** What the harness asks a server process. */
export type Question = 'cpu' | 'memory';

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
  process.send?.(question === 'cpu' ? process.cpuUsage() : await readMemory());
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
