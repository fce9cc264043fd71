import type { OpenObject, ClientCapabilities } from '../../core/protocol/capabilities.js';
import type {
  ClientRequest,
  ClientRequestMethod,
  ElicitationAction,
  Root,
  SamplingRequest,
  SamplingResult,
} from '../../core/protocol/client-requests.js';
import type { InputRequiredResult } from '../../core/protocol/input-required.js';
import type { Revision } from '../../core/protocol/revisions.js';
import type { SchemaSource } from '../settings/schema-source.interface.js';

/** Settings of one question to the client. */
export interface QuestionOptions {
  /**
   * The name of the question within its call. On the stateless wire it is the key in `inputRequests`.
   * @default a number, counted in the call
   */
  readonly key?: string;
  /** Milliseconds to wait for the answer, if there is a session. @default the server's `inputRequests.timeoutMs` */
  readonly timeoutMs?: number;
  /** Is called when the client reports progress with the answer, if there is a session. */
  readonly onProgress?: (progress: ClientProgress) => void;
}

/** How far a client is with a question (MCP basic/utilities/progress). */
export interface ClientProgress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** A form for the user: flat, of strings, numbers, booleans and choices (MCP client/elicitation). */
export interface ElicitationForm<Schema extends SchemaSource = SchemaSource> extends QuestionOptions {
  /** Tells the user what is asked and why. */
  readonly message: string;
  /** The schema of the answer. Never ask for secrets in a form. */
  readonly schema: Schema;
}

/** A page for the user, for values that must not pass through the client (MCP 2025-11-25 client/elicitation, "URL Mode"). */
export interface ElicitationPage extends QuestionOptions {
  /** Tells the user where the page leads and why. */
  readonly message: string;
  readonly url: string;
  /** Names the interaction, so that the client can be told when it is done. @default random */
  readonly elicitationId?: string;
}

/** A question to the client's model. */
export interface SamplingQuestion extends SamplingRequest, QuestionOptions {}

/** The user's answer: the content if the form was accepted, and no content otherwise. */
export type ElicitationAnswer<Content> =
  { readonly action: 'accept'; readonly content: Content } | { readonly action: 'decline' | 'cancel' };

/** The user's answer to a request to open a page. `accept` means consent. It does not mean that the user has finished there. */
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

/** A question as a value: its parameters, the capability that the client needs, and how to read the answer. */
export interface Question<Answer> {
  readonly method: ClientRequestMethod;
  readonly options: QuestionOptions;
  /** The capability that the client must have declared. */
  readonly requires: ClientCapabilities;
  /** Tells whether the client declared it. An empty declaration can imply members. */
  isDeclared(capabilities: ClientCapabilities): boolean;
  /** Returns the part of the question that a revision does not have; absent if every revision has all of it. */
  findGap?(revision: Revision): string | undefined;
  /** Returns the parameters in the form of the revision. */
  buildParams(revision: Revision): OpenObject;
  /**
   * Reads the client's answer.
   *
   * @throws {InvalidAnswerError} if it is not one
   */
  parseAnswer(result: unknown): Answer | Promise<Answer>;
}

/** Builds the questions that a server may put to a client. */
export interface QuestionBuilders {
  elicitation<Schema extends SchemaSource>(
    form: ElicitationForm<Schema>,
  ): Question<ElicitationAnswer<ContentOf<Schema>>>;
  urlElicitation(page: ElicitationPage): Question<ElicitationConsent>;
  sampling(question: SamplingQuestion): Question<SamplingResult>;
  listRoots(options?: QuestionOptions): Question<readonly Root[]>;
  /** Sends a request without changes. Only parameters that the revision has are sent, and the answer is returned unchanged. */
  raw(request: ClientRequest): Question<unknown>;
}

/** The answers to several questions, by the names of the questions. A question that was left out has no answer. */
export type AnswersOf<Questions> = {
  readonly [Name in keyof Questions]: Questions[Name] extends Question<infer Answer> | undefined
    ? Answer
    : never;
};

/** What a client sent for this round of a call. */
export interface Round {
  readonly inputResponses: { readonly [key: string]: unknown };
  /** What the handler itself returned in the previous round. */
  readonly requestState?: string | undefined;
}

/** Asks the client of one call. */
export interface InputRequester {
  round: Round;
  /** Gives up unanswered questions when the call is over; absent if nothing is pending. */
  end?(reason: string): void;
  /** Ends this round of a call with the handler's own questions; absent if calls have no rounds. */
  endRound?(result: InputRequiredResult): true;
  ask<Answer>(question: Question<Answer>): Promise<Answer>;
  requestAll<Questions extends { readonly [name: string]: Question<unknown> }>(
    questions: Questions,
  ): Promise<AnswersOf<Questions>>;
}
