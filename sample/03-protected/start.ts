import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import type { INestApplication, LogLevel } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AuthorizationServer } from './authorization-server/authorization-server.js';
import { DeskModule, type DpopMode } from './desk.module.js';

const HOST = '127.0.0.1';

export interface StartOptions {
  /** The port of the desk. */
  readonly desk: number;
  /** That of its authorization server. */
  readonly authorizationServer: number;
  /** How tokens are taken that are bound to a key of the client. @default they are neither taken nor given */
  readonly dpop?: DpopMode | undefined;
}

/** A desk and its authorization server, which share a process here and nothing else. */
export interface Started {
  readonly app: INestApplication;
  /** The MCP endpoint. */
  readonly url: URL;
  readonly issuer: string;
  stop(): Promise<void>;
}

/** What goes wrong. The level `debug` says of each token that is refused why. */
export const COMPLAINTS: readonly LogLevel[] = ['warn', 'error', 'fatal'];

/** Starts both on ports of this machine; 0 lets the system choose free ones. */
export async function start(options: StartOptions, logLevels = COMPLAINTS): Promise<Started> {
  const { desk, authorizationServer: authorizationPort, dpop } = options;
  // Tokens name the URL that they are for, so it has to be known before anything listens there.
  const port = desk === 0 ? await findFreePort() : desk;
  const url = new URL(`http://${HOST}:${port}/mcp`);
  const authorizationServer = await AuthorizationServer.start({
    port: authorizationPort,
    resource: url.href,
    bindsTokens: dpop !== undefined,
  });
  const { issuer } = authorizationServer;
  const app = await NestFactory.create(DeskModule.at({ url: url.href, issuer, dpop }), {
    logger: [...logLevels],
    abortOnError: false,
  });
  app.enableShutdownHooks([], { useProcessExit: true });
  await app.listen(port, HOST);
  return {
    app,
    url,
    issuer,
    async stop() {
      await app.close();
      await authorizationServer.stop();
    },
  };
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, HOST);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
