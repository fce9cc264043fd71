import type { OpenObject } from '../../core/protocol/capabilities.js';

/** What the server card and `server.json` say besides what other options say (SEP-2127). */
export interface ServerCardOptions {
  /** Names the server in reverse-DNS form, such as `com.example/desk`. @default `serverInfo.name` if it has that form, else made of it and the host of `publicUrl` */
  readonly name?: string;
  /** Its name for people, in at most 100 characters. @default `serverInfo.title` */
  readonly title?: string;
  /** Says what it does, in at most 100 characters. @default `serverInfo.description`, else its title or name */
  readonly description?: string;
  /** Where people read more. @default `serverInfo.websiteUrl` */
  readonly websiteUrl?: string;
  /** Where its source is. @default none; `server.json` takes that of `package.json` */
  readonly repository?: CardRepository;
  /** Headers that clients send to the endpoint. @default `Authorization`, if tokens are asked for and no metadata says where to get them */
  readonly headers?: readonly CardInput[];
  /** Variables that the process of the package is started with, for `server.json` alone. @default none */
  readonly environmentVariables?: readonly CardInput[];
  /** Whether `/.well-known/ai-catalog.json` names the card. @default true */
  readonly catalog?: boolean;
  /** Metadata of the card, by keys in reverse-DNS form. @default none */
  readonly _meta?: OpenObject;
}

/** Where the source of a server is. */
export interface CardRepository {
  /** The URL to browse it at. */
  readonly url: string;
  /** The service that hosts it, such as `github`. */
  readonly source: string;
  /** The folder of the server in it. @default its root */
  readonly subfolder?: string;
  /** Its id at the service, which outlives its name. @default none */
  readonly id?: string;
}

/** A value that clients ask people for, such as that of a header. */
export interface CardInput {
  /** The name of the header, or of the variable. */
  readonly name: string;
  /** Says what it is. @default none */
  readonly description?: string;
  /** Whether nothing works without it. @default false */
  readonly isRequired?: boolean;
  /** Whether it has to be kept secret. @default false */
  readonly isSecret?: boolean;
  /** What kind of value it is. @default 'string' */
  readonly format?: 'string' | 'number' | 'boolean' | 'filepath';
  /** The value if none is given. @default none */
  readonly default?: string;
  /** Shows what a value looks like. @default none */
  readonly placeholder?: string;
  /** A value that people do not change, with `{variables}` in it. @default none */
  readonly value?: string;
  /** The only values that there are. @default any */
  readonly choices?: readonly string[];
  /** What stands for the names in braces of `value`. @default none */
  readonly variables?: Readonly<Record<string, Omit<CardInput, 'name' | 'variables'>>>;
}
