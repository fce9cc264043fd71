/** The subject of a rule, after which lint rules are named, such as `host-root`. */
export type HostProblemKind =
  'name' | 'description' | 'root' | 'property' | 'items' | 'keyword' | 'output-dialect';

/** A property of a listed tool that is valid MCP but refused by some hosts. */
export interface HostRule {
  readonly kind: HostProblemKind;
  /** What is refused. */
  readonly refused: string;
  /** Who refuses it, a model API or a host with its own checks, each with the document or report about it. */
  readonly hosts: Readonly<Record<string, string>>;
  readonly fix: string;
}

const ISSUES = 'https://github.com';

/**
 * What hosts refuse, as far as it is documented or reported. The strict modes of OpenAI and Anthropic are left out,
 * because hosts that use them rewrite schemas anyway. So is `format`, which Gemini's reference allows.
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
    fix: 'give it such a "name"',
  },
  nameStart: {
    kind: 'name',
    refused: 'a tool name that does not begin with a letter or `_`',
    hosts: {
      Gemini: `${ISSUES}/BerriAI/litellm/issues/12543`,
      Moonshot: `${ISSUES}/MoonshotAI/kimi-cli/issues/2531`,
    },
    fix: 'begin its "name" with a letter',
  },
  description: {
    kind: 'description',
    refused: 'a description of a tool with more than 1,024 characters',
    hosts: { OpenAI: `${ISSUES}/CherryHQ/cherry-studio/issues/3698` },
    fix: 'shorten it, and put details into a resource',
  },
  rootType: {
    kind: 'root',
    refused: "a root that is not of `type: 'object'`",
    hosts: { OpenAI: `${ISSUES}/vercel/ai/issues/7005` },
    fix: 'let the arguments be an object',
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
    fix: 'list the members under "properties", or move this inside one of them',
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
    refused: 'an array whose `items` are a list, as draft-07 writes tuples, or a boolean',
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
    fix: 'write {} for true, and leave out what is false',
  },
  emptyEnum: {
    kind: 'keyword',
    refused: 'an `enum` with an empty string',
    hosts: { Gemini: `${ISSUES}/Bobsilvio/ha-claude/pull/32` },
    fix: 'leave the property out instead, or use a word such as "none"',
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
    fix: 'write an "enum" of one value',
  },
  typeList: {
    kind: 'keyword',
    refused: 'a list of types, such as `["string", "null"]`',
    hosts: { Gemini: `${ISSUES}/aoci-spec/aoci-code/issues/61` },
    fix: 'write "anyOf" with one type each, or let the property be optional instead of null',
  },
  unionType: {
    kind: 'keyword',
    refused: '`type` beside `anyOf`',
    hosts: { Moonshot: `${ISSUES}/anomalyco/opencode/issues/37496` },
    fix: 'move "type" into the alternatives',
  },
  reference: {
    kind: 'keyword',
    refused: '`$ref`, which stays in schemas that contain themselves',
    hosts: {
      Anthropic: `${ISSUES}/diegosouzapw/OmniRoute/issues/13552`,
      Gemini: `${ISSUES}/google-gemini/gemini-cli/issues/13326`,
    },
    fix: 'write the definition in its place, to the depth that is needed',
  },
  booleanLimit: {
    kind: 'keyword',
    refused: '`exclusiveMinimum` or `exclusiveMaximum` as a boolean, as draft-04 has it',
    hosts: {
      Anthropic: `${ISSUES}/Dokploy/mcp/issues/74`,
      Mistral: `${ISSUES}/SylphxAI/pdf-reader-mcp/issues/63`,
    },
    fix: 'give the limit itself as its value',
  },
  outputDialect: {
    kind: 'output-dialect',
    refused: 'an output schema whose `$schema` is not draft 2020-12',
    hosts: { 'Claude Desktop': `${ISSUES}/anthropics/claude-code/issues/88882` },
    fix: 'leave "$schema" out, and write the schema for draft 2020-12',
  },
} as const satisfies Readonly<Record<string, HostRule>>;

/** The hosts and APIs that refuse something. */
export const HOSTS: readonly string[] = [
  ...new Set(Object.values(HOST_RULES).flatMap(({ hosts }) => Object.keys(hosts))),
].toSorted();

/** The name of a rule. */
export type HostRuleName = keyof typeof HOST_RULES;
