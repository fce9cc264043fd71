import { makeLine } from '../visible-text.js';
import type { ListedResources } from './list-resources.js';

interface Described {
  readonly name?: string | undefined;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly mimeType?: string | undefined;
}

/** Prints the resources for a person: first those with a URI, then the templates. */
export function formatResources({ resources, resourceTemplates }: ListedResources): string {
  return [
    ...resources.map((resource) => formatEntry(resource.uri, resource)),
    ...resourceTemplates.map((template) => formatEntry(template.uriTemplate, template)),
  ].join('\n');
}

function formatEntry(place: string, { name, title, description, mimeType }: Described): string {
  const about = makeLine(description ?? title ?? name ?? '');
  const type = mimeType === undefined ? '' : `  (${makeLine(mimeType)})`;
  return `${makeLine(place)}${about === '' ? '' : `  ${about}`}${type}`;
}
