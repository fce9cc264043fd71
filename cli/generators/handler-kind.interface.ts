import type { HandlerNames } from './handler-names.js';

/** The facts that a handler's files are generated from. */
export interface HandlerFacts extends HandlerNames {
  /** Whether schemas use zod rather than JSON Schema. */
  readonly withZod: boolean;
  /** The scheme of resource URIs. */
  readonly scheme: string;
  /** The file extension in relative imports. */
  readonly extension: string;
}

/** The parts of a handler's test that depend on its kind. */
export interface SpecParts {
  /** Imports beyond the ones that every test has. @default none */
  readonly imports?: readonly string[];
  /** Server options in addition to `serverInfo`. @default none */
  readonly serverOptions?: string;
  /** Options of the client. @default none */
  readonly clientOptions?: string;
  /** Code between the imports and the tests. @default nothing */
  readonly before?: string;
  /** Whether tests also call the handler directly, as `provider`. @default false */
  readonly withProvider?: boolean;
  /** Whether each test creates a client itself. @default false */
  readonly withoutClient?: boolean;
  /** The tests, without indentation. */
  readonly tests: string;
}

/** A handler's identifier for clients, which must be unique among handlers of its kind. */
export interface HandlerIdentity {
  readonly decorator: string;
  /** The property of the decorator's options. */
  readonly member: string;
  readonly value: string;
}

/** A handler's files. */
export interface HandlerTexts {
  readonly handler: string;
  readonly spec: SpecParts;
  /** Further files, keyed by the suffix of their names. @default none */
  readonly others?: Readonly<Record<string, string>>;
  /** @default none: no two handlers can collide */
  readonly identity?: HandlerIdentity;
}

/** A server option that a handler requires to be served. */
export interface NeededOption {
  /** A property of the options, or of the property that `in` names. */
  readonly name: string;
  readonly in?: string;
  readonly value: string;
  /** Whether the value is the handler's class, which must then be imported. */
  readonly isClass: boolean;
}

/** A kind of handler. */
export interface HandlerKind {
  /** The suffix of its file name, for example `tool`. */
  readonly suffix: string;
  /** Whether `McpModule.forFeature()` can assign its class to one of several servers. */
  readonly isAssigned: boolean;
  /** Returns its tool's name. @default none */
  readonly formatTool?: (names: HandlerNames) => string;
  /** Returns the option that the server must have. @default none */
  readonly findOption?: (names: HandlerNames) => NeededOption;
  build(facts: HandlerFacts): HandlerTexts;
}
