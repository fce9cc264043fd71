import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { Logger } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { Draining, type DrainedPart } from '../../../../lib/server/shutdown/draining.js';

const LONG_MS = 60_000;

describe('Draining', () => {
  let server: Server;
  let lines: string[];
  let steps: string[];

  beforeEach(async () => {
    server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    lines = [];
    steps = [];
    for (const level of ['log', 'warn', 'error'] as const) {
      jest.spyOn(Logger.prototype, level).mockImplementation((line) => void lines.push(`${level} ${line}`));
    }
  });

  afterEach(() => {
    server.close();
    jest.restoreAllMocks();
  });

  /** Makes a part that writes down what it is told. */
  const part = (name: string, more: Partial<DrainedPart> = {}): DrainedPart => ({
    drain: () => void steps.push(`${name} drains`),
    stopAccepting: () => void steps.push(`${name} refuses`),
    disconnect: () => void steps.push(`${name} leaves`),
    ...more,
  });

  function createDraining(
    shutdown = { drainMs: 1, graceMs: LONG_MS },
    adapter: object | null = Object.assign(new ExpressAdapter(), { httpServer: server }),
  ): Draining {
    const host = new HttpAdapterHost();
    host.httpAdapter = adapter as never;
    return new Draining(host, { shutdown, mcpPath: '/mcp' });
  }

  it('tells each part of each step, and logs that the server is not ready (RELAY-08)', async () => {
    const draining = createDraining();
    for (const name of ['a', 'b']) draining.add(part(name));
    expect(draining.hasBegun).toBe(false);
    await Promise.all([draining.drain(), draining.onModuleDestroy()]);
    expect(draining.hasBegun).toBe(true);
    expect(steps).toEqual(['drains', 'refuses', 'leaves'].flatMap((step) => [`a ${step}`, `b ${step}`]));
    expect(lines).toEqual(['log /mcp is no longer ready, but keeps serving requests for 1 ms']);
  });

  it('serves requests for the time that is given, and takes no connections in the last part of it (RELAY-08)', async () => {
    const draining = createDraining({ drainMs: 300, graceMs: LONG_MS });
    const times: number[] = [];
    const note = (): void => void times.push(performance.now());
    draining.add({ drain: note, stopAccepting: note, disconnect: note });
    await draining.drain();
    const [begun = 0, refused = 0, left = 0] = times;
    // A timer may be early by a millisecond.
    expect(refused - begun).toBeGreaterThanOrEqual(199);
    expect(left - refused).toBeGreaterThanOrEqual(99);
  });

  it('is kept from ending by no part that fails (RELAY-08)', async () => {
    const draining = createDraining();
    const fail = (): never => {
      throw new Error('broken');
    };
    draining.add({ drain: fail, stopAccepting: fail, disconnect: fail });
    draining.add(part('whole'));
    await draining.drain();
    expect(steps).toEqual(['whole drains', 'whole refuses', 'whole leaves']);
    expect(lines.filter((line) => line.includes('broken'))).not.toEqual([]);
  });

  it('waits for what is busy, and says nothing of calls that end in time (RELAY-08)', async () => {
    const draining = createDraining();
    let isBusy = true;
    draining.add(part('idle'));
    draining.add({
      disconnect: () => void setImmediate(() => (isBusy = false)),
      get isBusy() {
        return isBusy;
      },
    });
    await draining.drain();
    expect([isBusy, lines.filter((line) => line.startsWith('warn'))]).toEqual([false, []]);
  });

  it('gives up what is busy for too long, and logs that (RELAY-08)', async () => {
    const draining = createDraining({ drainMs: 1, graceMs: 30 });
    draining.add(part('busy', { isBusy: true }));
    await draining.drain();
    expect(lines.at(-1)).toBe('warn Calls are still running after 30 ms and are abandoned');
  });

  it('waits for nobody where no requests come (RELAY-08, MOD-12)', async () => {
    const shutdown = { drainMs: LONG_MS, graceMs: LONG_MS };
    const silent = [
      createDraining(shutdown, new ExpressAdapter()),
      createDraining(shutdown, Object.assign(new ExpressAdapter(), { httpServer: createServer() })),
      createDraining({ drainMs: 0, graceMs: LONG_MS }),
      createDraining(shutdown, null),
    ];
    for (const draining of silent) {
      draining.onModuleInit();
      draining.add(part('busy', { isBusy: true }));
      await draining.drain();
    }
    expect([steps, lines]).toEqual([[], []]);
  });

  it('has the adapter wait with its own end (RELAY-08) (PLAT-02)', async () => {
    const closing = {
      getHttpServer: () => server,
      beforeClose: (): unknown => steps.push('adapter closes'),
    };
    const draining = createDraining(undefined, closing);
    draining.add(part('one'));
    draining.onModuleInit();
    await closing.beforeClose();
    expect(steps).toEqual(['one drains', 'one refuses', 'one leaves', 'adapter closes']);
  });
});
