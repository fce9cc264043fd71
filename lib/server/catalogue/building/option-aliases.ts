import type { Aliases } from '../../../core/checks/option-checks.js';
import type { HandlerKind } from '../../decorators/handler-metadata.js';

const OF_TOOLS = [
  ['parameters', 'inputSchema'],
  ['paramsSchema', 'inputSchema'],
  ['params', 'inputSchema'],
  ['arguments', 'inputSchema'],
  ['args', 'inputSchema'],
  ['schema', 'inputSchema'],
  ['returns', 'outputSchema'],
  ['result', 'outputSchema'],
  ['app', 'ui'],
  ['meta', '_meta'],
] as const;

/** Names that other libraries and the protocol have for options. If you use one, the error gives the right name. */
export const OPTION_ALIASES: Readonly<Record<HandlerKind, Aliases>> = {
  tool: new Map(OF_TOOLS),
  resource: new Map([
    ['meta', '_meta'],
    ['uriTemplate', 'uri'],
    ['contentType', 'mimeType'],
  ]),
  resourceTemplate: new Map([
    ['meta', '_meta'],
    ['uri', 'uriTemplate'],
    ['contentType', 'mimeType'],
  ]),
  app: new Map([
    ['meta', '_meta'],
    ['path', 'file'],
    ['folder', 'directory'],
  ]),
  prompt: new Map([
    ['meta', '_meta'],
    ['parameters', 'arguments'],
    ['params', 'arguments'],
    ['args', 'arguments'],
    ['schema', 'arguments'],
    ['inputSchema', 'arguments'],
  ]),
  completion: new Map([
    ['uriTemplate', 'resourceTemplate'],
    ['template', 'resourceTemplate'],
    ['name', 'prompt'],
  ]),
};
