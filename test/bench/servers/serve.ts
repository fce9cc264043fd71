import { type Server } from 'node:http';
import { type AddressInfo } from 'node:net';

import { type Wire } from '../wire.js';

/** What the harness tells a server process on its command line. */
export interface ServerSettings {
  wire: Wire;
  /** How many tools to register. */
  tools: number;
  /** Registers one more tool, which announces a changed tool list to every open stream. */
  announces: boolean;
  /** Protects the server: it takes JWTs of an issuer in the same process. */
  isProtected: boolean;
  /** What a program that offers a choice shall be: an HTTP adapter, or a way of keeping sessions. */
  variant?: string;
}

/** What a server process tells the harness. */
export interface Ready {
  port: number;
  /** What opens the server, if it is protected. */
  token?: string | undefined;
}

export function readSettings(): ServerSettings {
  const [, , settings] = process.argv;
  if (settings === undefined)
    throw new Error('A bench server expects its settings as JSON in the first argument');
  return JSON.parse(settings) as ServerSettings;
}

/** Tells the harness the port, answers its questions for processor time, and ends when the harness does. */
export function reportReady(server: Server, token?: string): void {
  process.on('message', () => process.send?.(process.cpuUsage()));
  process.on('disconnect', () => process.exit());
  const ready: Ready = { port: (server.address() as AddressInfo).port, token };
  process.send?.(ready);
}
