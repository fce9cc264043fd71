import { UriTemplate } from '../../../core/protocol/uri-template.js';
import type {
  PromptOptions,
  ResourceOptions,
  ResourceTemplateOptions,
  ToolOptions,
} from '../../settings/handler-options.interface.js';
import type { Named } from '../entries.js';
import { isUnused } from './find-arguments-type.js';
import { findGeneratorMisfit } from './find-generator-misfit.js';
import { findPromptMisfit } from './find-prompt-misfit.js';
import { findTemplateMisfit } from './find-template-misfit.js';

/** A handler that is a plain function. Absent if it stays as it is. */
export type GivenFunction = ((...args: never[]) => unknown) | undefined;

/** What is wrong with an entry of the catalog; `undefined` for what is right. */
export type Misfits = readonly (string | undefined)[];

/** Says why callers cannot use a tool that is a function. */
export function findToolMisfits({ name, inputSchema }: Named<ToolOptions>, handler: GivenFunction): Misfits {
  const subject = nameEntry('Tool', name);
  return [
    findGeneratorMisfit({ kind: 'tool', handler }, subject),
    inputSchema === undefined ? findUndescribed(handler, subject, 'inputSchema') : undefined,
  ];
}

/** Says why callers cannot use a prompt that is a function. */
export function findPromptMisfits(options: Named<PromptOptions>, handler: GivenFunction): Misfits {
  const { name, arguments: given } = options;
  const subject = nameEntry('Prompt', name);
  return [
    findGeneratorMisfit({ kind: 'prompt', handler }, subject),
    given === undefined ? findUndescribed(handler, subject, 'arguments') : findPromptMisfit(subject, given),
  ];
}

/** Says why callers cannot use a resource that is a function. */
export function findResourceMisfits({ uri }: Named<ResourceOptions>, handler: GivenFunction): Misfits {
  return [findGeneratorMisfit({ kind: 'resource', handler }, nameEntry('Resource', uri))];
}

/** Says why callers cannot use a resource template that is a function. */
export function findResourceTemplateMisfits(
  { uriTemplate }: Named<ResourceTemplateOptions>,
  handler: GivenFunction,
): Misfits {
  return [
    findGeneratorMisfit({ kind: 'resourceTemplate', handler }, nameEntry('Resource template', uriTemplate)),
    findTemplateMisfit(uriTemplate, new UriTemplate(uriTemplate).variables),
  ];
}

function findUndescribed(handler: GivenFunction, subject: string, option: string): string | undefined {
  if (handler === undefined || handler.length === 0 || isUnused(handler)) return undefined;
  return `${subject} has a parameter for the arguments, but nothing says what they are, so it gets none: give "${option}", or begin its name with "_" if nothing uses it`;
}

function nameEntry(kind: string, key: string): string {
  return `${kind} "${key}"`;
}
