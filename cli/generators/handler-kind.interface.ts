import type { HandlerNames } from './handler-names.js';

/** The options of a handler's files. */
export interface HandlerFacts extends HandlerNames {
  /** Whether schemas are those of zod; JSON Schema otherwise. */
  readonly withZod: boolean;
  /** The scheme of resource URIs. */
  readonly scheme: string;
  /** The extension of imports of other files. */
  readonly extension: string;
}

/** How a test of a handler begins and what it shows. */
export interface SpecParts {
  /** Imports in addition to those of every test. @default none */
  readonly imports?: readonly string[];
  /** Options of the server in addition to `serverInfo`. @default none */
  readonly serverOptions?: string;
  /** Options of the client. @default none */
  readonly clientOptions?: string;
  /** What stands between the imports and the tests. @default nothing */
  readonly before?: string;
  /** Whether tests speak to the handler itself too, as `provider`. @default false */
  readonly withProvider?: boolean;
  /** Whether each test makes its own client. @default false */
  readonly withoutClient?: boolean;
  /** The tests, without indentation. */
  readonly tests: string;
}

/** By what clients know a handler: two of one kind must not have the same. */
export interface HandlerIdentity {
  readonly decorator: string;
  /** The member of its options. */
  readonly member: string;
  readonly value: string;
}

/** The files of a handler. */
export interface HandlerTexts {
  readonly handler: string;
  readonly spec: SpecParts;
  /** Further files, by the ends of their names. @default none */
  readonly others?: Readonly<Record<string, string>>;
  /** @default none: nothing can be the same */
  readonly identity?: HandlerIdentity;
}

/** What the options of the server must have for a handler to be served. */
export interface NeededOption {
  /** A member of the options; with `in`, a member of that one. */
  readonly name: string;
  readonly in?: string;
  readonly value: string;
  /** Whether the class of the handler is the value, and so imported. */
  readonly isClass: boolean;
}

/** A kind of handler. */
export interface HandlerKind {
  /** What the name of its file ends in, for example `tool`. */
  readonly suffix: string;
  /** Whether its class belongs to one server of several by `McpModule.forFeature()`. */
  readonly isAssigned: boolean;
  /** Names the tool that it has. @default none */
  readonly formatTool?: (names: HandlerNames) => string;
  /** Gives what the options of the server must have. @default nothing */
  readonly findOption?: (names: HandlerNames) => NeededOption;
  build(facts: HandlerFacts): HandlerTexts;
}
