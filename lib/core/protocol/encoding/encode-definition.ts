import type { OpenObject } from '../capabilities.js';
import type {
  Annotations,
  Definition,
  Implementation,
  PromptArgument,
  PromptDefinition,
  ResourceDefinition,
  ResourceTemplateDefinition,
  ToolAnnotations,
  ToolDefinition,
} from '../definitions.js';
import { isObject } from '../json-rpc.js';
import type { Revision } from '../revisions.js';

/** An object to serialize; properties that are `undefined` are not written. */
export type Encoded = Record<string, unknown>;

/** Encodes a client's or server's identity. */
export function encodeImplementation(info: Implementation, revision: Revision): Encoded {
  const { defines } = revision;
  return {
    name: info.name,
    title: defines.title ? info.title : undefined,
    version: info.version,
    description: defines.implementationDescription ? info.description : undefined,
    websiteUrl: defines.implementationDescription ? info.websiteUrl : undefined,
    icons: defines.icons ? info.icons : undefined,
  };
}

/** Encodes a tool as shown in the revision's `tools/list`. */
export function encodeTool(tool: ToolDefinition, revision: Revision): Encoded {
  const { defines } = revision;
  const securitySchemes = defines.definitionMeta ? tool.securitySchemes : undefined;
  return {
    ...encodeShared(withSchemesInMeta(tool, securitySchemes), revision),
    inputSchema: tool.inputSchema,
    outputSchema: showsOutputSchema(tool, revision) ? tool.outputSchema : undefined,
    annotations: defines.toolAnnotations ? tool.annotations : onlyExperimental(tool.annotations),
    execution: defines.taskExecution ? tool.execution : undefined,
    securitySchemes,
  };
}

/** Some clients look for them only in `_meta`. */
function withSchemesInMeta(
  tool: ToolDefinition,
  securitySchemes: ToolDefinition['securitySchemes'],
): ToolDefinition {
  return securitySchemes === undefined ? tool : { ...tool, _meta: { ...tool._meta, securitySchemes } };
}

/** Encodes a resource as shown in the revision's `resources/list`. */
export function encodeResource(resource: ResourceDefinition, revision: Revision): Encoded {
  return {
    uri: resource.uri,
    ...encodeShared(resource, revision),
    mimeType: resource.mimeType,
    size: resource.size,
    annotations: encodeAnnotations(resource.annotations, revision),
  };
}

/** Encodes a template as shown in the revision's `resources/templates/list`. */
export function encodeResourceTemplate(template: ResourceTemplateDefinition, revision: Revision): Encoded {
  return {
    uriTemplate: template.uriTemplate,
    ...encodeShared(template, revision),
    mimeType: template.mimeType,
    annotations: encodeAnnotations(template.annotations, revision),
  };
}

/** Encodes a prompt as shown in the revision's `prompts/list`. */
export function encodePrompt(prompt: PromptDefinition, revision: Revision): Encoded {
  return {
    ...encodeShared(prompt, revision),
    arguments: prompt.arguments?.map((argument) => encodePromptArgument(argument, revision)),
    annotations: encodeAnnotations(prompt.annotations, revision),
  };
}

/** Encodes annotations, omitting those that a revision does not define, except `experimental`. */
export function encodeAnnotations(
  annotations: Annotations | undefined,
  { defines }: Revision,
): Annotations | undefined {
  if (annotations?.lastModified === undefined || defines.lastModified) return annotations;
  const { lastModified: _, ...defined } = annotations;
  return defined;
}

/** Adds an extension's properties to an encoded entry's `_meta`. Existing properties take precedence. */
export function addMeta(encoded: Encoded, added: OpenObject): Encoded {
  if (Object.keys(added).length === 0) return encoded;
  const present = encoded['_meta'];
  return { ...encoded, _meta: { ...added, ...(isObject(present) && present) } };
}

function encodeShared(definition: Definition, { defines }: Revision): Encoded {
  return {
    name: definition.name,
    title: defines.title ? definition.title : undefined,
    description: definition.description,
    icons: defines.icons ? definition.icons : undefined,
    _meta: defines.definitionMeta ? definition._meta : undefined,
  };
}

function encodePromptArgument(argument: PromptArgument, { defines }: Revision): Encoded {
  const { name, title, description, required } = argument;
  return { name, title: defines.title ? title : undefined, description, required };
}

/** In revisions before structured content could be any JSON value, an output schema had to describe an object. */
function showsOutputSchema(tool: ToolDefinition, { defines }: Revision): boolean {
  if (!defines.outputSchema) return false;
  return defines.structuredContent === 'any' || tool.outputSchema?.['type'] === 'object';
}

function onlyExperimental(annotations: ToolAnnotations | undefined): ToolAnnotations | undefined {
  return annotations?.experimental === undefined ? undefined : { experimental: annotations.experimental };
}
