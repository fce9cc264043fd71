import { Ajv2020 } from 'ajv/dist/2020.js';

/** A tool of a list. */
export interface HostedTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: unknown;
}

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const KEYWORDS = ['items', 'contains', 'not', 'if', 'then', 'else', 'propertyNames', 'unevaluatedItems'];
const MAPS = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];
const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];

/** Walks everything that stands where a schema may be, whatever it is. */
function* walk(schema: unknown): Generator<unknown> {
  yield schema;
  if (!isObject(schema)) return;
  for (const keyword of KEYWORDS) if (keyword in schema) yield* walk(schema[keyword]);
  if (isObject(schema['additionalProperties'])) yield* walk(schema['additionalProperties']);
  for (const keyword of MAPS) {
    for (const inner of Object.values((schema[keyword] ?? {}) as Json)) yield* walk(inner);
  }
  for (const keyword of LISTS) {
    for (const inner of (schema[keyword] ?? []) as readonly unknown[]) yield* walk(inner);
  }
}

const schemasOf = ({ inputSchema }: HostedTool) => [...walk(inputSchema)];
const objectsOf = (tool: HostedTool) => schemasOf(tool).filter(isObject);
const rootOf = ({ inputSchema }: HostedTool) => (isObject(inputSchema) ? inputSchema : {});

function* findCombinators(tool: HostedTool, keywords: readonly string[]): Generator<string> {
  for (const keyword of keywords) if (keyword in rootOf(tool)) yield `"${keyword}" at the root`;
}

function* findArrays(tool: HostedTool): Generator<string> {
  for (const schema of objectsOf(tool)) {
    const isArray = [schema['type']].flat().includes('array');
    if (isArray && !isObject(schema['items'])) yield `array schema missing items: ${JSON.stringify(schema)}`;
  }
}

const meta = new Ajv2020({ strict: false });

/** What each host answers with 400 to, written from the reports of its users and from its documentation. */
export const HOST_VALIDATORS: Readonly<Record<string, (tool: HostedTool) => Iterable<string>>> = {
  /** https://github.com/mark3labs/mcphost/issues/88, https://github.com/langchain-ai/langchainjs/issues/9804 */
  *OpenAI(tool) {
    if (!/^[a-zA-Z0-9_-]{1,64}$/.test(tool.name)) yield 'name';
    if ((tool.description?.length ?? 0) > 1_024) yield 'description';
    if (rootOf(tool)['type'] !== 'object') yield 'type of the root';
    if (!isObject(rootOf(tool)['properties'])) yield 'object schema missing properties';
    yield* findCombinators(tool, ['oneOf', 'anyOf', 'allOf', 'enum', 'not']);
    yield* findArrays(tool);
  },
  /** https://github.com/anthropics/claude-code/issues/5319, https://github.com/diegosouzapw/OmniRoute/issues/13552 */
  *Anthropic(tool) {
    if (!/^[a-zA-Z0-9_-]{1,128}$/.test(tool.name)) yield 'name';
    yield* findCombinators(tool, ['oneOf', 'anyOf', 'allOf']);
    // Version 1 of the official SDK names draft-07 in every input schema: it is the keywords that are judged.
    const { $schema: _, ...root } = rootOf(tool);
    if (meta.validateSchema(root) !== true) yield `draft 2020-12: ${meta.errorsText()}`;
    for (const { properties } of objectsOf(tool)) {
      for (const name of Object.keys(properties ?? {})) {
        if (!/^[a-zA-Z0-9_.-]{1,64}$/.test(name)) yield `property key "${name}"`;
      }
    }
  },
  /** https://github.com/can1357/oh-my-pi/issues/5952, https://github.com/anomalyco/opencode/issues/37496 */
  *Moonshot(tool) {
    for (const schema of schemasOf(tool)) if (!isObject(schema)) yield `no object: ${JSON.stringify(schema)}`;
    for (const schema of objectsOf(tool))
      if ('anyOf' in schema && 'type' in schema) yield 'type beside anyOf';
  },
  /** https://github.com/BerriAI/litellm/issues/12543, https://github.com/microsoft/azure-devops-mcp/issues/145 */
  *Gemini(tool) {
    if (!/^[a-zA-Z_][a-zA-Z0-9_.-]{0,63}$/.test(tool.name)) yield 'name';
    for (const schema of objectsOf(tool)) {
      const values = (schema['enum'] ?? []) as readonly unknown[];
      if (values.some((value) => typeof value !== 'string' || value === '')) yield 'enum';
      if ('const' in schema) yield 'const';
      if (Array.isArray(schema['type'])) yield 'list of types';
    }
    yield* findArrays(tool);
  },
  /** https://github.com/openclaw/openclaw/issues/12892 */
  *Bedrock({ name }) {
    if (!/^[a-zA-Z0-9_-]{1,64}$/.test(name)) yield 'name';
  },
  /** https://github.com/SylphxAI/pdf-reader-mcp/issues/63 */
  *Mistral(tool) {
    for (const schema of objectsOf(tool)) {
      if (typeof schema['exclusiveMinimum'] === 'boolean') yield 'boolean limit';
    }
  },
  /** https://github.com/microsoft/vscode/issues/246119 */
  'VS Code': findArrays,
};
