import {
  assertMembers,
  fail,
  flag,
  httpUrl,
  list,
  members,
  object,
  oneOf,
  required,
  text,
  type Check,
  type Checks,
} from '../../../core/checks/option-checks.js';
import { isObject } from '../../../core/protocol/json-rpc.js';

/** What schemas of the card and of `server.json` allow. */
export const CARD_NAME = /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/;
export const LONGEST_NAME = 200;
export const LONGEST_TEXT = 100;

const name: Check = (option, value) => {
  const isName = typeof value === 'string' && CARD_NAME.test(value) && value.length <= LONGEST_NAME;
  if (!isName) fail(option, 'must be a name in reverse-DNS form such as "com.example/desk"');
};

const shortText: Check = (option, value) => {
  text(option, value);
  if ((value as string).length > LONGEST_TEXT) fail(option, `must have at most ${LONGEST_TEXT} characters`);
};

const INPUT: Checks = {
  description: text,
  isRequired: flag,
  isSecret: flag,
  format: oneOf('string', 'number', 'boolean', 'filepath'),
  default: text,
  placeholder: text,
  value: text,
  choices: list(text),
};

const variables: Check = (option, value) => {
  if (!isObject(value)) fail(option, 'must be an object with the names in braces of "value"');
  for (const [variable, input] of Object.entries(value)) assertMembers(`${option}.${variable}`, input, INPUT);
};

const NAMED_INPUT: Checks = { name: required(text, '"X-Tenant"'), ...INPUT, variables };

const CARD: Checks = {
  name,
  title: shortText,
  description: shortText,
  websiteUrl: httpUrl,
  repository: members({
    url: required(httpUrl, '"https://github.com/example/desk"'),
    source: required(text, '"github"'),
    subfolder: text,
    id: text,
  }),
  headers: list(members(NAMED_INPUT)),
  environmentVariables: list(members(NAMED_INPUT)),
  catalog: flag,
  _meta: object,
};

/** Checks the option of the server card. */
export const assertServerCardOptions: Check = (option, value) => {
  if (typeof value !== 'boolean') assertMembers(option, value, CARD);
};
