import {
  Client as ClientV2,
  StreamableHTTPClientTransport as TransportV2,
  type VersionNegotiationMode,
} from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { PER_REQUEST_VERSION } from '../../support/clients/json-rpc.js';

const NAME = { name: 'guest', version: '1.0.0' };
const CAPABILITIES = {
  elicitation: { form: {}, url: {} },
  sampling: {},
  roots: { listChanged: true },
};

type Elicited = {
  action: 'accept' | 'decline' | 'cancel';
  content?: Record<string, string | number | string[]>;
};
type ToolResult = { readonly content: readonly { readonly type: string; readonly text?: string }[] };

/** What a user, a model and an editor answer: the next of the list each time. */
export interface Answers {
  readonly elicited?: (Elicited | 'never')[];
  readonly sampled?: string[];
  readonly roots?: { uri: string; name?: string }[];
}

/** One of the official clients, with somebody who answers what it is asked. */
export interface Guest {
  /** The methods that the server asked by, in order. */
  readonly asked: readonly string[];
  /** The messages of the forms and pages, in order. */
  readonly messages: readonly string[];
  /** The messages of those that were taken back before they were answered. */
  readonly takenBack: readonly string[];
  readonly version: string | undefined;
  call(name: string, given?: Record<string, unknown>, signal?: AbortSignal): Promise<string | undefined>;
  getPrompt(name: string): Promise<unknown>;
  readResource(uri: string): Promise<unknown>;
  /** Gives other roots from now on, and tells the server so where there is a session. */
  changeRoots(roots: { uri: string; name?: string }[]): Promise<void>;
  close(): Promise<void>;
}

export interface GuestKind {
  readonly kind: string;
  readonly hasSession: boolean;
  readonly connect: (url: string, answers?: Answers) => Promise<Guest>;
}

/** Each official client on each wire that it speaks. */
export const GUESTS: readonly GuestKind[] = [
  { kind: 'v1 in a session', hasSession: true, connect: connectV1 },
  {
    kind: 'v2 in a session',
    hasSession: true,
    connect: (url, answers) => connectV2(url, 'legacy', answers),
  },
  {
    kind: 'v2 without a session',
    hasSession: false,
    connect: (url, answers) => connectV2(url, { pin: PER_REQUEST_VERSION }, answers),
  },
];

/** Answers from the lists, and keeps what was asked. */
class Household {
  readonly asked: string[] = [];
  readonly messages: string[] = [];
  readonly takenBack: string[] = [];
  roots: { uri: string; name?: string }[];

  constructor(private readonly answers: Answers) {
    this.roots = answers.roots ?? [];
  }

  elicit({ message }: { message: string }, signal: AbortSignal): Elicited | Promise<Elicited> {
    this.asked.push('elicitation/create');
    this.messages.push(message);
    const answer = this.answers.elicited?.shift();
    if (answer === undefined) throw new Error(`Nobody answers "${message}"`);
    return answer === 'never' ? this.#wait(message, signal) : answer;
  }

  #wait(message: string, signal: AbortSignal): Promise<never> {
    return new Promise((_, reject) => {
      signal.addEventListener('abort', () => {
        this.takenBack.push(message);
        reject(new Error('The question was taken back'));
      });
    });
  }

  sample() {
    this.asked.push('sampling/createMessage');
    const text = this.answers.sampled?.shift();
    if (text === undefined) throw new Error('The model is out of words');
    return { role: 'assistant' as const, model: 'm1', content: { type: 'text' as const, text } };
  }

  listRoots() {
    this.asked.push('roots/list');
    return { roots: this.roots };
  }
}

async function connectV1(url: string, answers: Answers = {}): Promise<Guest> {
  const household = new Household(answers);
  const client = new ClientV1(NAME, { capabilities: CAPABILITIES });
  client.setRequestHandler(ElicitRequestSchema, ({ params }, { signal }) => household.elicit(params, signal));
  client.setRequestHandler(CreateMessageRequestSchema, () => household.sample());
  client.setRequestHandler(ListRootsRequestSchema, () => household.listRoots());
  const transport = new TransportV1(new URL(url));
  await client.connect(transport);
  return buildGuest(household, {
    client,
    version: transport.protocolVersion,
    callTool: (params, signal) => client.callTool(params, undefined, { ...(signal && { signal }) }),
  });
}

async function connectV2(url: string, mode: VersionNegotiationMode, answers: Answers = {}): Promise<Guest> {
  const household = new Household(answers);
  const client = new ClientV2(NAME, { capabilities: CAPABILITIES, versionNegotiation: { mode } });
  client.setRequestHandler('elicitation/create', ({ params }, { mcpReq }) =>
    household.elicit(params, mcpReq.signal),
  );
  client.setRequestHandler('sampling/createMessage', () => household.sample());
  client.setRequestHandler('roots/list', () => household.listRoots());
  await client.connect(new TransportV2(new URL(url)));
  return buildGuest(household, {
    client,
    version: client.getNegotiatedProtocolVersion(),
    callTool: (params, signal) => client.callTool(params, { ...(signal && { signal }) }),
  });
}

interface Connection {
  readonly client: ClientV1 | ClientV2;
  readonly version: string | undefined;
  readonly callTool: (
    params: { name: string; arguments: Record<string, unknown> },
    signal?: AbortSignal,
  ) => Promise<unknown>;
}

function buildGuest(household: Household, { client, version, callTool }: Connection): Guest {
  const { asked, messages, takenBack } = household;
  return {
    asked,
    messages,
    takenBack,
    version,
    call: async (name, given = {}, signal) => {
      const { content } = (await callTool({ name, arguments: given }, signal)) as ToolResult;
      return content[0]?.text;
    },
    getPrompt: (name) => client.getPrompt({ name }),
    readResource: (uri) => client.readResource({ uri }),
    changeRoots: async (roots) => {
      household.roots = roots;
      if (version !== PER_REQUEST_VERSION) await client.sendRootsListChanged();
    },
    close: () => client.close(),
  };
}
