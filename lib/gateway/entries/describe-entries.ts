import type {
  PromptDefinition,
  ResourceDefinition,
  ResourceTemplateDefinition,
  ToolDefinition,
} from '../../index.js';
import type { GatewayEntry } from '../settings/gateway-options.js';

type AnyDefinition = ToolDefinition | PromptDefinition | ResourceDefinition | ResourceTemplateDefinition;

/** Selects the fields that every list shows. */
export function describeShown({ title, description, icons, _meta }: AnyDefinition) {
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(icons && { icons }),
    ...(_meta && { _meta: omitOwnMeta(_meta) }),
  };
}

/** Selects the resource or template fields that lists show. */
export function describeShownResource(listed: ResourceDefinition | ResourceTemplateDefinition) {
  const { name, mimeType, size, annotations } = listed as ResourceDefinition;
  return {
    name,
    ...describeShown(listed),
    ...(mimeType !== undefined && { mimeType }),
    ...(size !== undefined && { size }),
    ...(annotations && { annotations }),
  };
}

/** This package's keys in another server's `_meta` would be mistaken for the gateway's own. */
function omitOwnMeta(meta: { readonly [key: string]: unknown }): { readonly [key: string]: unknown } {
  return Object.fromEntries(Object.entries(meta).filter(([key]) => !key.startsWith('io.nestjs-mcp/')));
}

/** Describes a tool or a prompt for selections. */
export function describeNamed({ name, description, annotations }: AnyDefinition): GatewayEntry {
  const hints = annotations as GatewayEntry['annotations'];
  return { key: name, name, description, ...(hints && { annotations: hints }) };
}

/** Describes a resource for selections. */
export function describeResource(resource: ResourceDefinition): GatewayEntry {
  return { ...describeNamed(resource), key: resource.uri };
}

/** Describes a resource template for selections. */
export function describeTemplate(template: ResourceTemplateDefinition): GatewayEntry {
  return { ...describeNamed(template), key: template.uriTemplate };
}
