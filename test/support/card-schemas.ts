import { expect } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/**
 * The rules of `schema.ts` in modelcontextprotocol/experimental-ext-server-card for a server card, and of the published schema of
 * `server.json` (https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json), written down here without their texts.
 */
const TEXT = { type: 'string' };
const SHORT = { type: 'string', minLength: 1, maxLength: 100 };
const URI = { type: 'string', format: 'uri' };

const INPUT = {
  type: 'object',
  properties: {
    description: TEXT,
    isRequired: { type: 'boolean' },
    isSecret: { type: 'boolean' },
    format: { enum: ['string', 'number', 'boolean', 'filepath'] },
    default: TEXT,
    placeholder: TEXT,
    value: TEXT,
    choices: { type: 'array', items: TEXT },
  },
};

const NAMED_INPUT = {
  type: 'object',
  required: ['name'],
  properties: {
    ...INPUT.properties,
    name: TEXT,
    variables: { type: 'object', additionalProperties: INPUT },
  },
};

const IDENTITY = {
  $schema: URI,
  name: { type: 'string', minLength: 3, maxLength: 200, pattern: '^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$' },
  version: { type: 'string', maxLength: 255 },
  description: SHORT,
  title: SHORT,
  websiteUrl: URI,
  repository: {
    type: 'object',
    required: ['url', 'source'],
    properties: { url: URI, source: TEXT, subfolder: TEXT, id: TEXT },
  },
  _meta: { type: 'object' },
};

const REMOTE = {
  type: 'object',
  required: ['type', 'url'],
  properties: {
    type: { enum: ['streamable-http', 'sse'] },
    url: { type: 'string', pattern: '^https?://[^\\s]+$' },
    headers: { type: 'array', items: NAMED_INPUT },
    variables: { type: 'object', additionalProperties: INPUT },
    supportedProtocolVersions: { type: 'array', items: TEXT },
  },
};

const SERVER_CARD = {
  type: 'object',
  required: ['$schema', 'name', 'version', 'description'],
  properties: {
    ...IDENTITY,
    $schema: { const: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json' },
    icons: {
      type: 'array',
      items: {
        type: 'object',
        required: ['src'],
        properties: {
          src: URI,
          mimeType: TEXT,
          sizes: { type: 'array', items: TEXT },
          theme: { enum: ['light', 'dark'] },
        },
      },
    },
    remotes: { type: 'array', items: REMOTE },
  },
};

const LOCAL_TRANSPORT = {
  type: 'object',
  required: ['type'],
  properties: { type: { enum: ['stdio', 'streamable-http', 'sse'] } },
};

const SERVER_JSON = {
  type: 'object',
  required: ['name', 'description', 'version'],
  properties: {
    ...IDENTITY,
    icons: {
      type: 'array',
      items: {
        type: 'object',
        required: ['src'],
        properties: {
          src: { type: 'string', format: 'uri', maxLength: 255 },
          mimeType: { enum: ['image/png', 'image/jpeg', 'image/jpg', 'image/svg+xml', 'image/webp'] },
          sizes: { type: 'array', items: { type: 'string', pattern: '^(\\d+x\\d+|any)$' } },
          theme: { enum: ['light', 'dark'] },
        },
      },
    },
    remotes: { type: 'array', items: REMOTE },
    packages: {
      type: 'array',
      items: {
        type: 'object',
        required: ['registryType', 'identifier', 'transport'],
        properties: {
          registryType: TEXT,
          registryBaseUrl: URI,
          identifier: TEXT,
          version: { type: 'string', minLength: 1, not: { const: 'latest' } },
          runtimeHint: TEXT,
          transport: LOCAL_TRANSPORT,
          environmentVariables: { type: 'array', items: NAMED_INPUT },
        },
      },
    },
  },
};

const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }));
const validators = { card: ajv.compile(SERVER_CARD), serverJson: ajv.compile(SERVER_JSON) };

/** Expects of a document that it follows the schema of server cards, or of `server.json`. */
export function expectValid(kind: keyof typeof validators, document: unknown): void {
  const validate = validators[kind];
  expect(validate(document) ? [] : validate.errors).toEqual([]);
}
