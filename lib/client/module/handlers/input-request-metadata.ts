import 'reflect-metadata';
import { CLIENT_HANDLER_METADATA } from '../client-module.constants.js';

/** The kinds of input requests. */
export type InputRequestKind = 'elicitation' | 'sampling' | 'roots';

/** The kinds of input requests, by method. */
export const INPUT_REQUEST_KINDS: ReadonlyMap<string, InputRequestKind> = new Map([
  ['elicitation/create', 'elicitation'],
  ['sampling/createMessage', 'sampling'],
  ['roots/list', 'roots'],
]);

/** The input requests that a method handles. */
export interface ClientHandlerMetadata {
  readonly kind: InputRequestKind;
  /** The client whose server sends them. Absent if the method handles them for all clients without a separate handler. */
  readonly client: string | undefined;
  /** The capability that the client declares for it. */
  readonly capability: { readonly [name: string]: object };
  /** The decorator's options. */
  readonly options: unknown;
}

/** Adds metadata about the input requests that a method handles. */
export function addClientHandlerMetadata(metadata: ClientHandlerMetadata): MethodDecorator {
  return (_prototype, _name, descriptor) => {
    const method = descriptor.value as object;
    Reflect.defineMetadata(CLIENT_HANDLER_METADATA, [...readClientHandlers(method), metadata], method);
  };
}

/** Reads a method's metadata. */
export function readClientHandlers(method: object): readonly ClientHandlerMetadata[] {
  return Reflect.getMetadata(CLIENT_HANDLER_METADATA, method) ?? [];
}
