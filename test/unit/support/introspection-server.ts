import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type {
  IntrospectionOptions,
  IntrospectionSettings,
} from '../../../lib/server/settings/auth/introspection-options.js';
import { buildAuthSettings } from '../../../lib/server/settings/auth/auth-options.js';
import { DocumentEndpoint } from '../../support/authorization/document-endpoint.js';
import { within } from '../../support/until.js';

/** Whom tokens are meant for where a test does not say. */
export const RESOURCE = 'https://desk.example.com/mcp';

/** Who asks; with what a form has to encode, as secrets of password generators do. */
export const CLIENT = { clientId: 'desk:api', clientSecret: 's3cret/with +:%&=umläut' };

/** A question as it came. */
interface SentInputRequest {
  readonly method: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly form: URLSearchParams;
}

/** An authorization server that is asked about tokens, on a free port of 127.0.0.1: it knows those that a test tells it of. */
export class IntrospectionServer {
  readonly questions: SentInputRequest[] = [];
  /** What the metadata says; tests may change it. */
  readonly metadata: Record<string, unknown>;
  readonly endpoint = new DocumentEndpoint(() => this.#answerLast());
  readonly metadataEndpoint = new DocumentEndpoint(() => this.metadata);
  readonly #known = new Map<string, object>();
  readonly #server: Server;

  private constructor(
    server: Server,
    readonly url: string,
  ) {
    this.#server = server;
    this.metadata = { issuer: url, introspection_endpoint: this.endpointUrl };
  }

  static async start(): Promise<IntrospectionServer> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const started = new IntrospectionServer(server, `http://127.0.0.1:${port}`);
    server.on('request', (request: IncomingMessage, response) => {
      if (request.url !== '/introspect') return started.metadataEndpoint.handle(request, response);
      void started.#keep(request).then(() => started.endpoint.handle(request, response));
    });
    return started;
  }

  get endpointUrl(): string {
    return `${this.url}/introspect`;
  }

  /** Knows a token from now on: active and meant for the desk, but for what the answer says; what is `undefined` is left out. */
  know(token: string, answer: object = {}): void {
    this.#known.set(token, {
      active: true,
      sub: 'ada',
      aud: RESOURCE,
      client_id: 'desk-app',
      scope: 'desk:read',
      ...answer,
    });
  }

  /** Builds the settings with which it is asked. */
  settings(options: Partial<IntrospectionOptions> = {}): IntrospectionSettings {
    const { introspection } = buildAuthSettings({
      resourceUri: RESOURCE,
      authorizationServers: [this.url],
      introspection: { endpoint: this.endpointUrl, ...CLIENT, ...options },
    });
    if (introspection === undefined) throw new Error('There are no settings of introspection');
    return introspection;
  }

  /** Cuts every connection off that is open. */
  cutOff(): void {
    this.#server.closeAllConnections();
  }

  /** Stops without waiting for connections. */
  async stop(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.cutOff();
    await within(closed, 'the end of the server');
  }

  async #keep(request: IncomingMessage): Promise<void> {
    const { method, headers } = request;
    this.questions.push({ method, headers, form: new URLSearchParams(await text(request)) });
  }

  #answerLast(): object {
    return this.#known.get(this.questions.at(-1)?.form.get('token') ?? '') ?? { active: false };
  }
}
