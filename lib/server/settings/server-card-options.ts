import * as check from '../../core/checks/option-checks.js';
import type { Check } from '../../core/checks/option-checks.js';
import { optionGroup } from '../../core/checks/option-group.js';
import type { OpenObject } from '../../core/protocol/capabilities.js';
import { isObject } from '../../core/protocol/json-rpc.js';

/** The members of the server card and of `server.json` that no other option gives (SEP-2127). */
export interface ServerCardOptions {
  /** Names the server in reverse-DNS form, such as `com.example/desk`. @default `serverInfo.name` if it has that form, else made of it and the host of `publicUrl` */
  readonly name?: string;
  /** A display name of at most 100 characters. @default `serverInfo.title` */
  readonly title?: string;
  /** Describes the server in at most 100 characters. @default `serverInfo.description`, else its title or name */
  readonly description?: string;
  /** A page with more information. @default `serverInfo.websiteUrl` */
  readonly websiteUrl?: string;
  /** The source code of the server. @default none; `server.json` uses the repository in `package.json` */
  readonly repository?: CardRepository;
  /** Headers that clients send to the endpoint. @default `Authorization`, if the server requires tokens and publishes no metadata about where to get them */
  readonly headers?: readonly CardInput[];
  /** Variables that the process of the package is started with, for `server.json` alone. @default none */
  readonly environmentVariables?: readonly CardInput[];
  /** Whether `/.well-known/ai-catalog.json` names the card. @default true */
  readonly catalog?: boolean;
  /** Metadata of the card, under reverse-DNS keys. @default none */
  readonly _meta?: OpenObject;
}

/** The source code of a server. */
export interface CardRepository {
  /** The URL to browse it at. */
  readonly url: string;
  /** The service that hosts it, such as `github`. */
  readonly source: string;
  /** The folder of the server in it. @default its root */
  readonly subfolder?: string;
  /** The id of the repository at the service, which does not change with its name. @default none */
  readonly id?: string;
}

/** A value that clients ask people for, such as the value of a header. */
export interface CardInput {
  /** The name of the header, or of the variable. */
  readonly name: string;
  /** Describes the input. @default none */
  readonly description?: string;
  /** Whether the value is required. @default false */
  readonly isRequired?: boolean;
  /** Whether it is secret. @default false */
  readonly isSecret?: boolean;
  /** What kind of value it is. @default 'string' */
  readonly format?: 'string' | 'number' | 'boolean' | 'filepath';
  /** The value if none is given. @default none */
  readonly default?: string;
  /** Shows what a value looks like. @default none */
  readonly placeholder?: string;
  /** A fixed value, which may contain `{variables}`. @default none */
  readonly value?: string;
  /** The allowed values. @default any */
  readonly choices?: readonly string[];
  /** The `{variables}` in `value`, each under its name. @default none */
  readonly variables?: Readonly<Record<string, Omit<CardInput, 'name' | 'variables'>>>;
}

/** What schemas of the card and of `server.json` allow. */
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
  if (!isObject(value)) check.fail(option, 'must be an object with the names in braces of "value"');
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
