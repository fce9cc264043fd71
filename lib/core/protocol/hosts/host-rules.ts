/** A rule's subject. Lint rules are named after it, such as `host-root`. */
export type HostProblemKind =
  'name' | 'description' | 'root' | 'property' | 'items' | 'keyword' | 'output-dialect';

/** A property of a listed tool that is valid MCP but refused by some hosts. */
export interface HostRule {
  readonly kind: HostProblemKind;
  /** What is refused. */
  readonly refused: string;
  /** The model APIs or hosts that refuse it, each with the document or report about it. */
  readonly hosts: Readonly<Record<string, string>>;
  readonly fix: string;
}

const ISSUES = 'https://github.com';

/**
 * What hosts are documented or reported to reject. OpenAI's and Anthropic's strict modes are omitted, because hosts
 * that use them rewrite schemas anyway, and so is `format`, which Gemini's reference allows.
 */
export const HOST_RULES = {
  name: {
    kind: 'name',
    refused: 'a tool name that is not 1 to 64 letters, digits, `_`, `-`',
    hosts: {
      Claude: `${ISSUES}/evoila/meho/issues/2745`,
      OpenAI: `${ISSUES}/Lucassssss/eechat/issues/52`,
      Bedrock: `${ISSUES}/openclaw/openclaw/issues/12892`,
      'VS Code': `${ISSUES}/microsoft/vscode/issues/243602`,
    },
    fix: 'choose a "name" that matches',
  },
  nameStart: {
    kind: 'name',
    refused: 'a tool name that does not start with a letter or `_`',
    hosts: {
      Gemini: `${ISSUES}/BerriAI/litellm/issues/12543`,
      Moonshot: `${ISSUES}/MoonshotAI/kimi-cli/issues/2531`,
    },
    fix: 'start its "name" with a letter',
  },
  description: {
    kind: 'description',
    refused: 'a tool description with more than 1,024 characters',
    hosts: { OpenAI: `${ISSUES}/CherryHQ/cherry-studio/issues/3698` },
    fix: 'shorten it, and move details to a resource',
  },
  rootType: {
    kind: 'root',
    refused: "a root without `type: 'object'`",
    hosts: { OpenAI: `${ISSUES}/vercel/ai/issues/7005` },
    fix: 'make the arguments an object',
  },
  rootProperties: {
    kind: 'root',
    refused: 'a root without `properties`; this package lists them as empty',
    hosts: { OpenAI: `${ISSUES}/langchain-ai/langchain-mcp-adapters/issues/137` },
    fix: 'add "properties", empty if there are none',
  },
  rootKeyword: {
    kind: 'root',
    refused: '`oneOf`, `anyOf`, `allOf`, `not`, `if`, `enum`, `const` or `$ref` at the root',
    hosts: {
      Anthropic: `${ISSUES}/anthropics/claude-code/issues/5319`,
      OpenAI: `${ISSUES}/langchain-ai/langchainjs/issues/9804`,
    },
    fix: 'list the fields under "properties", or move the keyword into one of them',
  },
  property: {
    kind: 'property',
    refused: 'a property name, at any depth, that is not 1 to 64 letters, digits, `_`, `.`, `-`',
    hosts: { Anthropic: `${ISSUES}/diegosouzapw/OmniRoute/issues/13552` },
    fix: 'rename it',
  },
  noItems: {
    kind: 'items',
    refused: 'an array without `items`',
    hosts: {
      Gemini: `${ISSUES}/wecode-ai/Wegent/pull/1274`,
      OpenAI: `${ISSUES}/apify/apify-mcp-server/issues/36`,
      'VS Code': `${ISSUES}/microsoft/vscode/issues/246119`,
    },
    fix: 'describe its items',
  },
  tupleItems: {
    kind: 'items',
    refused: 'an array whose `items` is a list, as in draft-07 tuples, or a boolean',
    hosts: {
      ChatGPT: `${ISSUES}/oomkapwn/enquire-mcp/issues/354`,
      Moonshot: `${ISSUES}/surrealdb/surrealdb/issues/7442`,
    },
    fix: 'describe all items in one schema, with "minItems" and "maxItems" for a tuple',
  },
  booleanSchema: {
    kind: 'keyword',
    refused: '`true` or `false` as the schema of a property; this package lists objects',
    hosts: {
      Moonshot: `${ISSUES}/can1357/oh-my-pi/issues/5952`,
      'MCP TypeScript SDK 1': `${ISSUES}/Azure/Azure-Resource-Manager-MCP/issues/21`,
    },
    fix: 'write {} for true, and omit properties that are false',
  },
  emptyEnum: {
    kind: 'keyword',
    refused: 'an `enum` with an empty string',
    hosts: { Gemini: `${ISSUES}/Bobsilvio/ha-claude/pull/32` },
    fix: 'omit the property instead, or use a word such as "none"',
  },
  enumType: {
    kind: 'keyword',
    refused: 'an `enum` with values that are not strings',
    hosts: { Gemini: `${ISSUES}/microsoft/azure-devops-mcp/issues/145` },
    fix: 'use strings, or a number with "minimum" and "maximum"',
  },
  const: {
    kind: 'keyword',
    refused: '`const`',
    hosts: { Gemini: `${ISSUES}/zed-extensions/mcp-server-brave-search/issues/12` },
    fix: 'use an "enum" with one value',
  },
  typeList: {
    kind: 'keyword',
    refused: 'a list of types, such as `["string", "null"]`',
    hosts: { Gemini: `${ISSUES}/aoci-spec/aoci-code/issues/61` },
    fix: 'use "anyOf" with one type each, or make the property optional instead of nullable',
  },
  unionType: {
    kind: 'keyword',
    refused: '`type` next to `anyOf`',
    hosts: { Moonshot: `${ISSUES}/anomalyco/opencode/issues/37496` },
    fix: 'move "type" into the alternatives',
  },
  reference: {
    kind: 'keyword',
    refused: '`$ref`, which remains in recursive schemas',
    hosts: {
      Anthropic: `${ISSUES}/diegosouzapw/OmniRoute/issues/13552`,
      Gemini: `${ISSUES}/google-gemini/gemini-cli/issues/13326`,
    },
    fix: 'inline the definition, to the depth that you need',
  },
  booleanLimit: {
    kind: 'keyword',
    refused: '`exclusiveMinimum` or `exclusiveMaximum` as a boolean, as in draft-04',
    hosts: {
      Anthropic: `${ISSUES}/Dokploy/mcp/issues/74`,
      Mistral: `${ISSUES}/SylphxAI/pdf-reader-mcp/issues/63`,
    },
    fix: 'set it to the limit itself',
  },
  outputDialect: {
    kind: 'output-dialect',
    refused: 'an output schema whose `$schema` is not draft 2020-12',
    hosts: { 'Claude Desktop': `${ISSUES}/anthropics/claude-code/issues/88882` },
    fix: 'omit "$schema", and write the schema for draft 2020-12',
  },
} as const satisfies Readonly<Record<string, HostRule>>;

/** The hosts and APIs that refuse something. */
export const HOSTS: readonly string[] = [
  ...new Set(Object.values(HOST_RULES).flatMap(({ hosts }) => Object.keys(hosts))),
].toSorted();

/** A rule's name. */
export type HostRuleName = keyof typeof HOST_RULES;
