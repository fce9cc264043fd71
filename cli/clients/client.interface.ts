import type { FolderFacts } from '../../lib/client/authorization/credentials/credential-folder.js';
import type { Entry, ServerAddress } from '../../lib/core/clients/describe-server.js';
import type { FormatReference, SecretVariable } from '../../lib/core/clients/secret-reference.js';

/** Whose configuration is changed: that of the project in this folder, or that of the user for all projects. */
export type Scope = 'project' | 'user';

/** What is taken from the environment, by the name of the header or of the variable of the command. */
export type SecretVariables = ReadonlyMap<string, SecretVariable>;

/** How a client reaches a server. */
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
  /** What the command line calls it. */
  readonly name: string;
  /** What its makers call it. */
  readonly title: string;
  /** The member of its file that holds the servers. */
  readonly member: string;
  /** Its files by scope; a scope that it does not have is absent. The first one is the default. */
  readonly files: { readonly [scope in Scope]?: FindFile };
  readonly describe: {
    readonly http: (connection: HttpConnection) => Entry;
    readonly stdio: (connection: StdioConnection) => Entry;
  };
  /** Names a secret in its file; absent if it reads no names there. */
  readonly refer?: FormatReference;
  /** Whether a bridge leads it to URLs, because it starts every server itself. @default false */
  readonly isBridged?: boolean;
  /** Whether it starts scripts of Windows, such as npx, only behind `cmd /c`. @default false */
  readonly needsShell?: boolean;
  /** Whether its file holds the questions for placeholders. @default false */
  readonly hasInputs?: boolean;
  /** What its user does next. */
  readonly next: string;
}

/** Finds a file of a client, below the folder of the project or of the user. */
export type FindFile = (facts: ClientFacts) => string;

/** What decides where a client keeps its files. */
export interface ClientFacts extends FolderFacts {
  /** The folder of the project. */
  readonly folder: string;
}
