import { Client, type ElicitRequest, type ElicitResult } from '@modelcontextprotocol/client';
import { NarratedTransport } from './narrated.transport.js';
import { showSpeech } from './terminal.js';

/** What the user says to forms: a member for each field, or no. A field that is not here is left at its default. */
export type Script = Readonly<Record<string, string | number | string[]>> | 'decline';

const CALL_MS = 10_000;

/** The official client with a user and a model that know beforehand what they will answer. */
export class ScriptedClient {
  script: Script = {};
  readonly #client: Client;

  /** @param mode `auto` takes the newest revision, which has no sessions; `legacy` shakes hands and has one */
  private constructor(
    private readonly transport: NarratedTransport,
    mode: 'auto' | 'legacy',
  ) {
    this.#client = new Client(
      { name: 'demo', version: '1.0.0' },
      { capabilities: { elicitation: {}, sampling: {}, roots: {} }, versionNegotiation: { mode } },
    );
    this.#client.setRequestHandler('elicitation/create', ({ params }) => this.#answer(params));
    this.#client.setRequestHandler('roots/list', () => ({
      roots: ['harbour-website', 'tide-tables'].map((name) => ({ uri: `file:///work/${name}`, name })),
    }));
    this.#client.setRequestHandler('sampling/createMessage', ({ params }) => {
      const [question] = [params.messages[0]?.content].flat();
      const text = chooseRoom(question?.type === 'text' ? question.text : '');
      return { role: 'assistant', model: 'scripted', content: { type: 'text', text } };
    });
  }

  static async connect(url: URL, mode: 'auto' | 'legacy'): Promise<ScriptedClient> {
    const scripted = new ScriptedClient(new NarratedTransport(url), mode);
    await scripted.#client.connect(scripted.transport, { timeout: CALL_MS });
    return scripted;
  }

  get revision(): string | undefined {
    return this.#client.getNegotiatedProtocolVersion();
  }

  /** Calls a tool, whose questions are answered by the script. */
  async call<Result>(name: string, input: Record<string, unknown>): Promise<Result | string> {
    const { content, structuredContent } = await this.#client.callTool(
      { name, arguments: input },
      { timeout: CALL_MS },
    );
    const [first] = content;
    const text = first?.type === 'text' ? first.text : '';
    showSpeech('Result', text);
    return structuredContent === undefined ? text : (structuredContent as Result);
  }

  /** Ends the session, where there is one, and the connection. */
  async close(): Promise<void> {
    await this.transport.terminateSession();
    await this.#client.close();
  }

  #answer(params: ElicitRequest['params']): ElicitResult {
    showSpeech('Server', params.message);
    const { script } = this;
    if (script === 'decline' || !('requestedSchema' in params)) {
      showSpeech('User', 'No, thank you');
      return { action: 'decline' };
    }
    const fields = Object.keys(params.requestedSchema.properties);
    const content = Object.fromEntries(Object.entries(script).filter(([field]) => fields.includes(field)));
    const said = fields.map((field) => `${field} ${String(content[field] ?? '(as proposed)')}`);
    showSpeech('User', said.join(', '));
    return { action: 'accept', content };
  }
}

/** The model: it likes rooms with a camera. */
function chooseRoom(question: string): string {
  showSpeech('Server', question.replaceAll('\n', ' | '));
  const room = /^(\w+),.*camera/m.exec(question)?.[1] ?? 'I cannot say';
  showSpeech('Model', room);
  return room;
}
