import type { LoggedCaller } from '../../../core/log/format-facts.js';
import { addClientHandlerMetadata, type InputRequestKind } from './input-request-metadata.js';

/** An input request's context, in addition to its parameters. */
export interface McpQuestionContext {
  /** The name of the client whose server sent it. */
  readonly client: string;
  /** Aborted when the server no longer waits for the response. */
  readonly signal: AbortSignal;
  /** The caller on whose behalf the client acts. @default the application */
  readonly caller?: LoggedCaller | undefined;
}

/** Functions that handle the input requests of a client's server, instead of decorated methods. */
export type McpInputRequestHandlers = {
  readonly [Kind in InputRequestKind]?: (params: unknown, context: McpQuestionContext) => unknown;
};

/** The elicitations that a method handles. */
export interface McpElicitationOptions {
  /** The client whose server sends them. @default all clients without a separate handler */
  readonly client?: string | undefined;
  /** Whether it also handles URL mode (`mode: 'url'`). @default false */
  readonly url?: boolean | undefined;
}

/**
 * Makes a provider's method handle elicitation requests. The method is called with the parameters and the context,
 * and returns the user's action: `{ action: 'accept', content }`, `{ action: 'decline' }` or `{ action: 'cancel' }`.
 *
 * @example
 * class Desk { @McpElicitation('bookings')
 *   confirm({ message }: ElicitRequestFormParams): Promise<ElicitResult> {
 *     return this.users.ask(message);
 *   }
 * }
 *
 * @see MCP client/elicitation
 */
export function McpElicitation(options: string | McpElicitationOptions = {}): MethodDecorator {
  const given = typeof options === 'string' ? { client: options } : options;
  // If the options are not an object, the error at startup names the method.
  const { client, url = false }: McpElicitationOptions = Object(given);
  const capability = { form: {}, ...(url && { url: {} }) };
  return addClientHandlerMetadata({ kind: 'elicitation', client, capability, options: given });
}

/**
 * Makes a provider's method handle sampling requests. The method is called with the parameters and the context, and
 * returns the model's message.
 *
 * @example
 * class Models { @McpSampling()
 *   complete({ messages, maxTokens }: CreateMessageRequestParams): Promise<CreateMessageResult> {
 *     return this.model.complete(messages, maxTokens);
 *   }
 * }
 *
 * @see MCP client/sampling
 */
export function McpSampling(client?: string): MethodDecorator {
  return addHandler('sampling', client);
}

/**
 * Makes a provider's method handle roots requests, for the folders that a server may work in. The method returns an
 * array of roots.
 *
 * @example
 * class Folders { @McpRoots('files')
 *   list(): Root[] {
 *     return [{ uri: 'file:///srv/reports', name: 'reports' }];
 *   }
 * }
 *
 * @see MCP client/roots
 */
export function McpRoots(client?: string): MethodDecorator {
  return addHandler('roots', client);
}

function addHandler(kind: InputRequestKind, client: string | undefined): MethodDecorator {
  return addClientHandlerMetadata({ kind, client, capability: {}, options: { client } });
}
