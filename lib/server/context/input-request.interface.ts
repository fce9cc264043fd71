import type { OpenObject, ClientCapabilities } from '../../core/protocol/capabilities.js';
import type {
  ElicitationAction,
  InputRequest,
  InputRequestMethod,
  InputRequiredResult,
  Root,
  SamplingRequest,
  SamplingResult,
} from '../../core/protocol/input-requests.js';
import type { Revision } from '../../core/protocol/revisions.js';
import type { SchemaSource } from '../settings/schema-source.interface.js';

/** Options of one input request to the client. */
export interface InputRequestOptions {
  /**
   * The request's name within its call. Stateless clients receive it as the key in `inputRequests`.
   * @default a number that counts the requests of the call
   */
  readonly key?: string;
  /** How long to wait for the response in a session, in milliseconds. @default the server's `inputRequests.timeoutMs` */
  readonly timeoutMs?: number;
  /** Called when the client reports progress, in a session. */
  readonly onProgress?: (progress: ClientProgress) => void;
}

/** A client's progress on an input request (MCP basic/utilities/progress). */
export interface ClientProgress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** A form for the user. Its schema is flat: strings, numbers, booleans and choices (MCP client/elicitation). */
export interface ElicitationForm<Schema extends SchemaSource = SchemaSource> extends InputRequestOptions {
  /** Explains to the user what is requested and why. */
  readonly message: string;
  /** The schema of the form's content. Never request secrets in a form. */
  readonly schema: Schema;
}

/** A page for the user, for values that must not pass through the client (MCP 2025-11-25 client/elicitation, "URL Mode"). */
export interface ElicitationPage extends InputRequestOptions {
  /** Explains to the user what the page is for. */
  readonly message: string;
  readonly url: string;
  /** Identifies the interaction, so that you can notify the client of its completion. @default random */
  readonly elicitationId?: string;
}

/** A sampling request to the client's model. */
export interface SamplingOptions extends SamplingRequest, InputRequestOptions {}

/** The user's answer: the content if the form was accepted, and without content otherwise. */
export type ElicitationAnswer<Content> =
  { readonly action: 'accept'; readonly content: Content } | { readonly action: 'decline' | 'cancel' };

/**
 * The user's answer to a request to open a page. `accept` only means consent, not that the user has finished on that
 * page.
 */
export interface ElicitationConsent {
  readonly action: ElicitationAction;
  readonly elicitationId: string;
}

/** The type of the values that a schema accepts. */
export type ContentOf<Schema> = Schema extends {
  readonly '~standard': { readonly types?: { readonly output: infer Output } | undefined };
}
  ? Output
  : OpenObject;

/** An input request as a value: its parameters, the capability that it requires, and the parser of the response. */
export interface TypedInputRequest<Answer> {
  readonly method: InputRequestMethod;
  readonly options: InputRequestOptions;
  /** The capability that the client must have declared. */
  readonly requires: ClientCapabilities;
  /** Returns whether the client declared it. An empty declaration can imply properties. */
  isDeclared(capabilities: ClientCapabilities): boolean;
  /** Returns the part of the request that a revision lacks; absent if every revision supports all of it. */
  findUnsupported?(revision: Revision): string | undefined;
  /** Returns the parameters in the form of the revision. */
  buildParams(revision: Revision): OpenObject;
  /**
   * Parses the client's response.
   *
   * @throws {InvalidAnswerError} if it is invalid
   */
  parseAnswer(result: unknown): Answer | Promise<Answer>;
}

/** Builds a server's input requests. */
export interface InputRequestBuilders {
  elicitation<Schema extends SchemaSource>(
    form: ElicitationForm<Schema>,
  ): TypedInputRequest<ElicitationAnswer<ContentOf<Schema>>>;
  urlElicitation(page: ElicitationPage): TypedInputRequest<ElicitationConsent>;
  sampling(question: SamplingOptions): TypedInputRequest<SamplingResult>;
  listRoots(options?: InputRequestOptions): TypedInputRequest<readonly Root[]>;
  /**
   * Sends a request without changes, except for parameters that the revision lacks. Returns the response unchanged.
   */
  raw(request: InputRequest): TypedInputRequest<unknown>;
}

/** The responses to several input requests, with the same names. A request that was omitted has no response. */
export type InputResponsesOf<Questions> = {
  readonly [Name in keyof Questions]: Questions[Name] extends TypedInputRequest<infer Answer> | undefined
    ? Answer
    : never;
};

/** The values that a client sent for this round of a call. */
export interface Round {
  readonly inputResponses: { readonly [key: string]: unknown };
  /** The value that the handler itself returned in the previous round. */
  readonly requestState?: string | undefined;
}

/** Sends input requests to one call's client. */
export interface InputRequester {
  round: Round;
  /** Cancels pending input requests when the call ends; absent if there are none. */
  end?(reason: string): void;
  /** Ends this round with input requests that the handler returned; absent if calls have no rounds. */
  endRound?(result: InputRequiredResult): true;
  request<Answer>(question: TypedInputRequest<Answer>): Promise<Answer>;
  requestAll<Questions extends { readonly [name: string]: TypedInputRequest<unknown> }>(
    questions: Questions,
  ): Promise<InputResponsesOf<Questions>>;
}
