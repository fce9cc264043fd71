import type { OpenObject } from '../capabilities.js';
import type { InputRequest } from '../input-requests.js';
import { isContentBlock } from '../content.js';
import { isObject } from '../json-rpc.js';
import type { Revision, RevisionMembers } from '../revisions.js';
import { encodeBlock } from './encode-result.js';

/**
 * Finds the part of a request to the client that a revision does not define and cannot express in another way.
 *
 * @returns a human-readable description of the missing part, or `undefined`
 */
export function findRequestGap(
  { method, params = {} }: InputRequest,
  revision: Revision,
): string | undefined {
  if (method === 'elicitation/create') return findElicitationGap(params, revision.defines);
  if (method === 'sampling/createMessage') return findSamplingGap(params, revision.defines);
  return undefined;
}

/** Encodes the parameters that the revision defines for a request to the client. Undefined hints are omitted. */
export function encodeRequestParams({ method, params = {} }: InputRequest, revision: Revision): OpenObject {
  if (method === 'elicitation/create') return encodeElicitation(params, revision.defines);
  if (method === 'sampling/createMessage') return encodeSampling(params, revision);
  return params;
}

function findElicitationGap(params: OpenObject, defines: RevisionMembers): string | undefined {
  if (!defines.elicitation) return '"elicitation/create"';
  if (params['mode'] === 'url')
    return defines.urlElicitation ? undefined : 'URL mode in "elicitation/create"';
  if (defines.multipleChoices) return undefined;
  const [name] = readMembers(params['requestedSchema']).find(([, { type }]) => type === 'array') ?? [];
  return name === undefined ? undefined : `multiple choice in the form field "${name}"`;
}

function findSamplingGap(params: OpenObject, defines: RevisionMembers): string | undefined {
  const kinds = new Set(readMessages(params).flatMap(({ content }) => [content].flat().map(readType)));
  const hasTools = params['tools'] !== undefined || params['toolChoice'] !== undefined;
  const usesTools = hasTools || kinds.has('tool_use') || kinds.has('tool_result');
  if (usesTools && !defines.samplingTools) return 'tools in "sampling/createMessage"';
  return kinds.has('audio') && !defines.audio ? 'audio in "sampling/createMessage"' : undefined;
}

function encodeElicitation(params: OpenObject, defines: RevisionMembers): OpenObject {
  const { mode: _mode, ...rest } = params;
  const named = defines.urlElicitation ? params : rest;
  const schema = params['requestedSchema'];
  if (!isObject(schema) || (defines.titledChoices && defines.formDefaults)) return named;
  const members = readMembers(schema).map(([name, member]) => [name, encodeFormMember(member, defines)]);
  return { ...named, requestedSchema: { ...schema, properties: Object.fromEntries(members) } };
}

/**
 * Older revisions allow defaults only for boolean form properties, and have `enumNames` instead of titles for
 * choices.
 */
function encodeFormMember(member: OpenObject, defines: RevisionMembers): OpenObject {
  const { default: preset, oneOf, ...rest } = member;
  const keepsDefault = preset !== undefined && (defines.formDefaults || rest['type'] === 'boolean');
  return {
    ...rest,
    ...(oneOf !== undefined && encodeTitledChoice(oneOf, defines)),
    ...(keepsDefault && { default: preset }),
  };
}

function encodeTitledChoice(oneOf: unknown, defines: RevisionMembers): OpenObject {
  if (defines.titledChoices || !Array.isArray(oneOf) || !oneOf.every(isObject)) return { oneOf };
  return { enum: oneOf.map((option) => option['const']), enumNames: oneOf.map((option) => option['title']) };
}

/** If a revision allows one block in a message, several blocks become several messages with the same role. */
function encodeSampling(params: OpenObject, revision: Revision): OpenObject {
  if (revision.defines.samplingContentLists || !Array.isArray(params['messages'])) return params;
  const messages = readMessages(params).flatMap(({ role, content }) =>
    [content].flat().map((block: unknown) => ({
      role,
      content: isContentBlock(block) ? encodeBlock(block, revision) : block,
    })),
  );
  return { ...params, messages };
}

function readMessages({ messages }: OpenObject): readonly OpenObject[] {
  return Array.isArray(messages) ? messages.filter(isObject) : [];
}

function readType(block: unknown): unknown {
  return isObject(block) ? block['type'] : undefined;
}

function readMembers(schema: unknown): readonly (readonly [name: string, member: OpenObject])[] {
  const properties = isObject(schema) ? schema['properties'] : undefined;
  if (!isObject(properties)) return [];
  return Object.entries(properties).filter((entry): entry is [string, OpenObject] => isObject(entry[1]));
}
