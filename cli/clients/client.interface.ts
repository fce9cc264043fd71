import type { FolderFacts } from '../../lib/client/authorization/credentials/file-credential-store.js';
import type {
  Entry,
  FormatReference,
  SecretVariable,
  ServerAddress,
} from '../../lib/core/clients/describe-server.js';

/** The configuration to change: the project configuration in this folder, or the user's global one. */
export type Scope = 'project' | 'user';

/** The environment variables of secrets, keyed by header or variable. */
export type SecretVariables = ReadonlyMap<string, SecretVariable>;

/** How a client connects to a server. */
export type Connection = HttpConnection | StdioConnection;

/** A server at a URL. */
export interface HttpConnection extends ServerAddress {
  readonly kind: 'http';
  readonly variables: SecretVariables;
}

/** A server that the client starts. */
export interface StdioConnection {
  readonly kind: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  readonly env: { readonly [name: string]: string };
  readonly variables: SecretVariables;
}

/** A client whose configuration can be changed. */
export interface Client {
  /** Its name on the command line. */
  readonly name: string;
  /** Its product name. */
  readonly title: string;
  /** The property of its file that contains the servers. */
  readonly member: string;
  /** Its files, keyed by scope; a scope that it does not have is absent. The first one is the default. */
  readonly files: { readonly [scope in Scope]?: FindFile };
  readonly describe: {
    readonly http: (connection: HttpConnection) => Entry;
    readonly stdio: (connection: StdioConnection) => Entry;
  };
  /** Formats a reference to a secret; absent if it does not support references. */
  readonly refer?: FormatReference;
  /** Whether it needs a bridge for URLs, because it supports only stdio servers. @default false */
  readonly isBridged?: boolean;
  /** Whether it needs `cmd /c` to start scripts such as npx on Windows. @default false */
  readonly needsShell?: boolean;
  /** Whether its file declares inputs for placeholders. @default false */
  readonly hasInputs?: boolean;
  /** The next step for the user. */
  readonly next: string;
}

/** Finds a client's file, below the project's or the user's folder. */
export type FindFile = (facts: ClientFacts) => string;

/** The facts that determine the paths of a client's files. */
export interface ClientFacts extends FolderFacts {
  /** The project folder. */
  readonly folder: string;
}
