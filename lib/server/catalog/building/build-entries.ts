import type { Definition } from '../../../core/protocol/definitions.js';
import { findParameterHeaders } from '../../../core/protocol/headers/parameter-headers.js';
import { OwnMetaKey } from '../../../core/protocol/meta-keys.js';
import { findToolNameProblem } from '../../../core/protocol/tool-name.js';
import { UriTemplate } from '../../../core/protocol/uri-template.js';
import { compileSchema, EMPTY_OBJECT_SCHEMA } from '../../schema/compile-schema.js';
import type {
  AccessOptions,
  PromptOptions,
  ResourceOptions,
  ResourceTemplateOptions,
  ToolOptions,
} from '../../settings/handler-options.interface.js';
import { CatalogError } from '../catalog.error.js';
import type {
  Invoke,
  Named,
  PromptEntry,
  ResourceEntry,
  ResourceTemplateEntry,
  ToolEntry,
} from '../entries.js';
import type { NewEntry } from '../registry.js';
import { flattenRoot } from '../listing/flatten-root.js';
import { buildAppPage, selectMimeType } from './build-app-page.js';
import {
  assertScopeVariables,
  listSchemaVariables,
  type ScopeVariables,
  buildAccess,
  buildLimits,
  type LimitedOptions,
} from './build-access.js';
import {
  assertCacheHint,
  assertSize,
  assertTaskOptions,
  assertText,
  assertTimeout,
  assertUri,
  assertVariables,
  assertHandlerOptions,
} from './handler-option-checks.js';
import { buildPromptArguments } from './build-prompt-arguments.js';

/**
 * Builds a tool.
 *
 * @throws {CatalogError} if the name, the timeout or another option is invalid
 * @throws {OptionError} if an option is unknown or has the wrong type
 * @throws {SchemaError} if a schema cannot be used
 * @throws {ParameterHeaderError} if a schema annotation cannot be used
 */
export function buildToolEntry(options: Named<ToolOptions>, invoke: Invoke): NewEntry<ToolEntry> {
  assertHandlerOptions('tool', options);
  const { name, inputSchema, outputSchema, annotations, timeoutMs, task } = options;
  const { flattenUnions = true } = options;
  const problem = findToolNameProblem(name);
  if (problem !== undefined) throw CatalogError.invalid(problem);
  assertTimeout(timeoutMs);
  assertTaskOptions(options);
  const input = inputSchema === undefined ? EMPTY_OBJECT_SCHEMA : compileSchema(inputSchema, 'input');
  const output = outputSchema === undefined ? undefined : compileSchema(outputSchema, 'output');
  const variables = listSchemaVariables(input.jsonSchema, '"inputSchema"');
  return {
    key: name,
    ...buildHandler(options, invoke, variables),
    definition: {
      ...buildDefinition(options),
      inputSchema: flattenUnions ? flattenRoot(input.jsonSchema) : input.jsonSchema,
      ...(output && { outputSchema: output.jsonSchema }),
      ...(annotations && { annotations }),
      ...(task && { execution: { taskSupport: task } }),
    },
    input,
    ...(output && { output }),
    parameterHeaders: findParameterHeaders(input.original ?? input.jsonSchema),
    ...(timeoutMs !== undefined && { timeoutMs }),
  };
}

/**
 * Builds a resource.
 *
 * @throws {CatalogError} if an option is invalid
 */
export function buildResourceEntry(options: Named<ResourceOptions>, invoke: Invoke): NewEntry<ResourceEntry> {
  assertHandlerOptions('resource', options);
  const { uri, name, size, annotations, cache } = options;
  assertUri(uri);
  assertText('name', name);
  assertSize(size);
  assertCacheHint(cache);
  const app = buildAppPage(options);
  const mimeType = selectMimeType(uri, options.mimeType);
  return {
    key: uri,
    ...buildHandler(options, invoke, { source: 'the URI', names: [] }),
    definition: {
      uri,
      ...buildDefinition(options),
      ...(mimeType !== undefined && { mimeType }),
      ...(size !== undefined && { size }),
      ...(annotations && { annotations }),
    },
    ...(cache && { cache }),
    ...(app && { app }),
  };
}

/**
 * Builds a resource template.
 *
 * @throws {UriTemplateError} if the template is invalid
 * @throws {CatalogError} if another option is invalid
 */
export function buildResourceTemplateEntry(
  options: Named<ResourceTemplateOptions>,
  invoke: Invoke,
): NewEntry<ResourceTemplateEntry> {
  assertHandlerOptions('resourceTemplate', options);
  const { uriTemplate, name, annotations, cache } = options;
  assertText('uriTemplate', uriTemplate);
  const app = buildAppPage({ ...options, uri: uriTemplate });
  const mimeType = selectMimeType(uriTemplate, options.mimeType);
  assertText('name', name);
  assertCacheHint(cache);
  const template = new UriTemplate(uriTemplate);
  assertVariables(template.variables);
  return {
    key: uriTemplate,
    ...buildHandler(options, invoke, { source: 'the URI template', names: template.variables }),
    definition: {
      uriTemplate,
      ...buildDefinition(options),
      ...(mimeType !== undefined && { mimeType }),
      ...(annotations && { annotations }),
    },
    template,
    ...(cache && { cache }),
    ...(app && { app }),
  };
}

/**
 * Builds a prompt.
 *
 * @throws {CatalogError} if the name or the argument list is invalid
 * @throws {SchemaError} if the argument schema cannot be used
 */
export function buildPromptEntry(options: Named<PromptOptions>, invoke: Invoke): NewEntry<PromptEntry> {
  assertHandlerOptions('prompt', options);
  const { name, annotations } = options;
  assertText('name', name);
  const { arguments: listed, input, values } = buildPromptArguments(options.arguments);
  const names = (listed ?? []).map((argument) => argument.name);
  return {
    key: name,
    ...buildHandler(options, invoke, { source: 'the prompt arguments', names }),
    definition: {
      ...buildDefinition(options),
      ...(listed && { arguments: listed }),
      ...(annotations && { annotations }),
    },
    ...(input && { input }),
    ...(values && { values }),
  };
}

/** Builds the parts that entries of every kind have: the handler, who may call it, and how often. */
function buildHandler<Options extends AccessOptions & LimitedOptions>(
  options: Options,
  invoke: Invoke,
  variables: ScopeVariables,
) {
  const { access } = buildAccess(options);
  assertScopeVariables(access, variables);
  return { options, invoke, ...(access && { access }), ...buildLimits(options) };
}

/** The options, common to every kind, that lists show. */
type Shown = Definition & { readonly tags?: readonly string[] };

function buildDefinition({ name, title, description, icons, tags, _meta }: Shown): Definition {
  const isTagged = tags !== undefined && tags.length > 0;
  const meta = isTagged ? { ..._meta, [OwnMetaKey.tags]: [...new Set(tags)] } : _meta;
  return {
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(icons && { icons }),
    ...(meta && { _meta: meta }),
  };
}
