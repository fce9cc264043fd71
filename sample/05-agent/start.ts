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
  const [agentPort, deskPort, boathousePort] = [
    port === 0 ? await findFreePort() : port,
    await findFreePort(),
    await findFreePort(),
  ];
  // Tokens name the URL that they are for, so all are known before anything listens there.
  const [url, desk, boathouse] = [format(agentPort), format(deskPort), format(boathousePort)];
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

async function serve(module: DynamicModule | Type, port: number): Promise<INestApplication> {
  const app = await NestFactory.create(module, { logger: ['warn', 'error', 'fatal'], abortOnError: false });
  await app.listen(port, HOST);
  return app;
}

function format(port: number): string {
  return `http://${HOST}:${port}/mcp`;
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, HOST);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
