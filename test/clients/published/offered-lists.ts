import type { Listed } from './official-client.js';
import type { PublishedServer } from './published-servers.js';

type Json = { readonly [name: string]: unknown };

/** What decides how the gateway lists a server's entries. */
interface Offering extends Pick<PublishedServer, 'name' | 'hasApps'> {
  /** Whether the client has a session: then it learns from the list which tools run as tasks, and gets schemas in their listed form. */
  readonly hasSession: boolean;
}

/** Builds the lists that the gateway should offer for the lists of a server: under its prefix, with schemas in listed form. */
export function buildOffered(listed: Listed, { name, hasApps = false, hasSession }: Offering): object {
  const list = hasSession ? listSchema : listUnchanged;
  return {
    tools: listed.tools.map(({ execution, _meta, inputSchema, outputSchema, ...tool }) => ({
      ...tool,
      name: `${name}_${tool.name}`,
      inputSchema: list({ properties: {}, ...inputSchema }),
      ...(outputSchema && { outputSchema: list(dropDraft7(outputSchema)) }),
      ...(hasSession && isTask(execution) && { execution: { taskSupport: 'optional' } }),
      _meta: hasApps ? prefixApp(_meta, name) : { ..._meta, ui: { visibility: ['model'] } },
    })),
    resources: listed.resources.map((resource) => ({ ...resource, uri: prefixUri(resource.uri, name) })),
    resourceTemplates: listed.resourceTemplates.map((template) => ({
      ...template,
      uriTemplate: prefixUri(template.uriTemplate, name),
    })),
    prompts: listed.prompts.map((prompt) => ({ ...prompt, name: `${name}_${prompt.name}` })),
  };
}

/** Selects what the gateway offers of one server. */
export function selectOffered(offered: Listed, name: string): object {
  const isOwn = (uri: string) => uri.startsWith(`${name}+`) || uri.startsWith(`ui://${name}+`);
  return {
    tools: offered.tools.filter((tool) => tool.name.startsWith(`${name}_`)),
    resources: offered.resources.filter(({ uri }) => isOwn(uri)),
    resourceTemplates: offered.resourceTemplates.filter(({ uriTemplate }) => isOwn(uriTemplate)),
    prompts: offered.prompts.filter((prompt) => prompt.name.startsWith(`${name}_`)),
  };
}

export function prefixUri(uri: string, name: string): string {
  return uri.startsWith('ui://') ? `ui://${name}+${uri.slice('ui://'.length)}` : `${name}+${uri}`;
}

function isTask(execution: { readonly taskSupport?: string | undefined } | undefined): boolean {
  return execution?.taskSupport !== undefined && execution.taskSupport !== 'forbidden';
}

/** Both keys of a tool's app name its page. */
function prefixApp(meta: Json = {}, name: string): Json {
  return JSON.parse(JSON.stringify(meta).replaceAll('"ui://', `"ui://${name}+`)) as Json;
}

/** The protocol's dialect is passed on as it is; others are listed in the same form everywhere. */
function listUnchanged(listed: Json): Json {
  return listed['$schema'] === undefined || hasDialect(listed, '2020-12') ? listed : listSchema(listed);
}

function hasDialect({ $schema }: Json, dialect: string): boolean {
  return typeof $schema === 'string' && $schema.includes(dialect);
}

/** Hosts refuse output schemas of draft-07, which the tools' have in common with draft 2020-12 but for the name. */
function dropDraft7(schema: Json): Json {
  const { $schema: _, ...others } = schema;
  return hasDialect(schema, 'draft-07') ? others : schema;
}

/** The listed form of a schema has its definitions inlined. */
function listSchema(listed: Json): Json {
  return inlineReferences(listed, listed) as Json;
}

/** Puts each definition in the place of its references. */
function inlineReferences(node: unknown, root: Json): unknown {
  if (Array.isArray(node)) return node.map((one) => inlineReferences(one, root));
  if (typeof node !== 'object' || node === null) return node;
  const { $ref, $defs: _, ...rest } = node as Json;
  const inlined = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [key, inlineReferences(value, root)]),
  );
  return typeof $ref === 'string'
    ? { ...(inlineReferences(find($ref, root), root) as Json), ...inlined }
    : inlined;
}

function find(reference: string, root: Json): unknown {
  return reference
    .split('/')
    .slice(1)
    .reduce<unknown>((node, key) => (node as Json)[key], root);
}
