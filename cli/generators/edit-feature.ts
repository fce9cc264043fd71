import { maskSource } from '../application/masked-source.js';
import { insertAll, insertElement } from '../application/object-literal.js';
import { findCalls } from './find-server.js';

/** What `McpModule.forFeature()` says in a module. */
export interface Feature {
  /** The source with the class in the list of the feature, if the module has one. */
  readonly text: string;
  /** The server that the module's handlers belong to; nothing if no server is named. */
  readonly server: string | undefined;
}

/**
 * Assigns a class to the same server as the other handlers of its module.
 *
 * @throws {ApplicationError} if the list of the feature is no plain array
 */
export function editFeature(text: string, className: string): Feature {
  const [feature, ...others] = findCalls({ path: '', text }, ['forFeature']);
  if (feature?.options === undefined || others.length > 0) return { text, server: undefined };
  const { options, server } = feature;
  const list = options.members.get('providers');
  // One that takes handlers by their tags has no list, and would take nothing else with one.
  if (list === undefined) return { text, server: undefined };
  const isThere = new RegExp(`\\b${className}\\b`).test(text.slice(list.start, list.end));
  if (isThere) return { text, server };
  const insertion = insertElement(maskSource(text), options, { list: 'providers', element: className });
  return { text: insertAll(text, [insertion]), server };
}
