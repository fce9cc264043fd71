import 'reflect-metadata';
import type { INestApplicationContext, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { McpModule } from '../../../lib/server/mcp.module.js';
import type { SessionRegistry } from '../../../lib/server/sessions/session-registry.js';
import type { McpOptions } from '../../../lib/server/settings/mcp-options.js';
import type { DuplexConnection } from '../../../lib/server/transport/duplex/duplex-connection.js';
import type { DuplexCaller, WriteMessage } from '../../../lib/server/transport/duplex/duplex-parts.js';
import { until } from '../../support/until.js';
import type { Json } from './requests.js';
import { SERVER_INFO } from './settings.js';
import { getParts } from '../../support/applications/get-parts.js';

/** What a request of the stateless wire carries. */
export const PER_REQUEST_META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** A caller that may do everything. */
export const ANYBODY: DuplexCaller = {};

/** A server with one client on a duplex connection. */
export class DuplexClient {
  readonly messages: Json[] = [];
  readonly connection: DuplexConnection;

  private constructor(
    readonly app: INestApplicationContext,
    private readonly caller: DuplexCaller,
  ) {
    this.connection = this.connect(({ json }) => void this.messages.push(JSON.parse(json) as Json));
  }

  /** Connects a further client. */
  connect(write: WriteMessage): DuplexConnection {
    return getParts(this.app).duplex.connections.open(write);
  }

  /** Starts a server with the handlers of a class. */
  static async open(
    handlers: Type,
    options: Partial<McpOptions> = {},
    caller: DuplexCaller = ANYBODY,
  ): Promise<DuplexClient> {
    const module = {
      module: class AppModule {},
      imports: [McpModule.forRoot({ serverInfo: SERVER_INFO, ...options })],
      providers: [handlers],
    };
    const app = await NestFactory.createApplicationContext(module, { logger: false, abortOnError: false });
    return new DuplexClient(app, caller);
  }

  get sessions(): SessionRegistry {
    return getParts(this.app).sessions.registry;
  }

  /** What is neither an answer nor a request of the server. */
  get notifications(): Json[] {
    return this.messages.filter((message) => 'method' in message && !('id' in message));
  }

  /** Sends messages one after the other, without waiting. */
  send(...messages: object[]): void {
    for (const message of messages) {
      const isBatch = Array.isArray(message);
      const json = JSON.stringify(isBatch ? message : { jsonrpc: '2.0', ...message });
      this.connection.receiveText(json, this.caller);
    }
  }

  /** Sends a request and waits for its answer. */
  async request(id: string | number, method: string, params: object = {}): Promise<Json> {
    this.send({ id, method, params });
    return this.answer(id);
  }

  /** Calls a tool of the stateless wire. */
  async callAlone(id: string | number, name: string, meta: object = {}): Promise<Json> {
    return this.request(id, 'tools/call', { name, _meta: { ...PER_REQUEST_META, ...meta } });
  }

  /** Makes the handshake. */
  async initialize(
    options: { capabilities?: object; version?: string; confirm?: boolean } = {},
  ): Promise<Json> {
    const { capabilities = {}, version = '2025-11-25', confirm = true } = options;
    const params = { protocolVersion: version, capabilities, clientInfo: { name: 'unit', version: '1.0.0' } };
    const answer = await this.request('initialize', 'initialize', params);
    if (confirm) this.send({ method: 'notifications/initialized' });
    return answer;
  }

  /** Waits for the answer of a request. */
  answer(id: string | number): Promise<Json> {
    return this.receives((message) => message['id'] === id && !('method' in message), `an answer to ${id}`);
  }

  /** Waits for a request, or a notification, of the server. */
  asks(method: string): Promise<Json> {
    return this.receives((message) => message['method'] === method, method);
  }

  receives(isAwaited: (message: Json) => boolean, awaited: string): Promise<Json> {
    return until(() => this.messages.find(isAwaited), awaited);
  }

  close(): Promise<void> {
    return this.app.close();
  }
}
