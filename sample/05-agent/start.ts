import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import type { DynamicModule, INestApplication, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ConversationModule } from '../02-conversation/conversation.module.js';
import { AuthorizationServer } from '../03-protected/authorization-server/authorization-server.js';
import { DeskModule } from '../03-protected/desk.module.js';
import { AgentModule } from './agent/agent.module.js';
import { allowExchange } from './identity/token-exchange.js';

const HOST = '127.0.0.1';

/** Four servers, which share a process here and nothing else. */
export interface Started {
  /** The agent's MCP endpoint. */
  readonly url: URL;
  readonly desk: string;
  readonly boathouse: string;
  readonly issuer: string;
  stop(): Promise<void>;
}

/** Starts the agent at a port, and what it needs at free ones; 0 is a free one too. */
export async function start(port: number): Promise<Started> {
  // Tokens name the URL that they are for, so all are known before anything listens there.
  const [agentPort, deskPort, boathousePort] = await Promise.all([takePort(port), takePort(0), takePort(0)]);
  const [url, desk, boathouse] = [agentPort.url, deskPort.url, boathousePort.url];
  const client = { clientId: 'agent', clientSecret: randomBytes(32).toString('base64url') };
  const identity = await AuthorizationServer.start({
    port: 0,
    resource: url,
    extend: (configuration) => allowExchange(configuration, { ...client, from: url, to: desk }),
  });
  const { issuer } = identity;
  const apps = [
    await serve(DeskModule.at({ url: desk, issuer }), deskPort),
    await serve(ConversationModule, boathousePort),
    await serve(AgentModule.at({ url, issuer, ...client, desk, boathouse }), agentPort),
  ];
  const stop = async () => {
    for (const app of apps.toReversed()) await app.close();
    await identity.stop();
  };
  return { url: new URL(url), desk, boathouse, issuer, stop };
}

async function serve(module: DynamicModule | Type, place: TakenPort): Promise<INestApplication> {
  const app = await NestFactory.create(module, { logger: ['warn', 'error', 'fatal'], abortOnError: false });
  await place.release();
  await app.listen(place.port, HOST);
  return app;
}

interface TakenPort {
  readonly port: number;
  readonly url: string;
  release(): Promise<void>;
}

/** Keeps a free port from others until it is listened at; one that was asked for is left to its asker. */
async function takePort(wanted: number): Promise<TakenPort> {
  if (wanted !== 0) return { port: wanted, url: format(wanted), release: async () => {} };
  const server = createServer().listen(0, HOST);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const release = async () => void (await once(server.close(), 'close'));
  return { port, url: format(port), release };
}

function format(port: number): string {
  return `http://${HOST}:${port}/mcp`;
}
