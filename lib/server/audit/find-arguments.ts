import { isObject } from '../../core/protocol/json-rpc.js';

/** Finds the arguments of a method. For tools and prompts these are `arguments`, for other methods all parameters except `_meta`. */
export function findArguments(method: string, params: unknown): unknown {
  if (!isObject(params)) return undefined;
  if (method === 'tools/call' || method === 'prompts/get') return params['arguments'];
  const { _meta, ...rest } = params;
  return Object.keys(rest).length === 0 ? undefined : rest;
}
