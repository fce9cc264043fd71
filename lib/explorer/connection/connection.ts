import {
  Client,
  InsufficientScopeError,
  StreamableHTTPClientTransport,
  type ClientOptions,
  type Implementation,
  type Prompt,
  type Resource,
  type ResourceTemplateType,
  type ServerCapabilities,
  type Tool,
} from '@modelcontextprotocol/client';
import { RESOURCE_MIME_TYPE } from '@modelcontextprotocol/ext-apps/app-bridge';
import { APPS_EXTENSION_ID } from '../../core/protocol/apps/app-meta.js';
import { answerQuestions } from './answer-questions.js';
import { Journal } from './journal.js';
import { LoginNeededError, type Login } from './login.js';
import { Questions } from './questions.js';
import { LATEST_OF_BOTH, selectVersions } from './revision-choices.js';
import { Store } from './store.js';

export type Status = 'connecting' | 'connected' | 'login' | 'failed' | 'closed';

/** What the server shows to this caller. */
export interface Offer {
  readonly tools: readonly Tool[];
  readonly resources: readonly Resource[];
  readonly templates: readonly ResourceTemplateType[];
  readonly prompts: readonly Prompt[];
}

const NOTHING: Offer = { tools: [], resources: [], templates: [], prompts: [] };

/** Milliseconds: somebody who tries a tool waits as long as it takes, and cancels. */
export const PATIENCE_MS = 24 * 3_600_000;

/** The page's connection to the endpoint, by the official client. */
export class Connection extends Store {
  readonly journal = new Journal();
  readonly questions = new Questions();
  /** The folders that the server is told about when it asks. */
  roots: readonly string[] = [];
  /** One of the choices of revisions. */
  revision = LATEST_OF_BOTH;
  #client: Client | undefined;
  #transport: StreamableHTTPClientTransport | undefined;
  #status: Status = 'connecting';
  #failure: string | undefined;
  #offer = NOTHING;

  constructor(
    readonly endpoint: URL,
    readonly login: Login,
  ) {
    super();
  }

  get status(): Status {
    return this.#status;
  }

  /** Why there is no connection, or what could not be listed. */
  get failure(): string | undefined {
    return this.#failure;
  }

  get offer(): Offer {
    return this.#offer;
  }

  /** The client, once it is connected. */
  get client(): Client | undefined {
    return this.#status === 'connected' ? this.#client : undefined;
  }

  get server(): Implementation | undefined {
    return this.#client?.getServerVersion();
  }

  get capabilities(): ServerCapabilities {
    return this.#client?.getServerCapabilities() ?? {};
  }

  get negotiated(): string | undefined {
    return this.#client?.getNegotiatedProtocolVersion();
  }

  get sessionId(): string | undefined {
    return this.#transport?.sessionId;
  }

  /** Whether each request stands for itself, as it does since 2026-07-28. */
  get isPerRequest(): boolean {
    return this.#client?.getProtocolEra() === 'modern';
  }

  /** Takes up a login that comes back, and connects. */
  async begin(): Promise<void> {
    await this.login.finish();
    await this.connect(this.revision);
  }

  /** Connects, and lists what there is. */
  async connect(revision: string): Promise<void> {
    await this.close();
    this.revision = revision;
    this.#set('connecting');
    const client = new Client(
      { name: 'nestjs-mcp-explorer', version: '1.0.0' },
      this.#buildOptions(revision),
    );
    const transport = this.#createTransport();
    this.#client = client;
    this.#transport = transport;
    answerQuestions(client, this);
    client.setNotificationHandler('notifications/message', ({ method, params }) =>
      this.journal.note(method, params),
    );
    client.fallbackNotificationHandler = ({ method, params }) =>
      Promise.resolve(this.journal.note(method, params));
    try {
      await client.connect(transport);
      if (this.#client !== client) return;
      client.onclose = () => this.#client === client && this.#set('closed');
      await this.list();
    } catch (error) {
      if (this.#client !== client) return;
      const text = this.explain(error);
      this.#set(error instanceof LoginNeededError ? 'login' : 'failed', text);
    }
  }

  /** Ends the session, if there is one, and the connection. */
  async close(): Promise<void> {
    const [client, transport] = [this.#client, this.#transport];
    this.#client = undefined;
    this.#transport = undefined;
    this.#offer = NOTHING;
    this.#set('closed');
    await transport?.terminateSession().catch(() => undefined);
    await client?.close().catch(() => undefined);
  }

  /** Lists again what there is; what is refused does not keep back the rest. */
  async list(): Promise<void> {
    const client = this.#client;
    if (client === undefined) return;
    const { tools, resources, prompts } = this.capabilities;
    const [toolList, resourceList, templateList, promptList] = await Promise.allSettled([
      tools && client.listTools(),
      resources && client.listResources(),
      resources && client.listResourceTemplates(),
      prompts && client.listPrompts(),
    ]);
    if (this.#client !== client) return;
    const refused = [toolList, resourceList, templateList, promptList].find(isRefused);
    if (refused?.reason instanceof LoginNeededError) throw refused.reason;
    this.#offer = {
      tools: find(toolList)?.tools ?? [],
      resources: find(resourceList)?.resources ?? [],
      templates: find(templateList)?.resourceTemplates ?? [],
      prompts: find(promptList)?.prompts ?? [],
    };
    this.#set('connected', refused && `Not everything could be listed: ${this.explain(refused.reason)}`);
  }

  /** Says what went wrong; what a login would mend is asked for. */
  explain(error: unknown): string {
    if (error instanceof InsufficientScopeError) {
      const { requiredScope: scope, resourceMetadataUrl, errorDescription } = error;
      this.login.ask({ scope, resourceMetadataUrl, isStepUp: true });
      return errorDescription ?? `The token does not allow this: ${scope ?? 'another scope'} is needed.`;
    }
    return error instanceof Error ? error.message : String(error);
  }

  #createTransport(): StreamableHTTPClientTransport {
    return new StreamableHTTPClientTransport(this.endpoint, {
      authProvider: this.login.authProvider,
      onInsufficientScope: 'throw',
      // Like any other client: what the browser knows of this origin is not sent.
      requestInit: { credentials: 'omit' },
    });
  }

  #buildOptions(revision: string): ClientOptions {
    const relist = (method: string) => ({
      autoRefresh: false,
      debounceMs: 50,
      onChanged: () => {
        this.journal.note(method, {});
        void this.list().catch((error: unknown) => this.#set('connected', this.explain(error)));
      },
    });
    return {
      capabilities: {
        elicitation: { form: {}, url: {} },
        sampling: {},
        roots: {},
        extensions: { [APPS_EXTENSION_ID]: { mimeTypes: [RESOURCE_MIME_TYPE] } },
      },
      ...selectVersions(revision),
      listChanged: {
        tools: relist('notifications/tools/list_changed'),
        resources: relist('notifications/resources/list_changed'),
        prompts: relist('notifications/prompts/list_changed'),
      },
    };
  }

  #set(status: Status, failure?: string): void {
    this.#status = status;
    this.#failure = failure;
    this.changed();
  }
}

function isRefused(result: PromiseSettledResult<unknown>): result is PromiseRejectedResult {
  return result.status === 'rejected';
}

function find<Value>(result: PromiseSettledResult<Value>): Value | undefined {
  return result.status === 'fulfilled' ? result.value : undefined;
}
