import 'reflect-metadata';
import { CLIENT_HANDLER_METADATA } from '../client-module.constants.js';

/** What servers may ask a client. */
export type QuestionKind = 'elicitation' | 'sampling' | 'roots';

/** The kinds of questions by their methods. */
export const QUESTION_KINDS: ReadonlyMap<string, QuestionKind> = new Map([
  ['elicitation/create', 'elicitation'],
  ['sampling/createMessage', 'sampling'],
  ['roots/list', 'roots'],
]);

/** Which questions a method answers. */
export interface ClientHandlerMetadata {
  readonly kind: QuestionKind;
  /** The client whose server asks. Absent if the method answers for every client without its own handler. */
  readonly client: string | undefined;
  /** What the client declares because of it. */
  readonly capability: { readonly [name: string]: object };
  /** What the decorator was given. */
  readonly options: unknown;
}

/** Notes on a method which questions it answers. */
export function addClientHandlerMetadata(metadata: ClientHandlerMetadata): MethodDecorator {
  return (_prototype, _name, descriptor) => {
    const method = descriptor.value as object;
    Reflect.defineMetadata(CLIENT_HANDLER_METADATA, [...readClientHandlers(method), metadata], method);
  };
}

/** Reads which questions a method answers. */
export function readClientHandlers(method: object): readonly ClientHandlerMetadata[] {
  return Reflect.getMetadata(CLIENT_HANDLER_METADATA, method) ?? [];
}
