import * as check from '../../core/checks/option-checks.js';
import type { Check } from '../../core/checks/option-checks.js';
import { optionGroup } from '../../core/checks/option-group.js';
import type { OpenObject } from '../../core/protocol/capabilities.js';
import { isObject } from '../../core/protocol/json-rpc.js';

/** Properties of the server card and of `server.json` that no other option provides (SEP-2127). */
export interface ServerCardOptions {
  /**
   * The server's name in reverse-DNS form, such as `com.example/desk`. @default `serverInfo.name` if it has that
   * form, or else a combination of that name and the `publicUrl` host
   */
  readonly name?: string;
  /** A display name of at most 100 characters. @default `serverInfo.title` */
  readonly title?: string;
  /** Describes the server in at most 100 characters. @default `serverInfo.description`, or else its title or name */
  readonly description?: string;
  /** A page with more information. @default `serverInfo.websiteUrl` */
  readonly websiteUrl?: string;
  /** The server's source code. @default none; `server.json` uses the repository in `package.json` */
  readonly repository?: CardRepository;
  /**
   * Headers that clients send to the endpoint. @default `Authorization`, if the server requires tokens and does not
   * publish metadata about where to get them
   */
  readonly headers?: readonly CardInput[];
  /** Environment variables for the package's process, used only in `server.json`. @default none */
  readonly environmentVariables?: readonly CardInput[];
  /** Whether `/.well-known/ai-catalog.json` names the card. @default true */
  readonly catalog?: boolean;
  /** Card metadata, under reverse-DNS keys. @default none */
  readonly _meta?: OpenObject;
}

/** A server's source code. */
export interface CardRepository {
  /** The URL at which to browse the repository. */
  readonly url: string;
  /** The service that hosts the repository, such as `github`. */
  readonly source: string;
  /** The server's folder in the repository. @default its root */
  readonly subfolder?: string;
  /** The repository's id at the service, which stays the same if it is renamed. @default none */
  readonly id?: string;
}

/** A value that clients request from users, such as a header value. */
export interface CardInput {
  /** The name of the header or the variable. */
  readonly name: string;
  /** Describes the input. @default none */
  readonly description?: string;
  /** Whether the value is required. @default false */
  readonly isRequired?: boolean;
  /** Whether the value is secret. @default false */
  readonly isSecret?: boolean;
  /** The value's type. @default 'string' */
  readonly format?: 'string' | 'number' | 'boolean' | 'filepath';
  /** The value that applies if the user enters none. @default none */
  readonly default?: string;
  /** An example of a value. @default none */
  readonly placeholder?: string;
  /** A fixed value, which may contain `{variables}`. @default none */
  readonly value?: string;
  /** The allowed values. @default any */
  readonly choices?: readonly string[];
  /** The `{variables}` in `value`, each under its name. @default none */
  readonly variables?: Readonly<Record<string, Omit<CardInput, 'name' | 'variables'>>>;
}

/** The values that the card and `server.json` schemas allow. */
export const CARD_NAME = /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/;
export const LONGEST_NAME = 200;
export const LONGEST_TEXT = 100;

const name: Check = (option, value) => {
  const isName = typeof value === 'string' && CARD_NAME.test(value) && value.length <= LONGEST_NAME;
  if (!isName) check.fail(option, 'must be a name in reverse-DNS form such as "com.example/desk"');
};

const shortText: Check = (option, value) => {
  check.nonEmptyString(option, value);
  if ((value as string).length > LONGEST_TEXT)
    check.fail(option, `must have at most ${LONGEST_TEXT} characters`);
};

const INPUT: Readonly<Record<Exclude<keyof CardInput, 'name' | 'variables'>, Check>> = {
  description: check.nonEmptyString,
  isRequired: check.flag,
  isSecret: check.flag,
  format: check.oneOf('string', 'number', 'boolean', 'filepath'),
  default: check.nonEmptyString,
  placeholder: check.nonEmptyString,
  value: check.nonEmptyString,
  choices: check.list(check.nonEmptyString),
};

const variables: Check = (option, value) => {
  if (!isObject(value)) check.fail(option, 'must be an object whose keys are the names in braces in "value"');
  for (const [variable, input] of Object.entries(value))
    check.assertProperties(`${option}.${variable}`, input, INPUT);
};

const INPUTS = check.list(
  check.properties({ name: check.required(check.nonEmptyString, '"X-Tenant"'), ...INPUT, variables }),
);

const REPOSITORY = optionGroup<CardRepository, 'subfolder' | 'id'>({
  url: check.required(check.httpUrl, '"https://github.com/example/desk"'),
  source: check.required(check.nonEmptyString, '"github"'),
  subfolder: check.nonEmptyString,
  id: check.nonEmptyString,
});

export const SERVER_CARD = optionGroup<ServerCardOptions, Exclude<keyof ServerCardOptions, 'catalog'>>({
  name,
  title: shortText,
  description: shortText,
  websiteUrl: check.httpUrl,
  repository: REPOSITORY,
  headers: INPUTS,
  environmentVariables: INPUTS,
  catalog: [check.flag, true],
  _meta: check.object,
});
