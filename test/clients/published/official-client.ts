import {
  Client as ClientV2,
  SSEClientTransport,
  StreamableHTTPClientTransport as HttpV2,
  type Progress,
  type Prompt,
  type Resource,
  type ResourceTemplateType,
  type Tool,
  type Transport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { APP_MIME_TYPE, APPS_EXTENSION_ID } from '../../../lib/core/protocol/apps/app-meta.js';
import { MetaKey } from '../../../lib/core/protocol/meta-keys.js';
import { fillInForm } from './fill-in-form.js';

/** What a server offers. */
export interface Listed {
  readonly tools: readonly Tool[];
  readonly resources: readonly Resource[];
  readonly resourceTemplates: readonly ResourceTemplateType[];
  readonly prompts: readonly Prompt[];
}

type Mode = 'auto' | 'legacy' | { readonly pin: string };

type Texts = { readonly [name: string]: string };

/** A request to a server. */
export type Question =
  | { readonly tool: string; readonly given?: { readonly [name: string]: unknown } }
  | { readonly uri: string }
  | { readonly prompt: string; readonly given?: Texts }
  | { readonly completePrompt: string; readonly argument: readonly [string, string]; readonly given?: Texts }
  | { readonly completeTemplate: string; readonly argument: readonly [string, string] };

/** Where a server is. */
export type Place =
  | { readonly command: string; readonly args: readonly string[]; readonly cwd: string; readonly env?: Texts }
  | { readonly url: string; readonly isSse?: boolean };

/** What both official clients have. */
type Requests = Pick<
  ClientV2,
  | 'callTool'
  | 'readResource'
  | 'getPrompt'
  | 'complete'
  | 'listTools'
  | 'listResources'
  | 'listResourceTemplates'
  | 'listPrompts'
  | 'subscribeResource'
  | 'unsubscribeResource'
  | 'getServerCapabilities'
  | 'close'
>;

const INFO = { name: 'front', version: '1.0.0' };
const CAPABILITIES = {
  elicitation: { form: {}, url: {} },
  sampling: {},
  roots: {},
  extensions: { [APPS_EXTENSION_ID]: { mimeTypes: [APP_MIME_TYPE] } },
};

const INPUT_REQUESTS = {
  'elicitation/create': ElicitRequestSchema,
  'sampling/createMessage': CreateMessageRequestSchema,
  'roots/list': ListRootsRequestSchema,
};

/** What results consist of, apart from what a version of the protocol adds to each. */
const RESULT = new Set([
  'content',
  'structuredContent',
  'isError',
  'contents',
  'description',
  'messages',
  'completion',
]);

/** One of the official clients, whose user fills in each form and whose model repeats what it reads. */
export class OfficialClient {
  /** The notifications that it received, those of progress aside. */
  readonly notifications: { readonly method: string; readonly params?: unknown }[] = [];
  readonly #requests: Requests;

  private constructor(
    private readonly client: ClientV1 | ClientV2,
    private readonly root: string,
  ) {
    // Both have these methods, apart from the place of a call's options.
    this.#requests = client as Requests;
    this.#answerInputRequests();
    client.fallbackNotificationHandler = async ({ method, params }) =>
      void this.notifications.push({ method, params });
  }

  /** @param root the folder that it lists as its root */
  static async connectV1(url: string, root: string): Promise<OfficialClient> {
    const client = new ClientV1(INFO, { capabilities: CAPABILITIES });
    const official = new OfficialClient(client, root);
    await client.connect(new HttpV1(new URL(url)));
    return official;
  }

  static connectV2(url: string, root: string, mode: Mode): Promise<OfficialClient> {
    return OfficialClient.#connectV2(new HttpV2(new URL(url)), root, mode);
  }

  /** Connects to a server as the gateway does: with the newest version of the protocol that the server has. */
  static connectDirectly(place: Place, root: string): Promise<OfficialClient> {
    const mode = 'url' in place && place.isSse === true ? 'legacy' : 'auto';
    return OfficialClient.#connectV2(createTransport(place), root, mode);
  }

  static async #connectV2(transport: Transport, root: string, mode: Mode): Promise<OfficialClient> {
    const client = new ClientV2(INFO, { capabilities: CAPABILITIES, versionNegotiation: { mode } });
    const official = new OfficialClient(client, root);
    await client.connect(transport);
    return official;
  }

  /** Lists all that the server declares. */
  async list(): Promise<Listed> {
    const { tools, resources, prompts } = this.#requests.getServerCapabilities() ?? {};
    return {
      tools: tools ? (await this.#requests.listTools()).tools : [],
      resources: resources ? (await this.#requests.listResources()).resources : [],
      resourceTemplates: resources ? (await this.#requests.listResourceTemplates()).resourceTemplates : [],
      prompts: prompts ? (await this.#requests.listPrompts()).prompts : [],
    };
  }

  /** Sends a request, and returns the parts of its result, or its error. */
  async ask(question: Question, onprogress?: (progress: Progress) => void): Promise<object> {
    try {
      const result = Object.entries(await this.#send(question, onprogress));
      return Object.fromEntries(result.filter(([name]) => RESULT.has(name)));
    } catch (error) {
      const { code, message } = error as { readonly code?: unknown; readonly message: string };
      return { code, message: message.replace(/^MCP error -?\d+: /, '') };
    }
  }

  /** Subscribes to a resource, and returns what ends the subscription. */
  async subscribe(uri: string): Promise<() => Promise<unknown>> {
    if (this.#isStateless()) return this.#listen({ resourceSubscriptions: [uri] });
    await this.#requests.subscribeResource({ uri });
    return () => this.#requests.unsubscribeResource({ uri });
  }

  /** Listens to changes of the list of resources, and returns what ends that. Sessions have them anyway. */
  async followResources(): Promise<() => Promise<unknown>> {
    if (this.#isStateless()) return this.#listen({ resourcesListChanged: true });
    return async () => undefined;
  }

  close(): Promise<void> {
    return this.client.close();
  }

  #isStateless(): boolean {
    return this.client instanceof ClientV2 && this.client.getProtocolEra() === 'modern';
  }

  async #listen(filter: Parameters<ClientV2['listen']>[0]): Promise<() => Promise<unknown>> {
    const subscription = await (this.client as ClientV2).listen(filter);
    return () => subscription.close();
  }

  #send(question: Question, onprogress?: (progress: Progress) => void): Promise<object> {
    if ('tool' in question) return this.#call(question, onprogress);
    if ('uri' in question) return this.#requests.readResource({ uri: question.uri });
    if ('prompt' in question) {
      return this.#requests.getPrompt({ name: question.prompt, arguments: { ...question.given } });
    }
    const [name, value] = question.argument;
    if ('completeTemplate' in question) {
      const ref = { type: 'ref/resource', uri: question.completeTemplate } as const;
      return this.#requests.complete({ ref, argument: { name, value } });
    }
    const { completePrompt, given = {} } = question;
    return this.#requests.complete({
      ref: { type: 'ref/prompt', name: completePrompt },
      argument: { name, value },
      context: { arguments: { ...given } },
    });
  }

  #call(
    { tool, given = {} }: Extract<Question, { readonly tool: string }>,
    onprogress?: (progress: Progress) => void,
  ): Promise<object> {
    const params = { name: tool, arguments: { ...given }, _meta: { [MetaKey.logLevel]: 'debug' } };
    const options = onprogress ? { onprogress } : {};
    return this.client instanceof ClientV2
      ? this.client.callTool(params, options)
      : this.client.callTool(params, undefined, options);
  }

  #answerInputRequests(): void {
    const { client } = this;
    for (const [method, schema] of Object.entries(INPUT_REQUESTS)) {
      const answer = ({ params }: { readonly params: unknown }) => this.#answer(method, params);
      if (client instanceof ClientV2) client.setRequestHandler(method as never, answer as never);
      else client.setRequestHandler(schema as never, answer);
    }
  }

  #answer(method: string, params: unknown): object {
    if (method === 'roots/list') return { roots: [{ uri: `file://${this.root}`, name: 'reports' }] };
    if (method === 'sampling/createMessage') {
      const { messages } = params as { readonly messages: readonly { readonly content: unknown }[] };
      const text = `parrot: ${JSON.stringify(messages.map(({ content }) => content))}`;
      return { role: 'assistant', model: 'parrot', content: { type: 'text', text } };
    }
    const { mode, requestedSchema } = params as {
      readonly mode?: string;
      readonly requestedSchema: Parameters<typeof fillInForm>[0];
    };
    return mode === 'url' ? { action: 'accept' } : { action: 'accept', content: fillInForm(requestedSchema) };
  }
}

function createTransport(place: Place): Transport {
  if ('command' in place) {
    const { command, args, cwd, env = {} } = place;
    return new StdioClientTransport({ command, args: [...args], cwd, env: { ...env }, stderr: 'ignore' });
  }
  const url = new URL(place.url);
  return place.isSse === true ? new SSEClientTransport(url) : new HttpV2(url);
}

/** The official clients, and how they use the protocol. */
export const FRONTS = [
  {
    front: 'v1 in a session',
    hasSession: true,
    connect: (url: string, root: string) => OfficialClient.connectV1(url, root),
  },
  {
    front: 'v2 in a session',
    hasSession: true,
    connect: (url: string, root: string) => OfficialClient.connectV2(url, root, 'legacy'),
  },
  {
    front: 'v2 without a session',
    hasSession: false,
    connect: (url: string, root: string) => OfficialClient.connectV2(url, root, { pin: '2026-07-28' }),
  },
] as const;
