import { HANDLER_KINDS } from '../generators/handler-kinds.js';
import type { HandlerOptions } from '../generators/handler-request.js';
import { planHandler } from '../generators/plan-handler.js';
import { createRule, type InstallationOptions, type SchematicRule } from './schematic-tree.js';

type Schematic = (options: HandlerOptions & InstallationOptions) => SchematicRule;

function createSchematic(kind: keyof typeof HANDLER_KINDS): Schematic {
  return (options) => createRule((project) => planHandler(HANDLER_KINDS[kind], options, project), options);
}

/** Adds a tool. */
export const addTool = createSchematic('tool');

/** Adds a resource. */
export const addResource = createSchematic('resource');

/** Adds a resource template. */
export const addTemplate = createSchematic('template');

/** Adds a prompt. */
export const addPrompt = createSchematic('prompt');

/** Adds an app: a page that hosts display, with the tool that opens it. */
export const addApp = createSchematic('app');

/** Adds a skill. */
export const addSkill = createSchematic('skill');

/** Adds an event source. */
export const addEventSource = createSchematic('event-source');

/** Adds a protocol extension. */
export const addExtension = createSchematic('extension');

/** Adds a token validator. */
export const addIdentityProvider = createSchematic('identity-provider');
